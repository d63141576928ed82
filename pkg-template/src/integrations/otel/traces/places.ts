/** Locates calls in the tree of spans, which tells apart the calls of agents that run at the same time. */

import { outermostFirst, type Span } from "./span.js";

/** A span, or a trace, with everything inside it. */
export interface SpanPlace {
  outer: SpanPlace | undefined;
  depth: number;
  /** The time from the first start to the last end inside it. */
  start: number;
  end: number;
}

/** Deeper spans have the place of an outer one. */
const MAX_DEPTH = 50;

/** The place around each span: its parent, even if that is missing, or else its trace. */
export function placesOf(spans: readonly Span[], parents: ReadonlyMap<Span, Span>): Map<Span, SpanPlace> {
  const own = new Map<Span | string, SpanPlace>();
  const placeOf = (of: Span | string, outer?: SpanPlace): SpanPlace => {
    const known = own.get(of);
    if (known) return known;
    const place = { outer, depth: outer ? outer.depth + 1 : 0, start: Infinity, end: -Infinity };
    own.set(of, place);
    return place;
  };
  const aroundRoot = ({ traceId, parentId }: Span): SpanPlace => {
    const trace = placeOf(traceId);
    return parentId === undefined ? trace : placeOf(`${traceId}/${parentId}`, trace);
  };
  const around = new Map<Span, SpanPlace>();
  for (const span of spans)
    for (const each of outermostFirst(span, parents, (one) => around.has(one))) {
      const parent = parents.get(each);
      const outer = parent && around.get(parent);
      if (!parent || !outer) around.set(each, aroundRoot(each));
      else around.set(each, outer.depth < MAX_DEPTH ? placeOf(parent, outer) : outer);
    }
  for (const span of spans) {
    for (let place = own.get(span) ?? around.get(span); place; place = place.outer) {
      if (place.start <= span.start && place.end >= span.end) break;
      place.start = Math.min(place.start, span.start);
      place.end = Math.max(place.end, span.end);
    }
  }
  return around;
}

/** The relation between two places. */
export interface Relation {
  /** The depth of the smallest place that they have in common; -1 in different traces. */
  depth: number;
  /** The number of places between them. */
  distance: number;
  /** Whether they are in two places that run at the same time, such as those of two agents. */
  isParallel: boolean;
}

export function relationOf(a: SpanPlace, b: SpanPlace): Relation {
  let x: SpanPlace | undefined = a;
  let y: SpanPlace | undefined = b;
  let insideX: SpanPlace | undefined;
  let insideY: SpanPlace | undefined;
  while (x !== y) {
    const depthX = x ? x.depth : -1;
    const depthY = y ? y.depth : -1;
    if (x && depthX >= depthY) {
      insideX = x;
      x = x.outer;
    }
    if (y && depthY >= depthX) {
      insideY = y;
      y = y.outer;
    }
  }
  const depth = x ? x.depth : -1;
  const isParallel =
    insideX !== undefined &&
    insideY !== undefined &&
    insideX.start < insideY.end &&
    insideY.start < insideX.end;
  return { depth, distance: a.depth + b.depth - 2 * depth, isParallel };
}

/** The place of the whole trace. */
export function traceOf(place: SpanPlace): SpanPlace {
  let outermost = place;
  while (outermost.outer) outermost = outermost.outer;
  return outermost;
}
