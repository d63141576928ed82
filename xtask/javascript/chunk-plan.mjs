/**
 * Decides which sources share a file in Node. Each file takes time to find and read, and so does code that is not needed. The
 * plan starts with a file for each set of sources that are needed together, and joins two of them as long as that makes the
 * start of processes cheaper.
 */

import { reachedFrom } from "./reach.mjs";

/**
 * What a file costs beside its code, in characters of code. About 30,000 took as long in Node 20; this many also make the main
 * entry point three files instead of four.
 */
const FILE = 50_000;

/** How often code is loaded on use, in the unit of the weights. */
const ON_USE = 0.2;

/** How much a source is needed: it is loaded at the start, or there already when other code is loaded on use. */
const [UNUSED, NEEDED, THERE] = [0, 1, 2];

/**
 * @param sources Maps each source to its size, to what it imports at once and on use, and to whether it is a part of the program,
 * which pages cannot load.
 * @param entries The sources that are entry points. Each stays a separate file.
 * @param starts What processes import: a weight and entry points.
 * @returns The number of the file for each source; entry points have none.
 */
export function planChunks(sources, entries, starts) {
  const roots = rootsOf(sources, entries);
  const uses = [
    ...starts.map(([weight, ...names]) => ({
      weight,
      needOf: (source) => (names.some((name) => roots.get(name).closure.has(source)) ? NEEDED : UNUSED),
    })),
    ...Array.from(roots)
      .filter(([name]) => !entries.has(name))
      .map(([, root]) => ({ weight: ON_USE, needOf: (source) => needIn(root, source) })),
  ];
  const chunks = new Set(chunksByNeed(sources, entries, roots, uses));
  joinWhereCheaper(chunks, sources, uses);
  return new Map([...chunks].flatMap(({ members }, number) => members.map((source) => [source, number])));
}

const needIn = ({ closure, there }, source) =>
  there.has(source) ? THERE : closure.has(source) ? NEEDED : UNUSED;

/** What something loads: entry points and targets of `import()`, with all they import, and what is there before. */
function rootsOf(sources, entries) {
  const onUse = Array.from(sources.values()).flatMap(({ later }) => later);
  const roots = new Map(
    [...new Set([...entries, ...onUse])].map((name) => [
      name,
      {
        closure: reachedFrom([name], (source) => sources.get(source).now),
        there: entries.has(name) ? new Set() : new Set(sources.keys()),
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
      if (entries.has(name)) continue;
      const isThere = (source) =>
        root.loaders.every(({ closure, there }) => closure.has(source) || there.has(source));
      const there = new Set([...root.there].filter(isThere));
      if (there.size < root.there.size) isDone = false;
      root.there = there;
    }
  }
  return roots;
}

/** A chunk for each set of sources that the same roots need. */
function chunksByNeed(sources, entries, roots, uses) {
  const chunks = new Map();
  for (const [source, { size, isOfProgram }] of sources) {
    if (entries.has(source)) continue;
    const key = [isOfProgram, ...Array.from(roots.values(), (root) => needIn(root, source))].join();
    const needs = uses.map(({ needOf }) => needOf(source));
    const chunk = chunks.get(key);
    const own = { members: [source], size, needs, isOfProgram };
    chunks.set(key, chunk ? joined(chunk, own) : own);
  }
  return chunks.values();
}

const joined = (one, other) => ({
  members: [...one.members, ...other.members],
  size: one.size + other.size,
  needs: one.needs.map((need, i) => Math.max(need, other.needs[i])),
  isOfProgram: one.isOfProgram,
});

function joinWhereCheaper(chunks, sources, uses) {
  const costOf = ({ needs, size }) =>
    needs.reduce((sum, need, i) => (need === NEEDED ? sum + uses[i].weight * (FILE + size) : sum), 0);
  const pairOf = (one, other) => {
    const both = joined(one, other);
    return { one, other, both, gain: costOf(one) + costOf(other) - costOf(both) };
  };
  const isUseful = ({ one, other, gain }) => gain > 0 && one.isOfProgram === other.isOfProgram;
  let pairs = [...chunks]
    .flatMap((one, i, all) => all.slice(0, i).map((other) => pairOf(one, other)))
    .filter(isUseful);
  for (;;) {
    pairs.sort((a, b) => b.gain - a.gain);
    const best = pairs.find(({ one, other }) => !wouldBeCircle(chunks, sources, one, other));
    if (!best) return;
    const { one: first, other: second, both } = best;
    chunks.delete(first);
    chunks.delete(second);
    pairs = pairs.filter(({ one, other }) => chunks.has(one) && chunks.has(other));
    pairs.push(...Array.from(chunks, (chunk) => pairOf(chunk, both)).filter(isUseful));
    chunks.add(both);
  }
}

/** Whether one of two chunks imports the other through a third: joined, they would import each other. */
function wouldBeCircle(chunks, sources, one, other) {
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
