const __report = globalThis.__report;
import { createLLMAsJudge } from "openevals-wasm";

const friendly = createLLMAsJudge({
  prompt: `Is the answer friendly?
<answer>
{outputs}
</answer>

<style_guide optional>
{style_guide}
</style_guide>`,
  model: "openai:gpt-5.4",
});
const { metadata } = await friendly({ outputs: "Hello!" });
__report(0, metadata.omitted); // ["style_guide"]

export {};
