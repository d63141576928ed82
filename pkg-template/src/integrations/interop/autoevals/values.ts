/** Scorers of single values. */

import { levenshteinDistance } from "../../../api.js";
import { invalidInput } from "../../../core/errors.js";
import { show } from "../../../core/input/checks.js";
import { parseJson } from "../../../core/input/json/parse-json.js";
import { isObject } from "../../../core/input/objects.js";
import { jsonSchema } from "../../../evaluators/checks/index.js";
import { checkCompared, expectedIn, makeScorer, type ScorerWithPartial } from "./scorer.js";

/**
 * Scores how similar two texts are: 1 minus their Levenshtein distance divided by the length of the longer one. Other values are
 * compared as `String()` writes them.
 */
export const Levenshtein: ScorerWithPartial<string, object> = /* @__PURE__ */ makeScorer(
  "Levenshtein",
  async (args) => {
    const [outputs, referenceOutputs] = [String(args.output), String(expectedIn("Levenshtein", args))];
    const { score } = await levenshteinDistance({ outputs, referenceOutputs });
    return { score: Number(score) };
  },
);

/** Another name of {@link Levenshtein}. */
export const LevenshteinScorer: typeof Levenshtein = Levenshtein;

/** Scores how close two numbers are: 1 minus their difference divided by the sum of their absolute values. */
export const NumericDiff: ScorerWithPartial<number, object> = /* @__PURE__ */ makeScorer(
  "NumericDiff",
  async (args) => {
    const expected = expectedIn("NumericDiff", args);
    const { output } = args;
    if (output === 0 && expected === 0) return { score: 1 };
    const score = 1 - Math.abs(expected - output) / (Math.abs(expected) + Math.abs(output));
    if (Number.isFinite(score)) return { score };
    throw invalidInput(
      `NumericDiff compares finite numbers; the output is ${show(output)}, and ${show(expected)} is expected`,
    );
  },
);

/**
 * Scores 1 if both values are the same text, else 0. Objects are compared as JSON, with their keys in order; a text that is
 * compared with an object is parsed as JSON first.
 */
export const ExactMatch: ScorerWithPartial<unknown, object> = /* @__PURE__ */ makeScorer(
  "ExactMatch",
  async (args) => {
    checkCompared("ExactMatch", args);
    const { output = null, expected = null } = args;
    const asJson = typeof output === "object" || typeof expected === "object";
    return { score: Number(textOf(output, asJson) === textOf(expected, asJson)) };
  },
);

function textOf(value: unknown, asJson: boolean): string {
  if (typeof value === "object") return JSON.stringify(value);
  if (typeof value !== "string" || !asJson) return String(value);
  const json = parseJson(value);
  return json === undefined ? value : JSON.stringify(json);
}

/**
 * Scores 1 for valid JSON, else 0. Text is parsed first. Without a `schema`, any object or list is valid; with one, the value has
 * to match the JSON schema (draft 2020-12).
 */
export const ValidJSON: ScorerWithPartial<any, { schema?: any }> = /* @__PURE__ */ makeScorer(
  "ValidJSON",
  async ({ output, schema }) => {
    const metadata = { schema };
    const value = typeof output === "string" ? parseJson(output) : output;
    if (!schema) return { score: Number(isObject(value)), metadata };
    const json = JSON.stringify(value);
    if (json === undefined) return { score: 0, metadata };
    const { score, comment } = await jsonSchema(schema)({ outputs: json });
    return { score: Number(score), metadata: { ...metadata, ...(comment && { rationale: comment }) } };
  },
);
