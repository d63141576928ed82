/** Experiments as plain data, small enough to work their figures out by hand. */
import type { Aggregate, Distribution, Experiment, ExperimentRow, Failure } from "openevals-wasm/evaluation";

type Scores = Record<string, number | boolean | null>;

/** The varying fields of a row of {@link experimentOf}; the others are always the same. */
export interface RowData {
  id: string;
  inputs?: unknown;
  outputs?: unknown;
  reference?: unknown;
  scores?: Scores;
  comments?: Record<string, string>;
  /** The metadata of results, by key. */
  told?: Record<string, Record<string, unknown>>;
  metadata?: Record<string, unknown>;
  errors?: Record<string, Failure>;
  failed?: Failure;
  repetition?: number;
  durationMs?: number;
}

export function rowOf(data: RowData, index = 0): ExperimentRow {
  const {
    id,
    inputs = `question ${id}`,
    outputs = "yes",
    reference,
    scores = {},
    comments = {},
    told = {},
    errors = {},
  } = data;
  const { failed, metadata, repetition = 0, durationMs = 10 } = data;
  return {
    example: {
      id,
      inputs,
      ...(reference !== undefined && { outputs: reference }),
      ...(metadata && { metadata }),
    },
    run: {
      id: `run-${index}`,
      ...(failed ? { error: failed } : { outputs }),
      startTime: Date.UTC(2026, 10, 21, 12, 0, 0),
      durationMs,
      repetition,
    },
    evaluationResults: Object.entries(scores).map(([key, score]) => ({
      key,
      score,
      ...(Object.hasOwn(comments, key) && { comment: comments[key] }),
      ...(Object.hasOwn(told, key) && { metadata: told[key] }),
    })),
    errors: Object.entries(errors).map(([key, error]) => ({ key, error })),
  };
}

/** With aggregates that are counted; the intervals are made up: the mean and a tenth to both sides. */
export function experimentOf(rows: RowData[], more: Partial<Experiment> = {}): Experiment {
  const all = rows.map(rowOf);
  const keys = new Set(
    all.flatMap((row) => [
      ...row.evaluationResults.map(({ key }) => key),
      ...row.errors.map(({ key }) => key),
    ]),
  );
  return {
    experimentName: "capitals-1a2b3c4d",
    startedAt: "2026-11-21T12:00:00.000Z",
    rows: all,
    aggregates: Object.fromEntries(Array.from(keys, (key) => [key, aggregateOf(all, key)])),
    summaryResults: [],
    usage: null,
    durationMs: 1_500,
    ...more,
  };
}

function aggregateOf(rows: ExperimentRow[], key: string): Aggregate {
  const results = rows.flatMap((row) => row.evaluationResults.filter((one) => one.key === key));
  const scores = results.flatMap(({ score }) => (score === null || score === undefined ? [] : [score]));
  const mean = scores.length
    ? scores.reduce<number>((sum, score) => sum + Number(score), 0) / scores.length
    : null;
  return {
    mean,
    count: scores.length,
    errors: rows.flatMap((row) => row.errors.filter((one) => one.key === key)).length,
    notApplicable: results.length - scores.length,
    interval: mean === null ? null : { low: mean - 0.1, high: mean + 0.1, level: 0.95 },
    standardError: null,
    distribution: mean === null ? null : distributionOf(scores),
  };
}

function distributionOf(scores: (number | boolean)[]): Distribution {
  if (scores.every((score) => typeof score === "boolean")) {
    const yes = scores.filter(Boolean).length;
    return { kind: "boolean", true: yes, false: scores.length - yes };
  }
  const numbers = scores.map(Number).sort((a, b) => a - b);
  const isShare = numbers[0]! >= 0 && numbers.at(-1)! <= 1;
  const [low, high] = isShare ? [0, 1] : [numbers[0]!, numbers.at(-1)!];
  const edge = (bin: number) => low + ((high - low) * bin) / 10;
  const binOf = (score: number) => Math.min(Math.floor(((score - low) / (high - low)) * 10), 9);
  const bins = Array.from({ length: 10 }, (_, bin) => ({
    from: edge(bin),
    to: edge(bin + 1),
    count: numbers.filter((score) => binOf(score) === bin).length,
  }));
  return {
    kind: "number",
    min: numbers[0]!,
    max: numbers.at(-1)!,
    median: numbers[numbers.length >> 1]!,
    standardDeviation: 0,
    histogram: bins,
  };
}
