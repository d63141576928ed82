const __report = globalThis.__report;
import { createTypeScriptEvaluator } from "openevals-wasm/code/typescript";

const compiles = createTypeScriptEvaluator({ codeExtractionStrategy: "markdown_code_blocks", feedbackKey: "compiles" });
const result = await compiles({
  inputs: "Declare a number.",
  outputs: "Here you are:\n```ts\nconst a: number = 'x';\n```\nAnything else?",
});
__report(0, result);
// {
//   key: "compiles",
//   score: false,
//   comment: "(1,7): Type 'string' is not assignable to type 'number'.",
// }

export {};
