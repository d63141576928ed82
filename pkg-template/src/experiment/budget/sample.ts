/** An estimate from some rows that are really run. */

import { invalidInput, OpenEvalsError } from "../../errors.js";
import { PriceList } from "../../judge/prices.js";
import { aggregateOf } from "../../statistics/aggregate.js";
import { randomOf } from "../comparative/schedule.js";
import type { DataRow, ReadRow } from "../data/types.js";
import type { Plan } from "../options.js";
import { RowStream } from "../rows/row-stream.js";
import { runExperiment } from "../run.js";
import type { ExperimentRow } from "../types.js";
import { Account } from "./account.js";
import { eachRow } from "./each-row.js";
import type { Bounds, ExperimentEstimate } from "./estimate-types.js";

/** Runs so many rows, and takes what they used for all. */
export async function sampled(plan: Plan, size: number): Promise<ExperimentEstimate> {
  const { repetitions, prices, seed, cache, budget } = plan;
  const { sample, examples } = await drawn(plan, size);
  const experiment = await runExperiment(
    {
      ...plan,
      ...{
        data: sample,
        repetitions: 1,
        batch: undefined,
        keepRows: true,
        sink: undefined,
        resume: false,
        shard: undefined,
      },
      ...{ summaryEvaluators: [], stopWhen: undefined, calibration: {}, clusterBy: undefined },
    },
    new RowStream(),
  );
  const { rows, aggregates, usage, cost, stopped } = experiment;
  const list = new PriceList(prices ?? {});
  // What failed has told nothing, and all else might have.
  const good = rows.filter(({ errors, run }) => !run.error && !errors.length);
  const failed = rows.length - good.length;
  if (!good.length)
    throw rows.length
      ? allFailed(rows)
      : new OpenEvalsError("aborted", stopped?.message ?? "No row was run.");
  const accounts = good.map(accountOf);
  const all = examples * repetitions;
  /** The mean of the rows, for all rows; what was used for the sample is the least. */
  const forAll = async (of: (account: Account, row: ExperimentRow) => number): Promise<Bounds> => {
    const scores = accounts.map((account, index) => of(account, good[index] as ExperimentRow));
    const sum = scores.reduce((total, score) => total + score, 0);
    const mean = sum / scores.length || 0;
    // Where all are the same, or all were run, nothing varies.
    const isKnown = scores.length >= all || scores.every((score) => score === scores[0]);
    const found = isKnown ? undefined : await aggregateOf({ scores, errors: 0, notApplicable: 0 }, { seed });
    const { low, high } = found?.interval ?? { low: mean, high: mean };
    return { low: Math.max(low * all, sum), high: high * all };
  };
  const whole = async (of: Parameters<typeof forAll>[0]): Promise<Bounds> => {
    const { low, high } = await forAll(of);
    return { low: Math.floor(low), high: Math.ceil(high) };
  };
  const unpriced = Object.keys(cost?.unpriced ?? {});
  return {
    rows: all,
    measured: rows.length,
    questions: await whole((_, { evaluationResults }) => sumOf(evaluationResults.map(questionsOf))),
    inputTokens: await whole(({ usage }) => usage?.inputTokens ?? 0),
    outputTokens: await whole(({ usage }) => usage?.outputTokens ?? 0),
    ...(prices && { cost: await forAll((account) => account.bill(list)?.cost ?? 0) }),
    ...(unpriced.length ? { unpriced } : undefined),
    unknown: Object.entries(aggregates).flatMap(([key, { usage }]) => (usage ? [] : [key])),
    assumptions: [
      "The rows that were run are like all others: in 95 of 100 samples, the range has what all rows use.",
      ...(failed ? [`On ${failed} of them something has failed; they are left out.`] : []),
      ...(stopped ? [`They were not all run: ${stopped.message}`] : []),
      ...(cache ? ["What the cache had of them is taken to cost what it did when it was recorded."] : []),
      ...(budget ? ["All rows are run: the budget is not applied to them."] : []),
      ...(plan.batch ? ["They were asked directly, not in a batch, and have the same prices here."] : []),
      "What the target uses is not counted.",
    ],
    spent: { usage, ...(cost && { cost }) },
  };
}

/** No row tells anything. */
function allFailed([first]: readonly ExperimentRow[]): OpenEvalsError {
  const { run, errors } = first as ExperimentRow;
  const failure = run.error ?? errors[0]?.error;
  return invalidInput(
    `On each row that was run something has failed, so that there is nothing to estimate from; on the first: ${failure?.message}`,
  );
}

/** Rows by chance, the same for the same seed, and how many there are. */
async function drawn(plan: Plan, size: number): Promise<{ sample: DataRow[]; examples: number }> {
  const random = randomOf(plan.seed ?? 0);
  const sample: DataRow[] = [];
  const examples = await eachRow(plan, (row, index) => {
    // Each row has the same chance to be among those that are kept (Waterman's algorithm R).
    const place = index < size ? index : Math.floor(random() * (index + 1));
    if (place < size) sample[place] = asData(row, plan);
    return undefined;
  });
  return { sample, examples };
}

/** A row as it might have been given. */
function asData({ given, outputs }: ReadRow, { target }: Plan): DataRow {
  const { id, inputs, outputs: referenceOutputs, metadata, attachments } = given;
  return { id, inputs, referenceOutputs, metadata, attachments, ...(target ? undefined : { outputs }) };
}

function accountOf({ evaluationResults }: ExperimentRow): Account {
  const account = new Account();
  for (const result of evaluationResults) account.add(result);
  return account;
}

/** How many requests a result took; one, where it does not tell. */
function questionsOf({ metadata }: ExperimentRow["evaluationResults"][number]): number {
  const { attempts, usage, cached } = metadata ?? {};
  if (typeof attempts === "number" && !cached) return attempts;
  return usage == null ? 0 : 1;
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);
