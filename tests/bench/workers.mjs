/**
 * By hand: `evaluate()` with evaluators in two workers beside the same in one process, in turns:
 * `node workers.mjs [rounds]`. The middle half shows the influence of a busy machine.
 */
import { loadavg } from "node:os";
import { Worker } from "node:worker_threads";
import { exactMatch, levenshteinDistance } from "openevals-wasm";
import { evaluate, startEvaluatorWorkers } from "openevals-wasm/evaluation";
import { createTerEvaluator } from "openevals-wasm/text";

const WORDS = "the quick brown fox jumps over lazy dogs while seven wizards brew strange potions".split(" ");

/** So many characters of words, different for each seed. */
function words(length, seed) {
  let text = "";
  for (let state = seed; text.length < length; ) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    text += `${WORDS[state % WORDS.length]} `;
  }
  return text.slice(0, length);
}

const CASES = [
  { evaluator: exactMatch, name: "exactMatch", length: 10, rows: 20_000 },
  { evaluator: levenshteinDistance, name: "levenshteinDistance", length: 100, rows: 20_000 },
  { evaluator: levenshteinDistance, name: "levenshteinDistance", length: 1_000, rows: 4_000 },
  { evaluator: levenshteinDistance, name: "levenshteinDistance", length: 5_000, rows: 500 },
  { evaluator: createTerEvaluator(), name: "ter", length: 300, rows: 500 },
  { evaluator: createTerEvaluator(), name: "ter", length: 2_000, rows: 30 },
];

const rounds = Number(process.argv[2] ?? 5);
const start = () => new Worker(new URL("workers-metrics.mjs", import.meta.url));
const workers = await startEvaluatorWorkers(start, { count: 2 });
console.log(`${loadavg()[0].toFixed(1)} busy before

| evaluator | characters | in process, µs a row | two workers | times as fast | middle half |
| :--- | ---: | ---: | ---: | ---: | :---: |`);
for (const { evaluator, name, length, rows } of CASES) {
  const data = Array.from({ length: rows }, (_, row) => ({
    outputs: words(length, row + 1),
    referenceOutputs: words(length, row + 7),
  }));
  const elsewhere = workers.evaluators.find((one) => one.name === name);
  const run = async (evaluators, part = data) => {
    const begun = performance.now();
    await evaluate(undefined, {
      data: part,
      evaluators,
      maxConcurrency: 8,
      output: { keepRows: false },
      progress: false,
    });
    return ((performance.now() - begun) * 1000) / part.length;
  };
  const warm = data.slice(0, Math.ceil(rows / 4));
  await run([evaluator], warm);
  await run([elsewhere], warm);
  const own = [];
  const two = [];
  for (let round = 0; round < rounds; round++) {
    own.push(await run([evaluator]));
    two.push(await run([elsewhere]));
  }
  const times = own.map((value, round) => value / two[round]).sort((a, b) => a - b);
  const at = (list, share) => [...list].sort((a, b) => a - b)[Math.round((list.length - 1) * share)];
  const cells = [at(own, 0.5).toFixed(1), at(two, 0.5).toFixed(1), at(times, 0.5).toFixed(2)];
  const half = `${at(times, 0.25).toFixed(2)} – ${at(times, 0.75).toFixed(2)}`;
  console.log(`| ${name} | ${length.toLocaleString("en")} | ${cells.join(" | ")} | ${half} |`);
}
await workers.end();
