/** Keys that a client of another package holds: what it tells must not repeat them. */

import { jsonOf } from "../engine/crossing.js";
import { loadEngine } from "../engine/load.js";
import { type Secrets, SecretsReader } from "./secrets.js";

/** What lies deeper, or behind so many others, are tools of the client's. */
const MAX_DEPTH = 5;
const MAX_OBJECTS = 300;

/** An object that holds keys, and the name of the member that it is itself: that of a list of headers tells what it is. */
type Place = [object: object, name: string];

/** Where clients keep their keys: to look everywhere takes longer than all else that is done for an answer. */
const places = new WeakMap<object, Place[]>();

/**
 * The keys of a client, wherever it keeps them: in options, headers and addresses. They are read each time, since they
 * may change.
 *
 * @param isFailure Whether to look everywhere, also where there were none before.
 */
export async function secretsOf(client: object, isFailure = false): Promise<Secrets> {
  const reader = new SecretsReader();
  const known = isFailure ? undefined : places.get(client);
  if (known) {
    for (const place of known) await read(place, reader);
    return reader.found;
  }
  const found: Place[] = [];
  const seen = new Set<unknown>([client]);
  const queue: [...Place, depth: number][] = [[client, "", 0]];
  for (const [object, name, depth] of queue) {
    const { holdsKeys, members } = await read([object, name], reader);
    if (holdsKeys) found.push([object, name]);
    for (const [name, member] of members) {
      if (depth === MAX_DEPTH || seen.has(member) || seen.size > MAX_OBJECTS) continue;
      seen.add(member);
      queue.push([member, name, depth + 1]);
    }
  }
  places.set(client, found);
  return reader.found;
}

/** Reads the keys that an object holds; tells whether there are any, and what else may have some. */
async function read([object, ownName]: Place, reader: SecretsReader) {
  const members: [name: string, member: object][] = [];
  let holdsKeys = false;
  for (const [name, given] of entriesOf(object)) {
    // A key of the AI SDK's is only in the headers that its function makes.
    const isMaker = typeof given === "function" && /^headers$|^getHeaders$/.test(name);
    const value = isMaker ? await called(given as () => unknown) : given;
    const isAddress = typeof value === "string" && /^\w+:\/\//.test(value);
    const isKey = typeof value === "string" && (isAddress || /headers$/i.test(ownName) || isKeyName(name));
    if (isAddress) reader.address(value);
    else if (isKey) reader.value(name, value);
    else if (isMaker) for (const [name, made] of entriesOf(Object(value))) reader.value(name, String(made));
    else if (typeof value === "object" && value !== null) members.push([name, value]);
    holdsKeys ||= isKey || isMaker;
  }
  return { holdsKeys, members };
}

/** The names of members that hold keys, and few others. */
const isKeyName = (name: string): boolean =>
  /(?:key|token|secret|password|authorization|credentials?)$/i.test(name);

function entriesOf(object: object): [string, unknown][] {
  try {
    if (object instanceof Map || (typeof Headers !== "undefined" && object instanceof Headers)) {
      return Array.from(object as Iterable<[unknown, unknown]>, ([name, value]) => [String(name), value]);
    }
    return Object.keys(object).flatMap((name): [string, unknown][] => {
      try {
        return [[name, (object as Record<string, unknown>)[name]]];
      } catch {
        // A getter that throws.
        return [];
      }
    });
  } catch {
    return [];
  }
}

async function called(make: () => unknown): Promise<unknown> {
  try {
    return await make();
  } catch {
    return undefined;
  }
}

/** The text without these secrets. */
export async function redacted(text: string, secrets: readonly string[]): Promise<string> {
  if (secrets.length === 0) return text;
  const engine = await loadEngine();
  return engine.run("a judge", text.length, (bindings) => bindings.redact(text, jsonOf(secrets)));
}
