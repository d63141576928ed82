/** Time and memory of an experiment with many rows, from a file to a file. */
import { once } from "node:events";
import { createWriteStream, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROWS = 100_000;

/** The experiment, whose data is written before. */
export async function anySize(rows, folder, hasSink) {
  const { exactMatch, levenshteinDistance } = await import("openevals-wasm");
  const { contains } = await import("openevals-wasm/checks");
  const { evaluate } = await import("openevals-wasm/evaluation");
  const data = join(folder, "data.jsonl");
  const file = createWriteStream(data);
  for (let i = 0; i < rows; i++) {
    const row = {
      id: `row ${i}`,
      inputs: { number: i },
      outputs: `Answer ${i % 9}`,
      referenceOutputs: `Answer ${i % 10}`,
    };
    if (!file.write(`${JSON.stringify(row)}\n`)) await once(file, "drain");
  }
  file.end();
  await once(file, "close");
  const sink = hasSink ? join(folder, "results.jsonl") : undefined;
  const evaluators = [exactMatch, levenshteinDistance, contains()];
  // Each round writes the file again.
  const options = { output: { sink, overwrite: hasSink, keepRows: false }, progress: false };
  return () => evaluate(undefined, { data, evaluators, ...options });
}

const experiment = () => anySize(ROWS, mkdtempSync(join(tmpdir(), "any-size-")), true);

const means = ({ aggregates, rowCount }) => [
  rowCount,
  ...Object.entries(aggregates).map(([key, { mean, count }]) => [key, mean, count]),
];

export const experimentsOfAnySize = [
  {
    name: "evaluate(), from a file to a file, three evaluators, per row",
    aim: { below: 0.01 },
    rows: ROWS,
    answer: means,
    sides: { ours: experiment },
  },
  {
    name: "evaluate(), from a file to a file, peak of memory",
    aim: { below: 300_000_000 },
    measures: "peak",
    answer: means,
    sides: { ours: experiment },
  },
];
