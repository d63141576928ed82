import { invalidInput, typedReading } from "../../../core/errors.js";
import {
  aDuration,
  anything,
  check,
  checkOptions,
  type OptionChecks,
  oneOf,
  show,
} from "../../../core/input/checks.js";
import type { ByteStream, TextStream } from "../../../core/platform/globals.js";
import type { PartEvaluator } from "../../calls/parts.js";
import { checkParts } from "../combining/combination.js";
import { isSource, type Source } from "./source.js";
import { type GuardedStream, guardStream } from "./stream.js";
import { type Guard, type GuardFailure, replacementOf, verdict } from "./verdict.js";

/** The options of {@link guard}. */
export interface GuardOptions {
  /**
   * The time limit of the checks together once the answer is complete, and then of `onFail`, in milliseconds; 60,000 by
   * default. It also ends the requests of judges. The answer itself has no limit.
   */
  timeoutMs?: number | undefined;
  /**
   * Replaces a failed answer, or the rest of a stream that was cut: a text, or a function of the failures and of the
   * text that was already passed on (`""` if none was). Empty by default.
   */
  onFail?:
    | string
    | ((failures: readonly GuardFailure[], sent: string) => string | Promise<string>)
    | undefined;
  /**
   * How a stream is handled if a check needs the whole text, such as a judge: `"hold"` (the default) holds the text
   * back until the check has passed, and passes it on in one piece; `"report"` passes it on at once and only reports
   * failures. Checks that can fail early hold back little, and cut the stream in either case.
   */
  wholeText?: "hold" | "report" | undefined;
  /** The input that the answer responds to, for judges whose prompt has `{inputs}`. */
  inputs?: unknown;
  /** The expected answer, for checks that compare with it. */
  referenceOutputs?: unknown;
}

/** A text that was checked. */
export interface GuardedText {
  /** Whether all checks passed. */
  ok: boolean;
  /** The text if `ok`; otherwise the text of `onFail`, or an empty text. */
  answer: string;
  /** The checks that failed or threw, in their order. */
  failures: GuardFailure[];
}

const OPTIONS: OptionChecks<GuardOptions> = {
  timeoutMs: aDuration,
  onFail: check("a text or a function", (value) => typeof value === "string" || typeof value === "function"),
  wholeText: oneOf(["hold", "report"]),
  inputs: anything,
  referenceOutputs: anything,
};

/**
 * Checks an answer before it is sent, for example in an edge function. It passes if all checks pass; a check that
 * throws or times out fails.
 *
 * A stream is passed on as soon as its text is known to be clean. A check that can fail early, such as one for a
 * forbidden text, a length or personal data, cuts the stream, and holds back text that may become part of a failure, so
 * that nothing leaks. Other checks hold back the whole text, unless `wholeText` is `"report"`. Bytes are read as UTF-8
 * and passed on as bytes.
 *
 * @param answer A text, a promise of one, or a stream or async iterable of strings or bytes: the `textStream` of the AI
 * SDK, the `body` of a `Response`. Streams of events are not supported.
 * @param checks Checks and other evaluators. They get `{ outputs }` with the text, and `inputs` and `referenceOutputs`
 * if given. A score that is a number passes by the evaluator's pass mark (`passAt`).
 * @returns A promise of {@link GuardedText} for a text; for a stream, a {@link GuardedStream} immediately.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work, `invalid_input` for an unsupported
 * answer. For a text, the promise rejects with them, and with the error of a rejected promise.
 *
 * @example A text
 * ```ts
 * import { guard } from "openevals-wasm/checks";
 *
 * const isShort = ({ outputs }: { outputs: string }) => outputs.length < 280;
 * const { ok, answer } = await guard("Yes.", [isShort], { onFail: "No answer." });
 * console.log(ok, answer); // true Yes.
 * ```
 *
 * @example A stream
 * ```ts
 * import { guard } from "openevals-wasm/checks";
 *
 * export function checked(textStream: AsyncIterable<string>): Response {
 *   const isPolite = ({ outputs }: { outputs: string }) => !/stupid/i.test(outputs);
 *   const { answer, failures } = guard(textStream, [isPolite], { onFail: "…", wholeText: "report" });
 *   failures.then((found) => found.length && console.warn(found));
 *   return new Response(answer.pipeThrough(new TextEncoderStream()));
 * }
 * ```
 */
export function guard(
  answer: string | PromiseLike<string>,
  checks: readonly PartEvaluator[],
  options?: GuardOptions,
): Promise<GuardedText>;
export function guard(
  answer: Source<Uint8Array>,
  checks: readonly PartEvaluator[],
  options?: GuardOptions,
): GuardedStream<ByteStream>;
export function guard(
  answer: Source<string>,
  checks: readonly PartEvaluator[],
  options?: GuardOptions,
): GuardedStream<TextStream>;
export function guard(
  answer: string | PromiseLike<string> | Source<unknown>,
  checks: readonly PartEvaluator[],
  options: GuardOptions = {},
): Promise<GuardedText> | GuardedStream<unknown> {
  if (typedReading("guard", () => isSource(answer)))
    return guardStream(answer as Source<unknown>, readGuard(checks, options));
  return guardText(answer as unknown, checks, options);
}

async function guardText(
  answer: unknown,
  checks: readonly PartEvaluator[],
  options: GuardOptions,
): Promise<GuardedText> {
  const guard = readGuard(checks, options);
  const text = await answer;
  if (typeof text !== "string") {
    throw invalidInput(
      `The answer is ${show(text)}; guard takes a text, a promise of one, or a stream of texts or bytes. Pass the body of a ` +
        "Response, and await the promise of a stream",
    );
  }
  const failures = await verdict(guard, guard.checks, text);
  if (failures.length === 0) return { ok: true, answer: text, failures };
  return { ok: false, answer: await replacementOf(guard, failures, ""), failures };
}

function readGuard(checks: readonly PartEvaluator[], options: GuardOptions): Guard {
  const {
    timeoutMs = 60_000,
    onFail = "",
    wholeText = "hold",
    inputs,
    referenceOutputs,
  } = checkOptions("guard", options, OPTIONS);
  const row = {
    ...(inputs !== undefined && { inputs }),
    ...(referenceOutputs !== undefined && { referenceOutputs }),
  };
  return { checks: checkParts(checks, "checks"), timeoutMs, onFail, row, holds: wholeText === "hold" };
}
