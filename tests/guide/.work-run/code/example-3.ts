const __report = globalThis.__report;
import { CODE_CORRECTNESS_PROMPT, createCodeLLMAsJudge, initChatModel } from "openevals-wasm";

const correct = createCodeLLMAsJudge({
  prompt: CODE_CORRECTNESS_PROMPT,
  model: "openai:gpt-5.4",
  client: initChatModel("openai:gpt-5.4-mini"), // takes the code out with the strategy "llm"
  codeExtractionStrategy: "markdown_code_blocks",
  feedbackKey: "code_correctness", // the default
});
__report(0, await correct({
  inputs: "Double a number.",
  outputs: "```ts\nexport const double = (n: number) => n + n;\n```",
}));
// { key: "code_correctness", score: true, comment: "It returns n + n.", metadata }

export {};
