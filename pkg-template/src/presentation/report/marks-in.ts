/** Finds the marks of the page in the outputs of a run: claims, and the findings of evaluators of agents. */

const LISTS = ["claims", "steps", "broken", "loops", "turns"];

/** The fields of these lists that marks need. Others, such as arguments and results of calls, are in the outputs. */
const FIELDS = new Set([
  ...LISTS,
  ...["claim", "verdict", "verifiedProbability", "openDomainProbability"],
  ...["start", "end", "startIndex", "endIndex"],
  ...["message", "call", "status", "rule", "comment", "calls"],
  ...["kind", "first", "last", "period", "repeats", "metadata"],
]);

/** The part of metadata that marks need. */
export const marksIn = (metadata: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(metadata).flatMap(([name, list]) =>
      LISTS.includes(name) && Array.isArray(list) ? [[name, reduced(list, 0)]] : [],
    ),
  );

function reduced(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > 6) return undefined;
  if (Array.isArray(value)) return value.map((part) => reduced(part, depth + 1));
  const kept = Object.entries(value).filter(([name]) => FIELDS.has(name));
  return Object.fromEntries(kept.map(([name, part]) => [name, reduced(part, depth + 1)]));
}
