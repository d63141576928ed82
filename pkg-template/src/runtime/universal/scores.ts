/** Finds `openevals.wasm` wherever it can be read or fetched: Node, Bun, Deno, browsers. These may have LangSmith, too. */

import { traceWith } from "../../tracing/hook.js";
import { findFile } from "./read.js";

traceWith(() => import("../../tracing/langsmith.js"));

export const find = () =>
  findFile(
    "openevals",
    () => new URL("./openevals.wasm", import.meta.url),
    () => import("./openevals-wasm-base64.js"),
  );
