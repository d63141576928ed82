/** Scores a table, in a thread of its own: the page stays free. */

import {
  createJsonMatchEvaluator,
  createTrajectoryMatchEvaluator,
  exactMatch,
  levenshteinDistance,
} from "openevals-wasm";
import {
  type DataRow,
  type Experiment,
  evaluate,
  guessedMap,
  type RowEvaluator,
  renderReport,
} from "openevals-wasm/evaluation";
import { rougeL, tokenF1 } from "openevals-wasm/text";
import type { EvaluatorName, FromWorker, Mapping, ToWorker } from "./messages.js";
import { haveIds, type Row, readTable } from "./reading.js";

const EVALUATORS: Record<EvaluatorName, () => unknown> = {
  exact: () => exactMatch,
  levenshtein: () => levenshteinDistance,
  tokenF1: () => tokenF1,
  rougeL: () => rougeL,
  json: () => createJsonMatchEvaluator({ aggregator: "average", listAggregator: "average" }),
  trajectory: () => createTrajectoryMatchEvaluator({ trajectoryMatchMode: "unordered" }),
};

/** As much of the scope of a worker as is used. */
interface Scope {
  postMessage(message: FromWorker): void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
}

const scope = self as unknown as Scope;
let rows: Row[] = [];
let before: Experiment | undefined;
let stopper: AbortController | undefined;

scope.onmessage = async ({ data: message }) => {
  try {
    if (message.type === "stop") stopper?.abort();
    else if (message.type === "read") await read(message.data);
    else await run(message);
  } catch (error) {
    const { message: problem } = error as Error;
    if (message.type === "run") scope.postMessage({ type: "failed", turn: message.turn, message: problem });
    else scope.postMessage({ type: "unread", message: problem });
  }
};

async function read(data: string | Blob): Promise<void> {
  const text = typeof data === "string" ? data : await data.text();
  // Not before the wait, in which a run of the table before may begin.
  rows = [];
  before = undefined;
  const table = readTable(text);
  rows = table.rows;
  scope.postMessage({
    type: "table",
    columns: table.columns,
    hasIds: haveIds(rows),
    map: guessedMap(table.columns),
    count: rows.length,
    preview: rows.slice(0, 12),
  });
}

async function run({
  turn,
  mapping,
  evaluators,
  compare,
}: Extract<ToWorker, { type: "run" }>): Promise<void> {
  stopper = new AbortController();
  // Another file may be read while this one is scored.
  const total = rows.length;
  let told = 0;
  const experiment = await evaluate(undefined, {
    data: rowsOf(rows, mapping),
    evaluators: evaluators.map((name) => EVALUATORS[name]()) as RowEvaluator[],
    experimentPrefix: mapping.outputs,
    signal: stopper.signal,
    onProgress({ done, failed }) {
      const now = performance.now();
      if (now - told < 60 && done < total) return;
      told = now;
      scope.postMessage({ type: "progress", turn, done, total, failed });
    },
  });
  const compareWith = compare ? before : undefined;
  const html = await renderReport(experiment, compareWith ? { compareWith } : {});
  before = experiment;
  scope.postMessage({
    type: "done",
    turn,
    aggregates: experiment.aggregates,
    done: experiment.rows.length,
    durationMs: experiment.durationMs,
    stopped: experiment.stopped !== undefined,
    report: new Blob([html], { type: "text/html" }),
    json: new Blob([JSON.stringify(experiment)], { type: "application/json" }),
  });
}

/** The rows as `evaluate` takes them, with pauses in which what the page says is heard. */
async function* rowsOf(
  table: readonly Row[],
  { inputs, outputs, reference }: Mapping,
): AsyncGenerator<DataRow> {
  const hasIds = haveIds(table);
  for (const [index, row] of table.entries()) {
    if (index % 100 === 0) await new Promise((resolve) => setTimeout(resolve));
    yield {
      id: hasIds ? row.id : String(index + 1),
      inputs: inputs ? row[inputs] : undefined,
      outputs: row[outputs],
      ...(reference && { referenceOutputs: row[reference] }),
    } as DataRow;
  }
}
