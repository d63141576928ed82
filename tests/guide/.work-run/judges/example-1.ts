const __report = globalThis.__report;
import { createLLMAsJudge } from "openevals-wasm";

const inStyle = createLLMAsJudge({
  prompt: `Does the answer keep to the style guide?
<answer>
{outputs}
</answer>
<style_guide>
{style_guide}
</style_guide>`,
  system: "You are the editor of a help centre.",
  model: "openai:gpt-5.4",
  feedbackKey: "style",
});
__report(0, await inStyle({ outputs: "Hello! Thanks for writing.", style_guide: "Greet people, and thank them." }));
// { key: "style", score: true, comment: "It greets and thanks.", metadata }

export {};
