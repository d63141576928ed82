import { invalidInput } from "../../core/errors.js";
import { aFlag, type Checks, check, checkOptions, oneOf, show } from "../../core/input/checks.js";
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
  /** The number that it has to be; by default the one of the reference outputs. */
  value?: number | undefined;
  /** How far the number may be from it, in either direction; 0 by default. */
  tolerance?: number | undefined;
  /** The same as a share of it: 0.01 for one percent. Of both, the wider one counts. */
  relativeTolerance?: number | undefined;
  /**
   * Whether what stands around the number is left out, such as `€` or `km`; `false` by default. A percent sign is a unit, too:
   * `12 %` is 12.
   */
  ignoreUnits?: boolean | undefined;
  /** Which number counts of a text with others or with words; by default, the whole text has to be one. */
  find?: "first" | "last" | undefined;
  /**
   * What stands before the decimals. By default, that is told by how the number looks: in `1,234.50` it is the last mark, and
   * `1,234` is a thousand, but `1.234` is not.
   */
  decimalMark?: "." | "," | undefined;
}

const aDistance = check("a number from 0", (value) => typeof value === "number" && value >= 0);

const OPTIONS: Checks<EqualsNumberOptions> = {
  ...OUTPUT_CHECK_OPTIONS,
  value: check("a number", Number.isFinite),
  tolerance: aDistance,
  relativeTolerance: aDistance,
  ignoreUnits: aFlag,
  find: oneOf(["first", "last"]),
  decimalMark: oneOf([".", ","]),
};

/**
 * Makes a check that outputs are a number: a number, or a text that has it, such as `1,234.50`, `1.234,50`, `1 234`, `−3` or
 * `1e3`. Numbers are compared as JavaScript has them, with 53 bits.
 *
 * @param options The options, or how far it may be from the reference.
 * @returns A check with the key `equals_number`; `metadata.read` is the number that it read, and its comment tells it.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The check throws `invalid_input` where there is
 * no number to compare with. Outputs that are none fail.
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
  const given = typeof options === "number" ? { tolerance: options } : options;
  const read = checkOptions("equalsNumber", given, OPTIONS);
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
    const wanted = value ?? wantedIn(referenceOutputs, reading, options);
    const own = onlyField(valueIn(outputs, output));
    const found = typeof own === "number" ? own : readNumber(textIn(own, undefined), reading);
    if (found === undefined || !Number.isFinite(found)) {
      const shown = typeof own === "string" ? quoted(own) : show(own);
      return { holds: false, says: find ? `There is no number in ${shown}` : `${shown} is no number` };
    }
    const most = Math.max(tolerance, relativeTolerance * Math.abs(wanted));
    const difference = Math.abs(found - wanted);
    // What is as far off as it may be is not to fail for the sake of its last bit.
    const slack = most && 4 * Number.EPSILON * Math.max(Math.abs(found), Math.abs(wanted));
    const holds = difference <= most + slack;
    const by = difference ? `: it differs by ${shortest(difference)}` : "";
    const within = most && difference ? `, ${holds ? "and" : "but only"} ${shortest(most)} is allowed` : "";
    const says =
      holds && !difference
        ? `The number is ${wanted}`
        : `The number is ${found}, not ${wanted}${by}${within}`;
    return { holds, says, metadata: { read: found } };
  };
  return makeCheck({ name: "equalsNumber", key: "equals_number", find: check }, read);
}

const shortest = (value: number): string => String(Number(value.toPrecision(12)));

function wantedIn(referenceOutputs: unknown, reading: NumberReading, options: unknown): number {
  if (referenceOutputs == null && typeof options === "number") {
    throw invalidInput(
      `equalsNumber(${options}) compares with the number of referenceOutputs, and there are none: a bare number is the ` +
        `tolerance; pass { value: ${options} } for the number that it has to be`,
    );
  }
  const reference = referenceIn("equalsNumber", referenceOutputs);
  const wanted = typeof reference === "string" ? readNumber(reference, reading) : reference;
  if (typeof wanted === "number" && Number.isFinite(wanted)) return wanted;
  throw invalidInput(
    `equalsNumber compares with the number of referenceOutputs, and ${show(reference)} is none`,
  );
}
