const __report = globalThis.__report;
import { createLLMAsJudge } from "openevals-wasm";

const caption = createLLMAsJudge({
  prompt: "Does the caption fit the picture?\n<caption>{outputs}</caption>\n{attachments}",
  model: "google-genai:gemini-3.8-flash",
});
await caption({
  outputs: "A lighthouse at dusk",
  attachments: { mime_type: "image/png", data: "iVBORw0KGgo=" },
});

export {};
