/** Removes copies of spans, orders the others, and finds their parents. */

import { groupedBy, isTooDeep, type Span } from "./span.js";
import type { TraceNote } from "./trajectories.js";

/** The order by start, and for equal ones by end and ids, so that the order of export does not matter. */
export const byTime = (a: Span, b: Span): number =>
  a.start - b.start || a.end - b.end || compare(a.traceId, b.traceId) || compare(a.spanId, b.spanId);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Exporters send spans again after an unconfirmed request, or when they end: then the first copy is unfinished. */
export function withoutCopies(spans: readonly Span[], notes: TraceNote[]): Span[] {
  const fullest = (a: Span, b: Span) => (compareCopies(a, b) < 0 ? b : a);
  const all = [...groupedBy(spans, nameOf).values()].map((copies) => ({
    copies,
    best: copies.reduce(fullest),
  }));
  all.sort((a, b) => byTime(a.best, b.best));
  for (const { copies, best } of all) {
    if (copies.length === 1) continue;
    const { traceId, spanId } = best;
    const which = copies.every(({ end }) => end === best.end) ? "one" : "the finished one";
    notes.push({ message: `Span ${spanId} occurs twice; only ${which} is read.`, traceId, spanId });
  }
  return all.map(({ best }) => best);
}

/** Orders copies of a span by their ends, and equal ones by what they have. */
const compareCopies = (a: Span, b: Span): number =>
  a.end - b.end || a.attributes.size - b.attributes.size || compare(contentOf(a), contentOf(b));

const contentOf = ({ parentId, start, attributes }: Span): string =>
  isTooDeep([...attributes.values()]) ? "" : JSON.stringify([parentId, start, ...attributes]);

/** The parent of each span. In a cycle of parents, the first span counts as a root. */
export function parentsOf(spans: readonly Span[], notes: TraceNote[]): Map<Span, Span> {
  const name = ({ traceId }: Span, id: string) => `${traceId}/${id}`;
  const byId = new Map(spans.map((span) => [name(span, span.spanId), span]));
  const parents = new Map<Span, Span>();
  /** For each span, the span whose walk to the root visited it first. */
  const seenFrom = new Map<Span, Span>();
  for (const start of spans) {
    for (let span = start; !seenFrom.has(span); ) {
      seenFrom.set(span, start);
      const outer = span.parentId === undefined ? undefined : byId.get(name(span, span.parentId));
      if (!outer) break;
      parents.set(span, outer);
      span = outer;
      if (seenFrom.get(span) !== start) continue;
      parents.delete(span);
      const { traceId, spanId } = span;
      const message = `Span ${spanId} and its parents form a cycle; it is read as a root.`;
      notes.push({ message, traceId, spanId });
    }
  }
  return parents;
}

const nameOf = ({ traceId, spanId }: Span): string => `${traceId}/${spanId}`;
