/** Implements `optimize()`. */

import { invalidConfig, invalidInput, isAborted } from "../../core/errors.js";
import { pValueInText } from "../../core/number-text.js";
import { settingsOf } from "../../evaluators/summary/settings.js";
import type { CalibrateOptions } from "../calibration/options.js";
import { readRows, withIds } from "../calibration/rows.js";
import type { DataRow } from "../evaluate/data/types.js";
import { wordsOf } from "../improvement/compare.js";
import { nothingScored, proposerOf } from "../improvement/propose.js";
import { type Split, splitByUnit } from "../improvement/split.js";
import { scoreOfAll } from "./candidate.js";
import { testOnHeldOut } from "./held-out.js";
import { Passes, UsedUp } from "./passes.js";
import { Search, type SearchResult } from "./search.js";
import type { Optimization, OptimizeOptions } from "./types.js";

type SearchSettings = ReturnType<typeof settingsOf> & { clusterBy: OptimizeOptions["clusterBy"] };

/** Searches on the training rows, and compares the best candidate with the given prompt on the held-out rows. */
export async function optimized(options: OptimizeOptions): Promise<Optimization> {
  const settings = { ...settingsOf(options), clusterBy: options.clusterBy };
  const split = await splitOf(options, settings);
  const passes = new Passes(options, await proposerOf(options, options.judges), 2 * split.heldOut.length);
  const found = await new Search(options, split, passes).run();
  const { limit, ended, ...outcome } = await outcomeOf(found, split, passes, settings, options.signal);
  return {
    prompt: outcome.kept ? found.best.prompt : options.prompt,
    ...outcome,
    comment: outcome.comment + passes.spending.uncounted(),
    ended,
    training: scoreOfAll(found.first),
    tries: found.tries,
    trainingIds: split.training.map(({ id }) => String(id)),
    heldOutIds: split.heldOut.map(({ id }) => String(id)),
    used: passes.spending.total(limit),
  };
}

async function splitOf(options: OptimizeOptions, settings: SearchSettings): Promise<Split<DataRow>> {
  const { data, map, heldOut: share = 0.5, budget } = options;
  const rows = withIds<DataRow>(await readRows({ data: data as CalibrateOptions["data"], map }, true));
  const ids = new Set<string>();
  for (const { id } of rows) {
    if (ids.has(String(id)))
      throw invalidInput(
        `Two rows have the id ${JSON.stringify(id)}. Rows are paired by their ids: give each its own`,
      );
    ids.add(String(id));
  }
  const task = { task: "optimize", what: "rows", share, alpha: 1 - settings.level };
  const split = await splitByUnit(rows, new Float64Array(rows.length), { ...task, ...settings });
  const [training, heldOut] = [split.training.length, split.heldOut.length];
  const { maxCalls = Infinity } = budget ?? {};
  if (maxCalls < training + 2 * heldOut) {
    throw invalidConfig(
      `budget.maxCalls is ${maxCalls}, but the search needs at least ${training + 2 * heldOut}: one for each of the ${training} ` +
        `training rows, and two for each of the ${heldOut} held-out rows`,
    );
  }
  return split;
}

/** Whether the best candidate is kept, and why. */
async function outcomeOf(
  { best, first, tries, ended, aborted, limit }: SearchResult,
  split: Split<DataRow>,
  passes: Passes,
  settings: SearchSettings,
  signal: OptimizeOptions["signal"],
): Promise<Pick<Optimization, "kept" | "comment" | "test"> & Pick<SearchResult, "ended" | "limit">> {
  const without = (comment: string) => ({ kept: false, comment, test: null, ended, limit });
  if (aborted !== undefined) return without(aborted);
  if (best === first) {
    return without(
      tries.length
        ? (nothingScored(tries) ?? "No proposal was better on the training rows.")
        : limit
          ? "The budget was used up before the first proposal."
          : "All training rows have the best score, so there is nothing to improve.",
    );
  }
  try {
    const { test, worse } = await testOnHeldOut(first, best, split, passes, settings);
    const { difference, pValue } = test.difference;
    const words = `On the held-out rows, the best candidate is ${wordsOf(test.difference)} (p = ${pValueInText(pValue ?? 1)}).`;
    const isBetter = Number(difference) > 0 && (pValue ?? 1) <= 1 - settings.level;
    const verdict = !isBetter
      ? " This may be chance, so the prompt stays unchanged."
      : worse
        ? ` But ${worse} is significantly worse, so the prompt stays unchanged.`
        : "";
    return { kept: !verdict, comment: words + verdict, test, ended, limit };
  } catch (error) {
    if (isAborted(error, signal)) return { ...without(error.message), ended: "aborted" };
    if (!(error instanceof UsedUp)) throw error;
    return {
      ...without("The budget was used up before the best candidate was compared on all held-out rows."),
      ended: "budget",
      limit: error.limit,
    };
  }
}
