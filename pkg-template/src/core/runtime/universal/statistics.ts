/** Finds `openevals-statistics.wasm` wherever it can be read or fetched: Node, Bun, Deno, browsers. */

import { statistics } from "../../engine/sources.js";
import { findFile } from "./read.js";

const find = () =>
  findFile(
    "openevals-statistics",
    () => new URL("./openevals-statistics.wasm", import.meta.url),
    () => import("./openevals-statistics-wasm-base64.js"),
  );

export const attach = () => statistics.useByDefault(find);
