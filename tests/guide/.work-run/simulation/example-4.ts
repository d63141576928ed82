const __report = globalThis.__report;
import { OpenEvalsError, runMultiturnSimulation } from "openevals-wasm";

try {
  await runMultiturnSimulation({
    app: () => {
      throw new Error("out of memory");
    },
    user: ["Hello!"],
    maxTurns: 1,
  });
} catch (error) {
  if (OpenEvalsError.isInstance(error)) __report(0, error.code, error.trajectory?.length); // callback_failed 1
}

export {};
