/** The scales of judges' scores. */

import { VERDICT } from "../../core/scales.js";
import type { ScoreScale } from "../../core/types.js";

/** The least and the greatest number: infinite without a limit, `NaN` if the schema does not tell. */
type Range = readonly [least: number, greatest: number];

type JsonSchema = Record<string, any>;

type Choose = (...numbers: number[]) => number;

const UNKNOWN: Range = [NaN, NaN];

const MAX_REFERENCES = 100;

/** The highest choice is the pass mark. */
export const scaleOfChoices = (choices: readonly number[]): ScoreScale => {
  const [min, max] = [Math.min(...choices), Math.max(...choices)];
  return { ...VERDICT, min, max, passAt: max };
};

/**
 * The scale of answers to a schema. If their `score` has a highest number, that is the pass mark. If it has none, the scale is that
 * of verdicts. If the schema does not tell, there is no pass mark.
 *
 * @param answers The JSON schema of the answers, if there is one.
 */
export function scaleOfAnswers(answers: JsonSchema | undefined): ScoreScale {
  const [least, greatest] = answers ? (scoresIn(answers) ?? [0, Infinity]) : UNKNOWN;
  if (Number.isNaN(greatest)) return { direction: "higher" };
  if (!isLimit(greatest)) return VERDICT;
  return scaleOfChoices([isLimit(least) ? least : Math.min(0, greatest), greatest]);
}

/** Libraries limit integers to those that JavaScript represents exactly. */
const isLimit = (number: number): boolean => Math.abs(number) < Number.MAX_SAFE_INTEGER;

/** The numbers that `score` can be; `undefined` if the schema names none. */
function scoresIn(root: JsonSchema): Range | undefined {
  // A schema may contain itself.
  let left = MAX_REFERENCES;
  const follow = (ref: string): unknown => {
    const [document, ...names] = ref.split("/");
    return document === "#" && left-- > 0 && names.reduce((at, name) => Object(at)[name], root);
  };
  const read = (given: unknown, isAnswer: boolean): Range | undefined => {
    const schema = Object(given) as JsonSchema;
    const { $ref, allOf, anyOf, oneOf, properties } = schema;
    const all = (...lists: unknown[]) => lists.flatMap(listOf).map((one) => read(one, isAnswer));
    const own = isAnswer ? properties?.score && read(properties.score, false) : limitsOf(schema);
    const target = $ref && follow(`${$ref}`);
    const referenced = target ? read(target, isAnswer) : $ref && UNKNOWN;
    const choices = joined(all(anyOf, oneOf), Math.min, Math.max);
    return joined([own, referenced, choices, ...all(allOf)], Math.max, Math.min);
  };
  return read(root, true);
}

function joined(ranges: readonly (Range | undefined)[], least: Choose, greatest: Choose): Range | undefined {
  const known = ranges.filter((range) => range !== undefined);
  if (!known.length) return undefined;
  return [least(...known.map(([from]) => from)), greatest(...known.map(([, to]) => to))];
}

/** The limits in a schema itself. */
function limitsOf(schema: JsonSchema): Range | undefined {
  const { type, const: value, enum: values = value === undefined ? undefined : [value] } = schema;
  if (values) {
    const numbers = listOf(values).filter(Number.isFinite) as number[];
    return numbers.length ? [Math.min(...numbers), Math.max(...numbers)] : undefined;
  }
  const { minimum = -Infinity, maximum = Infinity, exclusiveMaximum = Infinity } = schema;
  const types = [type].flat();
  const isInteger = types.includes("integer");
  const limit = Math.min(maximum, exclusiveMaximum);
  if (type ? !isInteger && !types.includes("number") : limit === Infinity) return undefined;
  // Only whole numbers have a highest one below a limit.
  const below = isInteger || limit === Infinity ? Math.ceil(limit) - 1 : NaN;
  return [minimum, limit < exclusiveMaximum ? limit : below];
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
