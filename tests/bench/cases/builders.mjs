/**
 * Helpers for the cases. A case has a `name`, perhaps an `aim`, and `sides`: functions that make the measured
 * call, each called in its own process.
 */
import * as packages from "../packages.mjs";

/** The same call to both packages, beside a yardstick: the least that such a call has to do. */
export function pair(name, aim, evaluator, input, floor = texts) {
  const side = (load) => async () => {
    const [evaluate, row] = [await evaluator(await load()), input()];
    return () => evaluate(row);
  };
  return {
    name,
    aim,
    sides: {
      ours: side(packages.ours),
      reference: side(packages.reference),
      floor: () => floor(input()),
    },
  };
}

/** A thousand rows at once, beside a thousand calls of the reference; times are for all of them. */
export function batch(name, evaluator, input, floor = texts) {
  const rows = () => Array.from({ length: 1_000 }, input);
  return {
    name,
    sides: {
      ours: async () => {
        const [{ batch }, all] = [evaluator(await packages.ours()), rows()];
        return async () => (await batch(all)).flat();
      },
      reference: async () => {
        const [evaluate, all] = [evaluator(await packages.reference()), rows()];
        return async () => {
          const results = [];
          for (const row of all) results.push(await evaluate(row));
          return results.flat();
        };
      },
      floor: async () => {
        const floors = await Promise.all(rows().map(floor));
        return () => floors.reduce((sum, floor) => sum + floor(), 0);
      },
    },
  };
}

/** Beside an evaluator of autoevals that gives the same score under another name. */
export function besideAutoevals(name, aim, evaluator, rival, input, floor = texts) {
  return {
    name: `${name} (beside autoevals)`,
    aim,
    answer: (result) => Number([result].flat()[0].score),
    sides: {
      ...pair(name, aim, evaluator, input, floor).sides,
      reference: async () => {
        const [scorer, { outputs, referenceOutputs }] = [rival(await packages.autoevals()), input()];
        return () => scorer({ output: outputs, expected: referenceOutputs });
      },
    },
  };
}

/** Ours with LangSmith loaded but without tracing, beside ours without it. */
export function besideLangSmith({ name, sides }) {
  return {
    name: `${name}, LangSmith loaded (beside: without it)`,
    aim: { slowdown: 1.15 },
    sides: {
      ours: async () => {
        await import("langsmith/traceable");
        return sides.ours();
      },
      reference: sides.ours,
    },
  };
}

/** The least that a call writes: two texts. */
export function texts({ outputs, referenceOutputs }) {
  return () => JSON.stringify(outputs).length + JSON.stringify(referenceOutputs).length;
}

/** The fastest distance function on npm. */
export async function fastestDistance({ outputs, referenceOutputs }) {
  const { distance } = await import("fastest-levenshtein");
  return () => distance(outputs, referenceOutputs);
}
