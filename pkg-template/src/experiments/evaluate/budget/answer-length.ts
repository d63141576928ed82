/** The length of the JSON texts that fit a schema. */

import { ownValue } from "../../../core/input/objects.js";

/** The least and the greatest number of characters. */
export type TextLength = readonly [least: number, most: number];

const ANY: TextLength = [1, Infinity];

/** The values of a type. Judges write shorter numbers than the longest of JavaScript. */
const OF_TYPES: Record<string, TextLength> = {
  boolean: [4, 5],
  integer: [1, 20],
  number: [1, 20],
  null: [4, 4],
  string: [2, Infinity],
};

/** A schema may be deeper, and then its answers have any length. */
const MAX_DEPTH = 20;

/** The length of an answer without spaces. References and types in a list are not followed: they have any length. */
export function lengthOfAnswers(schema: unknown, depth = 0): TextLength {
  const { type, const: value, enum: values = [value], anyOf, oneOf = anyOf, ...parts } = Object(schema);
  if (depth > MAX_DEPTH) return ANY;
  if (Array.isArray(values) && values[0] !== undefined)
    return eitherOf(values.map((one) => lengthOf(JSON.stringify(one))));
  if (Array.isArray(oneOf)) return eitherOf(oneOf.map((one) => lengthOfAnswers(one, depth + 1)));
  if (type === "object") return lengthOfObjects(parts, depth);
  if (type === "array") return lengthOfLists(parts, depth);
  return ownValue(OF_TYPES, String(type)) ?? ANY;
}

function lengthOfObjects({ properties, required, additionalProperties }: any, depth: number): TextLength {
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
  const fields = Object.entries(Object(properties)).map(([name, schema]) => {
    const [least, most] = lengthOfAnswers(schema, depth + 1);
    // Its quotes, the colon and a comma.
    const own = name.length + 4;
    return [isRequired(name) ? own + least : 0, own + most] as const;
  });
  const [least, most] = fields.reduce<TextLength>(([a, b], [c, d]) => [a + c, b + d], [0, 0]);
  // Two braces, and no comma after the last one.
  return [Math.max(2, least + 1), additionalProperties === false ? Math.max(2, most + 1) : Infinity];
}

function lengthOfLists({ items, minItems = 0, maxItems = Infinity }: any, depth: number): TextLength {
  const [least, most] = lengthOfAnswers(items, depth + 1);
  // A comma after each item but the last, and two brackets.
  return [minItems > 0 ? minItems * (least + 1) + 1 : 2, maxItems > 0 ? maxItems * (most + 1) + 1 : 2];
}

const lengthOf = ({ length }: string): TextLength => [length, length];

const eitherOf = (lengths: readonly TextLength[]): TextLength => [
  Math.min(...lengths.map(([least]) => least)),
  Math.max(...lengths.map(([, most]) => most)),
];
