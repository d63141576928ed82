/**
 * The binaries that are made of the crate: the one place that says what they are. Each has the cargo feature that is its
 * key, and comes with its bindings and the types of what crosses.
 */

/** Inlining far less eagerly saves a twentieth, and not unrolling loops a fiftieth, for a few percent of speed. */
const SMALLER = [
  "-Cllvm-args=-inline-threshold=10",
  "-Cllvm-args=-unroll-runtime=false",
  "-Cllvm-args=-unroll-allow-partial=false",
];

export const BINARIES = {
  /** All that a score in an edge function needs. */
  scores: { name: "openevals", profile: "release", flags: SMALLER, budget: 150_000 },
  /** What is computed over all rows. */
  metrics: { name: "openevals-metrics", profile: "metrics", flags: [], budget: 100_000 },
};

/** The names of their files. */
export const binaryNames = Object.values(BINARIES).map(({ name }) => name);
