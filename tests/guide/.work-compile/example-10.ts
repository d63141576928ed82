import { createLLMAsJudge, createLLMSimulatedUser, runMultiturnSimulation } from "openevals-wasm";

const user = createLLMSimulatedUser({
  system: "You are a customer whose bike is broken, and you want your money back.",
  model: "openai:gpt-5.4",
  fixedResponses: ["My bike is broken!"], // the first turn; after that the model is asked
});
const satisfied = createLLMAsJudge({
  prompt: "Is the customer satisfied in the end?\n{outputs}",
  feedbackKey: "satisfaction",
  model: "openai:gpt-5.4",
});
const { trajectory, evaluatorResults, evaluatorErrors } = await runMultiturnSimulation({
  app: async ({ inputs, threadId }) => ({ role: "assistant", content: `About "${inputs.content}": no.` }),
  user, // or a function, or a list of what the user says
  maxTurns: 5, // or a stoppingCondition, or both
  trajectoryEvaluators: [satisfied],
});

export {};
