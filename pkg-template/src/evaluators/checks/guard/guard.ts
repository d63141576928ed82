import { invalidInput, typedReading } from "../../../core/errors.js";
import {
  aDuration,
  anything,
  type Checks,
  check,
  checkOptions,
  oneOf,
  show,
} from "../../../core/input/checks.js";
import type { ByteStream, TextStream } from "../../../core/platform/globals.js";
import type { PartEvaluator } from "../../results/parts.js";
import { checkParts } from "../combining/combination.js";
import { isSource, type Source } from "./source.js";
import { type GuardedStream, guardStream } from "./stream.js";
import { type Guard, type GuardFailure, replacementOf, verdict } from "./verdict.js";

/** The options of {@link guard}. */
export interface GuardOptions {
  /**
   * How long the checks may take together, in milliseconds, once the answer is there, and then `onFail`; 60,000 by default.
   * It is no limit for the answer itself.
   */
  timeoutMs?: number | undefined;
  /**
   * What takes the place of an answer that fails, or of the rest of one that is cut: a text, or a function of the failures
   * and of what has been handed on already (`""` where nothing has). Without it, nothing does.
   */
  onFail?:
    | string
    | ((failures: readonly GuardFailure[], sent: string) => string | Promise<string>)
    | undefined;
  /**
   * What becomes of a stream where there are checks that only the whole text can tell, such as a judge: `"hold"` (the
   * default) holds it back until they have passed, so that it comes in one piece at the end; `"report"` hands it on, and
   * their failures are only reported. Checks that can tell early hold back little, and cut the stream in either case.
   */
  wholeText?: "hold" | "report" | undefined;
  /** What the answer is one to: for judges whose prompt has `{inputs}`. */
  inputs?: unknown;
  /** What the answer should have been: for checks that compare with it. */
  referenceOutputs?: unknown;
}

/** A text that was checked. */
export interface GuardedText {
  /** Whether all checks passed. */
  ok: boolean;
  /** The text, if it is; else what `onFail` gives, or an empty text. */
  answer: string;
  /** The checks that failed, or could not tell, in their order. */
  failures: GuardFailure[];
}

const OPTIONS: Checks<GuardOptions> = {
  timeoutMs: aDuration,
  onFail: check("a text or a function", (value) => typeof value === "string" || typeof value === "function"),
  wholeText: oneOf(["hold", "report"]),
  inputs: anything,
  referenceOutputs: anything,
};

/**
 * Checks an answer before it leaves: a gate for an edge function. It passes where all checks do, and those that throw, or
 * take too long, do not.
 *
 * Of a stream, text is handed on as soon as it is known to be clean. A check that can tell early (one that forbids a text, a
 * length, personal data) cuts the stream, and holds back what may yet become part of what it forbids: nothing of that leaks.
 * Others hold back all, unless `wholeText` is `"report"`. Bytes are read as UTF-8, and are bytes again in what is handed on.
 *
 * @param answer A text, or a promise of one; or a stream or an async iterable of texts or of bytes: the `textStream` of the
 * AI SDK, the `body` of a `Response`. It is the answer itself that is checked, not events that hold pieces of it.
 * @param checks Checks and other evaluators, which get `{ outputs }` with the text, and `inputs` and
 * `referenceOutputs` as far as they are given; one that scores numbers passes by its pass mark (`passAt`).
 * @returns For a text a promise of {@link GuardedText}; for a stream, at once, {@link GuardedStream}.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work, `invalid_input` for an answer that is none of
 * these; for a text, the promise rejects with them, and with what a promise of a text was rejected with.
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
      `The answer is ${show(text)}; guard takes a text, a promise of one, or a stream of texts or bytes (of a Response, its ` +
        "body; of a promise of a stream, what it resolves to)",
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
