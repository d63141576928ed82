const __report = globalThis.__report;
import { createLLMAsJudge } from "openevals-wasm";
import { z } from "zod";

const review = createLLMAsJudge({
  prompt: "Review this answer: {outputs}",
  model: "openai:gpt-5.4",
  outputSchema: z.object({ tone: z.enum(["kind", "cold"]), remarks: z.array(z.string()) }),
});
const { tone, remarks } = await review({ outputs: "No." });
__report(0, tone, remarks.length); // cold 1

export {};
