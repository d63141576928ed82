/** Options by key have to be plain objects: the entries of a Map would be ignored. */
import { exactMatch } from "openevals-wasm";
import { compareExperiments, defineExperiment, evaluate } from "openevals-wasm/evaluation";
import { expect, it } from "vitest";

const map: any = new Map([["exact_match", 1]]);
const options = { data: [{ outputs: 1, referenceOutputs: 1 }], evaluators: [exactMatch] };

it.each<[string, () => unknown]>([
  ["passAt", () => evaluate(undefined, { ...options, passAt: map })],
  ["passAt", () => evaluate(undefined, { ...options, passAt: [1] as never })],
  ["failUnder", async () => defineExperiment({ ...options, failUnder: map })],
  ["failOver", async () => defineExperiment({ ...options, failOver: map })],
  ["failOver", async () => defineExperiment({ ...options, failOver: [1] as never })],
  ["eachAtLeast", async () => defineExperiment({ ...options, eachAtLeast: map })],
  [
    "margin",
    async () => {
      const experiment = await evaluate(undefined, options);
      await compareExperiments(experiment, experiment, { margin: map });
    },
  ],
])("%s", async (option, call) => {
  await expect(call()).rejects.toMatchObject({
    code: "invalid_config",
    message: expect.stringMatching(new RegExp(`^${option} is .*; it has to be `)),
  });
});

it("an object without a prototype is one", async () => {
  const limits = Object.assign(Object.create(null), { exact_match: 1 });
  expect(defineExperiment({ ...options, failUnder: limits, passAt: limits })).toMatchObject(options);
});
