/** What all checks are: evaluators that need no model, say yes or no, and can be negated. */

import { invalidInput } from "../../core/errors.js";
import { aFlag, aString, type Checks, show } from "../../core/input/checks.js";
import { aPlace, type FieldSource } from "../../core/input/field.js";
import { referenceOf } from "../../core/input/params.js";
import { allRows } from "../../core/input/rows.js";
import { unreadable } from "../../core/input/writer.js";
import { tracedEvaluator } from "../../core/tracing/hook.js";
import type { EvaluatorParams, EvaluatorResult } from "../../core/types.js";

/** What a check is called with: a row, as other evaluators get it. */
export interface CheckParams extends EvaluatorParams {
  /** What else is known of the row, such as `{ latencyMs, usage, model }`. */
  metadata?: Record<string, unknown> | undefined;
  /** The call of the application, as `evaluate()` passes it. */
  run?: object;
  /** The row of the data, as `evaluate()` passes it. */
  example?: object;
}

/** What a check found. */
export interface CheckResult extends EvaluatorResult {
  /** Whether it passes. */
  score: boolean;
  /** Why it fails; missing where it passes. */
  comment?: string;
}

/** A check: an evaluator of rows, which a guard can also ask while a text arrives. */
export interface Check {
  /** Checks outputs that are no object, such as a text. */
  (outputs: unknown, referenceOutputs?: unknown): Promise<CheckResult>;
  /** Checks a row. */
  (params: CheckParams): Promise<CheckResult>;
  /** The key of its results. */
  readonly key: string;
  /** Checks many rows; the results are those of one call for each row, in order. */
  batch(rows: readonly CheckParams[]): Promise<CheckResult[]>;
  /**
   * Begins to watch a text that arrives in pieces: what is returned gets each piece, and returns why the text fails as soon
   * as nothing that may follow can change that. Missing where only the whole text can tell.
   *
   * @internal
   */
  watch?(): Watch;
}

/**
 * Gets a text piece by piece. Returns why it fails, once that is certain; until then, how many characters (UTF-16) at the end
 * of what came may yet become part of what it fails for, so that a guard holds them back: 0 where none can. `undefined` says
 * that nobody knows how many, and all of the text is held back.
 */
export type Watch = (piece: string) => string | number | undefined;

/** The options that all checks have. */
export interface CheckOptions {
  /** Whether the check passes where it would fail, and fails where it would pass; its key then begins with `not_`. */
  negate?: boolean | undefined;
  /** The `key` of the result, instead of the check's own. */
  feedbackKey?: string | undefined;
}

export const CHECK_OPTIONS: Checks<CheckOptions> = { negate: aFlag, feedbackKey: aString };

/** The options of checks that read outputs. */
export interface OutputCheckOptions extends CheckOptions {
  /**
   * Where it stands in the outputs what is checked: their key, or a function of them. By default it is the last message of
   * the assistant in a conversation, the only field of an object, or else the whole, as JSON.
   */
  output?: FieldSource | undefined;
}

export const OUTPUT_CHECK_OPTIONS: Checks<OutputCheckOptions> = { ...CHECK_OPTIONS, output: aPlace };

/** A row that is checked. */
export interface CheckedRow {
  params: CheckParams;
  outputs: unknown;
  /** `undefined` or `null` where there is none. */
  referenceOutputs: unknown;
}

/** What is the case, whether a check wants it or not. */
export interface Finding {
  holds: boolean;
  /** In a sentence, without the full stop. */
  says: string;
  /** What else is known. */
  metadata?: Record<string, unknown>;
}

/** What a check consists of. */
export interface CheckSpec {
  /** What messages call it. */
  name: string;
  key: string;
  find(row: CheckedRow): Finding | Promise<Finding>;
  /**
   * Begins to watch for one of the two that the check does not want: what is returned says, as soon as it is certain,
   * that it holds (for a negated check) or that it does not.
   */
  watch?: ((isWanted: boolean) => Watch | undefined) | undefined;
}

/** Makes a check. */
export function makeCheck({ name, key: own, find, watch }: CheckSpec, options: OutputCheckOptions): Check {
  const { negate = false, feedbackKey = negate ? `not_${own}` : own, output } = options;
  const check = async (params: unknown): Promise<CheckResult> => {
    const { holds, says, metadata } = await find(readRow(name, params));
    const score = holds !== negate;
    return { key: feedbackKey, score, ...(!score && { comment: `${says}.` }), ...(metadata && { metadata }) };
  };
  const evaluator = tracedEvaluator(
    feedbackKey,
    async (...args: unknown[]) => check(isParams(args[0]) ? args[0] : paramsOf(name, args)),
    async (rows: readonly unknown[]) => {
      if (!Array.isArray(rows)) throw invalidInput(`${name}.batch needs a list of { outputs }`);
      return allRows(rows, check);
    },
  );
  // A function may make something else of the text, for which its pieces are not enough.
  const watches = typeof output === "function" ? undefined : watch?.(!negate);
  return Object.assign(evaluator, {
    key: feedbackKey,
    ...(watches && { watch: () => sentence(watch?.(!negate) as Watch) }),
  });
}

/** Says it once more to whoever goes on asking. */
function sentence(watch: Watch): Watch {
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
  throw invalidInput(
    `${name} needs outputs and got ${show(outputs)}; call it with { outputs }, or with a text`,
  );
}

function readRow(name: string, params: unknown): CheckedRow {
  if (!isParams(params))
    throw invalidInput(`${name} needs outputs and got ${show(params)}; pass { outputs }`);
  try {
    const { outputs } = params as CheckParams;
    return { params: params as CheckParams, outputs, referenceOutputs: referenceOf(params as CheckParams) };
  } catch (thrown) {
    throw unreadable(`What ${name} was called with`, thrown);
  }
}
