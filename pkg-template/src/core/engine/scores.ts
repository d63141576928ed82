/** The engine of `openevals.wasm`, which compares. */

import { glue } from "../../openevals.js";
import { Loader } from "./loader.js";
import { scores } from "./sources.js";

export const scoresEngine = /* @__PURE__ */ new Loader(scores, glue);
