const __report = globalThis.__report;
import { exactMatch } from "openevals-wasm";
import { evaluate, mean } from "openevals-wasm/evaluation";

const experiment = await evaluate(async () => ({ answer: "4 °C" }), {
  data: "questions.jsonl",
  evaluators: [exactMatch], // score each row
  summaryEvaluators: [mean({ key: "exact_match" })], // score all rows together
  maxConcurrency: 8, // calls at once, of the target and of evaluators together; 1 by default
  targetConcurrency: 2, // of the target alone: then it does not count for maxConcurrency
  evaluationConcurrency: 4, // the same of evaluators
  numRepetitions: 3, // how many times each row is run
  experimentPrefix: "weather", // what the name begins with
  metadata: { commit: "68ca937" }, // recorded with the experiment
  mapInputs: ({ outputs }) => ({ outputs }),
  signal: AbortSignal.timeout(60_000), // ends the run, and keeps what is done
  cache: new Map(), // keeps the answers of judges
  cacheMode: "auto",
  seed: 7, // of the random numbers in the intervals; 0 by default
  onProgress: ({ done, total, failed, elapsedMs }) => {},
  progress: false, // shows none on the terminal
});
__report(0, experiment.rows.length, experiment.experimentName); // 6 weather-…

export {};
