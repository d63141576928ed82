/** Reads the tools of an agent in the forms of all packages. */

import { invalidConfig } from "../../core/errors.js";
import { check, isListOf, show } from "../../core/input/checks.js";
import { nearest, plainly } from "../../core/input/near.js";
import { isObject } from "../../core/input/objects.js";
import { toText } from "../../core/input/text.js";
import { onUse } from "../../core/platform/on-use.js";
import type { FunctionTool, ParameterType, ToolParameter } from "../../openevals-agents.types.js";
import { checkKeywords } from "../json-schema/keywords.js";

/**
 * The tools of an agent with the schemas of their parameters: a list in the form of OpenAI, Anthropic, Amazon, LangChain or MCP,
 * an object `{ tools }` with such a list, as clients of MCP return it, or an object by name, of tools as for the AI SDK, or of
 * schemas. Schemas are JSON schemas, or those of zod and other libraries that follow Standard Schema.
 */
export type AgentTools = readonly object[] | Readonly<Record<string, object>>;

/** A tool with the schema of its parameters; `undefined` if it has none. */
export interface NamedTool {
  name: string;
  schema: object | undefined;
}

/** The list in `{ tools }`, unless it is one of several pages; otherwise the value itself. */
function listedIn(value: AgentTools): AgentTools {
  const { tools = value, nextCursor } = value as { tools?: unknown; nextCursor?: unknown };
  return Array.isArray(tools) && nextCursor == null ? tools : value;
}

export const aListOfTools = check("a list of tools, or an object of tools by name", (value) => {
  const tools = listedIn(value);
  return isListOf(Array.isArray(tools) ? tools : Object.values(tools), isObject);
});

/**
 * Reads tools.
 *
 * @param owner The name of the function with the option, in errors.
 * @throws {@link OpenEvalsError} `invalid_config` for a tool without a name, and for two of one name.
 */
export function readTools(option: AgentTools, owner: string): NamedTool[] {
  const tools = listedIn(option);
  const kind = {}.toString.call(tools).slice("[object ".length, -1);
  if (kind !== "Array" && kind !== "Object")
    throw invalidConfig(
      `tools of ${owner} is a ${kind}; pass a list of tools, or a plain object of tools by name`,
    );
  const named: [name: unknown, tool: object][] = Array.isArray(tools)
    ? tools.map((tool) => [nameOf(tool), tool])
    : Object.entries(tools);
  const seen = new Set<string>();
  return named.map(([name, tool], index) => {
    if (typeof name !== "string" || !name) {
      const form = '{ type: "function", function: { name, parameters } } or { name, parameters }';
      throw invalidConfig(`tools[${index}] of ${owner} has no name; a tool is ${form}`);
    }
    if (seen.has(name) && name !== "mcp")
      throw invalidConfig(`tools of ${owner} has ${show(name)} twice; keep one of them`);
    seen.add(name);
    return { name, schema: schemaOf(tool, name, !Array.isArray(tools)) };
  });
}

const definitionOf = (tool: any): any => tool.function ?? tool.custom ?? tool.toolSpec ?? tool;

/** The name of a tool. OpenAI's hosted tools have a type instead, such as `web_search`. */
const nameOf = (tool: any): unknown =>
  definitionOf(tool).name ?? (HOSTED.test(tool.type) ? tool.type : undefined);

const HOSTED =
  /^(web_search|file_search|code_interpreter|computer|image_generation|local_shell|shell|apply_patch|tool_search|programmatic_tool_calling|mcp)/;

/** The fields with the schema of a tool's parameters. */
const FIELDS = ["parameters", "input_schema", "inputSchema", "schema"];

/** Fields in which other packages have them, in lower case and without punctuation. */
const OTHER_FIELDS = /^(params?|(tool)?arg(ument)?s(schema)?|input|jsonschema)$/;

/** Other fields of tools that may be objects. */
const METADATA_FIELDS =
  /^(outputschema|annotations|meta(data)?|provideroptions|inputexamples|icons|cachecontrol|execution)$/;

/** The properties by which schemas of libraries are recognised. */
const STANDARD = ["~standard", "_def", "_zod"];

const isStandard = (schema: object): boolean => STANDARD.some((property) => property in schema);

/** @param isNamed Whether the tool is in an object by name, where it may be only a schema. */
function schemaOf(tool: object, name: string, isNamed: boolean): object | undefined {
  const definition = definitionOf(tool);
  const found = FIELDS.map((field) => definition[field]).find((value) => value != null);
  if (found == null) {
    if (isSchema(definition)) return definition;
    checkUnread(definition, name, isNamed);
    return undefined;
  }
  if (!isObject(found) && typeof found !== "function")
    throw invalidConfig(`The schema of the tool ${name} is ${show(found)}; it has to be a JSON schema`);
  // The AI SDK's `jsonSchema()` and Amazon have the schema in a property. A schema of ArkType has a property `json`, too.
  return found.jsonSchema ?? (isStandard(found) ? found : (found.json ?? found));
}

/** Whether the definition of a tool is the schema of its parameters. */
const isSchema = (definition: any): boolean =>
  /^(object|dict)$/.test(definition.type) || isObject(definition.properties) || isStandard(definition);

/** Rejects a tool that has its parameters in a field that is not read. A tool without parameters is valid. */
function checkUnread(definition: any, name: string, isNamed: boolean): void {
  const isFilled = (value: unknown) => isObject(value) && Object.keys(value as object).length > 0;
  const field = Object.keys(definition).find(
    (field) =>
      isFilled(definition[field]) &&
      (OTHER_FIELDS.test(plainly(field)) ||
        nearest(field, FIELDS) !== undefined ||
        (isNamed && !METADATA_FIELDS.test(plainly(field)))),
  );
  if (field === undefined) return;
  const form = '{ name, parameters: { type: "object", properties } }';
  throw invalidConfig(`The tool ${name} has the field ${field}, which is not read; write ${form}`);
}

/** The types by the names of JSON Schema and of the Berkeley Function-Calling Leaderboard. */
const TYPES: Readonly<Record<string, ParameterType>> = {
  string: "string",
  any: "string",
  integer: "integer",
  number: "float",
  float: "float",
  boolean: "boolean",
  array: "array",
  tuple: "array",
  object: "dict",
  dict: "dict",
};

/** Reads the parameters of tools, with their types. */
export async function readParameters(tools: readonly NamedTool[]): Promise<FunctionTool[]> {
  return Promise.all(
    tools.map(async ({ name, schema }) => {
      const { properties, required } = (await jsonSchemaOf(name, schema)) as {
        properties?: object;
        required?: unknown;
      };
      const parameters = Object.entries(properties ?? {}).map(
        ([name, property]): ToolParameter => ({
          name,
          kind: typeOf(property),
          items: typeOf(Object(property).items),
        }),
      );
      return { name, parameters, required: Array.isArray(required) ? required.map(String) : [] };
    }),
  );
}

function typeOf(schema: unknown): ParameterType | undefined {
  const { type } = Object(schema) as { type?: unknown };
  return typeof type === "string" && Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
}

/** The JSON schema of a tool's parameters. Other schemas are converted by code that is loaded on use. */
async function jsonSchemaOf(tool: string, schema: object | undefined): Promise<object> {
  if (!schema) return {};
  const owner = `The schema of the tool ${tool}`;
  if (!isStandard(schema)) {
    // Throws if the schema has a cycle.
    toText(schema, owner);
    checkKeywords(schema, `the tool ${tool}`);
    return schema;
  }
  const { argumentSchemaOf } = await onUse(
    "The schema converter",
    () => import("../json-schema/library-schema.js"),
  );
  const converted = argumentSchemaOf(schema, owner);
  if (converted) return converted;
  throw invalidConfig(
    `${owner} provides no JSON schema; convert it first, for Valibot with toStandardJsonSchema() of ` +
      "@valibot/to-json-schema",
  );
}
