/** Renames the fields of rows as `map` says. */

import { invalidConfig, invalidInput } from "../../../core/errors.js";
import { check, checkValue } from "../../../core/input/checks.js";
import { didYouMean } from "../../../core/input/near.js";
import { isRecord } from "../../../core/input/objects.js";
import { valueAt } from "../../../core/input/value-at.js";
import { FIELDS } from "./fields.js";
import { separatorHint } from "./separator.js";

/**
 * The place of each field in the data: `{ inputs: "question", "metadata.topic": "tags.topic" }`. Keys are fields of
 * rows, or nested fields with dots; values are the names of fields or columns of the data, or paths with dots.
 */
export type RowMap = Readonly<Record<string, string>>;

const aMap = check(
  'an object with a field of the data for each field of rows, such as { inputs: "question", outputs: "answer" }',
  (map) =>
    isRecord(map) &&
    Object.keys(map).length > 0 &&
    Object.values(map).every((source) => typeof source === "string" && source !== ""),
);

interface Mapped {
  path: readonly string[];
  source: string;
}

/** The number of field names that a message lists. */
const MAX_NAMES = 20;

/** Applies a map to rows, and finds mapped fields that no row has. */
export class RowMapping {
  readonly #fields: readonly Mapped[];
  /** The mapped fields that no row has had so far. */
  readonly #missing: Set<string>;
  readonly #names = new Set<string>();

  /** @throws {@link OpenEvalsError} `invalid_config` for an invalid map. */
  constructor(map: RowMap) {
    checkValue("map", map, aMap);
    this.#fields = Object.entries(map).map(([field, source]) => ({ path: pathOf(field), source }));
    this.#missing = new Set(Object.values(map));
    const names = Object.keys(map);
    const outer = names.find((name) => names.some((other) => other.startsWith(`${name}.`)));
    if (outer !== undefined)
      throw invalidConfig(`map has both "${outer}" and one of its fields. Map only one of them`);
  }

  /** The mapped row. Fields that are not mapped keep their names. */
  apply(row: unknown): unknown {
    if (!isRecord(row)) return row;
    const sources = new Set(this.#fields.map(({ source }) => ownRoot(row, source)));
    const whole = new Set(this.#fields.filter(({ path }) => path.length === 1).map(({ path }) => path[0]));
    for (const name of Object.keys(row)) if (this.#names.size < MAX_NAMES) this.#names.add(name);
    const isKept = (name: string) => !whole.has(name) && (!sources.has(name) || isField(name));
    // Assigning a field named __proto__ would set the prototype.
    const mapped = Object.fromEntries(Object.entries(row).filter(([name]) => isKept(name)));
    for (const { path, source } of this.#fields) {
      const found = valueAt(row, source);
      if (!found) continue;
      this.#missing.delete(source);
      put(mapped, path, found.value);
    }
    return mapped;
  }

  /**
   * Called after the last row.
   *
   * @throws {@link OpenEvalsError} `invalid_input` for a field that no row has.
   */
  end(): void {
    const [source] = this.#missing;
    // Without rows, there is another error.
    if (source === undefined || !this.#names.size) return;
    const field = this.#fields.find((mapped) => mapped.source === source)?.path.join(".");
    const dotted = source.replace(/\[(\d+)\]/g, ".$1");
    const names = [...this.#names];
    const others = `the fields are ${names.join(", ")}${names.length === MAX_NAMES ? ", …" : ""}`;
    const separator = separatorHint(names);
    const hint = separator
      ? `${others}${separator}.`
      : dotted !== source
        ? `write the places of lists with dots: "${dotted}".`
        : didYouMean(source, names, `${others}.`, (name) => `"${name}"`);
    throw invalidInput(`map reads ${field} from "${source}", which no row has; ${hint}`);
  }
}

const isField = (name: string): boolean => (FIELDS as readonly string[]).includes(name);

function pathOf(field: string): string[] {
  const path = field.split(".");
  const [root = ""] = path;
  if (isField(root) && path.every(Boolean) && !path.includes("__proto__")) return path;
  const known = `fields of rows are ${FIELDS.join(", ")}, or fields of these with a dot.`;
  const hint = isField(root) ? known : didYouMean(root, FIELDS, known, (name) => `"${name}"`);
  throw invalidConfig(`map has the field "${field}"; ${hint}`);
}

/** The field of a row that contains a mapped value: the whole name, or the first part of a path. */
const ownRoot = (row: object, source: string): string =>
  Object.hasOwn(row, source) ? source : (source.split(".")[0] as string);

/** Sets a value at a path. Copies the objects on the way, because they belong to the caller. */
function put(row: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let object = row;
  for (const name of path.slice(0, -1)) {
    const inner = object[name];
    const copy = isRecord(inner) ? { ...inner } : {};
    object[name] = copy;
    object = copy as Record<string, unknown>;
  }
  object[path.at(-1) as string] = value;
}
