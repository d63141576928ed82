/**
 * Decides which sources share a file in Node. Each file takes time to find and read, and so does code that is not needed. The
 * plan starts with a file for each set of sources that are needed together, and joins two of them as long as that makes the
 * start of processes cheaper.
 */

import { reachedFrom } from "./reach.mjs";

/** The cost of a file besides its code, in characters of code. With 10,000 and with 50,000, a first score takes longer. */
const FILE_COST = 25_000;

/** The weight of code that is loaded on use: how common that is, in the unit of the weights of starts. */
const ON_USE_WEIGHT = 0.2;

/** Whether a start, or code that is loaded on use, needs a source. If it is `LOADED`, it is in memory before and costs nothing. */
const [UNUSED, NEEDED, LOADED] = [0, 1, 2];

/**
 * @param sources Maps each source to its size, to what it imports at once and on use, and to whether it is a part of the program,
 * which pages cannot load.
 * @param entries The sources that are entry points. Each stays a separate file.
 * @param parts The sources that entry points load when an export is read.
 * @param starts What processes import: a weight and entry points.
 * @returns The number of the file for each source; entry points have none.
 */
export function planChunks(sources, entries, parts, starts) {
  const roots = rootsOf(sources, entries, parts);
  const uses = [
    ...starts.map(([weight, ...names]) => ({
      weight,
      needOf: (source) => (names.some((name) => roots.get(name).closure.has(source)) ? NEEDED : UNUSED),
    })),
    ...Array.from(roots)
      .filter(([name]) => !entries.has(name) && !parts.has(name))
      .map(([, root]) => ({ weight: ON_USE_WEIGHT, needOf: (source) => needIn(root, source) })),
  ];
  const chunks = new Set(chunksByNeed(sources, entries, roots, uses));
  joinWhereCheaper(chunks, sources, uses);
  return new Map([...chunks].flatMap(({ members }, number) => members.map((source) => [source, number])));
}

const needIn = ({ closure, loaded }, source) =>
  loaded.has(source) ? LOADED : closure.has(source) ? NEEDED : UNUSED;

/**
 * Entry points and targets of `import()`. Each has its `closure`, the sources that it imports at once; its `loaders`, the roots whose
 * code imports it on use; and the sources that are always `loaded` before it. These begin with all sources, and lose what some
 * loader does not have, until nothing changes.
 */
function rootsOf(sources, entries, parts) {
  const onUse = Array.from(sources.values()).flatMap(({ later }) => later);
  const isStart = (name) => entries.has(name) || parts.has(name);
  const roots = new Map(
    [...new Set([...entries, ...parts, ...onUse])].map((name) => [
      name,
      {
        closure: reachedFrom([name], (source) => sources.get(source).now),
        loaded: isStart(name) ? new Set() : new Set(sources.keys()),
        loaders: [],
      },
    ]),
  );
  for (const root of roots.values())
    for (const source of root.closure)
      for (const target of sources.get(source).later) roots.get(target).loaders.push(root);
  for (let isDone = false; !isDone; ) {
    isDone = true;
    for (const [name, root] of roots) {
      if (isStart(name)) continue;
      const isLoaded = (source) =>
        root.loaders.every(({ closure, loaded }) => closure.has(source) || loaded.has(source));
      const loaded = new Set([...root.loaded].filter(isLoaded));
      if (loaded.size < root.loaded.size) isDone = false;
      root.loaded = loaded;
    }
  }
  return roots;
}

/**
 * A chunk for each set of sources that the same roots need. Its `parts` are the chunks that it was joined from, and it imports
 * what it `reaches` of them all.
 */
function chunksByNeed(sources, entries, roots, uses) {
  const parts = new Map();
  const partOf = new Map();
  for (const [source, { size, isOfProgram }] of sources) {
    if (entries.has(source)) continue;
    const key = [isOfProgram, ...Array.from(roots.values(), (root) => needIn(root, source))].join();
    const needs = uses.map(({ needOf }) => needOf(source));
    if (!parts.has(key)) parts.set(key, { members: [], size: 0, needs, isOfProgram });
    const part = parts.get(key);
    part.members.push(source);
    part.size += size;
    partOf.set(source, part);
  }
  return Array.from(parts.values(), (part) => {
    const reached = reachedFrom(part.members, (source) => sources.get(source).now);
    const reaches = new Set(Array.from(reached, (source) => partOf.get(source)).filter(Boolean));
    return { ...part, parts: new Set([part]), reaches };
  });
}

const joined = (one, other) => ({
  members: [...one.members, ...other.members],
  parts: new Set([...one.parts, ...other.parts]),
  reaches: new Set([...one.reaches, ...other.reaches]),
  size: one.size + other.size,
  needs: one.needs.map((need, i) => Math.max(need, other.needs[i])),
  isOfProgram: one.isOfProgram,
});

function joinWhereCheaper(chunks, sources, uses) {
  const weightWhere = (isCounted) =>
    uses.reduce((sum, { weight }, i) => (isCounted(i) ? sum + weight : sum), 0);
  const costOfOwn = ({ needs, size }) => weightWhere((i) => needs[i] === NEEDED) * (FILE_COST + size);
  // A start that needs one of the parts also loads what the other parts import.
  const costOfImports = ({ needs, parts, reaches }) => {
    let cost = 0;
    for (const part of reaches)
      if (!parts.has(part))
        cost += part.size * weightWhere((i) => needs[i] === NEEDED && part.needs[i] === UNUSED);
    return cost;
  };
  const costs = new Map(Array.from(chunks, (chunk) => [chunk, costOfOwn(chunk)]));
  const usefulPairs = (one, others) =>
    others.flatMap((other) => {
      if (one.isOfProgram !== other.isOfProgram) return [];
      const both = joined(one, other);
      const cost = costOfOwn(both);
      const gain = costs.get(one) + costs.get(other) - cost;
      // Counting imports takes longer.
      const imports = gain > 0 ? costOfImports(both) : 0;
      return gain > imports ? [{ one, other, both, gain: gain - imports, cost: cost + imports }] : [];
    });
  let pairs = [...chunks].flatMap((one, i, all) => usefulPairs(one, all.slice(0, i)));
  for (;;) {
    pairs.sort((a, b) => b.gain - a.gain);
    const best = pairs.find(({ one, other }) => !wouldBeCircular(chunks, sources, one, other));
    if (!best) return;
    const { one: first, other: second, both, cost } = best;
    costs.set(both, cost);
    chunks.delete(first);
    chunks.delete(second);
    pairs = pairs.filter(({ one, other }) => chunks.has(one) && chunks.has(other));
    pairs.push(...usefulPairs(both, [...chunks]));
    chunks.add(both);
  }
}

/** Whether one of two chunks imports the other through a third: joined, they would import each other. */
function wouldBeCircular(chunks, sources, one, other) {
  const chunkOf = new Map([...chunks].flatMap((chunk) => chunk.members.map((source) => [source, chunk])));
  const importsOf = (chunk) =>
    chunk.members.flatMap((source) => sources.get(source).now).map((source) => chunkOf.get(source));
  const isBetween = (from, to) => {
    const others = importsOf(from).filter((chunk) => chunk && chunk !== from && chunk !== to);
    return reachedFrom(others, (chunk) =>
      chunk === to ? [] : importsOf(chunk).filter((next) => next && next !== from),
    ).has(to);
  };
  return isBetween(one, other) || isBetween(other, one);
}
