/** Finds `openevals.wasm` wherever it can be read or fetched: Node, Bun, Deno, browsers. These may have LangSmith, too. */

import { traceWith } from "../../tracing/hook.js";
import { loadWith } from "../packages.js";
import { findFile } from "./read.js";

traceWith(() => import("../../tracing/langsmith.js"));
loadWith(async (name) => (await import("./load-package.js")).loadPackage(name));

export const find = () =>
  findFile(
    "openevals",
    () => new URL("./openevals.wasm", import.meta.url),
    () => import("./openevals-wasm-base64.js"),
  );
