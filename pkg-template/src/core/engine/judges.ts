/** The engine of `openevals-judges.wasm`, which asks models. */

import { bind } from "../../openevals-judges.js";
import { Loader } from "./loader.js";
import { judges } from "./sources.js";

export const judgesEngine = /* @__PURE__ */ new Loader(judges, bind);
