/** Keys that a client of another package holds: what it tells must not repeat them. */

import { jsonOf } from "../engine/crossing.js";
import { loadEngine } from "../engine/load.js";
import { type Secrets, SecretsReader } from "./secrets.js";

/** What lies deeper, or behind so many others, are tools of the client's. */
const MAX_DEPTH = 5;
const MAX_OBJECTS = 300;

/** The keys of a client, wherever it keeps them: in options, headers and addresses. */
export async function secretsOf(client: object): Promise<Secrets> {
  const reader = new SecretsReader();
  const seen = new Set<unknown>([client]);
  const queue: [object: object, name: string, depth: number][] = [[client, "", 0]];
  for (const [object, parent, depth] of queue) {
    for (const [name, given] of entriesOf(object)) {
      // A key of the AI SDK's is only in the headers that its function makes.
      const value =
        typeof given === "function" && /^headers$|^getHeaders$/.test(name) ? await called(given as () => unknown) : given;
      if (typeof value === "string") {
        if (/^\w+:\/\//.test(value)) reader.address(value);
        else if (/headers$/i.test(parent) || isKeyName(name)) reader.value(name, value);
      } else if (typeof value === "object" && value !== null && depth < MAX_DEPTH) {
        if (seen.has(value) || seen.size > MAX_OBJECTS) continue;
        seen.add(value);
        queue.push([value, name, depth + 1]);
      }
    }
  }
  return reader.found;
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
