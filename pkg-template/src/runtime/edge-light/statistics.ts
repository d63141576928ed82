/** The same for the statistics. */

import module from "./openevals-statistics.wasm?module";

export const find = () => module;
