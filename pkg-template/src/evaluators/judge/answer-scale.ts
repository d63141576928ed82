/** The scales of judges' scores. */

import { VERDICT } from "../../core/scales.js";
import type { ScoreScale } from "../../core/types.js";

/** The least and the greatest number: infinite without a limit. The greatest is `NaN` if the limit is exclusive. */
type Range = readonly [least: number, greatest: number];

type JsonSchema = Record<string, any>;

const ALL: Range = [-Infinity, Infinity];
const NONE: Range = [Infinity, -Infinity];

/** Limits the references to follow, since a schema may refer to itself. */
const MAX_REFERENCES = 100;

/** The highest choice is the pass mark. */
export const scaleOfChoices = (choices: readonly number[]): ScoreScale => {
  const [min, max] = [Math.min(...choices), Math.max(...choices)];
  return { ...VERDICT, min, max, passAt: max };
};

/**
 * The scale of answers to a schema. The highest number of their `score` is the pass mark. A `score` that is never a number has the
 * scale of verdicts. Without a highest number, there is no pass mark.
 *
 * @param answers The JSON schema of the answers, if there is one.
 */
export function scaleOfAnswers(answers: JsonSchema | undefined): ScoreScale {
  const [least, greatest] = (answers && scoresIn(answers)) ?? ALL;
  if (greatest === -Infinity) return VERDICT;
  // Libraries limit integers to some 9e15, which JavaScript still represents exactly.
  const isLimit = (number: number): boolean => Math.abs(number) < 1e15;
  if (!isLimit(greatest)) return { direction: "higher" };
  return scaleOfChoices([isLimit(least) ? least : Math.min(0, greatest), greatest]);
}

/** The numbers that `score` can be; `undefined` if the schema does not mention it. */
function scoresIn(root: JsonSchema): Range | undefined {
  let referencesLeft = MAX_REFERENCES;
  const follow = (ref: string): unknown => {
    const [document, ...names] = ref.split("/");
    return document === "#" && referencesLeft-- > 0 && names.reduce((at, name) => Object(at)[name], root);
  };
  const read = (given: unknown, isAnswer: boolean): Range | undefined => {
    const schema = Object(given) as JsonSchema;
    const { $ref, allOf, anyOf, oneOf, properties } = schema;
    const all = (...lists: unknown[]) => lists.flatMap(listOf).map((one) => read(one, isAnswer));
    const own = isAnswer ? properties?.score && read(properties.score, false) : limitsOf(schema);
    const referenced = $ref && read(follow(`${$ref}`), isAnswer);
    const choices = joined(all(anyOf, oneOf), Math.min, Math.max);
    // The numbers that all parts allow.
    return joined([own, referenced, choices, ...all(allOf)], Math.max, Math.min);
  };
  return read(root, true);
}

type Choose = (...numbers: number[]) => number;

function joined(
  ranges: readonly (Range | undefined)[],
  ofLeast: Choose,
  ofGreatest: Choose,
): Range | undefined {
  const known = ranges.filter((range) => range !== undefined);
  if (!known.length) return undefined;
  return [ofLeast(...known.map(([least]) => least)), ofGreatest(...known.map(([, greatest]) => greatest))];
}

/** The limits in a schema itself. */
function limitsOf(schema: JsonSchema): Range {
  const { type, const: value, enum: values = value === undefined ? undefined : [value] } = schema;
  const { minimum = -Infinity, maximum = Infinity, exclusiveMaximum = Infinity } = schema;
  const types = [type].flat();
  const isInteger = types.includes("integer");
  if (type && !isInteger && !types.includes("number")) return NONE;
  const limit = Math.min(maximum, exclusiveMaximum);
  if (values) {
    const numbers = listOf(values).filter(Number.isFinite) as number[];
    return [Math.min(...numbers), Math.max(...numbers)];
  }
  const isBelow = limit < Infinity && limit === exclusiveMaximum;
  // Below a limit, only whole numbers have a highest one.
  if (!isInteger) return [minimum, isBelow ? NaN : limit];
  return [minimum, isBelow ? Math.ceil(limit) - 1 : Math.floor(limit)];
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
