/** Finds `openevals-judges.wasm` wherever it can be read or fetched: Node, Bun, Deno, browsers. */

import { findFile } from "./read.js";

export const find = () =>
  findFile(
    "openevals-judges",
    () => new URL("./openevals-judges.wasm", import.meta.url),
    () => import("./openevals-judges-wasm-base64.js"),
  );
