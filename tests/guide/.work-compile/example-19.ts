import { evaluate } from "langsmith/evaluation";
import { createTrajectoryMatchEvaluator, exactMatch } from "openevals-wasm";
import { accuracy } from "openevals-wasm/evaluation";

await evaluate(({ country }: { country: string }) => ({ capital: country === "France" ? "Paris" : "?" }), {
  data: "capitals",
  evaluators: [exactMatch, createTrajectoryMatchEvaluator()],
  summaryEvaluators: [accuracy({ output: "capital", reference: "capital" })],
});

export {};
