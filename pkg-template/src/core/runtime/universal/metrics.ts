/** Finds `openevals-metrics.wasm` wherever it can be read or fetched: Node, Bun, Deno, browsers. */

import { metrics } from "../../engine/sources.js";
import { findFile } from "./read.js";

const find = () =>
  findFile(
    "openevals-metrics",
    () => new URL("./openevals-metrics.wasm", import.meta.url),
    () => import("./openevals-metrics-wasm-base64.js"),
  );

export const attach = () => metrics.useByDefault(find);
