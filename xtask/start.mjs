// `npm start`: brings the package up to date, and evaluates the datasets in tests/data with it.
// Failing rows are what an evaluation is there to find, so they do not make the command fail.

import { readFile } from "node:fs/promises";
import { build } from "./build.mjs";
import { findJudge } from "./start/judge.mjs";
import { plan, readDataset } from "./start/plan.mjs";
import { duration, errorRows, failingRows, styles, table } from "./start/report.mjs";
import { scoreRows, summarise } from "./start/run.mjs";
import { truncate, wrap } from "./start/text.mjs";

const JUDGE_CALLS_AT_A_TIME = 4;

await build();
const size = Math.min(Math.max(process.stdout.columns ?? 100, 60), 120);
const style = styles(process.stdout.isTTY && !process.env.NO_COLOR && process.env.TERM !== "dumb");

const pkg = new URL("../pkg/", import.meta.url);
const { version } = JSON.parse(await readFile(new URL("package.json", pkg), "utf8"));
const openevals = await import(new URL("dist/index.js", pkg).href);
const load = await timeToFirstScore();

const judge = await findJudge(openevals);
const work = plan(openevals);
if (!judge.missing) work[0].evaluators.push({ ...judge, concurrency: JUDGE_CALLS_AT_A_TIME });

const results = [];
for (const { dataset, evaluators } of work) {
  const rows = await readDataset(dataset);
  results.push({ dataset, rows, evaluators: await scoreAll(dataset, rows, evaluators) });
}
progress("");
print(report());

async function timeToFirstScore() {
  const start = performance.now();
  // Equal values would be scored without the engine.
  await openevals.levenshteinDistance({ outputs: "warm", referenceOutputs: "up" });
  return performance.now() - start;
}

async function scoreAll(dataset, rows, evaluators) {
  const scored = [];
  for (const evaluator of evaluators) {
    const { key, evaluate, concurrency, passAt } = evaluator;
    const onRow = (done) => progress(`${dataset} · ${key} ${done}/${rows.length}`);
    const { outcomes, milliseconds } = await scoreRows(rows, evaluate, { concurrency, onRow });
    scored.push({ key, passAt, outcomes, milliseconds, ...summarise(outcomes, passAt) });
  }
  return scored;
}

function report() {
  const look = { size, style };
  const rows = results.reduce((sum, result) => sum + result.rows.length, 0);
  const evaluators = results.flatMap((result) => result.evaluators);
  const scores = evaluators.reduce((sum, { count }) => sum + count, 0);
  const scoring = evaluators.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  const total = duration(performance.now());
  const lenient = evaluators.filter(({ passAt }) => passAt);
  const passing = lenient.map(({ key, passAt }) => `${key} from ${passAt}`).join(", ");
  const judged = judge.missing ?? `Judge: ${judge.model}, asked about each question (key "${judge.key}").`;

  return [
    "",
    `${style.bold(`openevals-wasm ${version}`)}  ${rows} rows, ${evaluators.length} evaluators`,
    "",
    ...table(results, look),
    "",
    ...wrap(`A row passes with true or 1; ${passing}.`, size).map(style.dim),
    ...wrap(judged, size).map(style.dim),
    "",
    ...results.flatMap((result) => failingRows(result, look)),
    ...results.flatMap((result) => errorRows(result, look)),
    `${scores} scores in ${duration(scoring)}, ${duration(load)} to load the engine, ${total} in all.`,
  ];
}

/** One line on the terminal that is written over and over; nothing where nobody watches. */
function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${truncate(text, process.stderr.columns - 1)}`);
}

function print(lines) {
  process.stdout.write(`${lines.join("\n")}\n`);
}
