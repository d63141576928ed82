/** JSON-like values, and edits that make a value nearly, or entirely, equal. */
import fc from "fast-check";

/** Keys that sort differently by code unit, code point and collation, or look like an index or a suffix. */
export const keys = fc.constantFrom(
  ..."a b c d name A a_1 b_2 _ x_ 0 1 10 2".split(" "),
  "\u00e9", // é as one character and as two: equal to a collator, not to us
  "e\u0301",
  "\u{1f600}", // an astral character is below U+FF5E in UTF-16 and above it in UTF-8
  "\uff5e",
);

const numbers = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -2, max: 3 }) },
  { weight: 2, arbitrary: fc.double() }, // with -0, NaN and the infinities
  fc.constantFrom(2 ** 53, 2 ** 53 + 2, 2 ** 63, 2 ** 64, 1e21, 5e-324, 0.1 + 0.2, Number.MAX_VALUE),
);
const strings = fc.constantFrom(
  "",
  "a",
  "b",
  "1",
  "é",
  "e\u0301",
  "\u{1f600}",
  "\ud83d",
  "\u0000",
  '"',
  "2020-01-01T00:00:00.000Z",
);

/** The leaves of values. */
export const leaves: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: numbers },
  { weight: 4, arbitrary: strings },
  fc.boolean(),
  fc.constant(null),
);
/** Leaves without a JSON form. */
export const oddLeaves: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 8, arbitrary: leaves },
  fc.constant(undefined),
  fc.constantFrom(new Date(0), new Date("2020-01-01T00:00:00.000Z")),
);

/** Small nested values, with own keys only, so that even `__proto__` is ordinary. */
export function values(
  ends: fc.Arbitrary<unknown>,
  names: fc.Arbitrary<string> = keys,
): fc.Arbitrary<unknown> {
  return fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: "small", maxDepth: 3 }, ends, tie("object"), tie("array")),
    object: fc
      .array(fc.tuple(names, tie("value")), { maxLength: 5 })
      .map((entries) => Object.fromEntries(entries)),
    array: fc.array(tie("value"), { maxLength: 4 }),
  })).value;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Rebuilds a value: `leaf` maps leaves, `name` maps keys. */
export function rewrite(
  value: unknown,
  leaf: (end: unknown) => unknown,
  name: (key: string) => string = (key) => key,
): unknown {
  if (Array.isArray(value)) return Array.from(value, (element) => rewrite(element, leaf, name));
  if (!isRecord(value)) return leaf(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [name(key), rewrite(inner, leaf, name)]),
  );
}

/** Whether `test` holds for the value or anything inside it. */
export function some(value: unknown, test: (node: unknown) => boolean): boolean {
  if (test(value)) return true;
  if (Array.isArray(value)) return value.some((element) => some(element, test));
  return isRecord(value) && Object.values(value).some((inner) => some(inner, test));
}

/**
 * The value as JSON represents it: unsupported values are null, a Date is its ISO string, and zero has no
 * sign.
 */
export function asJson(value: unknown): unknown {
  return rewrite(value, (end) => {
    if (end instanceof Date) return end.toJSON();
    if (end === 0) return 0;
    return end === undefined || (typeof end === "number" && !Number.isFinite(end)) ? null : end;
  });
}

type Edit = (node: unknown) => unknown;
const onEntries = (edit: (entries: [string, unknown][]) => [string, unknown][]) => (node: unknown) =>
  isRecord(node) ? Object.fromEntries(edit(Object.entries(node))) : node;

/** Edits that keep a JSON value equal. */
const keepingEdits: Record<string, Edit> = {
  reorderKeys: onEntries((entries) => entries.reverse()),
  zeroSign: (node) => (node === 0 ? -node : node),
};
/** Edits that usually change a value, as little as possible. */
const changingEdits: Record<string, Edit> = {
  blank: (node) => (node === null ? undefined : node === undefined || Number.isNaN(node) ? null : node),
  stringify: (node) =>
    node instanceof Date ? node.toJSON() : typeof node === "number" ? String(node) : node,
  nudge: (node) => {
    if (node instanceof Date) return new Date(node.getTime() + 1);
    if (typeof node === "number") return nextDouble(node);
    if (typeof node === "boolean") return !node;
    return typeof node === "string" ? `${node}!` : node;
  },
  drop: (node) => (Array.isArray(node) ? node.slice(1) : onEntries((entries) => entries.slice(1))(node)),
  add: (node) =>
    Array.isArray(node) ? [...node, null] : onEntries((entries) => [...entries, ["c", null]])(node),
  reverse: (node) => (Array.isArray(node) ? [...node].reverse() : node),
  listToObject: (node) => (Array.isArray(node) ? { ...node } : node),
};
const edits = { ...keepingEdits, ...changingEdits };

export interface Mutation {
  edit: string;
  at: number;
}

/** A few edits; about half of the lists keep the value equal. */
export const mutations: fc.Arbitrary<Mutation[]> = fc.oneof(
  mutationsOf(Object.keys(keepingEdits), 0),
  mutationsOf(Object.keys(changingEdits), 1),
  mutationsOf(Object.keys(edits), 2),
);

function mutationsOf(names: string[], minLength: number): fc.Arbitrary<Mutation[]> {
  return fc.array(fc.record({ edit: fc.constantFrom(...names), at: fc.nat(30) }), {
    minLength,
    maxLength: 3,
  });
}

/** Applies each edit to one node of the value, counted in reading order. */
export function mutate(value: unknown, steps: Mutation[]): unknown {
  return steps.reduce((current, { edit, at }) => {
    let position = at % size(current);
    const visit = (node: unknown): unknown => {
      if (position-- === 0) return edits[edit]?.(node);
      if (Array.isArray(node)) return node.map(visit);
      if (!isRecord(node)) return node;
      return Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, visit(inner)]));
    };
    return visit(current);
  }, value);
}

function size(value: unknown): number {
  const inner = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : [];
  return inner.reduce<number>((sum, element) => sum + size(element), 1);
}

/** The next double: differs in the last bit, which an inexact number parser loses. */
function nextDouble(value: number): number {
  if (!Number.isFinite(value)) return 0;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  view.setBigInt64(0, view.getBigInt64(0) + 1n);
  return view.getFloat64(0);
}
