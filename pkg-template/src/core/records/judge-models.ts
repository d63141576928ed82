/** The models that judged the rows of an experiment. */

import type { ExperimentRow } from "./types.js";

/** The models by key, as the `metadata` of the results has them. */
export class JudgeModels {
  readonly #byKey = new Map<string, Set<string>>();

  constructor(rows: readonly Pick<ExperimentRow, "evaluationResults">[] = []) {
    for (const row of rows) this.add(row);
  }

  add({ evaluationResults }: Pick<ExperimentRow, "evaluationResults">): void {
    for (const { key, metadata } of evaluationResults) {
      if (!metadata) continue;
      const parts: readonly { metadata?: unknown }[] = Array.isArray(metadata.parts) ? metadata.parts : [];
      for (const model of [metadata, ...parts.map((part) => part?.metadata)].flatMap(modelsIn)) {
        const models = this.#byKey.get(key);
        if (models) models.add(model);
        else this.#byKey.set(key, new Set([model]));
      }
    }
  }

  /** The keys whose results have models here and there, but none in common. */
  others(there: JudgeModels): { key: string; here: string[]; there: string[] }[] {
    return [...this.#byKey].flatMap(([key, models]) => {
      const others = there.#byKey.get(key);
      const isShared = !others || [...models].some((model) => others.has(model));
      return isShared ? [] : [{ key, here: [...models], there: [...others] }];
    });
  }
}

/** The models in the `metadata` of a judge; that of a jury has several. */
export function modelsIn(metadata: unknown): string[] {
  const { model, models } = Object(metadata) as Record<string, unknown>;
  return [model, ...(Array.isArray(models) ? models : [])].filter((name) => typeof name === "string");
}
