import { jsonOf, parsed } from "../../core/engine/crossing.js";
import { OpenEvalsError, typedWork } from "../../core/errors.js";
import {
  aListOfStrings,
  anything,
  type Checks,
  checkOptions,
  oneOf,
  show,
  wholeFrom,
} from "../../core/input/checks.js";
import { type ScoreScale, withPassMark } from "../../core/scale.js";
import { PERCENTAGE } from "../../core/scales.js";
import { withAccessOf } from "../../models/chat/check-access.js";
import type { JudgeModel } from "../../models/chat/judge-model.js";
import type {
  ClaimSource,
  ClaimVerificationConfig,
  ClaimVerificationInput,
  ClaimVerificationMetrics,
  ClaimVerificationResult,
  JsonOf,
  VerifiedClaim,
} from "../../openevals.types.js";
import * as bindings from "../../openevals-judges.js";
import type { OpenJudge } from "../judge/model.js";
import { aPercentage, EVALUATOR_OPTIONS } from "./checks.js";
import { Conversation } from "./conversation.js";
import { DEFAULT_MODEL, judgeFor } from "./models.js";
import { inParts, type Report } from "./parts.js";
import { DECOMPOSITION } from "./questions/claim-verification/decomposition.js";
import { DISAMBIGUATION } from "./questions/claim-verification/disambiguation.js";
import { SELECTION } from "./questions/claim-verification/selection.js";
import { aboutEach } from "./questions/claim-verification/several.js";
import { VERIFICATION } from "./questions/claim-verification/verification.js";
import { EFFORTS, type ReasoningEffort, thinking } from "./reasoning-effort.js";
import { toOutput } from "./results.js";
import { runRecipe } from "./run.js";
import { sourcesOf } from "./source-messages.js";
import type { BaseEvaluatorConfig, EvaluationOutput, RecipeMessage, RecipeTool } from "./types.js";

/** The options of {@link ClaimVerificationEvaluator}. */
export interface ClaimVerificationEvaluatorConfig extends BaseEvaluatorConfig {
  /** What takes the claims from the answer; `model` by default. */
  claimExtractionModel?: string | JudgeModel | undefined;
  /** What verifies the claims; `model` by default. */
  verificationModel?: string | JudgeModel | undefined;
  /**
   * How hard the verifying model thinks, where that is a model by its name (`"openai:gpt-5.4"`); it then has five
   * minutes for an answer. If it is given, it is sent in the way of the provider. By default it is `"high"` for the models
   * that are known to take it (OpenAI's reasoning models, Gemini from 3 on), and nothing is sent to others. Models of any
   * other kind are told where they are made (`initChatModel(name, { params: { reasoning_effort } })`): beside one of those,
   * this option is an error.
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

/**
 * Which claims of an answer are supported by what the assistant had to go by.
 *
 * The answer is split into sentences. Of each one, with two sentences before and after it and the headings, the
 * introduction of the list or the header of the table that it stands under, a model is asked what in it can be verified,
 * what that means where it stands, and which single claims it makes; a sentence that stays ambiguous makes none. Then each
 * claim is verified against the sources: citations of their lines, how likely they support the claim, and how likely it
 * needs no source at all (open-domain: common knowledge, opinions, what was made on request).
 *
 * **What it costs.** In prose, a sentence without anything to verify takes one question, one with a single claim takes
 * four, and each further claim one more; all sources are sent with each claim that is verified. The items of a list and the
 * rows of a table are asked about together, up to twelve in a question, with their introduction and the heading right
 * before it, and so are their claims: a table of eight rows takes four questions. What an answer does not tell apart is
 * asked about again, alone. `metadata.usage` has the tokens, where the provider tells.
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
  /** What its scores mean: from 0 to 100, where 100 passes unless `passAt` says otherwise. */
  readonly scale: ScoreScale;
  readonly #config: JsonOf<ClaimVerificationConfig>;
  readonly #ignoreToolNames: readonly string[];
  readonly #judge: OpenJudge;
  readonly #verifier: OpenJudge;

  constructor(config: ClaimVerificationEvaluatorConfig = {}) {
    const options = checkOptions("ClaimVerificationEvaluator", config, OPTIONS);
    this.scale = withPassMark(PERCENTAGE, options);
    this.#config = jsonOf({
      verificationThreshold: options.verificationThreshold ?? 70,
      isOpenDomainThreshold: options.isOpenDomainThreshold ?? 50,
      maxConcurrency: options.maxConcurrency ?? 1,
      selection: aboutEach(SELECTION, "sentence"),
      disambiguation: aboutEach(DISAMBIGUATION, "sentence"),
      decomposition: aboutEach(DECOMPOSITION, "sentence"),
      verification: aboutEach(VERIFICATION, "claim"),
    });
    this.#ignoreToolNames = [...(options.ignoreToolNames ?? [])];

    const { model, judge, cacheKey, structuredOutputMethod } = options;
    const { claimExtractionModel, verificationModel, verificationReasoningEffort } = options;
    const how = { judge, cacheKey, structuredOutputMethod };
    this.#judge = judgeFor({ ...how, model: claimExtractionModel ?? model });
    const verifier = verificationModel ?? model ?? (judge ? undefined : DEFAULT_MODEL);
    const isNamed = typeof verifier === "string" && judge == null;
    if (verificationReasoningEffort !== undefined && !isNamed) {
      throw new OpenEvalsError(
        "invalid_config",
        'verificationReasoningEffort is only sent to a model that is given by its name, such as "openai:gpt-5.4". Set ' +
          "it where you make the model, such as initChatModel(name, { params: { reasoning_effort } }), and leave it out " +
          "here.",
      );
    }
    this.#verifier = judgeFor({
      ...how,
      model: isNamed ? thinking(verifier, verificationReasoningEffort) : verifier,
    });
    withAccessOf(this, [this.#judge, this.#verifier]);
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
    return typedWork(this.evalName, async () => {
      const conversation = new Conversation(messages);
      const { metrics, ...result } = await this.#verify({
        text: conversation.last("assistant"),
        userQuestion: conversation.last("user"),
        sourceContext: sourcesOf(messages, this.#ignoreToolNames),
      });
      return toOutput(this.evalName, { ...result, ...metrics });
    });
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
    const { metrics } = yield* inParts<VerifiedClaim, ClaimVerificationResult>((report) =>
      typedWork(this.evalName, async () => {
        checkInput(input);
        return this.#verify(input, report);
      }),
    );
    yield metrics;
  }

  async #verify(
    { text, userQuestion, sourceContext }: ClaimVerificationInput,
    report?: Report<VerifiedClaim>,
  ): Promise<ClaimVerificationResult> {
    const input = jsonOf({
      text: text.replace(LONE_SURROGATE, "\uFFFD"),
      userQuestion,
      sourceContext: sourceContext.map(({ sourceId, title, content }) => ({ sourceId, title, content })),
    });
    // The sentence as the caller wrote it.
    const inText = (claim: VerifiedClaim): VerifiedClaim => ({
      ...claim,
      sentence: text.slice(claim.startIndex, claim.endIndex),
    });
    const result = await runRecipe(
      this.evalName,
      input,
      [this.#judge, this.#verifier],
      (engine, extractor, verifier): Promise<JsonOf<ClaimVerificationResult>> =>
        engine
          .keep(bindings.ClaimVerification, this.#config)
          .run(extractor, verifier, input, async (claim) => report?.(inText(parsed(claim))) ?? false),
    );
    return { ...result, claims: result.claims.map(inText) };
  }
}

const OPTIONS: Checks<ClaimVerificationEvaluatorConfig> = {
  claimExtractionModel: anything,
  verificationModel: anything,
  verificationReasoningEffort: oneOf(EFFORTS),
  verificationThreshold: aPercentage,
  isOpenDomainThreshold: aPercentage,
  maxConcurrency: wholeFrom(1),
  ignoreToolNames: aListOfStrings,
  ...EVALUATOR_OPTIONS,
};

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
