/** The same for `openevals-metrics.wasm`. */

import { findFile } from "./read.js";

export const find = () =>
  findFile(
    "openevals-metrics",
    () => new URL("./openevals-metrics.wasm", import.meta.url),
    () => import("./openevals-metrics-wasm-base64.js"),
  );
