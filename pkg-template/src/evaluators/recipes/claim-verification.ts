import { jsonOf, parsed } from "../../core/engine/crossing.js";
import { invalidConfig, invalidInput, type OpenEvalsError, typedWork } from "../../core/errors.js";
import {
  aListOfStrings,
  anything,
  checkOptions,
  type OptionChecks,
  oneOf,
  show,
  wholeFrom,
} from "../../core/input/checks.js";
import { wellFormed } from "../../core/input/json/well-formed.js";
import { withPassMark } from "../../core/passing.js";
import { PERCENTAGE } from "../../core/scales.js";
import type { ScoreScale } from "../../core/types.js";
import type { JudgeModel } from "../../models/chat/judge-model.js";
import { withAccessOf } from "../../models/chat/providers/check-access.js";
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
import { extractionSteps } from "./questions/claim-verification/extraction.js";
import { forOneAndSeveral } from "./questions/claim-verification/several.js";
import { VERIFICATION } from "./questions/claim-verification/verification.js";
import { EFFORTS, type ReasoningEffort, withReasoningEffort } from "./reasoning-effort.js";
import { toOutput } from "./results.js";
import { runRecipe } from "./run.js";
import { sourcesOf } from "./source-messages.js";
import type { BaseEvaluatorConfig, EvaluationOutput, RecipeMessage, RecipeTool } from "./types.js";

/** The options of {@link ClaimVerificationEvaluator}. */
export interface ClaimVerificationEvaluatorConfig extends BaseEvaluatorConfig {
  /** The model that extracts the claims from the answer; `model` by default. */
  claimExtractionModel?: string | JudgeModel | undefined;
  /** The model that verifies the claims; `model` by default. */
  verificationModel?: string | JudgeModel | undefined;
  /**
   * The reasoning effort of the verifying model, if that is given by its name (`"openai:gpt-5.4"`); an answer may then
   * take five minutes. By default, it is `"high"` for models that are known to support it (OpenAI's reasoning models,
   * Gemini from 3 on), and is not sent to others. For a model of any other kind, this option is an error; set the
   * effort where you make the model: `initChatModel(name, { params: { reasoning_effort } })`.
   */
  verificationReasoningEffort?: ReasoningEffort | undefined;
  /** A claim is supported from this `verifiedProbability` on, 0 to 100; 70 by default. */
  verificationThreshold?: number | undefined;
  /** A claim is open-domain from this `openDomainProbability` on, 0 to 100; 50 by default. */
  isOpenDomainThreshold?: number | undefined;
  /** How many questions are asked in parallel; 1 by default. */
  maxConcurrency?: number | undefined;
  /** The tools whose outputs are not sources for {@link ClaimVerificationEvaluator.evaluate}. */
  ignoreToolNames?: readonly string[] | undefined;
}

/**
 * Evaluates which claims of an answer are supported by the assistant's sources.
 *
 * The answer is split into sentences. For each sentence, a model is asked what in it can be verified, what it means in
 * context, and which claims it makes; an ambiguous sentence makes none. The context is two sentences before and after
 * it, and the headings, list introduction or table header above it. Then each claim is verified against the sources:
 * citations of their lines, the probability that they support the claim, and the probability that it needs no source
 * (open-domain: common knowledge, opinions, creative work).
 *
 * **Cost.** In prose, a sentence without a verifiable claim takes one question, one with a single claim takes four, and
 * each further claim takes one more. All sources are sent with each claim that is verified. Items of a list and rows of
 * a table are handled together, up to twelve in a question, with their introduction and the heading right before them,
 * and so are their claims: a table of eight rows takes four questions. Items that an answer mixes up are asked about
 * again, one by one. `metadata.usage` has the tokens, if the provider reports them.
 *
 * The score is the percentage of supported claims among the closed-domain ones. The result is not applicable, with a
 * score of 0, if that would mean little: for two claims or fewer, or if most claims are open-domain and less than 15%
 * of the others are supported. The feedback names the unsupported closed-domain claims. `metadata` has the {@link
 * ClaimVerificationMetrics}, and the {@link VerifiedClaim}s as `claims`, in the order of the text.
 *
 * After `claim_verification` of Eval Recipes, which is based on two papers by Dasha Metropolitansky and Jonathan
 * Larson: Claimify ("Towards Effective Extraction and Evaluation of Factual Claims", https://arxiv.org/abs/2502.10855)
 * and VeriTrail ("VeriTrail: Closed-Domain Hallucination Detection with Traceability",
 * https://arxiv.org/abs/2505.21786). This is not an official implementation of either; please cite them when you use
 * it.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work, `invalid_input` for data in the wrong
 * form. `evaluate` and `run` throw the errors of `createLLMAsJudge`; the message begins with the name of the step:
 * `selection`, `disambiguation`, `decomposition` or `verification`.
 *
 * @example
 * ```ts
 * import { ClaimVerificationEvaluator } from "openevals-wasm/recipes";
 *
 * // Replaces a model that finds one claim in every sentence.
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
  /** The range and pass mark of its scores: from 0 to 100; by default, 100 passes. */
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
      ...extractionSteps(),
      verification: forOneAndSeveral(VERIFICATION, "claim"),
    });
    this.#ignoreToolNames = [...(options.ignoreToolNames ?? [])];

    const { model, judge, cacheKey, structuredOutputMethod } = options;
    const { claimExtractionModel, verificationModel, verificationReasoningEffort } = options;
    const common = { judge, cacheKey, structuredOutputMethod };
    this.#judge = judgeFor({ ...common, model: claimExtractionModel ?? model });
    const verifier = verificationModel ?? model ?? (judge ? undefined : DEFAULT_MODEL);
    const isNamed = typeof verifier === "string" && judge == null;
    if (verificationReasoningEffort !== undefined && !isNamed) {
      throw invalidConfig(
        'verificationReasoningEffort is only sent to a model given by its name, such as "openai:gpt-5.4". Leave it out, and set ' +
          "it where you make the model: initChatModel(name, { params: { reasoning_effort } })",
      );
    }
    this.#verifier = judgeFor({
      ...common,
      model: isNamed ? withReasoningEffort(verifier, verificationReasoningEffort) : verifier,
    });
    withAccessOf(this, [this.#judge, this.#verifier]);
  }

  /**
   * Verifies the claims of the last answer. The sources are the system and user messages, and the outputs of tools; the
   * assistant's own texts and calls are not. The ids of sources are the indices of their messages, with `_0`, `_1`, …
   * for the parts of a message. `_tools` is ignored.
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
   * Verifies the claims of a text: yields each claim as soon as it is verified, and finally the metrics. With a
   * `maxConcurrency` of 1, claims are yielded in the order of the text.
   *
   * The first question is asked when the first claim is requested. A claim that has not been consumed counts as a
   * question in progress, so a slow consumer slows the questions down, and leaving the loop ends them. An error follows
   * the claims found before it.
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
      text: wellFormed(text),
      userQuestion,
      sourceContext: sourceContext.map(({ sourceId, title, content }) => ({ sourceId, title, content })),
    });
    // The engine read a text without lone surrogates; the caller gets the original sentence.
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

const OPTIONS: OptionChecks<ClaimVerificationEvaluatorConfig> = {
  claimExtractionModel: anything,
  verificationModel: anything,
  verificationReasoningEffort: oneOf(EFFORTS),
  verificationThreshold: aPercentage,
  isOpenDomainThreshold: aPercentage,
  maxConcurrency: wholeFrom(1),
  ignoreToolNames: aListOfStrings,
  ...EVALUATOR_OPTIONS,
};

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
    if (ids.has(sourceId)) throw invalid(`${place}.sourceId`, sourceId, "unique among the sources");
    ids.add(sourceId);
  }
  for (const [name, value] of Object.entries(texts)) {
    if (typeof value !== "string") throw invalid(name, value, "a string");
  }
}

const invalid = (name: string, value: unknown, wanted: string): OpenEvalsError =>
  invalidInput(`${name} is ${show(value)}; it has to be ${wanted}`);
