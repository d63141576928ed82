const __report = globalThis.__report;
import { createPyrightEvaluator } from "openevals-wasm/code/python";

const types = createPyrightEvaluator({
  codeExtractionStrategy: "markdown_code_blocks",
  pyrightCliArgs: ["--pythonversion", "3.12"],
  feedbackKey: "types",
  timeoutMs: 60_000, // 300,000 by default
});
const result = await types({ outputs: 'Here:\n```python\nn: int = "one"\n```' });
__report(0, result.score, JSON.parse(result.comment ?? "[]")[0].rule); // false reportAssignmentType

export {};
