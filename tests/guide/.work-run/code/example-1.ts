const __report = globalThis.__report;
import { initChatModel } from "openevals-wasm";
import { createTypeScriptEvaluator } from "openevals-wasm/code/typescript";

const tagged = createTypeScriptEvaluator({
  codeExtractor: (outputs) => /<code>([^]*)<\/code>/.exec(String(outputs))?.[1] ?? null,
});
const { score, comment, metadata } = await tagged({ outputs: "I would rather not." });
__report(0, score, metadata?.code_extraction_failed); // false true

export const byName = createTypeScriptEvaluator({ codeExtractionStrategy: "llm", model: "openai:gpt-5.4" });
export const byClient = createTypeScriptEvaluator({
  codeExtractionStrategy: "llm",
  client: initChatModel("openai:gpt-5.4", { temperature: 0 }),
  cacheKey: "extractor-1",
});

export {};
