/**
 * The prebuilt prompts, by what they judge. Each is a template for `createLLMAsJudge` that says what makes its score true,
 * and has its own block for each variable.
 */

export * from "./conversation.js";
export * from "./image.js";
export * from "./quality.js";
export * from "./rag.js";
export * from "./safety.js";
export * from "./security.js";
export * from "./trajectory.js";
export * from "./voice.js";
