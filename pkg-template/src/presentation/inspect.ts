/** Experiments as logs of Inspect AI. */

import { typedReading } from "../core/errors.js";
import { checkExperiment } from "../core/records/check.js";
import { checkRows } from "../core/records/check-rows.js";
import { scoreOf } from "../core/records/score.js";
import type { Aggregate, Experiment, ExperimentRow } from "../core/records/types.js";

/** Inspect's name for evaluations without a model. */
const NO_MODEL = "none/none";

/**
 * Writes an experiment as a log of Inspect AI, which `inspect view` opens: an `EvalLog` of version 2
 * (https://inspect.aisi.org.uk/eval-logs.html), as JSON.
 *
 * Each row is a sample, and each repetition an epoch. Scores keep their values, and comments become explanations. Results that
 * are not applicable, and evaluators that failed, have no score: the counts of the metrics leave them out, and
 * `metadata.evaluator_errors` of the sample has the errors. Inputs that are neither texts nor messages with text, and answers
 * and references that are not texts, are written as JSON. The model is `metadata.model` of the experiment, if it is a text. The
 * command `import` reads such logs.
 *
 * @returns The log, as JSON text with a line feed at its end. Inspect's viewer lists only files whose names begin with a time,
 * such as `logs/2026-11-24T09-30-00_capitals.json`.
 * @throws {@link OpenEvalsError} `invalid_input` for a value that is not an experiment, and for an experiment without its rows.
 *
 * @example
 * ```ts
 * import { exactMatch } from "openevals-wasm";
 * import { evaluate, formatInspectLog } from "openevals-wasm/evaluation";
 *
 * const experiment = await evaluate((city) => city, {
 *   data: [{ inputs: "Oslo", outputs: "Oslo" }],
 *   evaluators: [exactMatch],
 * });
 * const log = JSON.parse(formatInspectLog(experiment));
 * console.log(log.samples[0].scores.exact_match.value); // true
 * ```
 */
export function formatInspectLog(experiment: Experiment): string {
  return typedReading("formatInspectLog", () => {
    checkExperiment(experiment, "experiment");
    checkRows(experiment, "experiment");
    return `${JSON.stringify(logOf(experiment))}\n`;
  });
}

function logOf({ experimentName, metadata, startedAt, durationMs, rows, aggregates, stopped }: Experiment) {
  const model = typeof metadata?.model === "string" ? metadata.model : NO_MODEL;
  const ids = [...new Set(rows.map(({ example }) => example.id))];
  const epochs = Math.max(1, ...new Set(rows.map(epochOf)));
  const completed = rows.filter(({ run }) => !run.error).length;
  return {
    version: 2,
    status: stopped ? "cancelled" : "success",
    eval: {
      eval_id: experimentName,
      run_id: experimentName,
      created: startedAt,
      task: experimentName,
      task_id: experimentName,
      dataset: { samples: ids.length, sample_ids: ids },
      model,
      config: { epochs },
      ...(metadata && { metadata }),
    },
    results: {
      total_samples: rows.length,
      completed_samples: completed,
      scores: Object.entries(aggregates).map(([key, aggregate]) => metricsOf(key, aggregate)),
    },
    stats: { started_at: startedAt, completed_at: timeAt(Date.parse(startedAt) + durationMs) },
    samples: rows.map((row) => sampleOf(row, model)),
  };
}

/** Inspect counts from 1. Experiments of others may lack the repetition and the times. */
const epochOf = ({ run }: Pick<ExperimentRow, "run">): number => (run.repetition ?? 0) + 1;

const timeAt = (milliseconds: number): string | undefined =>
  Number.isFinite(milliseconds) ? new Date(milliseconds).toISOString() : undefined;

function metricsOf(
  key: string,
  { mean, standardError, count, errors, notApplicable, values = 0 }: Aggregate,
) {
  const metrics = Object.entries({ mean, stderr: standardError }).flatMap(([name, value]) =>
    value === null ? [] : [[name, { name, value }]],
  );
  return {
    name: key,
    scorer: key,
    scored_samples: count,
    unscored_samples: errors + notApplicable + values,
    metrics: Object.fromEntries(metrics),
  };
}

function sampleOf({ example, run, evaluationResults, errors }: ExperimentRow, model: string) {
  const { id, inputs, outputs: reference, metadata } = example;
  const input = messagesIn(inputs) ?? textOf(inputs);
  const answer = { role: "assistant", content: textOf(run.outputs) };
  const asked = typeof input === "string" ? [{ role: "user", content: input }] : input;
  const scores = evaluationResults.flatMap((result) => {
    const { key, comment, metadata } = result;
    const value = scoreOf(result);
    const more = { ...(comment !== undefined && { explanation: comment }), ...(metadata && { metadata }) };
    return value === undefined ? [] : [[key, { value, answer: answer.content, ...more }]];
  });
  // Where the application failed, no evaluator was called.
  const failed = run.error ? [] : errors.map(({ key, error }) => [key, error.message]);
  return {
    id,
    epoch: epochOf({ run }),
    input,
    target: isTexts(reference) ? reference : textOf(reference),
    messages: run.error ? asked : [...asked, answer],
    output: run.error ? { model } : { model, choices: [{ message: answer, stop_reason: "stop" }] },
    scores: Object.fromEntries(scores),
    metadata: { ...metadata, ...(failed.length && { evaluator_errors: Object.fromEntries(failed) }) },
    started_at: timeAt(run.startTime),
    completed_at: timeAt(run.startTime + run.durationMs),
    ...(Number.isFinite(run.durationMs) && { total_time: run.durationMs / 1000 }),
    uuid: run.id,
    ...(run.error && { error: { message: run.error.message, traceback: "", traceback_ansi: "" } }),
  };
}

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

interface LoggedMessage {
  role: string;
  content: string;
}

/** Messages with text, as a list or in `messages`; `undefined` for anything else. */
function messagesIn(inputs: unknown): LoggedMessage[] | undefined {
  const { messages = inputs, ...rest } = Object(inputs);
  const isMessage = (one: unknown): one is LoggedMessage => {
    const { role, content, ...more } = Object(one);
    return (
      ["system", "user", "assistant"].includes(role) &&
      typeof content === "string" &&
      !Object.keys(more).length
    );
  };
  const isList = Array.isArray(messages) && messages.length > 0 && messages.every(isMessage);
  return isList && (messages === inputs || !Object.keys(rest).length) ? messages : undefined;
}
