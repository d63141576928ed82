/** Finds personal data by its format, in linear time, and as soon as no further text can change the finding. */

import { IBAN_LENGTHS } from "./iban-lengths.js";

/** The kinds of personal data that {@link noPII} finds. */
export type PIIKind = "email" | "phone" | "card" | "iban";

/** Personal data in a text. */
export interface PIIFinding {
  kind: PIIKind;
  /** The start and end in the text, in UTF-16 code units. */
  start: number;
  end: number;
}

interface Finder {
  /** The places that may be findings, from a position on. */
  candidates(text: string, from: number): Iterable<PiiCandidate>;
  /** Whether a candidate is a finding. */
  isOne(found: string): boolean;
  /** Matches following text that makes a finding final. */
  isSettled: RegExp;
}

interface PiiCandidate {
  start: number;
  found: string;
  /** The position of the character that identifies it, such as the `@`. */
  at: number;
}

/** The longest finding, including the context that is examined around it. */
export const MAX_FINDING_LENGTH = 256;

/** How much is examined before an `@`: one character more than may belong to the address. */
const BEFORE_SIGN = 65;

/** How much is examined from `at` on; together with what precedes the `@`, it is less than `MAX_FINDING_LENGTH`. */
const AHEAD = 190;

/** A separator between the digits of a phone number. */
const GAP = String.raw`[ .\-/()]`;
/** A separator between the groups of a card number or an IBAN. */
const GROUP_GAP = "[ -]";
const POSTAL_OR_BLOCKS = new RegExp(String.raw`^\d{5}-\d{4}$|^\d{4}(${GROUP_GAP})\d{4}\1\d{4}$`);
const AFTER_NUMBER = new RegExp(String.raw`^(?:(?!${GAP})\D|${GAP}{1,2}(?!${GAP})\D|${GAP}{3})`, "u");

/** Words before a phone number, in each spelling, since a case-insensitive expression would take long to compile. */
const CUES = (
  "tel|telefon|telefonnummer|teléfono|telefono|phone|telephone|call|mobil|mobile|móvil|celular|handy|handynummer|fax|" +
  "whatsapp|whatsApp|sms|tél|téléphone|rufnummer"
)
  .split("|")
  .flatMap((cue) => [cue, (cue[0] as string).toUpperCase() + cue.slice(1), cue.toUpperCase()])
  .join("|");
const CUE =
  String.raw`(?:(?<!\p{L})(?:${CUES})|电话|手机|電話|電話番号|携帯|連絡先)` +
  `(?: (?:number|nummer|no|nr|num|me|us|him|her|them|at|on|is|ist|lautet|unter|an|au|es|al|número|numéro)){0,4}`;

const BEFORE_AT = /(?<![\p{L}\p{N}_%+])[\p{L}\p{N}_%+][\p{L}\p{N}._%+'-]{0,63}$/u;
const BEHIND_AT =
  /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}])(?!(?:\.[\p{L}\p{N}-]{1,63}){0,8}:[\p{L}\p{N}~/.])/u;

const email: Finder = {
  // Only a bounded part around each @ is examined, so the rest of a text costs nothing.
  *candidates(text, from) {
    for (let at = text.indexOf("@", from); at >= 0; at = text.indexOf("@", at + 1)) {
      const before = BEFORE_AT.exec(text.slice(Math.max(0, at - BEFORE_SIGN), at));
      const behind = before && BEHIND_AT.exec(text.slice(at + 1, at + AHEAD));
      if (behind) yield { start: at - before[0].length, found: `${before[0]}@${behind[0]}`, at };
    }
  },
  isOne: (found) =>
    found.length < 170 && !/\.(?:png|jpe?g|gif|webp|svg|avif|css|html?|json|m?js|tsx?|md|txt)$/i.test(found),
  isSettled: /^(?:[^\p{L}\p{N}.:-]|\.[^\p{L}\p{N}-]|:[^\p{L}\p{N}~/.]|-[^\p{L}\p{N}-]|-{4})/u,
};

/**
 * Finds all matches of an expression, also overlapping ones, since a rejected candidate may contain a finding.
 *
 * @param first The beginning of a match, tested first because it is fast.
 */
const matching = (first: string, rest: string) =>
  function* candidates(text: string, from: number): Generator<PiiCandidate> {
    const expression = new RegExp(`(?=${first})${rest}`, "gu");
    expression.lastIndex = from;
    for (let match = expression.exec(text); match; match = expression.exec(text)) {
      yield { start: match.index, found: match[0], at: match.index };
      expression.lastIndex = match.index + 1;
    }
  };

const phones: Finder[] = [
  // +49 30 1234567
  [
    String.raw`\+[1-9]`,
    String.raw`(?<![\p{L}\p{N}+])\+[1-9](?:${GAP}{0,2}\d){6,14}(?!\d)`,
    (digits: string) => digits.length >= 8,
  ],
  // 0049 30 1234567
  [
    "00",
    String.raw`(?<![\p{L}\p{N}.,+:/\-])(?<![A-Z\d]{4} )00[ \-]?[1-9]\d{0,2}(?:${GAP}{1,2}\d{1,9}){1,6}(?!\d)`,
    (digits: string) => digits.length >= 10 && digits.length <= 17,
  ],
  // 030 1234567, (030) 12 34 56 78, 0171/1234567
  [
    "[(0]",
    String.raw`(?<![\p{L}\p{N}.,+:/\-])(?<![A-Z\d]{4} )\(?0[1-9]\d{0,4}\)?(?:[ .\-/]{1,2}\d{1,8}){1,5}(?![\d,:])`,
    (digits: string) => digits.length >= 9 && digits.length <= 12,
  ],
  // (415) 555-0132, 1-800-555-0199. Behind an area code in parentheses, also the made-up 123-4567.
  [
    String.raw`[(\d]`,
    String.raw`(?<![\p{L}\p{N}.,+\-])(?:1[ .\-])?(?:\([2-9]\d{2}\) ?\d{3}|[2-9]\d{2}[ .\-][2-9]\d{2})[ .\-]\d{4}(?![.\-]?\d)`,
    () => true,
  ],
  // 138 0013 8000
  ["1[3-9]", String.raw`(?<![\p{N}.,+\-])1[3-9]\d[ \-]\d{4}[ \-]\d{4}(?![.\-]?\d)`, () => true],
  // Telefon: 1234567
  [
    String.raw`[(\d]`,
    String.raw`(?<=${CUE} ?[.:：]{0,2} {0,2})\(?\d(?:${GAP}{0,2}\d){6,14}(?!\d)`,
    () => true,
  ],
].map(([first, source, isOne]) => ({
  candidates: matching(first as string, source as string),
  isOne: (found) => !isOtherNumber(found) && (isOne as (digits: string) => boolean)(digitsOf(found)),
  isSettled: AFTER_NUMBER,
}));

const card: Finder = {
  candidates: matching(
    String.raw`\d{4}`,
    String.raw`(?<![\p{L}\p{N}+])(?:\d{13,19}|\d{4}(${GROUP_GAP})\d{4}\1\d{4}\1\d{1,7}|\d{4}(${GROUP_GAP})\d{6}\2\d{4,5})(?![\p{L}\p{N}])`,
  ),
  isOne: (found) => {
    const digits = digitsOf(found);
    return (
      ISSUERS.some(([start, lengths]) => start.test(digits) && lengths.includes(digits.length)) &&
      passesLuhn(digits)
    );
  },
  isSettled: /^./su,
};

const iban: Finder = {
  candidates: matching(
    String.raw`(?:[A-Z]{2}|[a-z]{2})\d`,
    String.raw`(?<![\p{L}\p{N}])(?:[A-Z]{2}\d{2}(?:${GROUP_GAP}?[A-Z\d]){11,30}|[a-z]{2}\d{2}(?:${GROUP_GAP}?[a-z\d]){11,30})`,
  ),
  isOne: (found) => found.length > 0 && passesMod97(found.replace(/[^A-Za-z\d]/g, "").toUpperCase()),
  isSettled: /^./su,
};

const FINDERS: Record<PIIKind, readonly Finder[]> = {
  email: [email],
  phone: phones,
  card: [card],
  iban: [iban],
};

/** The prefixes of card numbers by issuer, with their numbers of digits. */
const ISSUERS: [RegExp, number[]][] = [
  [/^4/, [13, 16, 19]],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^3(?:0[0-5]|[689])/, [14, 16, 17, 18, 19]],
  [/^(?:6011|64[4-9]|65)/, [16, 17, 18, 19]],
  [/^35(?:2[89]|[3-8])/, [16, 17, 18, 19]],
  [/^62|^81/, [16, 17, 18, 19]],
  [/^(?:50|5[6-9]|6[0-9])/, [13, 14, 15, 16, 17, 18, 19]],
];

/** The text with plain spaces and hyphens, instead of those of web pages and typesetters. All positions stay the same. */
const withKeyboardSeparators = (text: string): string =>
  text.replace(/[\u00a0\u202f]/g, " ").replace(/[\u2010-\u2013]/g, "-");

const digitsOf = (text: string): string => text.replace(/\D/g, "");

/** Grouped thousands, dates, ranges of dates and times, network addresses, postal codes, and numbers in blocks of four. */
function isOtherNumber(text: string): boolean {
  return (
    /^\+?[1-9]\d{0,2}([ .])\d{3}(?:\1\d{3})+$/.test(text) ||
    /^\(?\d{1,2}([./-])\d{1,2}\1(?:19|20)?\d{2}(?:[ ]|$)/.test(text) ||
    /^\d{4}([./-])\d{2}\1\d{2}(?!\d)/.test(text) ||
    /^\d{1,2}[./](?:\d{1,2}[./]?(?:\d{4})?)?-\d{1,2}[./]\d{1,2}(?!\d)/.test(text) ||
    /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text) ||
    POSTAL_OR_BLOCKS.test(text)
  );
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]) * (1 + (index % 2));
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

function passesMod97(iban: string): boolean {
  const rearranged = iban.slice(4) + iban.slice(0, 4);
  let rest = 0;
  for (const character of rearranged) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

/** The part of a candidate that has the length of its country's IBANs; empty if it is too short or continues. */
function ibanIn(text: string, start: number, found: string): string {
  const wanted = IBAN_LENGTHS[found.slice(0, 2).toUpperCase()] ?? 0;
  let length = 0;
  let end = 0;
  while (end < found.length && length < wanted) if (/[A-Za-z\d]/.test(found[end++] as string)) length++;
  const isAll = wanted > 0 && length === wanted && !/[\p{L}\p{N}]/u.test(text[start + end] ?? "");
  return isAll ? found.slice(0, end) : "";
}

/** More findings would not help a reader. */
const MAX_FINDINGS = 1_000;

/** The personal data that a check allows. */
export class AllowedPII {
  readonly #whole = new Set<string>();
  readonly #domains: string[] = [];

  constructor(allowed: readonly string[]) {
    for (const entry of allowed) {
      if (entry.startsWith("@")) this.#domains.push(entry.toLowerCase());
      else this.#whole.add(plain(entry));
    }
  }

  /** Whether any entry is an address or a number instead of a domain. */
  get namesSome(): boolean {
    return this.#whole.size > 0;
  }

  /** Whether an entry is this address or number. */
  names(found: string): boolean {
    return this.#whole.has(plain(found));
  }

  /** Whether it is an address of an allowed domain. */
  hasDomainOf(found: string): boolean {
    const address = found.toLowerCase();
    return this.#domains.some((domain) => address.endsWith(domain));
  }
}

/** A number without separators. An address keeps its hyphens, since `ac-me.com` is not `acme.com`. */
const plain = (text: string): string =>
  (text.includes("@") ? text : withKeyboardSeparators(text).replace(/[\s()/-]/g, "")).toLowerCase();

/** An index of spans in a text. No finding is longer than a bucket, so only neighbouring buckets are compared. */
class Spans {
  readonly #buckets = new Map<number, { start: number; end: number }[]>();

  add(span: { start: number; end: number }): void {
    const bucket = Math.floor(span.start / MAX_FINDING_LENGTH);
    const spans = this.#buckets.get(bucket);
    if (spans) spans.push(span);
    else this.#buckets.set(bucket, [span]);
  }

  some(start: number, end: number, test: (span: { start: number; end: number }) => boolean): boolean {
    for (
      let bucket = Math.floor(start / MAX_FINDING_LENGTH) - 1;
      bucket <= Math.floor(end / MAX_FINDING_LENGTH);
      bucket++
    )
      if (this.#buckets.get(bucket)?.some(test)) return true;
    return false;
  }
}

/**
 * Finds personal data in a text, at most 1,000 findings, one kind after the other.
 *
 * An allowed address or number also hides findings within it, such as the national part of a phone number. An allowed
 * domain hides no other finding: a card number before `@example.com` remains a card number.
 *
 * @param from Where to begin. The text before it is only context.
 * @param isWhole Whether the text is complete; otherwise, only findings that further text cannot change are returned.
 */
export function findPII(
  given: string,
  kinds: readonly PIIKind[],
  allowed: AllowedPII,
  from: number,
  isWhole: boolean,
): PIIFinding[] {
  const findings: PIIFinding[] = [];
  const taken = new Spans();
  const named = new Spans();
  const numbers = withKeyboardSeparators(given);
  for (const kind of kinds) {
    // A dash before an address is not part of it.
    const text = kind === "email" ? given : numbers;
    for (const { candidates, isOne, isSettled } of FINDERS[kind]) {
      for (const { start, found: all, at } of candidates(text, from)) {
        if (findings.length === MAX_FINDINGS) return findings.sort(byStart);
        const found = kind === "iban" ? ibanIn(text, start, all) : all;
        const end = start + found.length;
        const isCertain = isWhole || text.length - at >= AHEAD || isSettled.test(text.slice(end, end + 4));
        const isCovered =
          taken.some(start, end, (other) => start < other.end && end > other.start) ||
          named.some(start, end, (other) => start >= other.start && end <= other.end);
        if (!isCertain || isCovered || !isOne(found)) continue;
        if (allowed.names(found)) named.add({ start, end });
        else if (!allowed.hasDomainOf(found)) {
          findings.push({ kind, start, end });
          taken.add({ start, end });
        }
      }
    }
  }
  return findings.sort(byStart);
}

const byStart = (a: PIIFinding, b: PIIFinding): number => a.start - b.start;

/** The characters of personal data, except for spaces between digits. */
const IN_TOKEN = /[\p{L}\p{N}._%+'@:~/()-]/u;

/** How many characters at the end of a text may become part of a finding. */
export function begunPII(given: string): number {
  const text = withKeyboardSeparators(given);
  const least = Math.max(0, text.length - MAX_FINDING_LENGTH);
  const characterBefore = (at: number) => (at > least ? (text[at - 1] as string) : "");
  let start = text.length;
  for (let at = text.length; at > least; ) {
    let end = at;
    while (characterBefore(end) === " ") end--;
    at = end;
    while (IN_TOKEN.test(characterBefore(at)) || /[\ud800-\udfff]/.test(characterBefore(at))) at--;
    const token = text.slice(at, end);
    if (!token) break;
    // Numbers and IBANs may continue after a space; e-mail addresses may not.
    if (/\p{N}/u.test(token) || end === text.length) start = at;
    else if (!/^(?:[A-Z]+|[a-z]{4}|\P{L}+)$/u.test(token)) break;
  }
  return text.length - start;
}

/** Shows enough of a finding to recognise it, without disclosing it. */
export function masked(kind: PIIKind, text: string): string {
  if (kind === "email") return `${[...text][0]}•••@•••${text.slice(text.lastIndexOf("."))}`;
  if (kind === "iban") return `${text.slice(0, 2)}••••${digitsOf(text).slice(-2)}`;
  return `••••${digitsOf(text).slice(kind === "card" ? -4 : -2)}`;
}
