/** Finds why a value does not fit a schema: of a check, or of a tool's arguments. */

import { parsed } from "../../core/engine/crossing.js";
import { judgesEngine } from "../../core/engine/judges.js";
import { invalidConfig } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import { newJson } from "../../core/input/json/writer.js";
import { isRecord } from "../../core/input/objects.js";
import { toText } from "../../core/input/text.js";
import type { JsonOf, TextRule } from "../../openevals.types.js";
import * as bindings from "../../openevals-judges.js";
import type { FitsTextRule } from "../../openevals-judges.types.js";
import { checkKeywords } from "./keywords.js";
import { type StandardSchema, standardOf } from "./standard-schema.js";
import { readTextRules } from "./text-rules.js";
import { validation } from "./validation.js";

/** Returns why JSON text does not fit a schema, if so. */
export type FindSchemaProblem = (json: string) => Promise<string | undefined>;

/**
 * Reads a JSON schema, also in OpenAI's form `{ name, schema }`, or a schema of a library that follows Standard Schema.
 *
 * @param owner The owner of the schema, in messages.
 * @param intro What precedes the messages of a library, which do not say what they are about.
 */
export function schemaProblemFinder(
  schema: object | boolean,
  owner: string,
  intro: string,
): FindSchemaProblem {
  if (!isRecord(schema) && typeof schema !== "boolean") {
    throw invalidConfig(`The schema of ${owner} is ${show(schema)}; it has to be a JSON schema`);
  }
  if (typeof schema === "boolean") return validateWithEngine(schema, owner);
  const standard = standardOf(schema);
  if (standard) return validateWithLibrary(standard, intro);
  if ("_def" in schema || "parse" in schema) {
    throw invalidConfig(
      `The schema of ${owner} belongs to a library that does not follow Standard Schema; convert it to a JSON schema`,
    );
  }
  const { name, schema: inner } = schema as { name?: unknown; schema?: unknown };
  return validateWithEngine(
    typeof name === "string" && typeof inner === "object" && inner ? inner : schema,
    owner,
  );
}

function validateWithLibrary(standard: StandardSchema["~standard"], intro: string): FindSchemaProblem {
  return async (json) => {
    const { problems } = await validation(standard, JSON.parse(json), "The validation of the schema");
    return problems && intro + problems.join("; ");
  };
}

function validateWithEngine(schema: object | boolean, owner: string): FindSchemaProblem {
  const text = toText(schema, `The schema of ${owner}`);
  if (typeof schema === "object") checkKeywords(schema, owner);
  let rules: Promise<FitsTextRule | undefined> | undefined;
  return async (json) => {
    rules ??= rulesOf(text, owner);
    const fits = await rules;
    const value = newJson().verbatim(json, "outputs");
    const wrong = await judgesEngine.run(owner, value.length, (engine) =>
      engine.keep(bindings.JsonSchema, text).check(value.take(), fits),
    );
    return wrong?.replace(/^the/, "The");
  };
}

/** Checks the patterns and formats in a schema; `undefined` if it has none. */
async function rulesOf(schema: string, owner: string): Promise<FitsTextRule | undefined> {
  const text = await judgesEngine.run(owner, schema.length, (engine) =>
    engine.keep(bindings.JsonSchema, schema).textRules(),
  );
  const rules = parsed(text as JsonOf<TextRule[]>);
  if (rules.length === 0) return undefined;
  return readTextRules(rules, "schema");
}
