/** The rules of OpenAI's structured outputs in strict mode. */
import type { Json } from "./loopback.js";

const KEYWORDS = new Set(
  [
    "$defs $ref $schema additionalProperties anyOf const description enum exclusiveMaximum exclusiveMinimum",
    "format items maxItems maximum minItems minimum multipleOf pattern properties required title type",
  ].flatMap((names) => names.split(" ")),
);

const FORMATS = ["date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uuid"];

/** The first rule that a schema breaks, with the place. */
export function strictSchemaProblem(schema: Json): string | undefined {
  if (schema?.type !== "object") return "schema must be a JSON Schema of 'type: \"object\"'";
  if ("anyOf" in schema) return "the root must not be 'anyOf'";
  return nodeProblem(schema, "()");
}

function nodeProblem(node: Json, path: string): string | undefined {
  if (typeof node !== "object" || node === null) return `In context=${path}, a schema must be an object`;
  const unknown = Object.keys(node).find((keyword) => !KEYWORDS.has(keyword));
  if (unknown) return `In context=${path}, '${unknown}' is not permitted`;
  const others = Object.keys(node).filter((keyword) => keyword !== "$ref" && keyword !== "$defs");
  if ("$ref" in node && others.length > 0)
    return `In context=${path}, $ref cannot have keywords {'${others}'}`;
  if ("format" in node && !FORMATS.includes(node.format))
    return `In context=${path}, '${node.format}' is not a valid format`;
  if (/\(\?<?[=!]/.test(node.pattern ?? ""))
    return `In context=${path}, look-around is not supported in 'pattern'`;
  if (!["type", "anyOf", "$ref", "enum", "const"].some((keyword) => keyword in node)) {
    return `In context=${path}, schema must have a 'type' key`;
  }

  if ([node.type].flat().includes("object")) {
    if (node.additionalProperties !== false) {
      return `In context=${path}, 'additionalProperties' is required to be supplied and to be false`;
    }
    const names = Object.keys(node.properties ?? {});
    const required = node.required ?? [];
    if (
      !Array.isArray(required) ||
      names.some((name) => !required.includes(name)) ||
      required.length !== names.length
    ) {
      return `In context=${path}, 'required' must be supplied and must name every key in properties`;
    }
  }
  if ([node.type].flat().includes("array") && !node.items)
    return `In context=${path}, array schema missing items`;

  const children: [string, Json][] = [
    ...Object.entries(node.properties ?? {}),
    ...Object.entries(node.$defs ?? {}),
    ...(node.anyOf ?? []).map((child: Json, i: number): [string, Json] => [`anyOf ${i}`, child]),
    ...(node.items ? [["items", node.items] as [string, Json]] : []),
  ];
  for (const [name, child] of children) {
    const problem = nodeProblem(child, `${path}.${name}`);
    if (problem) return problem;
  }
  return undefined;
}
