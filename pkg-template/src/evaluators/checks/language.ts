import { invalidConfig, invalidInput } from "../../core/errors.js";
import {
  aFunction,
  checkOptions,
  isListOf,
  isRow,
  makerError,
  type OptionChecks,
  readable,
  show,
} from "../../core/input/checks.js";
import { callUserFunction } from "../../core/user-function.js";
import {
  type Check,
  type CheckedRow,
  type Finding,
  makeCheck,
  OUTPUT_CHECK_OPTIONS,
  type OutputCheckOptions,
} from "./check.js";
import { quoted } from "./comment-text.js";
import { packageOf } from "./packages.js";
import { textIn } from "./text.js";

/** Returns the two- or three-letter code of a text's language; `""`, `"und"` or nothing if it is unknown. */
export type DetectLanguage = (text: string) => string | null | undefined | Promise<string | null | undefined>;

/** The options of {@link language}. */
export interface LanguageOptions extends OutputCheckOptions {
  /**
   * Detects the language of a text, such as `detect` of `tinyld` or `franc`; by default, `tinyld` if it is installed.
   */
  detect?: DetectLanguage | undefined;
}

const OPTIONS: OptionChecks<LanguageOptions> = { ...OUTPUT_CHECK_OPTIONS, detect: aFunction };

/**
 * Makes a check that a text is in a given language. Detection is a guess, and less reliable for short texts; the check
 * fails if the language is unknown. Of texts with more than 3,000 characters, `tinyld` gets 1,000 each from the
 * beginning, middle and end; your own `detect` gets the whole text.
 *
 * @param expected A language code, or a list of codes of which one has to match. `en`, `eng` and `en-GB` are the same.
 * @returns A check with the key `language`. `metadata.language` is the detected language.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The check throws `invalid_config` if
 * there is no detector, and `callback_failed` if it throws.
 *
 * @example
 * ```ts
 * import { language } from "openevals-wasm/checks";
 *
 * const detect = (text: string) => (/\b(und|der|die|das)\b/i.test(text) ? "de" : "en");
 * const { comment } = await language("en", { detect })({ outputs: "Das ist alles." });
 * console.log(comment); // The text is in "de", not in "en".
 * ```
 */
export function language(expected: string | readonly string[], options: LanguageOptions = {}): Check {
  const read = checkOptions("language", options, OPTIONS);
  if (isRow(expected)) throw makerError("language");
  const list = typeof expected === "string" ? [expected] : expected;
  const wanted = readable("language", () =>
    isListOf(list, (code) => typeof code === "string") ? list.map(codeOf) : [],
  );
  if (!wanted.length || wanted.includes(undefined)) {
    throw invalidConfig(
      `The language is ${show(expected)}; it has to be a code such as "en", or a list of codes`,
    );
  }
  const installed = packageOf<{ detect: DetectLanguage }>("language", "tinyld", "detect", undefined);
  const find = async ({ outputs }: CheckedRow): Promise<Finding> => {
    const text = textIn(outputs, read.output);
    const { detect } = read;
    const detector = detect ?? (await installed()).detect;
    // The time of tinyld grows with the square of the length.
    const sample = detect ? text : sampleOf(text);
    const found = await callUserFunction("detect of language", () => detector(sample));
    if (found && typeof found !== "string") {
      throw invalidInput(`detect of language returned ${show(found)}; it has to return a code such as "en"`);
    }
    const code = found && found !== "und" ? codeOf(found) : undefined;
    const names = list.map(quoted).join(" or ");
    if (code === undefined)
      return {
        holds: false,
        comment: `The language of the text is unknown; it has to be ${names}`,
      };
    const holds = wanted.includes(code);
    const comment = `The text is in ${quoted(found as string)}${holds ? "" : `, not in ${names}`}`;
    return { holds, comment, metadata: { language: found } };
  };
  return makeCheck({ name: "language", key: "language", find }, read);
}

/** The length of each part of a sample, in characters. */
const PART = 1_000;

/** The beginning, middle and end of a long text, cut at spaces if there are any. */
function sampleOf(text: string): string {
  if (text.length <= 3 * PART) return text;
  const middle = Math.floor((text.length - PART) / 2);
  return [0, middle, text.length - PART]
    .map((start) => text.slice(start, start + PART).replace(/^\S{1,40}\s|\s\S{1,40}$/g, " "))
    .join(" ");
}

/** The shortest form of a language code: `en` for `eng` and `en-GB`. */
function codeOf(code: string): string | undefined {
  try {
    return new Intl.Locale(code.replaceAll("_", "-")).language;
  } catch {
    return undefined;
  }
}
