/** Experiments as logs of Inspect AI. `inspect_log.py` beside this file reads such logs with Inspect's own types. */
import { exactMatch } from "openevals-wasm";
import { type Experiment, evaluate, formatInspectLog } from "openevals-wasm/evaluation";
import { expect, it } from "vitest";
import { errorOf } from "../api/error-of.js";

/** Rows with everything that a log tells apart. */
const experiment = (): Promise<Experiment> =>
  evaluate(
    ({ ask }: any) => {
      if (ask === "fail") throw new Error("No answer.");
      return ask === "list" ? [1, 2] : ask;
    },
    {
      data: [
        { id: "yes", inputs: { ask: "yes" }, outputs: "yes", metadata: { topic: "a" } },
        { id: "list", inputs: { ask: "list" }, outputs: { list: [1, 2] } },
        { id: "fail", inputs: { ask: "fail" } },
      ],
      evaluators: [
        exactMatch,
        ({ outputs }) =>
          outputs === "yes"
            ? { key: "length", score: 3, comment: "Three letters." }
            : { key: "length", applicable: false },
        function broken({ outputs }) {
          if (outputs === "yes") throw new Error("Out of order.");
          return 0.25;
        },
      ],
      numRepetitions: 2,
      metadata: { model: "openai/gpt-5.4" },
      progress: false,
    },
  );

it("has samples, epochs, scores and errors", async () => {
  const made = await experiment();
  const log = JSON.parse(formatInspectLog(made));
  expect(log).toMatchObject({
    version: 2,
    status: "success",
    eval: {
      task: made.experimentName,
      created: made.startedAt,
      model: "openai/gpt-5.4",
      dataset: { samples: 3, sample_ids: ["yes", "list", "fail"] },
      config: { epochs: 2 },
    },
    results: { total_samples: 6, completed_samples: 4 },
  });
  expect(
    log.results.scores.map(({ name, scored_samples, unscored_samples, metrics }: any) => {
      return [name, scored_samples, unscored_samples, metrics.mean?.value];
    }),
  ).toEqual([
    ["exact_match", 4, 2, 0.5],
    ["length", 2, 4, 3],
    ["broken", 2, 4, 0.25],
  ]);
  const [yes, again, list, , fail] = log.samples;
  expect(yes).toMatchObject({
    id: "yes",
    epoch: 1,
    input: '{"ask":"yes"}',
    target: "yes",
    messages: [
      { role: "user", content: '{"ask":"yes"}' },
      { role: "assistant", content: "yes" },
    ],
    scores: {
      exact_match: { value: true, answer: "yes" },
      length: { value: 3, explanation: "Three letters." },
    },
    metadata: { topic: "a", evaluator_errors: { broken: "Out of order." } },
  });
  expect(Object.keys(yes.scores)).toEqual(["exact_match", "length"]);
  expect([again.id, again.epoch]).toEqual(["yes", 2]);
  expect(list).toMatchObject({ target: '{"list":[1,2]}', messages: [{}, { content: "[1,2]" }] });
  expect(Object.keys(list.scores)).toEqual(["exact_match", "broken"]);
  expect(fail).toMatchObject({ scores: {}, error: { message: "No answer." }, metadata: {} });
  expect(fail.messages).toHaveLength(1);
});

it("rejects experiments without rows", async () => {
  const format = async (experiment: Experiment) => formatInspectLog(experiment);
  expect((await errorOf(format({} as Experiment))).code).toBe("invalid_input");
  const made = await experiment();
  const dropped = { ...made, rows: [], rowCount: 6 };
  expect((await errorOf(format(dropped))).message).toContain("did not keep its 6 rows");
});

it("has no times and no epochs of an experiment that was written by hand", () => {
  const written = {
    experimentName: "by hand",
    rows: [
      {
        example: { id: "a", inputs: "q" },
        run: { id: "1", outputs: "x" },
        evaluationResults: [],
        errors: [],
      },
    ],
    aggregates: {},
    summaryResults: [],
  };
  const log = JSON.parse(formatInspectLog(written as never));
  expect(log.eval.config).toEqual({ epochs: 1 });
  expect(log.samples).toMatchObject([{ id: "a", epoch: 1 }]);
  expect(log.samples[0]).not.toHaveProperty("started_at");
});
