/** Divides the spans of a trace by the conversations that their attributes name. */

import { CONVERSATION } from "./facts.js";
import { groupedBy, outermostFirst, type Span, textIn } from "./span.js";

/**
 * The spans of each conversation of a trace, by its id; `undefined` for spans that name none. Instrumentations name them on some
 * spans only, and a session may have several, so each attribute with several values in the trace tells spans apart.
 */
export function conversationsIn(
  trace: readonly Span[],
  parents: ReadonlyMap<Span, Span>,
): Map<string | undefined, Span[]> {
  const differing: Map<Span, string | undefined>[] = [];
  for (const name of CONVERSATION) {
    const values = new Map<Span, string>();
    for (const span of trace) {
      const value = textIn(span.attributes, [name]);
      if (value !== undefined) values.set(span, value);
    }
    if (new Set(values.values()).size < 2) continue;
    differing.push(withInherited(trace, parents, values));
  }
  const keyOf = (span: Span) => JSON.stringify(differing.map((all) => all.get(span) ?? null));
  const ids = new Map<Span, string | undefined>();
  for (const part of groupedBy(trace, keyOf).values()) {
    const id = idOf(part);
    for (const span of part) ids.set(span, id);
  }
  return groupedBy(trace, (span) => ids.get(span));
}

/** The most specific id that the spans name. */
function idOf(spans: readonly Span[]): string | undefined {
  for (const name of CONVERSATION)
    for (const { attributes } of spans) {
      const id = textIn(attributes, [name]);
      if (id !== undefined) return id;
    }
  return undefined;
}

/** Adds values to the spans without one: the only value of the spans inside it, or else that of the span around it. */
function withInherited(
  trace: readonly Span[],
  parents: ReadonlyMap<Span, Span>,
  values: ReadonlyMap<Span, string>,
): Map<Span, string | undefined> {
  /** `undefined` where the spans inside have several values. */
  const inside = new Map<Span, string | undefined>(values);
  for (const [span, value] of values) {
    for (let outer = parents.get(span); outer && !values.has(outer); outer = parents.get(outer)) {
      const merged = inside.has(outer) && inside.get(outer) !== value ? undefined : value;
      if (inside.has(outer) && inside.get(outer) === merged) break;
      inside.set(outer, merged);
    }
  }
  const all = new Map<Span, string | undefined>();
  for (const span of trace)
    for (const each of outermostFirst(span, parents, (one) => all.has(one))) {
      const outer = parents.get(each);
      all.set(each, inside.get(each) ?? (outer && all.get(outer)));
    }
  return all;
}
