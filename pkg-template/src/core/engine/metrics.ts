/** The engine of `openevals-metrics.wasm`, which has the metrics of texts and rankings. */

import { glue } from "../../openevals-metrics.js";
import { Loader } from "./loader.js";
import { metrics } from "./sources.js";

export const metricsEngine = /* @__PURE__ */ new Loader(metrics, glue);
