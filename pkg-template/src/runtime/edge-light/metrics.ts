/** The same for the metrics. */

import module from "./openevals-metrics.wasm?module";

export const find = () => module;
