/** Reads the tools of an agent in the forms of all packages. */

import { inPlace, invalidConfig } from "../../core/errors.js";
import { check, isListOf, show } from "../../core/input/checks.js";
import { onUse } from "../../core/platform/on-use.js";
import type { FunctionTool, ParameterType, ToolParameter } from "../../openevals-agents.types.js";

/**
 * The tools of an agent with the schemas of their parameters: a list in the form of OpenAI, Anthropic, LangChain or MCP, or an
 * object of tools by name, as for the AI SDK. Schemas are JSON schemas, or those of zod and other libraries that follow
 * Standard Schema.
 */
export type AgentTools = readonly object[] | Readonly<Record<string, object>>;

/** A tool with the schema of its parameters; `undefined` if it has none. */
export interface NamedTool {
  name: string;
  schema: object | undefined;
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;

export const aListOfTools = check("a list of tools, or an object of tools by name", (tools) => {
  return isListOf(Array.isArray(tools) ? tools : Object.values(tools), isObject);
});

/**
 * Reads tools.
 *
 * @param owner What has the option, in messages.
 * @throws {@link OpenEvalsError} `invalid_config` for a tool without a name, and for two of one name.
 */
export function readTools(tools: AgentTools, owner: string): NamedTool[] {
  const named: [name: unknown, tool: object][] = Array.isArray(tools)
    ? tools.map((tool) => [nameOf(tool), tool])
    : Object.entries(tools);
  const seen = new Set<string>();
  return named.map(([name, tool], index) => {
    if (typeof name !== "string" || !name) {
      const form = '{ type: "function", function: { name, parameters } } or { name, parameters }';
      throw invalidConfig(`tools[${index}] of ${owner} has no name; a tool is ${form}`);
    }
    if (seen.has(name)) throw invalidConfig(`tools of ${owner} has ${show(name)} twice; keep one of them`);
    seen.add(name);
    return { name, schema: schemaOf(tool) };
  });
}

const definitionOf = (tool: any): any => tool.function ?? tool;

const nameOf = (tool: object): unknown => definitionOf(tool).name;

function schemaOf(tool: object): object | undefined {
  const { parameters, input_schema, inputSchema, schema } = definitionOf(tool);
  const found = parameters ?? input_schema ?? inputSchema ?? schema;
  // The AI SDK's `jsonSchema()` has the schema in a property.
  return Object(found).jsonSchema ?? found ?? undefined;
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
        ([name, of]): ToolParameter => ({ name, kind: typeOf(of), items: typeOf(Object(of).items) }),
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
  if (!["~standard", "_def", "_zod"].some((property) => property in schema)) return schema;
  const { readSchema } = await onUse(
    "The conversion of schemas",
    () => import("../json-schema/output-schema.js"),
  );
  try {
    const read = readSchema(schema);
    const { schema: text } = typeof read === "function" ? await read() : read;
    return JSON.parse(text);
  } catch (error) {
    throw inPlace(`tools: ${tool}`, error);
  }
}
