/** Finds `openevals-agents.wasm` wherever it can be read or fetched: Node, Bun, Deno, browsers. */

import { agents } from "../../engine/sources.js";
import { findFile } from "./read.js";

const find = () =>
  findFile(
    "openevals-agents",
    () => new URL("./openevals-agents.wasm", import.meta.url),
    () => import("./openevals-agents-wasm-base64.js"),
  );

export const attach = () => agents.useByDefault(find);
