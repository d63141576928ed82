/** Finds `openevals-judges.wasm` wherever it can be read or fetched: Node, Bun, Deno, browsers. */

import type { findFile } from "./read.js";

/**
 * @param read Reads or fetches it. A parameter, so that this file, which is loaded on use, shares no module with
 * others.
 */
export const find = (read: typeof findFile) =>
  read(
    "openevals-judges",
    () => new URL("./openevals-judges.wasm", import.meta.url),
    () => import("./openevals-judges-wasm-base64.js"),
  );
