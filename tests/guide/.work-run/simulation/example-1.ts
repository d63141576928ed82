const __report = globalThis.__report;
import { runMultiturnSimulation } from "openevals-wasm";

const histories = new Map<string, string[]>();
const { trajectory } = await runMultiturnSimulation({
  app: ({ inputs, threadId }) => {
    const said = [...(histories.get(threadId) ?? []), String(inputs.content)];
    histories.set(threadId, said);
    return { role: "assistant", content: `You have said ${said.length} things.` };
  },
  user: ["Hello!", "Anybody there?"], // what the user says, turn by turn
  threadId: "test-1", // a random UUID by default
  maxTurns: 2,
});
__report(0, trajectory.at(-1)?.content); // You have said 2 things.

export {};
