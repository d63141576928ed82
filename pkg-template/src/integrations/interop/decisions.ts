/** Converts the fields of an answer to typed questions for a decision model, and its decisions to fields. */

import { invalidConfig } from "../../core/errors.js";

/** A field of the answer. */
interface Field {
  question: { type: "boolean" | "choice" | "score"; instructions: string; criteria?: object };
  /** The decision, or `undefined` if it does not fit the question, as models may return anything. */
  read(decision: Record<string, any>): FieldDecision | undefined;
}

/** The value of a field, and the probability that the model gives it. */
interface FieldDecision {
  value: unknown;
  confidence?: number | undefined;
}

/** The part of a field's JSON schema that is read. */
interface FieldSchema {
  type?: unknown;
  enum?: unknown[];
  description?: string;
  minimum?: number;
  maximum?: number;
}

/** The levels of a number. Models report a position between them. */
const LEVELS = 5;

/**
 * The fields of answers with this schema.
 *
 * @param supported The types of questions that the model answers.
 * @throws {@link OpenEvalsError} `invalid_config` for fields that no decision can fill.
 */
export function fieldsOf(schema: unknown, supported: readonly string[]): [name: string, field: Field][] {
  const properties = Object.entries<FieldSchema>(Object(schema).properties ?? {});
  // The reasoning of a judge is optional.
  const asked = properties.filter(([name, { type }]) => name !== "reasoning" || type !== "string");
  if (!asked.length)
    throw invalidConfig(
      "A decision model answers only questions with a schema of fields, but this question asks for text",
    );
  return asked.map(([name, property]) => {
    const field = fieldOf(name, property);
    if (field && supported.includes(field.question.type)) return [name, field];
    throw invalidConfig(
      field
        ? `This decision model answers no ${field.question.type} questions, which "${name}" needs; it answers ${supported.join(", ")}`
        : `A decision model cannot answer "${name}": fields have to be booleans, an enum, or numbers with minimum and maximum`,
    );
  });
}

function fieldOf(name: string, { type, description, ...rest }: FieldSchema): Field | undefined {
  const instructions = description ?? `What is the ${name} that the text asks for?`;
  if (rest.enum) return choiceOf(instructions, rest.enum);
  if (type === "boolean") return { question: { type, instructions }, read: readBoolean };
  if (type !== "number") return undefined;
  // The schema of a judge with `continuous` has its range only in the description.
  const isShare = /\bfrom 0 .*\bto 1\b/.test(description ?? "");
  const { minimum = isShare ? 0 : undefined, maximum = isShare ? 1 : undefined } = rest;
  return minimum === undefined || maximum === undefined
    ? undefined
    : numberOf(instructions, minimum, maximum - minimum);
}

const isProbability = (value: unknown): value is number =>
  typeof value === "number" && value >= 0 && value <= 1;

function readBoolean({ probability }: Record<string, any>): FieldDecision | undefined {
  if (!isProbability(probability)) return undefined;
  return { value: probability >= 0.5, confidence: Math.max(probability, 1 - probability) };
}

function choiceOf(instructions: string, values: readonly unknown[]): Field {
  const options = new Map(values.map((value) => [String(value), value]));
  const criteria = Object.fromEntries([...options.keys()].map((option) => [option, null]));
  return {
    question: { type: "choice", instructions, criteria },
    read({ choice, probabilities }) {
      if (!options.has(choice)) return undefined;
      const confidence = probabilities?.[choice];
      return { value: options.get(choice), confidence: isProbability(confidence) ? confidence : undefined };
    },
  };
}

function numberOf(instructions: string, lowest: number, range: number): Field {
  const highest = LEVELS - 1;
  const levels = Array.from({ length: LEVELS }, (_, level) => lowest + (range * level) / highest);
  return {
    question: { type: "score", instructions, criteria: levels.map(String) },
    read({ score, probabilities }) {
      if (typeof score !== "number" || !(score >= 0 && score <= highest)) return undefined;
      const shares = levels.map((_, level) => probabilities?.[level]);
      const total = sum(shares);
      const distance = sum(shares.map((share, level) => share * Math.abs(level - score)));
      // Probabilities may be rounded, so their sum may differ from 1.
      const confidence = 1 - distance / total / highest;
      const value = lowest + (range * score) / highest;
      return { value, confidence: isProbability(confidence) ? confidence : undefined };
    },
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
