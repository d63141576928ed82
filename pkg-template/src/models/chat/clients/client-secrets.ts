/** Finds the keys that a client of another package holds, to remove them from its answers and errors. */

import { jsonOf } from "../../../core/engine/crossing.js";
import { judgesEngine } from "../../../core/engine/judges.js";
import { isKeyName, type Secrets, SecretsReader } from "../../../core/input/secrets/secrets.js";
import * as bindings from "../../../openevals-judges.js";

/** The search stops at this depth, and after this number of objects. */
const MAX_DEPTH = 5;
const MAX_OBJECTS = 300;

/** A member of a client, or of an object within it, that holds keys, and its last value. */
interface SecretMember {
  object: object;
  name: string;
  last: string;
}

/** The members with the keys of each client, because a full search takes longer than the rest of a call. */
const searched = new WeakMap<object, { places: SecretMember[]; found: Secrets }>();

/**
 * The keys of a client, in its options, headers and addresses.
 *
 * @param isFailure Whether to search everywhere again.
 */
export async function secretsOf(client: object, isFailure = false): Promise<Secrets> {
  const before = isFailure ? undefined : searched.get(client);
  if (before && (await areSame(before.places))) return before.found;
  const reader = new SecretsReader();
  const places: SecretMember[] = [];
  const seen = new Set<unknown>([client]);
  const queue: [object: object, name: string, depth: number][] = [[client, "", 0]];
  for (const [object, ownName, depth] of queue) {
    for (const name of namesOf(object)) {
      const value = memberOf(object, name);
      // Models of the AI SDK have their key only in the headers that a function returns.
      const isHeadersFunction = typeof value === "function" && /^headers$|^getHeaders$/.test(name);
      const made = isHeadersFunction ? await resultOf(value as () => unknown) : value;
      const isAddress = typeof made === "string" && /^\w+:\/\//.test(made);
      const isKey = typeof made === "string" && (isAddress || /headers$/i.test(ownName) || isKeyName(name));
      if (isHeadersFunction || isKey) places.push({ object, name, last: textOf(made) });
      if (isAddress) reader.address(made);
      else if (isKey) reader.value(name, made);
      else if (isHeadersFunction) {
        const headers = Object(made);
        for (const name of namesOf(headers)) reader.value(name, String(memberOf(headers, name)));
      } else if (typeof made === "object" && made !== null && depth < MAX_DEPTH) {
        if (seen.has(made) || seen.size > MAX_OBJECTS) continue;
        seen.add(made);
        queue.push([made, name, depth + 1]);
      }
    }
  }
  searched.set(client, { places, found: reader.found });
  return reader.found;
}

/** Whether all members still have the same keys. */
async function areSame(places: readonly SecretMember[]): Promise<boolean> {
  for (const { object, name, last } of places) {
    const value = memberOf(object, name);
    const made = typeof value === "function" ? await resultOf(value as () => unknown) : value;
    if (textOf(made) !== last) return false;
  }
  return true;
}

/** The value of a member as text, to notice when it changes. */
function textOf(made: unknown): string {
  if (typeof made === "string") return made;
  try {
    return JSON.stringify(isMap(Object(made)) ? [...(made as Map<string, unknown>)] : made) ?? "";
  } catch {
    return "";
  }
}

const isMap = (object: object): object is Map<string, unknown> =>
  object instanceof Map || (typeof Headers !== "undefined" && object instanceof Headers);

function namesOf(object: object): string[] {
  try {
    return isMap(object)
      ? [...object.keys()].filter((name) => typeof name === "string")
      : Object.keys(object);
  } catch {
    return [];
  }
}

function memberOf(object: object, name: string): unknown {
  try {
    return isMap(object) ? object.get(name) : (object as Record<string, unknown>)[name];
  } catch {
    // A getter that throws.
    return undefined;
  }
}

async function resultOf(make: () => unknown): Promise<unknown> {
  try {
    return await make();
  } catch {
    return undefined;
  }
}

/** The text without these secrets. */
export async function redacted(text: string, secrets: readonly string[]): Promise<string> {
  if (secrets.length === 0) return text;
  return judgesEngine.run("a judge", text.length, () => bindings.redact(text, jsonOf(secrets)));
}
