const __report = globalThis.__report;
import { createTrajectoryMatchEvaluator } from "openevals-wasm";

const match = createTrajectoryMatchEvaluator({ trajectoryMatchMode: "unordered" });
const weatherIn = (city: string) => ({ name: "get_weather", args: { city } });
const result = await match({
  outputs: [
    { role: "user", content: "How warm is it in Rome?" },
    { role: "assistant", content: "", tool_calls: [weatherIn("Oslo")] },
  ],
  referenceOutputs: [
    { role: "user", content: "How warm is it in Rome?" },
    { role: "assistant", content: "", tool_calls: [weatherIn("Rome")] },
  ],
});
__report(0, result);
// {
//   key: "trajectory_unordered_match",
//   score: false,
//   comment: "referenceOutputs[1].tool_calls[0]: …\"city\" is \"Oslo\" instead of \"Rome\"…",
// }

export {};
