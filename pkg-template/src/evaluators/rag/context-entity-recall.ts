import { aFlag, checkOptions, type OptionChecks } from "../../core/input/checks.js";
import { SHARE } from "../../core/scales.js";
import { countOf } from "../item-verdicts/comments.js";
import { textsOf } from "./comments.js";
import {
  RAG_OPTIONS,
  type RagEvaluator,
  type RagMetric,
  type RagOptions,
  ragEvaluator,
} from "./evaluator.js";
import { ENTITIES } from "./questions/entities.js";

/** The options of {@link contextEntityRecall}. */
export interface ContextEntityRecallOptions extends RagOptions {
  /**
   * Whether entities have to be equal as texts, as in Ragas. By default, case, accents and English articles do not
   * count.
   */
  exact?: boolean | undefined;
}

/** The details of a result of {@link contextEntityRecall}. */
export type ContextEntityRecallDetails = {
  /** The entities of the reference, each with the indices of the contexts that name it. */
  entities: { entity: string; contexts: number[] }[];
};

export const contextEntityRecallOf = (exact: boolean): RagMetric<ContextEntityRecallDetails> => ({
  key: "context_entity_recall",
  scale: SHARE,
  needs: ["context", "referenceOutputs"],
  async score({ reference, contexts }, steps) {
    const entitiesOf = async (texts: readonly string[]) =>
      (await steps.ask<{ entities: string[] }>(ENTITIES, texts, {})).map(({ entities }) =>
        entities.filter((entity) => entity.trim()),
      );
    const [wanted, found] = await Promise.all([entitiesOf([reference]), entitiesOf(textsOf(contexts))]);
    const keyOf = exact ? (entity: string) => entity : normalized;
    const byContext = found.map((entities) => new Set(entities.map(keyOf)));
    const unique = new Map((wanted[0] ?? []).map((entity) => [keyOf(entity), entity]));
    if (!unique.size) return { comment: "Not applicable: the reference names no entities." };
    const entities = [...unique].map(([key, entity]) => ({
      entity,
      contexts: byContext.flatMap((keys, index) => (keys.has(key) ? index : [])),
    }));
    const missing = entities.filter(({ contexts }) => !contexts.length).map(({ entity }) => `"${entity}"`);
    const share = countOf(entities.length - missing.length, entities.length, "entity").replace(/ys$/, "ies");
    return {
      score: await steps.mean(entities.map(({ contexts }) => Number(contexts.length > 0))),
      comment: `The contexts name ${share} of the reference.${missing.length ? ` Missing: ${missing.join(", ")}.` : ""}`,
      details: { entities },
    };
  },
});

// In TypeScript, since JavaScript has Unicode tables, which would enlarge the engine.
const normalized = (entity: string): string =>
  entity
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .trim()
    .replace(/^(the|an?)\s+/, "")
    .replace(/\s+/g, " ");

/**
 * Makes an evaluator for context entity recall: the share of the reference's entities that the contexts name. It needs
 * `context` and `referenceOutputs`. It suits answers that are mostly names, dates and figures.
 *
 * @returns An evaluator whose result is `{ key: "context_entity_recall", score, comment, metadata }`, with a score from
 * 0 to 1 (best). `metadata.entities` has each entity with the contexts that name it. A reference without entities is
 * not applicable.
 * @throws {@link OpenEvalsError} As {@link faithfulness}.
 *
 * @example
 * ```ts
 * import { contextEntityRecall } from "openevals-wasm/rag";
 *
 * const recall = contextEntityRecall({ model: "openai:gpt-5.4", exact: true });
 * export const score = () =>
 *   recall({ context: ["Ada Lovelace was born in London."], referenceOutputs: "Ada Lovelace, London, 1815" });
 * ```
 */
export function contextEntityRecall(
  options: ContextEntityRecallOptions,
): RagEvaluator<ContextEntityRecallDetails> {
  const { exact = false, ...read } = checkOptions("contextEntityRecall", options, OPTIONS);
  return ragEvaluator(contextEntityRecallOf(exact), read);
}

const OPTIONS: OptionChecks<ContextEntityRecallOptions> = { exact: aFlag, ...RAG_OPTIONS };
