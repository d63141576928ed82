/** What `openevals/types` exports. */

export type { MultiturnSimulationResult } from "./simulation/types.js";
export type * from "./types.js";
