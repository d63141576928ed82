import { invalidInput } from "../../core/errors.js";
import {
  aFlag,
  check,
  checkOptions,
  fromZero,
  type OptionChecks,
  oneOf,
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
import { type NumberReading, readNumber } from "./number.js";
import { onlyField, referenceIn, textIn, valueIn } from "./text.js";

/** The options of {@link equalsNumber}. */
export interface EqualsNumberOptions extends OutputCheckOptions {
  /** The expected number; by default, that of the reference outputs. */
  value?: number | undefined;
  /** The largest difference that passes, in either direction; 0 by default. */
  tolerance?: number | undefined;
  /**
   * The largest difference as a share of the expected number: 0.01 is one percent. The wider of both tolerances
   * applies.
   */
  relativeTolerance?: number | undefined;
  /**
   * Whether text around the number, such as `€` or `km`, is ignored; `false` by default. A percent sign is a unit too:
   * `12%` is 12.
   */
  ignoreUnits?: boolean | undefined;
  /** Which number of a text counts; by default, the text must consist of a single number. */
  find?: "first" | "last" | undefined;
  /**
   * The decimal separator. By default, it is inferred from the number: `1,234.50` has a decimal point, `1,234` a
   * thousands separator, and `1.234` a decimal point again.
   */
  decimalMark?: "." | "," | undefined;
}

const OPTIONS: OptionChecks<EqualsNumberOptions> = {
  ...OUTPUT_CHECK_OPTIONS,
  value: check("a number", Number.isFinite),
  tolerance: fromZero,
  relativeTolerance: fromZero,
  ignoreUnits: aFlag,
  find: oneOf(["first", "last"]),
  decimalMark: oneOf([".", ","]),
};

/**
 * Makes a check that outputs equal a number. They may be a number, or a text with one, such as `1,234.50`, `1.234,50`,
 * `1 234`, `−3` or `1e3`. Numbers are compared with the precision of JavaScript; where it cannot decide whether integers
 * from 2^53 on are equal, the check throws.
 *
 * @param options The options, or only the `tolerance`.
 * @returns A check with the key `equals_number`. `metadata.read` is the number found in the outputs.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The check throws `invalid_input` if
 * there is no number to compare with, or numbers are too large to compare. Outputs without a number fail.
 *
 * @example
 * ```ts
 * import { equalsNumber } from "openevals-wasm/checks";
 *
 * const { score } = await equalsNumber(0.01)({ outputs: "3.14", referenceOutputs: Math.PI });
 * console.log(score); // true
 *
 * const price = equalsNumber({ value: 1234.5, ignoreUnits: true, find: "last" });
 * const { comment } = await price({ outputs: "For 3 nights: € 1.234,00" });
 * console.log(comment); // The number is 1234, not 1234.5: it differs by 0.5.
 * ```
 */
export function equalsNumber(options: number | EqualsNumberOptions = {}): Check {
  const namedOptions = typeof options === "number" ? { tolerance: options } : options;
  const read = checkOptions("equalsNumber", namedOptions, OPTIONS);
  const {
    value,
    tolerance = 0,
    relativeTolerance = 0,
    ignoreUnits = false,
    find,
    decimalMark,
    output,
  } = read;
  const reading: NumberReading = { ignoreUnits: ignoreUnits || find !== undefined, find, decimalMark };
  const check = ({ outputs, referenceOutputs }: CheckedRow): Finding => {
    const expected = value ?? expectedIn(referenceOutputs, reading, options);
    const actual = onlyField(valueIn(outputs, output));
    const found = typeof actual === "number" ? actual : readNumber(textIn(actual, undefined), reading);
    if (found === undefined || !Number.isFinite(found)) {
      const shown = typeof actual === "string" ? quoted(actual) : show(actual);
      return { holds: false, comment: find ? `There is no number in ${shown}` : `${shown} is not a number` };
    }
    const most = Math.max(tolerance, relativeTolerance * Math.abs(expected));
    const difference = Math.abs(found - expected);
    // A difference of exactly the tolerance must not fail because of rounding.
    const slack = most && 4 * Number.EPSILON * Math.max(Math.abs(found), Math.abs(expected));
    const holds = difference <= most + slack;
    // Texts of different integers can be the same number.
    const areNumbers = typeof actual === "number" && (value !== undefined || !isText(referenceOutputs));
    if (Math.abs(difference - most) <= slack && Math.abs(found) > Number.MAX_SAFE_INTEGER && !areNumbers)
      throw invalidInput(
        `equalsNumber cannot tell whether numbers as large as ${found} are equal. Set a tolerance, or compare them as texts ` +
          "with exactMatch",
      );
    const by = difference ? `: it differs by ${shortest(difference)}` : "";
    const within = most && difference ? `, ${holds ? "and" : "but only"} ${shortest(most)} is allowed` : "";
    const comment =
      holds && !difference
        ? `The number is ${expected}`
        : `The number is ${found}, not ${expected}${by}${within}`;
    return { holds, comment, metadata: { read: found } };
  };
  return makeCheck({ name: "equalsNumber", key: "equals_number", find: check }, read);
}

const isText = (referenceOutputs: unknown): boolean => typeof onlyField(referenceOutputs) === "string";

const shortest = (value: number): string => String(Number(value.toPrecision(12)));

function expectedIn(referenceOutputs: unknown, reading: NumberReading, options: unknown): number {
  if (referenceOutputs == null && typeof options === "number") {
    throw invalidInput(
      `equalsNumber(${options}) compares with the number in referenceOutputs, which are missing: a bare number is the ` +
        `tolerance. Pass { value: ${options} } for the expected number`,
    );
  }
  const reference = referenceIn("equalsNumber", referenceOutputs);
  const expected = typeof reference === "string" ? readNumber(reference, reading) : reference;
  if (typeof expected === "number" && Number.isFinite(expected)) return expected;
  throw invalidInput(
    `equalsNumber compares with the number in referenceOutputs, and ${show(reference)} is not a number`,
  );
}
