/** The exports of `openevals/types`. */

export type { PassOptions } from "./core/passing.js";
export type * from "./core/types.js";
export type { MultiturnSimulationResult } from "./evaluators/simulation/types.js";
