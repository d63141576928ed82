/** Searches for better prompts of applications. */

export { optimize } from "./optimize.js";
export type {
  CandidateTest,
  Optimization,
  OptimizeBudget,
  OptimizeOptions,
  PromptTry,
} from "./types.js";
