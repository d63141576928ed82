/** The same for `openevals-statistics.wasm`. */

import { findFile } from "./read.js";

export const find = () =>
  findFile(
    "openevals-statistics",
    () => new URL("./openevals-statistics.wasm", import.meta.url),
    () => import("./openevals-statistics-wasm-base64.js"),
  );
