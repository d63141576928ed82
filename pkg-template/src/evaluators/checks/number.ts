/** Numbers as people and models write them. */

/** How numbers are read. */
export interface NumberReading {
  /** Whether what stands around a number is left out, such as `€` and `km`. */
  ignoreUnits: boolean;
  /** Which number of a text counts, if it need not be all of it. */
  find: "first" | "last" | undefined;
  /** What stands before the decimals; by default, that is told by how the number looks. */
  decimalMark: "." | "," | undefined;
}

/** Between the thousands: spaces of all widths, apostrophes and low lines, besides points and commas. */
const GROUP = String.raw`[.,'’_ \u00a0\u2009\u202f]`;
const SIGN = "[+\\-\u2212\u2013]";

/** Digits in groups or not, with decimals, or decimals alone; and an exponent. */
const DIGITS = String.raw`(?:\d+(?:${GROUP}\d+)*(?:[.,](?!\d))?|[.,]\d+)(?:[eE]${SIGN}?\d{1,4})?`;

const WHOLE = new RegExp(`^(${SIGN}?) ?(${DIGITS})$`, "u");

/** The same with what may stand around it: a sign of a currency, a code, a unit; the sign of the number on either side. */
const WITH_UNITS = new RegExp(
  String.raw`^(${SIGN}?)[ \u00a0\u202f]*(?:[\p{Sc}~≈]|\p{L}{1,7}[.$]?)?[ \u00a0\u202f]*(${SIGN}?)[ \u00a0\u202f]*(${DIGITS})(?:[\p{L}\p{Sc}\p{So}%‰°µ²³"'·*/^() \u00a0\u202f-]|(?<=[\p{L}^]|\^-)\d){0,40}[.!]?$`,
  "u",
);

/** Numbers in a text: not within words, and without spaces between the thousands that may stand between two numbers. */
const IN_TEXT = new RegExp(
  String.raw`(?<![\p{L}\p{N}_])(?:(?<![\p{N})\]%]\s?)${SIGN})?(?:\d+(?:[.,'’_\u00a0\u2009\u202f]\d+)*|(?<!\d)[.,]\d+)(?:[eE]${SIGN}?\d{1,4}(?!\d))?(?![\p{N}_])`,
  "gu",
);

/** Signs of full width, as East Asian keyboards write them. */
const narrow = (text: string): string =>
  text.replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));

/** Longer than any number is. */
const LONGEST = 1_000;

/** The number that a text is, or that stands in it; `undefined` where there is none. */
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
  if (text.length > LONGEST) return undefined;
  const trimmed = narrow(text).trim();
  const whole = WHOLE.exec(trimmed);
  if (whole) return numberOf(`${whole[1]}${whole[2]}`, decimalMark);
  const [, before, behind, digits] = (ignoreUnits && WITH_UNITS.exec(trimmed)) || [];
  if (digits === undefined || (before && behind)) return undefined;
  return numberOf(`${before}${behind}${digits}`, decimalMark);
}

/** The number that consists of a sign, digits, what stands between them, and an exponent. */
function numberOf(token: string, decimalMark: "." | "," | undefined): number | undefined {
  const [, sign = "", digits = "", exponent = ""] = /^([+\-\u2212\u2013]?)([^eE]*)(.*)$/u.exec(token) ?? [];
  const plain = inEnglish(digits.replace(/[.,]$/, ""), decimalMark);
  if (plain === undefined) return undefined;
  const isNegative = sign !== "" && sign !== "+";
  const value = Number(`${isNegative ? "-" : ""}${plain}${exponent.replace(/[\u2212\u2013]/u, "-")}`);
  return Number.isFinite(value) ? value : undefined;
}

/** The digits without groups and with a decimal point; `undefined` where that cannot be told, as in a date. */
function inEnglish(digits: string, decimalMark: "." | "," | undefined): string | undefined {
  const mark = decimalMark ?? markIn(digits);
  const parts = mark ? digits.split(mark) : [digits];
  if (parts.length > 2) return undefined;
  const [whole = "", decimals = ""] = parts;
  if (/\D/.test(decimals)) return undefined;
  const marks = new Set(whole.replace(/\d/g, ""));
  if (marks.size > 1) return undefined;
  const [mark_] = marks;
  if (mark_ !== undefined && !isGrouped(whole.split(mark_))) return undefined;
  return `${whole.replace(/\D/g, "") || "0"}.${decimals || "0"}`;
}

/** The decimal mark of a number that has one. */
function markIn(digits: string): "." | "," | undefined {
  const [points, commas] = [".", ","].map((mark) => digits.split(mark).length - 1) as [number, number];
  if (points && commas) return digits.lastIndexOf(".") > digits.lastIndexOf(",") ? "." : ",";
  if (points === 1) return ".";
  // A comma and three digits are thousands, as in English.
  if (commas === 1) return /^[^,]{1,3},\d{3}$/.test(digits) && !/^0/.test(digits) ? undefined : ",";
  return undefined;
}

/** Groups of three, or as in India of two and then three. */
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
