/** The engine of `openevals-agents.wasm`, which judges tool calls. */

import { glue } from "../../openevals-agents.js";
import { Loader } from "./loader.js";
import { agents } from "./sources.js";

export const agentsEngine = /* @__PURE__ */ new Loader(agents, glue);
