/** The common part of all checks: evaluators without a model that return true or false and can be negated. */

import { invalidInput, type OpenEvalsError, typed } from "../../core/errors.js";
import { aFlag, aString, type OptionChecks, show } from "../../core/input/checks.js";
import { aPlace, type FieldSource } from "../../core/input/field.js";
import { referenceOf } from "../../core/input/params.js";
import { allRows } from "../../core/input/rows.js";
import { VERDICT } from "../../core/scales.js";
import { tracedEvaluator } from "../../core/tracing/hook.js";
import type { EvaluatorParams, EvaluatorResult, ScoreScale } from "../../core/types.js";

/** The parameters of a check: a row, as for other evaluators. */
export interface CheckParams extends EvaluatorParams {
  /** Further facts about the row, such as `{ latencyMs, usage, model }`. */
  metadata?: Record<string, unknown> | undefined;
  /** The run of the application, as `evaluate()` passes it. */
  run?: object;
  /** The row of the data, as `evaluate()` passes it. */
  example?: object;
}

/** The result of a check. */
export interface CheckResult extends EvaluatorResult {
  /** Whether it passes. */
  score: boolean;
  /** Why the check fails; missing if it passes. */
  comment?: string;
}

/** An evaluator of rows that {@link guard} can also run while a text is streaming. */
export interface Check {
  /** Checks outputs that are not an object, such as a string. */
  (outputs: unknown, referenceOutputs?: unknown): Promise<CheckResult>;
  /** Checks a row. */
  (params: CheckParams): Promise<CheckResult>;
  /** The key of its results. */
  readonly key: string;
  /** The direction and pass mark of its scores, which are `true` and `false`. */
  readonly scale: ScoreScale;
  /** Checks many rows and returns one result for each, in order. */
  batch(rows: readonly CheckParams[]): Promise<CheckResult[]>;
  /**
   * Starts to watch a streaming text. The returned function takes each piece, and reports a failure as soon as no
   * further text can change it. Missing if the check needs the whole text.
   *
   * @internal
   */
  watch?(): Watch;
}

/**
 * Takes a streaming text piece by piece, none of which ends within a surrogate pair. Returns the failure once it is certain.
 * Until then, returns how many UTF-16 code units at the end may become part of a failure, so that a guard holds them back;
 * `undefined` holds back the whole text.
 */
export type Watch = (piece: string) => string | number | undefined;

/** The options of all checks. */
export interface CheckOptions {
  /** Inverts the check: it passes where it would fail, and its default key starts with `not_`. */
  negate?: boolean | undefined;
  /** The `key` of the result, instead of the check's own. */
  feedbackKey?: string | undefined;
}

export const CHECK_OPTIONS: OptionChecks<CheckOptions> = { negate: aFlag, feedbackKey: aString };

/** The options of checks that read outputs. */
export interface OutputCheckOptions extends CheckOptions {
  /**
   * What to check in the outputs: a key, or a function of the outputs. By default, the last assistant message of a
   * conversation, the only field of an object, or else all values and keys in the outputs. Checks of a single text need it then.
   */
  output?: FieldSource | undefined;
}

export const OUTPUT_CHECK_OPTIONS: OptionChecks<OutputCheckOptions> = { ...CHECK_OPTIONS, output: aPlace };

/** A row that is checked. */
export interface CheckedRow {
  params: CheckParams;
  outputs: unknown;
  /** `undefined` or `null` if the row has none. */
  referenceOutputs: unknown;
}

/** The outcome before `negate` is applied. */
export interface Finding {
  holds: boolean;
  /** The comment: a sentence that is true whether or not the check is negated, without its full stop. */
  comment: string;
  /** The metadata of the result. */
  metadata?: Record<string, unknown>;
}

/** The definition of a check. */
export interface CheckSpec {
  /** The name in messages. */
  name: string;
  key: string;
  find(row: CheckedRow): Finding | Promise<Finding>;
  /**
   * Starts to watch a streaming text. With `isWanted`, the watch reports that the finding does not hold; without, for a
   * negated check, that it does.
   */
  watch?: ((isWanted: boolean) => Watch | undefined) | undefined;
}

/** Makes a check. */
export function makeCheck({ name, key: own, find, watch }: CheckSpec, options: OutputCheckOptions): Check {
  const { negate = false, feedbackKey = negate ? `not_${own}` : own, output } = options;
  const check = async (params: unknown): Promise<CheckResult> => {
    const { holds, comment, metadata } = await find(readRow(name, params));
    const score = holds !== negate;
    return {
      key: feedbackKey,
      score,
      ...(!score && { comment: `${comment}.` }),
      ...(metadata && { metadata }),
    };
  };
  const evaluator = tracedEvaluator(
    feedbackKey,
    async (...args: unknown[]) => check(isParams(args[0]) ? args[0] : paramsOf(name, args)),
    async (rows: readonly unknown[]) => {
      if (!Array.isArray(rows)) throw invalidInput(`${name}.batch needs a list of { outputs }`);
      return allRows(rows, check);
    },
  );
  // A function of the outputs needs the whole text.
  const watches = typeof output === "function" ? undefined : watch?.(!negate);
  return Object.assign(evaluator, {
    key: feedbackKey,
    scale: VERDICT,
    ...(watches && { watch: () => repeating(watch?.(!negate) as Watch) }),
  });
}

/** Adds the full stop, and repeats the failure for later pieces. */
function repeating(watch: Watch): Watch {
  let said: string | undefined;
  return (piece) => {
    if (said !== undefined) return said;
    const found = watch(piece);
    if (typeof found !== "string") return found;
    said = `${found}.`;
    return said;
  };
}

export const isParams = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "outputs" in value;

export function paramsOf(name: string, args: readonly unknown[]): CheckParams {
  const [outputs, referenceOutputs] = args;
  if (args.length > 1 || typeof outputs !== "object" || Array.isArray(outputs))
    return { outputs, referenceOutputs };
  throw withoutOutputs(name, outputs);
}

const withoutOutputs = (name: string, found: unknown): OpenEvalsError =>
  invalidInput(`${name} needs outputs and got ${show(found)}; pass { outputs }`);

function readRow(name: string, params: unknown): CheckedRow {
  if (!isParams(params)) throw withoutOutputs(name, params);
  try {
    const { outputs } = params as CheckParams;
    return { params: params as CheckParams, outputs, referenceOutputs: referenceOf(params as CheckParams) };
  } catch (thrown) {
    throw typed(name, thrown);
  }
}
