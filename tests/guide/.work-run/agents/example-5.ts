const __report = globalThis.__report;
import { trajectoryStrictMatch, trajectorySuperset } from "openevals-wasm";

const outputs = [{ role: "assistant" as const, content: "", tool_calls: [{ name: "search", args: { query: "a" } }] }];
__report(0, await trajectoryStrictMatch({ outputs, referenceOutputs: outputs, toolCallArgsExactMatch: true }));
// { key: "trajectory_strict_match", score: true }
__report(1, await trajectorySuperset({ outputs, referenceOutputs: outputs })); // { key: "trajectory_superset", score: true }

export {};
