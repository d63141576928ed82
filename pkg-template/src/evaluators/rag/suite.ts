import { anything, checkOptions, type OptionChecks } from "../../core/input/checks.js";
import { SHARE } from "../../core/scales.js";
import type { LangSmithParams, ScoreScale } from "../../core/types.js";
import { judgedEvaluator } from "../item-verdicts/evaluator.js";
import type { Embeddings } from "../string/embedding-similarity.js";
import { answerRelevancyBy } from "./answer-relevancy.js";
import { contextEntityRecallOf } from "./context-entity-recall.js";
import { contextPrecisionFor } from "./context-precision.js";
import { CONTEXT_RECALL } from "./context-recall.js";
import { CONTEXT_RELEVANCE } from "./context-relevance.js";
import {
  missingInput,
  missingParts,
  partsOf,
  type RagMetric,
  type RagOptions,
  type RagResult,
  resultOf,
  SHARED_OPTIONS,
  stepSettings,
} from "./evaluator.js";
import { factualCorrectnessBy } from "./factual-correctness.js";
import { FAITHFULNESS } from "./faithfulness.js";
import { type RagParams, readRow } from "./row.js";
import { similarityBy, withEmbeddings } from "./similarity.js";
import { Steps } from "./steps.js";

/** The options of {@link ragSuite}. */
export interface RagSuiteOptions extends Omit<RagOptions, "samples" | "feedbackKey"> {
  /** The embeddings for answer relevancy. Without them, it is left out. */
  embeddings?: string | Embeddings | undefined;
}

/** An evaluator of several RAG metrics. */
export interface RagSuite {
  (params: LangSmithParams): Promise<RagResult[]>;
  (params: RagParams): Promise<RagResult[]>;
  /** Scores many rows in parallel; the results are in the order of the rows. */
  batch(rows: readonly RagParams[]): Promise<RagResult[][]>;
  /** The range, direction and pass mark of its scores. */
  readonly scale: ScoreScale;
  /** The keys of its results. */
  readonly resultKeys: readonly string[];
}

/**
 * Makes one evaluator of seven metrics with their defaults: {@link faithfulness}, {@link contextPrecision}, {@link
 * contextRecall}, {@link contextEntityRecall}, {@link contextRelevance}, {@link factualCorrectness}, and with
 * `embeddings` {@link answerRelevancy}. The claims of the answer and of the reference are extracted only once.
 *
 * @returns An evaluator that returns a list of results. It needs `context`. A metric for which the row lacks another part, such
 * as `referenceOutputs`, is not applicable. `usage` and `attempts` of the first result include all of them.
 * @throws {@link OpenEvalsError} As {@link faithfulness}; if one metric fails, the evaluator fails. In an experiment with a
 * cache, you can pass the metrics one by one instead: they share the claims, and each fails alone.
 *
 * @example
 * ```ts
 * import { ragSuite } from "openevals-wasm/rag";
 *
 * const suite = ragSuite({ model: "openai:gpt-5.4", embeddings: "openai:text-embedding-3-small" });
 * export const scores = () =>
 *   suite({
 *     inputs: "When does the shop open?",
 *     outputs: "At nine.",
 *     context: ["The shop opens at 9 a.m."],
 *     referenceOutputs: "It opens at nine.",
 *   });
 * ```
 */
export function ragSuite(options: RagSuiteOptions): RagSuite {
  const maker = "ragSuite";
  const { embeddings, ...read } = checkOptions(maker, options, OPTIONS);
  const settings = stepSettings(read);
  const metrics: RagMetric<any>[] = [
    FAITHFULNESS,
    contextPrecisionFor(undefined),
    CONTEXT_RECALL,
    contextEntityRecallOf(false),
    CONTEXT_RELEVANCE,
    factualCorrectnessBy({ mode: "f", beta: 1 }),
  ];
  const similarity = embeddings === undefined ? undefined : similarityBy(maker, embeddings);
  if (similarity) metrics.push(answerRelevancyBy(similarity, 3));
  const evaluate = async (params: unknown): Promise<RagResult[]> => {
    const row = readRow(maker, params, read.contextFrom, metrics.flatMap(partsOf));
    if (!row.contexts && !read.contextFrom)
      throw missingInput({ key: maker, needs: ["inputs", "outputs", "context"] }, ["context"], params);
    const steps = new Steps(settings);
    const results = await steps.counted(() =>
      Promise.all(
        metrics.map((metric) => resultOf(metric, metric.key, row, steps, missingParts(metric, row))),
      ),
    );
    return results.map(({ metadata: { usage, parts, ...metadata }, ...result }, index) => ({
      ...result,
      // The requests are shared, so they count once.
      metadata: { ...metadata, ...(index ? { attempts: 0 } : steps.usage()) },
    }));
  };
  const resultKeys = metrics.map(({ key }) => key);
  const spec = { key: "rag", name: maker, resultKeys, scale: SHARE, options: read, settings };
  const suite = judgedEvaluator<RagSuite>(spec, evaluate);
  return similarity ? withEmbeddings(suite, similarity) : suite;
}

const OPTIONS: OptionChecks<RagSuiteOptions> = { ...SHARED_OPTIONS, embeddings: anything };
