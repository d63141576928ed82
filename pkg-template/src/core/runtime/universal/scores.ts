/** Finds `openevals.wasm` wherever it can be read or fetched: Node, Bun, Deno, browsers. */

import { scores } from "../../engine/sources.js";
import { findFile } from "./read.js";

const find = () =>
  findFile(
    "openevals",
    () => new URL("./openevals.wasm", import.meta.url),
    () => import("./openevals-wasm-base64.js"),
  );

export const attach = () => scores.useByDefault(find);
