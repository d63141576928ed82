/** The engine of `openevals-metrics.wasm`, which has the metrics of texts and rankings. */

import { bind } from "../../openevals-metrics.js";
import { Loader } from "./loader.js";
import { metrics } from "./sources.js";

export const metricsEngine = /* @__PURE__ */ new Loader(metrics, bind);
