/**
 * The main entry point without a way to load the engine: pass the binaries to {@link init}. Nothing is fetched or read,
 * a bundle contains no embedded binary, and there is no `import()`. Subpaths that use the engine, such as
 * `openevals-wasm/code/e2b`, share it with this entry point and add their own loading. If you import one, {@link init}
 * is optional, but its sources still take precedence.
 */

import { agents, type BinarySource, judges, metrics, scores, statistics } from "./core/engine/sources.js";
import {
  check,
  checkOptions,
  checkValue,
  type OptionChecks,
  readable,
  required,
} from "./core/input/checks.js";
import type { WasmSource } from "./core/types.js";

export * from "./api.js";

/** A binary, or a promise for it. */
type WasmBinary = WasmSource | PromiseLike<WasmSource>;

/** The source of each binary: its bytes, the compiled module, or a promise for either. */
export interface EngineSources {
  /** `openevals-wasm/openevals.wasm`: exact match, string metrics, JSON match, trajectories. */
  scores?: WasmBinary | undefined;
  /**
   * `openevals-wasm/openevals-judges.wasm`: everything that asks a model. Trajectory judges, and JSON match with a
   * rubric, need both this binary and `scores`.
   */
  judges?: WasmBinary | undefined;
  /** `openevals-wasm/openevals-agents.wasm`: the evaluators of `openevals-wasm/agents`, loaded the same way as `metrics`. */
  agents?: WasmBinary | undefined;
  /**
   * `openevals-wasm/openevals-metrics.wasm`: the metrics of `openevals-wasm/text`. Loaded on first use; if left out,
   * that entry point finds it automatically.
   */
  metrics?: WasmBinary | undefined;
  /** `openevals-wasm/openevals-statistics.wasm`: the statistics of `openevals-wasm/evaluation`, loaded the same way. */
  statistics?: WasmBinary | undefined;
}

/**
 * Sets the source of the engine. Call it once, before the first evaluator is used; nothing is compiled until then. A
 * later call has an effect only if loading has not started, or has failed. Importing another entry point, before or
 * after, does not override it.
 *
 * @param source The bytes of `openevals-wasm/openevals.wasm`, the compiled module, or a promise for either. To set
 * other binaries too, pass an object: `init({ scores, judges, agents, metrics, statistics })`. A binary that is left out keeps
 * its current source.
 * @throws {@link OpenEvalsError} `invalid_config` for anything else, such as a path, a URL or a response.
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
  const sources = readable("init", () => sourcesIn(source));
  for (const [name, target] of Object.entries(SOURCES)) {
    const binary = sources[name as keyof EngineSources];
    if (binary === undefined) continue;
    // The promise is awaited on first use; until then, its rejection must not count as unhandled.
    Promise.resolve(binary).catch(() => {});
    target.use(() => binary);
  }
}

/** The source of each binary. */
const SOURCES: Record<keyof EngineSources, BinarySource> = { scores, judges, agents, metrics, statistics };

const isBinary = (value: any): boolean =>
  typeof value.then === "function" ||
  ArrayBuffer.isView(value) ||
  // By name, since each realm has its own classes; a polyfill of WebAssembly has no such names.
  /ArrayBuffer|WebAssembly\.Module/.test({}.toString.call(value)) ||
  (typeof WebAssembly !== "undefined" && value instanceof WebAssembly.Module);

const WANTED = "the bytes of a binary, a WebAssembly.Module, or a promise for either";
const A_BINARY = check(WANTED, isBinary);
const OPTIONS: OptionChecks<EngineSources> = {
  scores: A_BINARY,
  judges: A_BINARY,
  agents: A_BINARY,
  metrics: A_BINARY,
  statistics: A_BINARY,
};
const A_SOURCE = required(check(`${WANTED}, or an object of these, such as { scores, judges }`, isBinary));

function sourcesIn(source: WasmBinary | EngineSources): EngineSources {
  if ({}.toString.call(source) === "[object Object]" && !isBinary(source))
    return checkOptions("init", source as EngineSources, OPTIONS);
  checkValue("The source of init", source, A_SOURCE);
  return { scores: source as WasmBinary };
}
