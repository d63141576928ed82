/** The engine of `openevals-statistics.wasm`, which computes over all rows. */

import { glue } from "../../openevals-statistics.js";
import { Loader } from "./loader.js";
import { statistics } from "./sources.js";

export const statisticsEngine = /* @__PURE__ */ new Loader(statistics, glue);
