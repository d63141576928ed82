/** Keys in what functions of the user throw: experiments and their reports are shared. */
import { evaluate, evaluateComparative, renderReport } from "openevals-wasm/evaluation";
import { afterEach, expect, it, vi } from "vitest";

const KEY = "9f8e7d6c5b4a39281706f5e4d3c2b1a0";
const GOOGLE = "AIzaSyA1234567890abcdefghijk";

const fail = async (): Promise<never> => {
  const cause = new Error(`no answer from https://example.com/v1?key=${GOOGLE}`);
  throw new RangeError(`401 for ${KEY}, in row 1`, { cause });
};

afterEach(() => vi.unstubAllEnvs());

it.each<[string, () => Promise<unknown>]>([
  ["targets", () => evaluate(fail, { data: [{ inputs: 1 }] })],
  ["evaluators", () => evaluate(undefined, { data: [{ inputs: 1, outputs: 1 }], evaluators: [fail] })],
  [
    "summary evaluators",
    () => evaluate(undefined, { data: [{ inputs: 1, outputs: 1 }], summaryEvaluators: [fail] }),
  ],
  [
    "comparative evaluators",
    async () => {
      const recorded = () => evaluate(undefined, { data: [{ id: "a", inputs: 1, outputs: 1 }] });
      return evaluateComparative([await recorded(), await recorded()], { evaluators: [fail] });
    },
  ],
])("are not in the errors of %s", async (_, run) => {
  vi.stubEnv("MY_MODEL_API_KEY", KEY);
  const text = JSON.stringify(await run());
  expect(text).toContain("401 for [redacted], in row 1");
  expect(text).toContain("no answer from https://example.com/v1?key=[redacted]");
});

it("are not in the report", async () => {
  vi.stubEnv("MY_MODEL_API_KEY", KEY);
  const html = await renderReport(await evaluate(fail, { data: [{ inputs: 1 }] }));
  expect(html).toContain("401 for [redacted]");
  expect(html).not.toContain(KEY);
});
