/** The models and prompts that judged the rows of an experiment. */

import type { JudgeIdentity } from "./calibration.js";
import type { ExperimentRow } from "./types.js";

/** A judge with more prompts writes one for each row, so they do not identify it. */
const MAX_PROMPTS = 10;

/** The models and prompts by key, as the `metadata` of the results has them. */
export class JudgeModels {
  readonly #byKey = new Map<string, Record<keyof JudgeIdentity, Set<string>>>();

  constructor(rows: readonly Pick<ExperimentRow, "evaluationResults">[] = []) {
    for (const row of rows) this.add(row);
  }

  add({ evaluationResults }: Pick<ExperimentRow, "evaluationResults">): void {
    for (const { key, metadata } of evaluationResults) {
      if (!metadata) continue;
      const parts = [metadata.parts, metadata.votes].flatMap((list) => (Array.isArray(list) ? list : []));
      for (const one of [metadata, ...parts.map((part) => part?.metadata)]) {
        const prompt = one?.promptHash;
        const [models, prompts] = [modelsIn(one), typeof prompt === "string" ? [prompt] : []];
        if (!models.length && !prompts.length) continue;
        const known = this.#byKey.get(key) ?? { models: new Set(), prompts: new Set() };
        this.#byKey.set(key, known);
        for (const model of models) known.models.add(model);
        for (const prompt of prompts) if (known.prompts.size <= MAX_PROMPTS) known.prompts.add(prompt);
      }
    }
  }

  /** The judge of a key; `undefined` if its results have neither models nor prompts. */
  of(key: string): JudgeIdentity | undefined {
    const known = this.#byKey.get(key);
    if (!known) return undefined;
    const prompts = known.prompts.size > MAX_PROMPTS ? [] : [...known.prompts];
    return { models: [...known.models], prompts };
  }

  /** The keys whose results have models here and there, but none in common. */
  others(there: JudgeModels): { key: string; here: string[]; there: string[] }[] {
    return [...this.#byKey].flatMap(([key, { models }]) => {
      const others = there.#byKey.get(key)?.models;
      const isShared = !models.size || !others?.size || [...models].some((model) => others.has(model));
      return isShared ? [] : [{ key, here: [...models], there: [...others] }];
    });
  }
}

/** The models in the `metadata` of a judge; that of a jury has several. */
export function modelsIn(metadata: unknown): string[] {
  const { model, models } = Object(metadata) as Record<string, unknown>;
  return [model, ...(Array.isArray(models) ? models : [])].filter((name) => typeof name === "string");
}
