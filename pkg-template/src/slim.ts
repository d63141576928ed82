/**
 * Everything of the main entry point, for environments that want full control over how the engine is loaded:
 * nothing is fetched or read, no embedded copy of the binary ends up in a bundle, and there is no `import()`. The subpaths that use the engine,
 * such as `openevals-wasm/code/e2b`, share it with this entry point; they bring along how it is found otherwise, so
 * where one is imported, {@link init} is not required, but still decides.
 */

import { type BinarySource, judges, metrics, scores, statistics } from "./core/engine/sources.js";
import { readable } from "./core/input/checks.js";
import type { WasmSource } from "./core/types.js";

export * from "./api.js";

/** The binary, or a promise of it. */
type WasmBinary = WasmSource | PromiseLike<WasmSource>;

/** Where each binary comes from: its bytes, the compiled module, or a promise of either. */
export interface EngineSources {
  /** `openevals-wasm/openevals.wasm`: exact match, texts, JSON match, trajectories. */
  scores?: WasmBinary | undefined;
  /**
   * `openevals-wasm/openevals-judges.wasm`: whatever asks a model. Judges of trajectories need both, and so does JSON match
   * with a rubric.
   */
  judges?: WasmBinary | undefined;
  /**
   * `openevals-wasm/openevals-metrics.wasm`: the metrics of `openevals-wasm/text`, which find it by themselves where this
   * is left out. It is loaded when one of them is first used.
   */
  metrics?: WasmBinary | undefined;
  /** `openevals-wasm/openevals-statistics.wasm`: the same for the statistics of `openevals-wasm/evaluation`. */
  statistics?: WasmBinary | undefined;
}

/**
 * Says where the engine comes from. Call it once, before the first evaluator is used; nothing is compiled until
 * then. A later call takes effect only if loading has not begun, or has failed. An import of another entry point, before
 * or after, never takes the place of it.
 *
 * @param source The bytes of `openevals-wasm/openevals.wasm`, the compiled module, or a promise of either; or where each
 * binary comes from, if you use others, too: `init({ scores, judges, metrics, statistics })`. A binary that is left out
 * stays where it was.
 *
 * @example
 * ```ts
 * import { readFile } from "node:fs/promises";
 * import { exactMatch, init } from "openevals-wasm/slim";
 *
 * init(readFile(new URL(import.meta.resolve("openevals-wasm/openevals.wasm"))));
 * await exactMatch({ outputs: "a", referenceOutputs: "a" });
 * ```
 */
export function init(source: WasmBinary | EngineSources): void {
  const sources = readable("init", () => (isSources(source) ? { ...source } : { scores: source }));
  for (const [name, place] of Object.entries(PLACES)) {
    const binary = sources[name as keyof EngineSources];
    if (binary === undefined) continue;
    // The promise is only awaited on first use; until then its rejection must not count as unhandled.
    Promise.resolve(binary).catch(() => {});
    place.use(() => binary);
  }
}

/** Where each binary is looked for. */
const PLACES: Record<keyof EngineSources, BinarySource> = { scores, judges, metrics, statistics };

const isSources = (source: WasmBinary | EngineSources): source is EngineSources =>
  Object(source) === source && Object.keys(PLACES).some((name) => name in source);
