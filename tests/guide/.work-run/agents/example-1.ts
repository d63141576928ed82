const __report = globalThis.__report;
import { createTrajectoryMatchEvaluator } from "openevals-wasm";

const call = (name: string, args: object) => [{ role: "assistant" as const, content: "", tool_calls: [{ name, args }] }];
const match = createTrajectoryMatchEvaluator({
  trajectoryMatchMode: "superset",
  toolArgsMatchMode: "exact",
  toolArgsMatchOverrides: {
    log: "ignore",
    book: ["flight.number"],
    search: (output, reference) => output.query.toLowerCase() === reference.query.toLowerCase(),
  },
});
const { score } = await match({
  outputs: call("search", { query: "Flights to Oslo" }),
  referenceOutputs: call("search", { query: "flights to oslo" }),
});
__report(0, score); // true

export {};
