/**
 * An experiment in its own process, which a test kills. Its options come from the environment; the end is
 * reported on standard output.
 */
import { appendFileSync } from "node:fs";
import { exactMatch } from "openevals-wasm";
import { evaluate } from "openevals-wasm/evaluation";

const { SINK: sink, CALLS: calls, ROWS: count = "300", STOP: stop } = process.env;
const ending = new AbortController();
process.once("SIGINT", () => ending.abort());

/** Records each request before its answer. */
async function target({ index }) {
  appendFileSync(calls, `${index}\n`);
  await new Promise((resolve) => setTimeout(resolve, (index * 7) % 3));
  if (index % 31 === 4 && stop !== "mended") throw new Error("out of order");
  return `answer ${index % 3}`;
}

const long = ({ inputs, outputs }) => ({
  key: "length",
  score: inputs.index / 7,
  comment: outputs.repeat(20),
});

const experiment = await evaluate(target, {
  data: Array.from({ length: Number(count) }, (_, index) => ({
    id: `row ${index}`,
    inputs: { index },
    outputs: `answer ${index % 4}`,
  })),
  evaluators: [exactMatch, long],
  numRepetitions: 2,
  maxConcurrency: 8,
  output: { sink, resume: stop === "mended" ? "failed" : true },
  signal: ending.signal,
});
console.log(JSON.stringify(experiment));
