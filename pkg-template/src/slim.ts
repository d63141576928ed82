/**
 * Everything of the main entry point, for environments that want full control over how the engine is loaded:
 * nothing is fetched or read, and no embedded copy of the binary ends up in a bundle. The subpaths that use the engine,
 * such as `openevals-wasm/code/e2b`, share it with this entry point; they bring along how it is found otherwise, so
 * where one is imported, {@link init} is not required, but still decides.
 */

import { useModule } from "./engine/load.js";
import type { WasmSource } from "./types.js";

export * from "./api.js";

/**
 * Says where the engine comes from. Call it once, before the first evaluator is used; nothing is compiled until
 * then. A later call takes effect only if loading has not begun, or has failed. An import of another entry point, before
 * or after, never takes the place of it.
 *
 * @param source The bytes of `openevals-wasm/openevals.wasm`, the compiled module, or a promise of either.
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
export function init(source: WasmSource | PromiseLike<WasmSource>): void {
  // The promise is only awaited on first use; until then its rejection must not count as unhandled.
  Promise.resolve(source).catch(() => {});
  useModule(() => source);
}
