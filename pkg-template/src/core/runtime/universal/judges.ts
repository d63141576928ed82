/** Finds `openevals-judges.wasm` beside the JavaScript. */

import { judges } from "../../engine/sources.js";
import { find } from "./find-judges.js";
import { findFile } from "./read.js";

export const attach = () => judges.useByDefault(() => find(findFile));
