/**
 * The binaries that are made of the crate: the one place that says what they are. Each has the cargo feature that is its
 * key, and comes with its bindings and the types of what crosses.
 */

/** Inlining less eagerly saves a twentieth; yet less saves little more, and makes lists and long texts a tenth slower. */
const INLINE_LESS = "-Cllvm-args=-inline-threshold=25";

/** A judge waits for a model: there, bytes count more. */
const INLINE_LEAST = "-Cllvm-args=-inline-threshold=5";

export const BINARIES = {
  /** What compares: values, texts, trajectories. */
  scores: { name: "openevals", profile: "release", flags: [INLINE_LESS], budget: 90_000 },
  /** What asks a model. */
  judges: { name: "openevals-judges", profile: "judges", flags: [INLINE_LEAST], budget: 186_000 },
  /** The metrics of texts. */
  metrics: { name: "openevals-metrics", profile: "metrics", flags: [INLINE_LESS], budget: 105_000 },
  /** What is computed over all rows. */
  statistics: { name: "openevals-statistics", profile: "statistics", flags: [INLINE_LESS], budget: 94_000 },
};

/** The names of their files. */
export const binaryNames = Object.values(BINARIES).map(({ name }) => name);
