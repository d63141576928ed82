/** What combinations of evaluators have in common. */

import { inPlace, invalidInput } from "../../../core/errors.js";
import { aString, type Checks, check, checkValue, isListOf, required } from "../../../core/input/checks.js";
import { allRows } from "../../../core/input/rows.js";
import { aMark, inNamed, mustPass, type ScoreScale, scaleOf, withPassMark } from "../../../core/scale.js";
import { tracedEvaluator } from "../../../core/tracing/hook.js";
import type { EvaluatorResult } from "../../../core/types.js";
import { withAccessOf } from "../../../models/chat/check-access.js";
import { onlyResult, type PartEvaluator, partName, partResult } from "../../results/parts.js";
import { type Check, type CheckParams, isParams, paramsOf, type Watch } from "../check.js";

/** The options of {@link allOf}, {@link anyOf}, {@link not} and {@link firstFailing}. */
export interface CombinationOptions {
  /** The `key` of the result. */
  feedbackKey?: string | undefined;
  /**
   * The first number that passes, for all parts: instead of the pass mark that each has of its own, as its metric or its own
   * `passAt` says. Where lower is better, as for error rates, higher numbers fail.
   */
  passAt?: number | undefined;
}

export const COMBINATION_OPTIONS: Checks<CombinationOptions> = {
  feedbackKey: aString,
  passAt: aMark,
};

/** An evaluator made of others; its results have those of its parts as `metadata.parts`. */
export interface Combination {
  (outputs: unknown, referenceOutputs?: unknown): Promise<EvaluatorResult>;
  (params: CheckParams): Promise<EvaluatorResult>;
  /** The key of its results. */
  readonly key: string;
  /** What its scores mean; missing where they are `true` and `false`. */
  readonly scale?: ScoreScale;
  /** Scores many rows; the results are those of one call for each row, in order. */
  batch(rows: readonly CheckParams[]): Promise<EvaluatorResult[]>;
}

/** Asks a part, by its number, about the row in question. */
export type AskPart = (part: number) => Promise<EvaluatorResult>;

/** Asks all parts about it, at the same time. */
export const askAll = (ask: AskPart, parts: readonly PartEvaluator[]): Promise<EvaluatorResult[]> =>
  Promise.all(parts.map((_, part) => ask(part)));

/** What a combination consists of. */
export interface CombinationSpec {
  key: string;
  parts: readonly PartEvaluator[];
  /** How many of the parts, from the first on, are asked about every row. */
  always: number;
  /** The score of a row. */
  score(ask: AskPart): Promise<Omit<EvaluatorResult, "key">>;
  watch?: (() => Watch) | undefined;
  /** What its scores mean, unless they are `true` and `false`. */
  scale?: ScoreScale;
}

/** Refuses parts that cannot be called, and a list of none: it would pass whatever comes, or nothing. */
export function checkParts(
  evaluators: readonly PartEvaluator[],
  name = "evaluators",
): readonly PartEvaluator[] {
  checkValue(name, evaluators, required(SOME_EVALUATORS));
  return [...evaluators];
}

/** Refuses one part that cannot be called. */
export function checkPart(evaluator: PartEvaluator, name: string): PartEvaluator {
  checkValue(name, evaluator, required(AN_EVALUATOR));
  return evaluator;
}

/** A proxy that is revoked is a function, too. */
const isEvaluator = (part: unknown): boolean => typeof part === "function" && "call" in part;
const AN_EVALUATOR = check("an evaluator", isEvaluator);
const SOME_EVALUATORS = check("a list of at least one evaluator", (list) => {
  return isListOf(list, isEvaluator) && list.length > 0;
});

/** Makes a combination. */
export function combination({ key, parts, always, score, watch, scale }: CombinationSpec): Combination {
  const placeOf = (part: number) => `${key}[${part}]`;
  const ask = (part: number, params: unknown) =>
    partResult(parts[part] as PartEvaluator, params, placeOf(part));
  const scored = async (ask: AskPart): Promise<EvaluatorResult> => ({ key, ...(await score(ask)) });
  const evaluator = tracedEvaluator(
    key,
    async (...args: unknown[]) => {
      const params = readCall(key, args);
      return scored((part) => ask(part, params));
    },
    async (rows: readonly unknown[]) => {
      if (!Array.isArray(rows)) throw invalidInput(`${key}.batch needs a list of rows`);
      const asked = parts.slice(0, always);
      const known = await Promise.all(asked.map((part, index) => batchOf(part, rows, placeOf(index))));
      const numbered = Array.from(rows, (params: unknown, row) => ({ params, row }));
      return allRows(numbered, ({ params, row }) =>
        scored(async (part) => known[part]?.[row] ?? ask(part, params)),
      );
    },
  );
  return withAccessOf(
    Object.assign(evaluator, { key, ...(watch && { watch }), ...(scale && { scale }) }),
    parts,
  );
}

/** What a part finds on all rows: in one crossing, where it can. */
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

/** A row as it was passed: parts may want more of it than outputs. */
export function readCall(key: string, args: readonly unknown[]): unknown {
  const [first] = args;
  const isRow = isParams(first) || (args.length === 1 && typeof first === "object" && first !== null);
  return isRow ? first : paramsOf(key, args);
}

/**
 * Tells which results of a part pass: by the mark of the combination, or else its own.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for a mark that the part cannot have; what is returned, for a number of a
 * part without a mark.
 */
export function verdictOf(part: PartEvaluator, passAt?: number): (result: EvaluatorResult) => boolean {
  const scale = inNamed(partName(part), () => withPassMark(scaleOf(part), { passAt }));
  return ({ key, score }) => mustPass(key, score, scale);
}

/** The same for several parts, by their numbers. */
export function verdictsOf(
  parts: readonly PartEvaluator[],
  passAt: number | undefined,
): (result: EvaluatorResult, part: number) => boolean {
  const verdicts = parts.map((part) => verdictOf(part, passAt));
  return (result, part) => (verdicts[part] as (typeof verdicts)[0])(result);
}

/** What a part says that does not pass. */
export const sayingOf = ({ score, comment }: EvaluatorResult): string => comment ?? `scored ${score}`;

/** The same with its key. */
export const lineOf = (part: EvaluatorResult): string => `${part.key}: ${sayingOf(part)}`;

/** What watches a text for a part, if that can tell early. */
export const watchOf = (part: PartEvaluator): (() => Watch) | undefined => {
  const { watch } = part as Partial<Check>;
  return typeof watch === "function" ? () => watch.call(part) : undefined;
};

/** What watches for the first of several parts that fails, if any can tell early. */
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

/** What watches for all of several parts to fail, if all can tell early. */
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

/** `undefined` is all of the text. */
const moreHeld = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? undefined : Math.max(one, other);
