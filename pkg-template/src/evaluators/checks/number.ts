/** Reads numbers as people and models write them. */

/** How numbers are read. */
export interface NumberReading {
  /** Whether text around the number, such as `€` or `km`, is ignored. */
  ignoreUnits: boolean;
  /** Which number of a text counts, if the text is not a single number. */
  find: "first" | "last" | undefined;
  /** The decimal separator; by default, it is inferred from the number. */
  decimalMark: "." | "," | undefined;
}

/** Separators of thousands: points, commas, spaces of all widths, apostrophes and underscores. */
const GROUP = String.raw`[.,'’_ \u00a0\u2009\u202f]`;
const SIGN = "[+\\-\u2212\u2013]";

/** Digits with or without groups and decimals, or decimals alone, with an optional exponent. */
const DIGITS = String.raw`(?:\d+(?:${GROUP}\d+)*(?:[.,](?!\d))?|[.,]\d+)(?:[eE]${SIGN}?\d{1,4})?`;

const WHOLE = new RegExp(`^(${SIGN}?) ?(${DIGITS})$`, "u");

/** As {@link WHOLE}, with a currency sign or a unit around it, and the sign of the number before or after the currency. */
const WITH_UNITS = new RegExp(
  String.raw`^(${SIGN}?)[ \u00a0\u202f]*(?:[\p{Sc}~≈]|\p{L}{1,7}[.$]?)?[ \u00a0\u202f]*(${SIGN}?)[ \u00a0\u202f]*(${DIGITS})(?:[\p{L}\p{Sc}\p{So}%‰°µ²³"'·*/^() \u00a0\u202f-]|(?<=[\p{L}^]|\^-)\d){0,40}[.!]?$`,
  "u",
);

/** Numbers in a text, outside words. Spaces do not group thousands here, since they may separate two numbers. */
const IN_TEXT = new RegExp(
  String.raw`(?<![\p{L}\p{N}_])(?:(?<![\p{N})\]%]\s?)${SIGN})?(?:\d+(?:[.,'’_\u00a0\u2009\u202f]\d+)*|(?<!\d)[.,]\d+)(?:[eE]${SIGN}?\d{1,4}(?!\d))?(?![\p{N}_])`,
  "gu",
);

/** Converts full-width characters, as East Asian keyboards write them, to ASCII. */
const narrow = (text: string): string =>
  text.replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));

/** Longer texts are not a single number. */
const MAX_LENGTH = 1_000;

/** The number that a text is or, with `find`, contains; `undefined` if there is none. */
export function readNumber(
  text: string,
  { ignoreUnits, find, decimalMark }: NumberReading,
): number | undefined {
  if (find) {
    let found: number | undefined;
    for (const [token] of narrow(text).matchAll(IN_TEXT)) {
      found = numberOf(token, decimalMark) ?? found;
      if (found !== undefined && find === "first") break;
    }
    return found;
  }
  if (text.length > MAX_LENGTH) return undefined;
  const trimmed = narrow(text).trim();
  const whole = WHOLE.exec(trimmed);
  if (whole) return numberOf(`${whole[1]}${whole[2]}`, decimalMark);
  const [, before, after, digits] = (ignoreUnits && WITH_UNITS.exec(trimmed)) || [];
  if (digits === undefined || (before && after)) return undefined;
  return numberOf(`${before}${after}${digits}`, decimalMark);
}

/** Parses a sign, digits with separators, and an exponent. */
function numberOf(token: string, decimalMark: "." | "," | undefined): number | undefined {
  const [, sign = "", digits = "", exponent = ""] = /^([+\-\u2212\u2013]?)([^eE]*)(.*)$/u.exec(token) ?? [];
  const plain = withDecimalPoint(digits.replace(/[.,]$/, ""), decimalMark);
  if (plain === undefined) return undefined;
  const isNegative = sign !== "" && sign !== "+";
  const value = Number(`${isNegative ? "-" : ""}${plain}${exponent.replace(/[\u2212\u2013]/u, "-")}`);
  return Number.isFinite(value) ? value : undefined;
}

/** The digits without groups and with a decimal point; `undefined` if they are ambiguous, as in a date. */
function withDecimalPoint(digits: string, decimalMark: "." | "," | undefined): string | undefined {
  const mark = decimalMark ?? markIn(digits);
  const parts = mark ? digits.split(mark) : [digits];
  if (parts.length > 2) return undefined;
  const [whole = "", decimals = ""] = parts;
  if (/\D/.test(decimals)) return undefined;
  const marks = new Set(whole.replace(/\d/g, ""));
  if (marks.size > 1) return undefined;
  const [groupMark] = marks;
  if (groupMark !== undefined && !isGrouped(whole.split(groupMark))) return undefined;
  return `${whole.replace(/\D/g, "") || "0"}.${decimals || "0"}`;
}

/** The decimal separator of a number, if it has one. */
function markIn(digits: string): "." | "," | undefined {
  const [points, commas] = [".", ","].map((mark) => digits.split(mark).length - 1) as [number, number];
  if (points && commas) return digits.lastIndexOf(".") > digits.lastIndexOf(",") ? "." : ",";
  if (points === 1) return ".";
  // A comma before exactly three digits separates thousands, as in English.
  if (commas === 1) return /^[^,]{1,3},\d{3}$/.test(digits) && !/^0/.test(digits) ? undefined : ",";
  return undefined;
}

/** Whether digits are grouped by three, or in the Indian system. */
function isGrouped([first = "", ...groups]: readonly string[]): boolean {
  const last = groups.at(-1) ?? "";
  const others = groups.slice(0, -1);
  const isFirst = first.length >= 1 && first.length <= 3;
  return (
    isFirst &&
    last.length === 3 &&
    (others.every(({ length }) => length === 3) ||
      (first.length <= 2 && others.every(({ length }) => length === 2)))
  );
}
