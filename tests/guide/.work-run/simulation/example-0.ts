const __report = globalThis.__report;
import { createLLMAsJudge, createLLMSimulatedUser, runMultiturnSimulation } from "openevals-wasm";

const user = createLLMSimulatedUser({
  system: "You are a customer whose bike is broken, and you want your money back.",
  model: "openai:gpt-5.4",
  fixedResponses: ["My bike is broken!"], // the first turns; after that the model is asked
});
const satisfied = createLLMAsJudge({
  prompt: "Is the customer satisfied in the end?\n{outputs}",
  feedbackKey: "satisfaction",
  model: "openai:gpt-5.4",
});
const { trajectory, evaluatorResults, evaluatorErrors } = await runMultiturnSimulation({
  app: async ({ inputs, threadId }) => ({ role: "assistant", content: `About "${inputs.content}": no.` }),
  user,
  maxTurns: 2,
  trajectoryEvaluators: [satisfied],
});
__report(0, trajectory.map(({ role }) => role)); // ["user", "assistant", "user", "assistant"]
__report(1, evaluatorResults[0]); // { key: "satisfaction", score: true, comment, metadata }
__report(2, evaluatorErrors); // []

export {};
