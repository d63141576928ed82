import { invalidConfig, invalidInput } from "../../core/errors.js";
import {
  aFunction,
  type Checks,
  checkOptions,
  isListOf,
  isMaker,
  isRow,
  readable,
  show,
} from "../../core/input/checks.js";
import {
  type Check,
  type CheckedRow,
  type Finding,
  makeCheck,
  OUTPUT_CHECK_OPTIONS,
  type OutputCheckOptions,
} from "./check.js";
import { quoted } from "./comment-text.js";
import { called, packageOf } from "./packages.js";
import { textIn } from "./text.js";

/** Says what language a text is in, by its code in two or three letters; `""`, `"und"` or nothing where it cannot tell. */
export type DetectLanguage = (text: string) => string | null | undefined | Promise<string | null | undefined>;

/** The options of {@link language}. */
export interface LanguageOptions extends OutputCheckOptions {
  /** Says what language a text is in, such as `detect` of `tinyld` or `franc`; `tinyld` by default, if it is installed. */
  detect?: DetectLanguage | undefined;
}

const OPTIONS: Checks<LanguageOptions> = { ...OUTPUT_CHECK_OPTIONS, detect: aFunction };

/**
 * Makes a check that a text is in a language. Detectors guess, the shorter a text the worse; where one cannot tell, the check
 * fails. Of a text with more than 3,000 characters, `tinyld` gets 1,000 from its beginning, its middle and its end; a
 * `detect` of your own gets the whole text.
 *
 * @param expected The code of the language, or of several of which one will do: `en`, `eng` and `en-GB` are the same.
 * @returns A check with the key `language`; `metadata.language` is the language that was found.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work and, when the check is called, if there is no
 * detector; `callback_failed` where it throws.
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
  if (isRow(expected)) throw isMaker("language");
  const list = typeof expected === "string" ? [expected] : expected;
  const wanted = readable("language", () =>
    isListOf(list, (code) => typeof code === "string") ? list.map(codeOf) : [],
  );
  if (!wanted.length || wanted.includes(undefined)) {
    throw invalidConfig(
      `The language is ${show(expected)}; it has to be a code such as "en", or a list of such`,
    );
  }
  const installed = packageOf<{ detect: DetectLanguage }>("language", "tinyld", "detect", undefined);
  const find = async ({ outputs }: CheckedRow): Promise<Finding> => {
    const text = textIn(outputs, read.output);
    const { detect } = read;
    const detector = detect ?? (await installed()).detect;
    // The time that tinyld takes grows with the square of the length.
    const sample = detect ? text : sampleOf(text);
    const found = await called("detect of language", () => detector(sample));
    if (found && typeof found !== "string") {
      throw invalidInput(`detect of language returned ${show(found)}; it has to return a code such as "en"`);
    }
    const code = found && found !== "und" ? codeOf(found) : undefined;
    const names = list.map(quoted).join(" or ");
    if (code === undefined)
      return {
        holds: false,
        says: `It cannot be told what language the text is in; it has to be in ${names}`,
      };
    const holds = wanted.includes(code);
    const says = `The text is in ${quoted(found as string)}${holds ? "" : `, not in ${names}`}`;
    return { holds, says, metadata: { language: found } };
  };
  return makeCheck({ name: "language", key: "language", find }, read);
}

/** How long each part of a sample is. */
const PART = 1_000;

/** A long text in parts: its beginning, its middle and its end, in whole words where there are spaces. */
function sampleOf(text: string): string {
  if (text.length <= 3 * PART) return text;
  const middle = Math.floor((text.length - PART) / 2);
  return [0, middle, text.length - PART]
    .map((start) => text.slice(start, start + PART).replace(/^\S{1,40}\s|\s\S{1,40}$/g, " "))
    .join(" ");
}

/** The language of a code, in the shortest form that there is: `en` of `eng` and `en-GB`. */
function codeOf(code: string): string | undefined {
  try {
    return new Intl.Locale(code.replaceAll("_", "-")).language;
  } catch {
    return undefined;
  }
}
