/** Finds schemas that check nothing by mistake: misspelt keywords, and objects that are not schemas. */

import { invalidConfig } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import { memberPath } from "../../core/input/json/flaw.js";
import { nearest } from "../../core/input/near.js";
import { isRecord } from "../../core/input/objects.js";

/** Keywords with schemas by name. */
export const MAPS = [
  "properties",
  "patternProperties",
  "dependentSchemas",
  "definitions",
  "dependencies",
  "$defs",
];

/** Keywords with a schema or a list of them. */
export const SCHEMAS = [
  ...["items", "prefixItems", "additionalItems", "unevaluatedItems", "contains", "additionalProperties"],
  ...["unevaluatedProperties", "propertyNames", "allOf", "anyOf", "oneOf", "not", "if", "then", "else"],
];

/** Other keywords that restrict values. */
const RULES = [
  ...["type", "enum", "const", "required", "dependentRequired", "format", "pattern", "nullable", "$ref"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength"],
  ...["minItems", "maxItems", "uniqueItems", "minContains", "maxContains", "minProperties", "maxProperties"],
  ...["discriminator", "$dynamicRef", "$recursiveRef"],
];

const KEYWORDS = [...MAPS, ...SCHEMAS, ...RULES];

/** Shorter keywords are too similar to annotations of users, such as `cost` and `types`. */
const SUGGESTED = KEYWORDS.filter((keyword) => keyword.length > 5);

/** Keywords that restrict nothing. Those of vendors begin with `x-` or `$`. */
const ANNOTATIONS = [
  ...["title", "description", "default", "example", "examples", "deprecated", "readOnly", "writeOnly", "id"],
  ...["contentEncoding", "contentMediaType", "contentSchema", "xml", "externalDocs", "strict"],
];

const isAnnotation = (key: string): boolean => /^(x-|\$)/.test(key) || ANNOTATIONS.includes(key);

/**
 * Rejects a JSON schema without a keyword, and misspelt keywords anywhere in it. Unknown keywords are allowed otherwise, since
 * libraries add their own.
 *
 * @param schema Plain data without cycles.
 * @param owner The owner of the schema, in errors.
 */
export function checkKeywords(schema: object, owner: string): void {
  const keys = Object.keys(schema).filter((key) => !isAnnotation(key));
  if (keys.length && !keys.some((key) => KEYWORDS.includes(key) || nearest(key, SUGGESTED))) {
    const form = '{ type: "object", properties: { … } }';
    throw invalidConfig(
      `The schema of ${owner} has no JSON Schema keyword; its keys are ${show(keys)}. Write ${form}.`,
    );
  }
  const open: [schema: unknown, path: string][] = [[schema, ""]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [part, path] = next;
    if (!isRecord(part)) continue;
    for (const [key, value] of Object.entries(part)) {
      const place = path ? memberPath(path, key) : key;
      if (MAPS.includes(key) || (SCHEMAS.includes(key) && Array.isArray(value))) {
        for (const [name, inner] of Object.entries(Object(value)))
          open.push([inner, memberPath(place, Array.isArray(value) ? Number(name) : name)]);
      } else if (SCHEMAS.includes(key)) open.push([value, place]);
      else if (!RULES.includes(key) && !isAnnotation(key)) checkSpelling(key, place, owner);
    }
  }
}

function checkSpelling(key: string, place: string, owner: string): void {
  const meant = nearest(key, SUGGESTED);
  if (!meant) return;
  throw invalidConfig(
    `The schema of ${owner} has the unknown keyword ${show(place)}; did you mean ${show(meant)}?`,
  );
}
