/**
 * The experiment of these tests: it has the same result in every process, and everything that makes merging
 * hard.
 */

/** A number from 0 to 1 that depends on nothing but the row. */
export function chance(id, salt) {
  let state = Number(id) * 7919 + salt * 104729 + 1;
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  state = (Math.imul(state ^ (state >>> 15), 2246822519) + 374761393) >>> 0;
  return state / 2 ** 32;
}

export async function target({ id }) {
  await new Promise((resolve) => setTimeout(resolve, chance(id, 0) * 4));
  if (chance(id, 1) < 0.1) throw new Error("no answer");
  return { text: `answer ${id}` };
}

/** Gives one of its keys only now and then, and fails now and then. */
const several = ({ inputs: { id } }) => {
  if (chance(id, 2) < 0.2) throw new TypeError("nothing to say");
  const usage = { inputTokens: Number(id), outputTokens: 1 };
  const length = { key: "length", score: Math.round(chance(id, 3) * 1e6) / 7, metadata: { usage } };
  return chance(id, 4) < 0.2 ? [{ key: "rare", score: chance(id, 5) }, length] : [length];
};
const verdict = ({ inputs: { id }, run }) => ({
  key: "verdict",
  score: chance(id, 6) < 0.1 ? null : chance(id, 7 + run.repetition) < 0.6,
});

export const settings = {
  experimentPrefix: "spread",
  evaluators: [several, verdict],
  numRepetitions: 2,
  clusterBy: ({ id }) => Number(id) % 7,
  seed: 5,
};

export const rows = (count) =>
  Array.from({ length: count }, (_, place) => ({ inputs: { id: `${place + 1}` }, extra: 1 }));

export const definition = { ...settings, target };

/** The parts that are the same in every run, as JSON. */
export function figures({ rows, ...experiment }) {
  const { experimentName: _, startedAt: __, durationMs: ___, ...rest } = experiment;
  const plain = rows.map(({ run, ...row }) => {
    const { id: _, startTime: __, durationMs: ___, ...same } = run;
    return { ...row, run: same };
  });
  return JSON.stringify({ ...rest, rows: plain });
}
