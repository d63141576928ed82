/**
 * The binaries that are compiled from the crate, by cargo feature. Each has its bindings and the types of its
 * interface.
 */

/** With less inlining than by default, binaries are a tenth smaller. */
const inlining = (threshold) => `-Cllvm-args=-inline-threshold=${threshold}`;

/** If a call waits for a model or for a tool, size matters more than speed. */
const SMALLEST = "-Copt-level=z";

export const BINARIES = {
  /** Comparisons: values, texts, trajectories. A threshold of 25 would save 2 KB, and take a tenth more time. */
  scores: { name: "openevals", flags: [inlining(100)], budget: 90_000 },
  /** Everything that asks a model: 186 KB, and 15 for RAG. */
  judges: { name: "openevals-judges", flags: [SMALLEST], budget: 201_000 },
  /**
   * Verdicts on agents: 47 KB. Function calls, states and rewards take a third of it, so it is over. In
   * `openevals.wasm`, rules would cost all users of comparisons 16 KB, and function calls 22.
   */
  agents: { name: "openevals-agents", flags: [SMALLEST], budget: 42_000 },
  /** Metrics of texts and rankings. A threshold of 100 would save 9 KB, and BLEU take 1.4 times as long. */
  metrics: { name: "openevals-metrics", flags: [], budget: 105_000 },
  /** Statistics over all rows. */
  statistics: { name: "openevals-statistics", flags: [inlining(25)], budget: 94_000 },
};

/** The file names of the binaries. */
export const binaryNames = Object.values(BINARIES).map(({ name }) => name);
