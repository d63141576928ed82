import { isWhole } from "../chat/endpoint.js";
import { OpenEvalsError } from "../errors.js";
import { given, knownOptions, listOfStrings, oneOf, show } from "../input/options.js";
import type { JudgeModel } from "../judge/types.js";
import { Conversation } from "./conversation.js";
import { inParts, type Report } from "./parts.js";
import { type ReasoningEffort, thinking } from "./reasoning-effort.js";
import { DEFAULT_MODEL, openerFor, Recipe, toOutput } from "./recipe.js";
import { sourcesOf } from "./source-messages.js";
import { type ReportedClaim, Sources } from "./sources.js";
import { DECOMPOSITION, DISAMBIGUATION, SELECTION, VERIFICATION } from "./steps/claim-verification.js";
import type {
  BaseEvaluatorConfig,
  ClaimSource,
  EvaluationOutput,
  RecipeMessage,
  RecipeResult,
  RecipeTool,
} from "./types.js";

/** The options of {@link ClaimVerificationEvaluator}. */
export interface ClaimVerificationEvaluatorConfig extends BaseEvaluatorConfig {
  /** What takes the claims from the answer; `model` by default. */
  claimExtractionModel?: string | JudgeModel | undefined;
  /** What verifies the claims; `model` by default. */
  verificationModel?: string | JudgeModel | undefined;
  /**
   * How hard the verifying model thinks, where that is a model by its name (`"openai:gpt-5.4"`); it then has five
   * minutes for an answer. If it is given, it is sent in the way of the provider. By default it is `"high"` for the models
   * that are known to take it (OpenAI's reasoning models, Gemini from 3 on), and nothing is sent to others. Without effect
   * on models of any other kind: set it where you make them (`initChatModel(name, { params: { reasoning_effort } })`).
   */
  verificationReasoningEffort?: ReasoningEffort | undefined;
  /** From this `verifiedProbability` on, 0 to 100, a claim is supported; 70 by default. */
  verificationThreshold?: number | undefined;
  /** From this `openDomainProbability` on, 0 to 100, a claim is open-domain; 50 by default. */
  isOpenDomainThreshold?: number | undefined;
  /** How many questions, about sentences and about claims, are asked at the same time; 1 by default. */
  maxConcurrency?: number | undefined;
  /** The tools whose outputs are no sources for {@link ClaimVerificationEvaluator.evaluate}. */
  ignoreToolNames?: readonly string[] | undefined;
}

/** What {@link ClaimVerificationEvaluator.run} verifies. */
export interface ClaimVerificationInput {
  /** The answer whose claims are verified. */
  text: string;
  /** What it answers. */
  userQuestion: string;
  /** What it could go by. */
  sourceContext: readonly ClaimSource[];
}

/** A claim of the answer, verified. */
export interface VerifiedClaim {
  /** The sentence that makes the claim. */
  sentence: string;
  /** Where the sentence begins: `text.slice(startIndex, endIndex)` is the sentence. */
  startIndex: number;
  /** Where it ends. */
  endIndex: number;
  /** The claim, so that it can be understood alone; what explains it stands in square brackets. */
  claim: string;
  /** Why the sources support it, or why not. */
  proof: string;
  /** The passages that support it; empty if none do. */
  citations: { sourceId: string; citedText: string }[];
  /** How likely the sources support it, from 0 to 100. */
  verifiedProbability: number;
  /** Why it needs a source, or why not, if the sources do not support it. */
  openDomainJustification: string;
  /** How likely it needs no source, from 0 to 100: the metrics go by this. */
  openDomainProbability: number;
  /** Whether it needs no source, as the model decided. */
  isOpenDomain: boolean;
  /**
   * The citations of sources or lines that do not exist, if there are any: lines from `startRange` to before `endRange`,
   * counted from 0. Of those that exist in part, the part is among the `citations`. They do not change the
   * probabilities, but they are reason to doubt the model.
   */
  invalidCitations?: { sourceId: string; startRange: number; endRange: number }[];
}

/** What all claims of an answer come to. Closed-domain claims are those that need a source. */
export interface ClaimVerificationMetrics {
  /** How many claims there are. */
  totalClaims: number;
  /** The percentage of the closed-domain claims that the sources support; 0 if there are no such claims. */
  closedDomainSupported: number;
  /**
   * Whether the percentage means little: there are two claims or fewer, or more open- than closed-domain claims and less
   * than 15 % supported.
   */
  ignoreMetricRecommended: boolean;
  /** How many closed-domain claims the sources support. */
  numClosedDomainSupported: number;
  /** How many claims need no source. */
  numOpenDomainClaims: number;
  /** How many do. */
  totalClaimsClosedDomain: number;
  /** The tokens that were used, where the provider tells. */
  usage?: { inputTokens: number; outputTokens: number };
}

type ClaimVerificationResult = RecipeResult & ClaimVerificationMetrics & { claims: ReportedClaim[] };

/**
 * Which claims of an answer are supported by what the assistant had to go by.
 *
 * The answer is split into sentences. Of each one, with two sentences before and after it, a model is asked what in it can
 * be verified, what that means where it stands, and which single claims it makes; a sentence that stays ambiguous makes
 * none. Then each claim is verified against the sources: citations of their lines, how likely they support the claim, and
 * how likely it needs no source at all (open-domain: common knowledge, opinions, what was made on request).
 *
 * The score is the percentage of the closed-domain claims that are supported. Not applicable, with a score of 0, where
 * that means little: with two claims or fewer, or with more open- than closed-domain claims and less than 15 % supported.
 * The feedback names the closed-domain claims that are not supported. `metadata` has the {@link ClaimVerificationMetrics},
 * and the {@link VerifiedClaim}s as `claims`, in the order of the text.
 *
 * After `claim_verification` of Eval Recipes, which is based on two papers by Dasha Metropolitansky and Jonathan Larson:
 * Claimify ("Towards Effective Extraction and Evaluation of Factual Claims", https://arxiv.org/abs/2502.10855) and
 * VeriTrail ("VeriTrail: Closed-Domain Hallucination Detection with Traceability", https://arxiv.org/abs/2505.21786). This
 * is no official implementation of either; please cite them when you use it.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work, `invalid_input` for data that has not the
 * right form. `evaluate` and `run` throw what asking a model fails with, as for `createLLMAsJudge`; the message begins
 * with the name of the step: `selection`, `disambiguation`, `decomposition` or `verification`.
 *
 * @example
 * ```ts
 * import { ClaimVerificationEvaluator } from "openevals-wasm/recipes";
 *
 * // Stands in for a model that finds one claim in every sentence.
 * const answers: Record<string, object> = {
 *   final_submission: {
 *     sentence: "",
 *     thought_process: "",
 *     final_submission: "Contains a specific and verifiable proposition",
 *     sentence_with_verifiable_info: "remains unchanged",
 *   },
 *   decontextualized_sentences: {
 *     incomplete_names_acronyms_abbreviations_reasoning: "",
 *     linguistic_ambiguity_reasoning: "",
 *     changes_needed_reasoning: "",
 *     changes_needed: false,
 *     decontextualized_sentences: ["Paris has 12 million residents."],
 *   },
 *   max_clarified_sentence: {
 *     sentence: "",
 *     referential_terms_to_clarify: "None",
 *     max_clarified_sentence: "",
 *     range_of_possible_propositions: "1-2",
 *     specific_verifiable_decontextualized_propositions: ["Paris has 12 million residents"],
 *     specific_verifiable_decontextualized_propositions_with_clarifications: ["Paris has 12 million residents"],
 *   },
 *   proof: {
 *     proof: "The source has another number.",
 *     citations: [],
 *     verified_probability: 3,
 *     open_domain_justification: "A number has to be proved.",
 *     open_domain_probability: 0,
 *     is_open_domain: false,
 *   },
 * };
 * const evaluator = new ClaimVerificationEvaluator({
 *   model: ({ schema }) =>
 *     Object.entries(answers).find(([field]) => JSON.stringify(schema).includes(`"${field}"`))?.[1] ?? {},
 * });
 *
 * for await (const result of evaluator.run({
 *   text: "It has 12 million residents.",
 *   userQuestion: "Tell me about Paris",
 *   sourceContext: [{ sourceId: "1", title: "Wikipedia", content: "Paris has 2.1 million inhabitants." }],
 * })) {
 *   if ("claim" in result) console.log(result.claim, result.verifiedProbability); // Paris has 12 million residents 3
 *   else console.log(result.closedDomainSupported); // 0
 * }
 * ```
 */
export class ClaimVerificationEvaluator {
  /** The name of the evaluation. */
  readonly evalName = "claim_verification";
  readonly #recipe: Recipe<ClaimVerificationResult>;
  readonly #ignoreToolNames: readonly string[];

  constructor(config: ClaimVerificationEvaluatorConfig = {}) {
    knownOptions("ClaimVerificationEvaluator", config, [
      "claimExtractionModel",
      "verificationModel",
      "verificationReasoningEffort",
      "verificationThreshold",
      "isOpenDomainThreshold",
      "maxConcurrency",
      "ignoreToolNames",
      "model",
      "judge",
    ]);
    const { model, judge, claimExtractionModel, verificationModel, verificationReasoningEffort } = config;
    const { verificationThreshold = 70, isOpenDomainThreshold = 50 } = config;
    const { maxConcurrency = 1, ignoreToolNames = [] } = config;
    if (verificationReasoningEffort !== undefined) {
      oneOf("verificationReasoningEffort", verificationReasoningEffort, ["minimal", "low", "medium", "high"]);
    }
    const isPercentage = (value: unknown) => typeof value === "number" && value >= 0 && value <= 100;
    given("verificationThreshold", verificationThreshold, "a number from 0 to 100", isPercentage);
    given("isOpenDomainThreshold", isOpenDomainThreshold, "a number from 0 to 100", isPercentage);
    given("maxConcurrency", maxConcurrency, "a whole number from 1", isWhole(1));
    listOfStrings("ignoreToolNames", ignoreToolNames);
    this.#ignoreToolNames = [...ignoreToolNames];

    const verifier = verificationModel ?? model ?? (judge ? undefined : DEFAULT_MODEL);
    const isNamed = typeof verifier === "string" && judge === undefined;
    this.#recipe = new Recipe(
      "claim_verification",
      {
        selection: SELECTION,
        disambiguation: DISAMBIGUATION,
        decomposition: DECOMPOSITION,
        verification: VERIFICATION,
      },
      { verificationThreshold, isOpenDomainThreshold, maxConcurrency },
      openerFor({ model: claimExtractionModel ?? model, judge }),
      openerFor({ model: isNamed ? thinking(verifier, verificationReasoningEffort) : verifier, judge }),
    );
  }

  /**
   * Verifies the claims of the last answer. The sources are the messages of the system and the user, and the outputs of
   * tools; what the assistant said and called is none. Their ids are the indices of the messages, with `_0`, `_1`, … for
   * the texts of a message that has several parts. The tools themselves are not looked at.
   */
  async evaluate(
    messages: readonly RecipeMessage[],
    _tools: readonly RecipeTool[] = [],
  ): Promise<EvaluationOutput> {
    const conversation = new Conversation(messages);
    const text = conversation.last("assistant");
    const sources = new Sources(sourcesOf(messages, this.#ignoreToolNames));
    const result = await this.#run(text, conversation.last("user"), sources);
    const claims = result.claims.map((claim) => sources.toClaim(text, claim));
    return toOutput("claim_verification", Object.assign(result, { claims }));
  }

  /**
   * Verifies the claims of a text: yields each claim as soon as it is verified, and at last the metrics. With a
   * `maxConcurrency` of 1, the claims come in the order of the text.
   *
   * Nothing is asked before the first claim is asked for, and a claim that nobody has taken yet counts as a question that
   * is being asked; so whoever leaves the loop ends the questions, and whoever is slow slows them down. An error comes
   * after the claims that there were.
   */
  async *run(
    input: ClaimVerificationInput,
  ): AsyncGenerator<VerifiedClaim | ClaimVerificationMetrics, void, undefined> {
    checkInput(input);
    const { text, userQuestion, sourceContext } = input;
    const sources = new Sources(sourceContext);
    const result = yield* inParts<VerifiedClaim, ClaimVerificationResult>(
      (report) => this.#run(text, userQuestion, sources, report),
      (part) => sources.toClaim(text, JSON.parse(part)),
    );
    const { applicable: _, score: __, feedback: ___, claims: ____, ...metrics } = result;
    yield metrics;
  }

  #run(
    text: string,
    userQuestion: string,
    sources: Sources,
    report?: Report,
  ): Promise<ClaimVerificationResult> {
    const input = { text: text.replace(LONE_SURROGATE, "\uFFFD"), userQuestion, sources: sources.text };
    return this.#recipe.run(input, report);
  }
}

/** Has no place in a text that is split; what stands for it is of the same length. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

function checkInput(input: ClaimVerificationInput): void {
  const { text, userQuestion, sourceContext } = input ?? {};
  const texts: Record<string, unknown> = { text, userQuestion };
  if (!Array.isArray(sourceContext)) throw invalid("sourceContext", sourceContext, "a list of sources");
  const ids = new Set<string>();
  for (const [index, source] of (sourceContext as readonly ClaimSource[]).entries()) {
    const { sourceId, title, content } = source ?? {};
    const place = `sourceContext[${index}]`;
    Object.assign(texts, {
      [`${place}.sourceId`]: sourceId,
      [`${place}.title`]: title,
      [`${place}.content`]: content,
    });
    if (ids.has(sourceId)) throw invalid(`${place}.sourceId`, sourceId, "an id that no other source has");
    ids.add(sourceId);
  }
  for (const [name, value] of Object.entries(texts)) {
    if (typeof value !== "string") throw invalid(name, value, "a string");
  }
}

const invalid = (name: string, value: unknown, wanted: string): OpenEvalsError =>
  new OpenEvalsError("invalid_input", `${name} is ${show(value)}; it has to be ${wanted}.`);
