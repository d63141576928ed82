/** Checks of JSON. */

import { parsed } from "../../core/engine/crossing.js";
import { judgesEngine } from "../../core/engine/judges.js";
import { invalidConfig } from "../../core/errors.js";
import { type Checks, checkOptions, readable, show } from "../../core/input/checks.js";
import { toText } from "../../core/input/json.js";
import { newJson } from "../../core/input/writer.js";
import type { JsonOf, TextRule } from "../../openevals.types.js";
import * as bindings from "../../openevals-judges.js";
import type { FitsTextRule } from "../../openevals-judges.types.js";
import { type StandardSchema, standardOf, validation } from "../json-schema/output-schema.js";
import { readTextRules } from "../json-schema/text-rules.js";
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
import { onlyField, saidIn, valueIn } from "./text.js";

/** The options of {@link validJson}. */
export interface ValidJsonOptions extends OutputCheckOptions {}

/** The options of {@link jsonSchema}. */
export interface JsonSchemaOptions extends OutputCheckOptions {}

const OPTIONS: Checks<OutputCheckOptions> = OUTPUT_CHECK_OPTIONS;

const IS_JSON = "The text is JSON";

/**
 * Makes a check that a text is JSON, and nothing besides: no code fence, no comment, no comma at the end. Outputs that are no
 * text are JSON values already, and pass.
 *
 * @returns A check with the key `valid_json`; its comment says where the text is none.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The check throws `invalid_input` where there
 * are no outputs.
 *
 * @example
 * ```ts
 * import { validJson } from "openevals-wasm/checks";
 *
 * const { score, comment } = await validJson()({ outputs: '{"a": 1,}' });
 * console.log(score, comment);
 * // false The text is not JSON: it has "}" at character 8, where a name in quotes has to be.
 * ```
 */
export function validJson(options: ValidJsonOptions = {}): Check {
  const read = checkOptions("validJson", options, OPTIONS);
  const find = ({ outputs }: CheckedRow): Finding => {
    const value = valueIn(outputs, read.output);
    const text = typeof value === "string" ? value : (saidIn(value) ?? onlyField(value));
    if (typeof text !== "string") {
      toText(value, "outputs");
      return { holds: true, says: IS_JSON };
    }
    const problem = problemOf(text);
    return { holds: !problem, says: problem ?? IS_JSON };
  };
  const watch = (isWanted: boolean): Watch | undefined => {
    if (!isWanted) return undefined;
    const json = new JsonText();
    return (piece) => isNone(json.add(piece));
  };
  return makeCheck({ name: "validJson", key: "valid_json", find, watch }, read);
}

/**
 * Makes a check that a value fits a JSON schema (draft 2020-12), with the validator that checks what judges answer: formats
 * count, and patterns are matched in linear time. A text is read as the JSON that it has to be.
 *
 * @param schema The schema, also in OpenAI's form `{ name, schema }`; or one of zod, Valibot, ArkType or another library that
 * keeps to Standard Schema, which then checks the value itself.
 * @returns A check with the key `json_schema`; its comment says what does not fit.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work; and when the check is called for the first time
 * for a schema that cannot be checked. The check throws `invalid_input` where there is nothing to check.
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
  const read = checkOptions("jsonSchema", options, OPTIONS);
  const problem = readable("jsonSchema", () => readSchema(schema));
  const find = async ({ outputs }: CheckedRow): Promise<Finding> => {
    const value = valueIn(outputs, read.output);
    const said = typeof value === "string" ? value : saidIn(value);
    const json = said ?? toText(value, "outputs");
    const wrong = (said !== undefined && problemOf(said)) || (await problem(json));
    return { holds: !wrong, says: wrong || "The answer fits the schema" };
  };
  return makeCheck({ name: "jsonSchema", key: "json_schema", find }, read);
}

const isNone = (problem: string | undefined): string | undefined =>
  problem === undefined ? undefined : `The text is not JSON: ${problem}`;

function problemOf(text: string): string | undefined {
  const json = new JsonText();
  json.add(text);
  return isNone(json.end());
}

/** Says what keeps JSON text from fitting a schema. */
type FindSchemaProblem = (json: string) => Promise<string | undefined>;

function readSchema(schema: object | boolean): FindSchemaProblem {
  if (
    (typeof schema !== "object" || schema === null || Array.isArray(schema)) &&
    typeof schema !== "boolean"
  ) {
    throw invalidConfig(`The schema of jsonSchema is ${show(schema)}; it has to be a JSON schema`);
  }
  if (typeof schema === "boolean") return byEngine(schema);
  const standard = standardOf(schema);
  if (standard) return byItself(standard);
  if ("_def" in schema || "parse" in schema) {
    throw invalidConfig(
      "The schema of jsonSchema is one of a library that does not keep to Standard Schema; convert it to a JSON schema",
    );
  }
  const { name, schema: inner } = schema as { name?: unknown; schema?: unknown };
  return byEngine(typeof name === "string" && typeof inner === "object" && inner ? inner : schema);
}

function byItself(standard: StandardSchema["~standard"]): FindSchemaProblem {
  return async (json) => {
    const { problems } = await validation(standard, JSON.parse(json), "The validation of the schema");
    return problems && `The answer does not fit the schema: ${problems.join("; ")}`;
  };
}

function byEngine(schema: object | boolean): FindSchemaProblem {
  const text = toText(schema, "The schema of jsonSchema");
  let rules: Promise<FitsTextRule | undefined> | undefined;
  return async (json) => {
    rules ??= rulesOf(text);
    const fits = await rules;
    const engine = await judgesEngine.load();
    const value = newJson().verbatim(json, "outputs");
    const wrong = engine.run("jsonSchema", value.length, () =>
      engine.keep(bindings.JsonSchema, text).check(value.take(), fits),
    );
    return wrong?.replace(/^the/, "The");
  };
}

/** What knows the patterns and formats in a schema, if there are any. */
async function rulesOf(schema: string): Promise<FitsTextRule | undefined> {
  const engine = await judgesEngine.load();
  const rules = parsed(
    engine.run("jsonSchema", schema.length, () =>
      engine.keep(bindings.JsonSchema, schema).textRules(),
    ) as JsonOf<TextRule[]>,
  );
  if (rules.length === 0) return undefined;
  return readTextRules(rules, "schema");
}
