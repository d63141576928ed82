const __report = globalThis.__report;
import { createLLMSimulatedUser, runMultiturnSimulation } from "openevals-wasm";

const stubborn = createLLMSimulatedUser({
  system: "You want your money back.",
  client: ({ messages }) => `You said: ${messages.at(-1)?.content} But I want my money back.`,
});
const { trajectory } = await runMultiturnSimulation({
  app: () => ({ role: "assistant", content: "We can repair it." }),
  user: stubborn,
  maxTurns: 2,
});
__report(0, trajectory[2]?.content); // You said: We can repair it. But I want my money back.

export {};
