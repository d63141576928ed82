/** Checks of JSON. */

import { checkOptions, isRow, makerError, type OptionChecks, readable } from "../../core/input/checks.js";
import type { FieldSource } from "../../core/input/field.js";
import { toText } from "../../core/input/text.js";
import { schemaProblemFinder } from "../json-schema/schema-problem.js";
import {
  type Check,
  type CheckedRow,
  type Finding,
  makeCheck,
  OUTPUT_CHECK_OPTIONS,
  type OutputCheckOptions,
  type Watch,
} from "./check.js";
import { JsonText } from "./json-text.js";
import { answerIn, assistantTextIn, nothingIn, valueIn } from "./text.js";

/** The options of {@link validJson}. */
export interface ValidJsonOptions extends OutputCheckOptions {}

/** The options of {@link jsonSchema}. */
export interface JsonSchemaOptions extends OutputCheckOptions {}

const OPTIONS: OptionChecks<OutputCheckOptions> = OUTPUT_CHECK_OPTIONS;

const IS_JSON = "The text is valid JSON";

/**
 * Makes a check that a text is valid JSON and nothing else: no code fence, no comment, no trailing comma. Outputs that
 * are not a string are JSON values already and pass.
 *
 * @returns A check with the key `valid_json`. The comment names the first error and its place.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The check throws `invalid_input` if the
 * outputs are missing.
 *
 * @example
 * ```ts
 * import { validJson } from "openevals-wasm/checks";
 *
 * const { score, comment } = await validJson()({ outputs: '{"a": 1,}' });
 * console.log(score, comment);
 * // false The text is not valid JSON: it has "}" at character 8, where a name in quotes is expected.
 * ```
 */
export function validJson(options: ValidJsonOptions = {}): Check {
  const read = checkOptions("validJson", options, OPTIONS);
  const find = ({ outputs }: CheckedRow): Finding => {
    const value = jsonIn(outputs, read.output);
    const text = answerIn(value);
    if (typeof text !== "string") {
      toText(value, "outputs");
      return { holds: true, comment: IS_JSON };
    }
    const problem = problemOf(text);
    return { holds: !problem, comment: problem ?? IS_JSON };
  };
  const watch = (isWanted: boolean): Watch | undefined => {
    if (!isWanted) return undefined;
    const json = new JsonText();
    return (piece) => jsonProblem(json.add(piece));
  };
  return makeCheck({ name: "validJson", key: "valid_json", find, watch }, read);
}

/**
 * Makes a check that a value fits a JSON schema (draft 2020-12). It uses the validator of judges with an
 * `outputSchema`: it checks formats, and matches patterns in linear time. A string is parsed as JSON.
 *
 * @param schema A JSON schema, also in OpenAI's form `{ name, schema }`; or a schema of zod, Valibot, ArkType or
 * another library that follows Standard Schema, which then validates the value itself.
 * @returns A check with the key `json_schema`. The comment names what does not fit.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work, for misspelt keywords, and from the first call
 * for a schema that cannot be checked. The check throws `invalid_input` if the outputs are missing.
 *
 * @example
 * ```ts
 * import { jsonSchema } from "openevals-wasm/checks";
 *
 * const isOrder = jsonSchema({ type: "object", properties: { price: { type: "number" } }, required: ["price"] });
 * const { score, comment } = await isOrder({ outputs: '{ "price": "12" }' });
 * console.log(score, comment); // false "price" is "12", but has to be of type number.
 * ```
 */
export function jsonSchema(schema: object | boolean, options: JsonSchemaOptions = {}): Check {
  if (isRow(schema)) throw makerError("jsonSchema");
  const read = checkOptions("jsonSchema", options, OPTIONS);
  const findProblem = readable("jsonSchema", () =>
    schemaProblemFinder(schema, "jsonSchema", "The answer does not fit the schema: "),
  );
  const find = async ({ outputs }: CheckedRow): Promise<Finding> => {
    const value = jsonIn(outputs, read.output);
    const text = typeof value === "string" ? value : assistantTextIn(value);
    const json = text ?? toText(value, "outputs");
    const problem = (text !== undefined && problemOf(text)) || (await findProblem(json));
    return { holds: !problem, comment: problem || "The answer fits the schema" };
  };
  return makeCheck({ name: "jsonSchema", key: "json_schema", find }, read);
}

function jsonIn(outputs: unknown, output: FieldSource | undefined): unknown {
  const value = valueIn(outputs, output);
  if (value === undefined || value === null) throw nothingIn(outputs);
  return value;
}

const jsonProblem = (problem: string | undefined): string | undefined =>
  problem === undefined ? undefined : `The text is not valid JSON: ${problem}`;

function problemOf(text: string): string | undefined {
  const json = new JsonText();
  json.add(text);
  return jsonProblem(json.end());
}
