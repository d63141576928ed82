/** Estimates usage from a sample of rows that are run. */

import { invalidInput, OpenEvalsError } from "../../../core/errors.js";
import { counted } from "../../../core/input/counted.js";
import { whole } from "../../../core/input/counts.js";
import { randomOf, shuffled } from "../../../core/input/random.js";
import { PriceList } from "../../../core/records/prices.js";
import { hasError } from "../../../core/records/row-error.js";
import type { EvaluationResult, Experiment, ExperimentRow } from "../../../core/records/types.js";
import { aggregateOf } from "../../statistics/aggregate.js";
import { Account, metadataOf, partsOf } from "../../stored/account.js";
import type { DataRow, ParsedRow } from "../data/types.js";
import type { Plan } from "../options/plan.js";
import { RowStream } from "../rows/row-stream.js";
import { runExperiment } from "../run.js";
import { cutText, eachRow, type Seen } from "./each-row.js";
import type { Bounds, ExperimentEstimate } from "./estimate-types.js";
import { measuredQuestions } from "./questions.js";

/** With fewer rows, their spread gives no reliable range for the mean. */
const MIN_RELIABLE_ROWS = 10;

type UsageKind = "questions" | "inputTokens" | "outputTokens" | "cost";

/** Runs a sample of rows and extrapolates its usage to all rows. */
export async function estimateFromSample(plan: Plan, size: number): Promise<ExperimentEstimate> {
  const { repetitions, prices, seed } = plan;
  const { sample, examples, isCut } = await drawn(plan, size);
  const { rows, aggregates, usage, cost, stopped } = await runSample(plan, sample);
  // A failed row may not have reported all of its usage.
  const good = rows.filter((row) => !hasError(row));
  if (!good.length)
    throw rows.length
      ? allFailed(rows)
      : new OpenEvalsError("aborted", stopped?.message ?? "No row was run.");
  const accounts = good.map(accountOf);
  const all = examples * repetitions;
  const isFew = good.length < MIN_RELIABLE_ROWS && good.length < all;
  const byLength = isFew ? await lengthsOf(plan, sample) : undefined;
  const forAll = (kind: UsageKind, of: (account: Account, row: ExperimentRow) => number): Promise<Bounds> => {
    const scores = accounts.map((account, index) => of(account, good[index] as ExperimentRow));
    const longest = isFew ? (byLength?.[kind]?.high ?? 0) / sample.length : undefined;
    return extrapolated(scores, all, seed, longest);
  };
  const wholeForAll = async (...asked: Parameters<typeof forAll>): Promise<Bounds> => {
    const { low, high } = await forAll(...asked);
    return { low: Math.floor(low), high: Math.ceil(high) };
  };
  const list = new PriceList(prices ?? {});
  const unpriced = Object.keys(cost?.unpriced ?? {});
  return {
    rows: all,
    measured: rows.length,
    questions: await wholeForAll("questions", (_, { evaluationResults }) =>
      sumOf(evaluationResults.map((result) => questionsOf(result.metadata))),
    ),
    inputTokens: await wholeForAll("inputTokens", ({ usage }) => usage?.inputTokens ?? 0),
    outputTokens: await wholeForAll("outputTokens", ({ usage }) => usage?.outputTokens ?? 0),
    ...(prices && { cost: await forAll("cost", (account) => account.bill(list)?.cost ?? 0) }),
    ...(unpriced.length ? { unpriced } : undefined),
    unknown: Object.entries(aggregates).flatMap(([key, { usage }]) => (usage ? [] : [key])),
    assumptions: [
      ...reliability(good.length, all),
      ...(isCut ? [cutText(examples)] : []),
      ...leftOut(rows.length - good.length, rows.length, sample.length, stopped?.message),
      ...ofPlan(plan),
      "The usage of the target is not counted.",
    ],
    spent: { usage, ...(cost && { cost }) },
  };
}

/** Runs the rows of the sample, without the parts of an experiment that concern all rows. */
const runSample = (plan: Plan, sample: DataRow[]): Promise<Experiment> =>
  runExperiment(
    {
      ...plan,
      data: sample,
      repetitions: 1,
      keepRows: true,
      batch: undefined,
      shard: undefined,
      sink: undefined,
      resume: false,
      overwrite: false,
      summaryEvaluators: [],
      stopWhen: undefined,
      calibration: {},
      clusterBy: undefined,
    },
    new RowStream(),
  );

/**
 * The mean of the sample times all rows, with a range; its lower end is at least the usage of the sample.
 *
 * @param longest The usage of the longest row, for samples that are too small for an interval.
 */
async function extrapolated(
  scores: readonly number[],
  all: number,
  seed: number | undefined,
  longest: number | undefined,
): Promise<Bounds> {
  const sum = sumOf(scores);
  if (longest !== undefined) return { low: sum, high: Math.max(longest, ...scores) * all };
  const mean = sum / scores.length;
  // If all rows were run, or use the same, there is no spread.
  const isKnown = scores.length >= all || scores.every((score) => score === scores[0]);
  const found = isKnown ? undefined : await aggregateOf({ scores, errors: 0, notApplicable: 0 }, { seed });
  const { low, high } = found?.interval ?? { low: mean, high: mean };
  return { low: Math.max(low * all, sum), high: high * all };
}

/** The rows of the sample that are not in the estimate. */
const leftOut = (failed: number, run: number, requested: number, stopped: string | undefined): string[] => [
  ...(failed ? [`${failed} of them had a failure and are left out.`] : []),
  ...(stopped === undefined
    ? []
    : [
        `Only ${whole(run)} of the ${whole(requested)} requested rows were run, so they are not a random sample of that size: ${stopped}`,
      ]),
];

/** How options of the plan affect the estimate. */
const ofPlan = ({ cache, budget, batch }: Plan): string[] => [
  ...(cache ? ["Answers from the cache count with their recorded usage."] : []),
  ...(budget ? ["The estimate is for all rows, without the budget."] : []),
  ...(batch ? ["The sample was asked directly instead of in a batch, at the same prices here."] : []),
];

/** The reliability of the ranges. */
function reliability(measured: number, all: number): string[] {
  if (measured >= all) return ["All rows were run."];
  const share = `up to ${Math.ceil(300 / measured)}% of all rows may differ from the sample, and their usage is unknown`;
  if (measured < MIN_RELIABLE_ROWS)
    return [
      `${counted(measured, "row")} of ${whole(all)} ${measured === 1 ? "is" : "are"} too few for a reliable range, which needs ${MIN_RELIABLE_ROWS}. This one starts at the usage of the sample, and ends at the usage of all rows if each used as much as the largest one in the sample, or as the length of its questions allows.`,
    ];
  return [
    `The sample represents the other rows. If usage varies moderately between rows, about 95 of 100 such ranges contain the usage of all rows. If a few rows use far more than the others, fewer do: ${share}.`,
  ];
}

/** The usage of some rows, predicted from the length of their questions, also if the signal has ended the sample. */
const lengthsOf = (plan: Plan, data: DataRow[]): Promise<ExperimentEstimate> =>
  measuredQuestions({
    ...plan,
    data,
    repetitions: 1,
    shard: undefined,
    budget: undefined,
    signal: undefined,
  });

/** The error if no row is usable. */
function allFailed([first]: readonly ExperimentRow[]): OpenEvalsError {
  const { run, errors } = first as ExperimentRow;
  const failure = run.error ?? errors[0]?.error;
  return invalidInput(
    `Every row of the sample had a failure, so nothing can be estimated. The first: ${failure?.message}`,
  );
}

/** A random sample of rows, reproducible by the seed, and the number of all rows. */
async function drawn(plan: Plan, size: number): Promise<Seen & { sample: DataRow[] }> {
  const random = randomOf(plan.seed ?? 0);
  const sample: DataRow[] = [];
  const seen = await eachRow(plan, (row, index) => {
    // Every row has the same chance to be in the sample (Waterman's algorithm R).
    const place = index < size ? index : Math.floor(random() * (index + 1));
    if (place < size) sample[place] = asData(row, plan);
    return undefined;
  });
  // In random order, since a budget may end the sample early.
  return { ...seen, sample: shuffled(sample, random) };
}

/** A row as the caller could have passed it. */
function asData({ given, outputs }: ParsedRow, { target }: Plan): DataRow {
  const { id, inputs, outputs: referenceOutputs, metadata, attachments } = given;
  return { id, inputs, referenceOutputs, metadata, attachments, ...(target ? undefined : { outputs }) };
}

function accountOf({ evaluationResults }: ExperimentRow): Account {
  const account = new Account();
  for (const result of evaluationResults) account.add(result);
  return account;
}

/** The number of requests for a result or its parts; 1 if it is not reported. */
function questionsOf(metadata: EvaluationResult["metadata"]): number {
  const { attempts, usage, cached } = metadata ?? {};
  if (typeof attempts === "number" && !cached) return attempts;
  const ofParts = sumOf(partsOf(metadata).map((part) => questionsOf(metadataOf(part))));
  return ofParts || (usage == null ? 0 : 1);
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);
