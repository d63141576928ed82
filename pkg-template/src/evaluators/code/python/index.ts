export type { CommandOptions, CommandResult, Sandbox } from "../sandbox.js";
export type {
  CodeEvaluator,
  CodeEvaluatorOptions,
  CodeExtractionOptions,
  CodeExtractionStrategy,
  CodeExtractor,
  CodeParams,
} from "../types.js";
export { createE2BPyrightEvaluator, type E2BPyrightEvaluatorOptions } from "./e2b-pyright.js";
export { createMypyEvaluator, type MypyEvaluatorOptions } from "./mypy.js";
export { createPyrightEvaluator, type PyrightEvaluatorOptions } from "./pyright.js";
