const __report = globalThis.__report;
import { runMultiturnSimulation } from "openevals-wasm";

const { trajectory, evaluatorResults } = await runMultiturnSimulation({
  app: () => ({ role: "assistant", content: "Goodbye!" }),
  user: () => ({ role: "user", content: "Goodbye!" }),
  stoppingCondition: ({ trajectory, turnCounter }) => trajectory.at(-1)?.content === "Goodbye!" || turnCounter > 9,
  trajectoryEvaluators: [
    ({ outputs, referenceOutputs }) => ({ key: "length", score: outputs.length <= referenceOutputs.messages }),
  ],
  referenceOutputs: { messages: 2 }, // passed on to the evaluators
  signal: AbortSignal.timeout(60_000),
});
__report(0, trajectory.length, evaluatorResults); // 2 [ { key: 'length', score: true } ]

export {};
