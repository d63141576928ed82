/** The models and prompts that judged the rows of an experiment. */

import type { JudgeIdentity } from "./calibration.js";
import type { ExperimentRow } from "./types.js";

/** A judge with more prompts writes one for each row, so they do not identify it. */
const MAX_PROMPTS = 10;

/** The number of results of a key that the same models judged. */
export interface JudgedResults {
  models: string[];
  /** The number of judges that voted; 1 without a jury. */
  judges: number;
  count: number;
}

/** The results of a key, by their judges, and the prompts. */
interface JudgesOfKey {
  results: Map<string, JudgedResults>;
  prompts: Set<string>;
}

/** The models and prompts by key, as the `metadata` of the results has them. */
export class JudgeModels {
  readonly #byKey = new Map<string, JudgesOfKey>();

  constructor(rows: readonly Pick<ExperimentRow, "evaluationResults">[] = []) {
    for (const row of rows) this.add(row);
  }

  add({ evaluationResults }: Pick<ExperimentRow, "evaluationResults">): void {
    for (const { key, metadata } of evaluationResults) {
      if (!metadata) continue;
      const [parts, votes] = [listIn(metadata.parts), listIn(metadata.votes)];
      const all = [metadata, ...[...parts, ...votes].map((part) => part?.metadata)];
      const models = [...new Set(all.flatMap(modelsIn))];
      const prompts = all.map((one) => one?.promptHash).filter((hash) => typeof hash === "string");
      if (!models.length && !prompts.length) continue;
      const known: JudgesOfKey = this.#byKey.get(key) ?? { results: new Map(), prompts: new Set() };
      this.#byKey.set(key, known);
      for (const prompt of prompts) if (known.prompts.size <= MAX_PROMPTS) known.prompts.add(prompt);
      // The samples of one judge are votes without names.
      const judges = votes.some((vote) => typeof vote?.name === "string") ? votes.length : 1;
      const id = JSON.stringify([judges, ...models]);
      const { count = 0 } = known.results.get(id) ?? {};
      known.results.set(id, { models, judges, count: count + 1 });
    }
  }

  /** The judge of a key; `undefined` if its results have neither models nor prompts. */
  of(key: string): JudgeIdentity | undefined {
    const known = this.#byKey.get(key);
    if (!known) return undefined;
    const prompts = known.prompts.size > MAX_PROMPTS ? [] : [...known.prompts];
    const judges = [...new Set(this.resultsOf(key).map((results) => results.judges))];
    return { models: this.#modelsOf(key), prompts, judges };
  }

  /** The results of a key that have models or prompts, by their judges. */
  resultsOf(key: string): JudgedResults[] {
    return [...(this.#byKey.get(key)?.results.values() ?? [])];
  }

  /** The keys whose results have models here and there, but none in common. */
  others(there: JudgeModels): { key: string; here: string[]; there: string[] }[] {
    return [...this.#byKey.keys()].flatMap((key) => {
      const [models, others] = [this.#modelsOf(key), there.#modelsOf(key)];
      const isShared = !models.length || !others.length || models.some((model) => others.includes(model));
      return isShared ? [] : [{ key, here: models, there: others }];
    });
  }

  #modelsOf(key: string): string[] {
    return [...new Set(this.resultsOf(key).flatMap(({ models }) => models))];
  }
}

const listIn = (value: unknown): any[] => (Array.isArray(value) ? value : []);

/** The models in the `metadata` of a judge; that of a jury has several. */
export function modelsIn(metadata: unknown): string[] {
  const { model, models } = Object(metadata) as Record<string, unknown>;
  return [model, ...(Array.isArray(models) ? models : [])].filter((name) => typeof name === "string");
}
