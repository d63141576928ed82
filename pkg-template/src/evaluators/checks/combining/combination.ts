/** The common part of combinations of evaluators. */

import { inPlace, invalidInput } from "../../../core/errors.js";
import {
  aString,
  check,
  checkValue,
  isListOf,
  type OptionChecks,
  required,
} from "../../../core/input/checks.js";
import { allRows } from "../../../core/input/rows.js";
import { aMark, inNamed, passesByMark, scaleOf, withPassMark } from "../../../core/passing.js";
import { VERDICT } from "../../../core/scales.js";
import { tracedEvaluator } from "../../../core/tracing/hook.js";
import type { EvaluatorResult, ScoreScale } from "../../../core/types.js";
import { withAccessOf } from "../../../models/chat/providers/check-access.js";
import { afterAll } from "../../calls/failed-parts.js";
import { onlyResult, type PartEvaluator, partName, partResult } from "../../calls/parts.js";
import { type Check, type CheckParams, isParams, paramsOf, type Watch } from "../check.js";

/** The options of {@link allOf}, {@link anyOf}, {@link not} and {@link firstFailing}. */
export interface CombinationOptions {
  /** The `key` of the result. */
  feedbackKey?: string | undefined;
  /**
   * The pass mark of all parts, instead of those of their metrics or their own `passAt`. Numbers from it upwards pass;
   * if lower is better, as for error rates, numbers up to it pass.
   */
  passAt?: number | undefined;
}

export const COMBINATION_OPTIONS: OptionChecks<CombinationOptions> = {
  feedbackKey: aString,
  passAt: aMark,
};

/** An evaluator that combines others. The results of the parts are in `metadata.parts`. */
export interface Combination {
  (outputs: unknown, referenceOutputs?: unknown): Promise<EvaluatorResult>;
  (params: CheckParams): Promise<EvaluatorResult>;
  /** The key of its results. */
  readonly key: string;
  /** The range, direction and pass mark of its scores. */
  readonly scale: ScoreScale;
  /** Scores many rows and returns one result for each, in order. */
  batch(rows: readonly CheckParams[]): Promise<EvaluatorResult[]>;
}

/** Calls a part, by its index, for the current row. */
export type AskPart = (part: number) => Promise<EvaluatorResult>;

/** Calls all parts in parallel. */
export const askAll = (ask: AskPart, parts: readonly PartEvaluator[]): Promise<EvaluatorResult[]> =>
  Promise.all(parts.map((_, part) => ask(part)));

/** The definition of a combination. */
export interface CombinationSpec {
  key: string;
  parts: readonly PartEvaluator[];
  /** How many parts, from the first on, are called for every row. A batch calls each of them once for all rows. */
  always: number;
  /** The score of a row. */
  score(ask: AskPart): Promise<Omit<EvaluatorResult, "key">>;
  watch?: (() => Watch) | undefined;
  /** Missing if the scores are `true` and `false`. */
  scale?: ScoreScale;
}

/** Rejects parts that are not callable, and an empty list, with which a combination would always or never pass. */
export function checkParts(
  evaluators: readonly PartEvaluator[],
  name = "evaluators",
): readonly PartEvaluator[] {
  checkValue(name, evaluators, required(SOME_EVALUATORS));
  return [...evaluators];
}

/** Rejects a part that is not callable. */
export function checkPart(evaluator: PartEvaluator, name: string): PartEvaluator {
  checkValue(name, evaluator, required(AN_EVALUATOR));
  return evaluator;
}

/** A revoked proxy has the type of a function, but cannot be called. */
const isEvaluator = (part: unknown): boolean => typeof part === "function" && "call" in part;
const AN_EVALUATOR = check("an evaluator", isEvaluator);
const SOME_EVALUATORS = check("a list of at least one evaluator", (list) => {
  return isListOf(list, isEvaluator) && list.length > 0;
});

/** Makes a combination. */
export function combination({
  key,
  parts,
  always,
  score,
  watch,
  scale = VERDICT,
}: CombinationSpec): Combination {
  const placeOf = (part: number) => `${key}[${part}]`;
  const ask = (part: number, params: unknown) =>
    partResult(parts[part] as PartEvaluator, params, placeOf(part));
  const scored = async (ask: AskPart): Promise<EvaluatorResult> => {
    const asked: Promise<EvaluatorResult>[] = [];
    const noted: AskPart = (part) => {
      const call = ask(part);
      asked.push(call);
      return call;
    };
    try {
      return { key, ...(await score(noted)) };
    } catch (thrown) {
      throw await afterAll(thrown, asked);
    }
  };
  const evaluator = tracedEvaluator(
    key,
    async (...args: unknown[]) => {
      const params = readCall(key, args);
      return scored((part) => ask(part, params));
    },
    async (rows: readonly unknown[]) => {
      if (!Array.isArray(rows)) throw invalidInput(`${key}.batch needs a list of rows`);
      const alwaysCalled = parts.slice(0, always);
      const batched = await Promise.all(
        alwaysCalled.map((part, index) => batchOf(part, rows, placeOf(index))),
      );
      const numbered = Array.from(rows, (params: unknown, row) => ({ params, row }));
      return allRows(numbered, ({ params, row }) =>
        scored(async (part) => batched[part]?.[row] ?? ask(part, params)),
      );
    },
  );
  return withAccessOf(Object.assign(evaluator, { key, scale, ...(watch && { watch }) }), parts);
}

/** Calls a part for all rows, with its `batch` if it has one. */
async function batchOf(
  part: PartEvaluator,
  rows: readonly unknown[],
  place: string,
): Promise<EvaluatorResult[]> {
  const { batch } = part as { batch?: (rows: readonly unknown[]) => Promise<unknown[]> };
  if (typeof batch !== "function") return allRows(rows, (row) => partResult(part, row, place));
  try {
    const results = await batch.call(part, rows);
    return Array.from(rows, (_, row) => onlyResult(results[row], part));
  } catch (thrown) {
    throw inPlace(place, thrown);
  }
}

/** A row as it was passed, since parts may need more than its outputs. */
export function readCall(key: string, args: readonly unknown[]): unknown {
  const [first] = args;
  const isRow = isParams(first) || (args.length === 1 && typeof first === "object" && first !== null);
  return isRow ? first : paramsOf(key, args);
}

/** The scale of a part, with the mark of the combination if it has one. */
export const scaleOfPart = (part: PartEvaluator, passAt?: number): ScoreScale =>
  inNamed(partName(part), () => withPassMark(scaleOf(part), { passAt }));

/** A verdict as a score on a scale: where lower is better, `false` passes. */
export const verdictOn = ({ direction }: ScoreScale, isPassed: boolean): boolean =>
  isPassed !== (direction === "lower");

/**
 * Makes a function that decides whether a result of a part passes, by the mark of the combination or the part's own.
 *
 * @throws {@link OpenEvalsError} `invalid_config` if the part cannot have the mark. The function throws it for a number
 * from a part without a mark.
 */
export function passTest(part: PartEvaluator, passAt?: number): (result: EvaluatorResult) => boolean {
  const scale = scaleOfPart(part, passAt);
  return ({ key, score }) => passesByMark(key, score, scale);
}

/** As {@link passTest}, for several parts by their index. */
export function passTests(
  parts: readonly PartEvaluator[],
  passAt: number | undefined,
): (result: EvaluatorResult, part: number) => boolean {
  const verdicts = parts.map((part) => passTest(part, passAt));
  return (result, part) => (verdicts[part] as (typeof verdicts)[0])(result);
}

/** The comment on a part that does not pass. */
export const commentOf = ({ score, comment }: EvaluatorResult): string => comment ?? `scored ${score}`;

/** As {@link commentOf}, after the part's key. */
export const lineOf = (part: EvaluatorResult): string => `${part.key}: ${commentOf(part)}`;

/** The part's watch, if it can fail before the text is complete. */
export const watchOf = (part: PartEvaluator): (() => Watch) | undefined => {
  const { watch } = part as Partial<Check>;
  return typeof watch === "function" ? () => watch.call(part) : undefined;
};

/** Watches for the first failure of several parts, if any of them can be watched. */
export function watchForAll(parts: readonly PartEvaluator[]): (() => Watch) | undefined {
  if (!parts.some(watchOf)) return undefined;
  return () => {
    const watches = parts.map((part) => ({ name: partName(part), watch: watchOf(part)?.() }));
    return (piece) => {
      let held: number | undefined = 0;
      for (const { name, watch } of watches) {
        const seen = watch?.(piece);
        if (typeof seen === "string") return name ? `${name}: ${seen}` : seen;
        held = moreHeld(held, seen);
      }
      return held;
    };
  };
}

/** Watches for the failure of all parts, if all of them can be watched. */
export function watchForAny(parts: readonly PartEvaluator[]): (() => Watch) | undefined {
  if (!parts.every(watchOf)) return undefined;
  return () => {
    const watches = parts.map((part) => ({ name: partName(part), watch: watchOf(part)?.(), failure: "" }));
    return (piece) => {
      let held: number | undefined = 0;
      for (const each of watches) {
        if (each.failure) continue;
        const seen = each.watch?.(piece);
        if (typeof seen === "string") each.failure = each.name ? `${each.name}: ${seen}` : seen;
        else held = moreHeld(held, seen);
      }
      const failures = watches.map(({ failure }) => failure);
      return failures.every(Boolean) ? failures.join("\n") : held;
    };
  };
}

/** The larger of two amounts to hold back; `undefined` is the whole text. */
const moreHeld = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : Math.max(a, b);
