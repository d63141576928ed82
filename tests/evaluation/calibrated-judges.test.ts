/** Calibrations are of one judge: its model and its prompt. */
import { createLLMAsJudge } from "openevals-wasm";
import {
  compareExperiments,
  type EvaluateOptions,
  evaluate,
  mergeExperiments,
} from "openevals-wasm/evaluation";
import {
  type CalibrationReport,
  calibrate,
  createGEval,
  createJury,
  type GEvalOptions,
  type VoteRule,
} from "openevals-wasm/judges";
import { faithfulness } from "openevals-wasm/rag";
import { expect, it } from "vitest";
import { errorOf } from "../api/error-of.js";
import { scripted } from "../rag/judge.js";

const PROMPT = "Is {outputs} polite?";
const politeBy = (model: string | undefined, prompt = PROMPT) =>
  createLLMAsJudge({
    prompt,
    model,
    feedbackKey: "polite",
    judge: ({ messages }) => ({ score: JSON.stringify(messages).includes("please") }),
  });

const DATA = [
  { id: "1", outputs: "Wait, please.", human: true },
  { id: "2", outputs: "Wait!", human: false },
];
const calibrated = (judge: Parameters<typeof calibrate>[0] = politeBy("gpt-5.4")) =>
  calibrate(judge, { data: DATA, label: "human" });
const run = (
  evaluator: NonNullable<EvaluateOptions["evaluators"]>[number],
  report?: Pick<CalibrationReport, "verdicts">,
  options: EvaluateOptions = {},
) =>
  evaluate(undefined, {
    data: DATA.map(({ id, outputs }) => ({ id, outputs })),
    evaluators: [evaluator],
    calibration: report && { polite: report },
    ...options,
  });

const ADVICE =
  "Run calibrate() with the judge of these results, on the same labels, or evaluate these results with the calibrated judge.";

it("a report has the models and the hashes of the prompts", async () => {
  const { judge } = await calibrated();
  expect(judge).toEqual({
    models: ["gpt-5.4"],
    prompts: [expect.stringMatching(/^[0-9a-f]{16}$/)],
    judges: [1],
    samples: [1],
    voteRules: [],
  });
  const experiment = await run(politeBy("gpt-5.4"));
  expect(experiment.rows[0]?.evaluationResults[0]?.metadata?.promptHash).toBe(judge?.prompts[0]);
  const labels = DATA.map(({ id, human }) => ({ id, human }));
  expect((await calibrate(experiment, { data: labels, label: "human" })).judge).toEqual(judge);
  expect(
    await calibrated(({ outputs }) => ({ key: "polite", score: outputs === "Wait!" })),
  ).not.toHaveProperty("judge");
});

it.each([
  "gpt-5.4",
  "gpt-5.4-2026-03-01",
  "openai/gpt-5.4-latest",
  "gpt-5.4-0301",
])("%s is the calibrated model gpt-5.4", async (model) => {
  const { aggregates } = await run(politeBy(model), await calibrated());
  expect(aggregates.polite).toHaveProperty("corrected");
});

it.each([
  ["gpt-5.4", "gpt-5.4-mini"],
  ["gpt-5.4-2026-03-01", "gpt-5.4-2026-06-01"],
  ["llama3.3:70b", "llama3.3:8b"],
])("a calibration of %s is refused for %s", async (before, now) => {
  const error = await errorOf(run(politeBy(now), await calibrated(politeBy(before))));
  expect(error).toMatchObject({
    code: "invalid_config",
    message: `The calibration of "polite" is of another judge: it is of ${before}, and ${now} scored 2 of 2 results. ${ADVICE}`,
  });
  expect(error.experiment?.rows).toHaveLength(2);
});

it("a calibration of another prompt is refused, also without the rows", async () => {
  const report = await calibrated();
  const changed = politeBy("gpt-5.4", "Is {outputs} very polite?");
  const message = `The calibration of "polite" is of another judge: its prompt, its examples or the schema of its answers is not the same. ${ADVICE}`;
  for (const output of [{ keepRows: true }, { keepRows: false }])
    expect(await errorOf(run(changed, report, { output }))).toMatchObject({
      code: "invalid_config",
      message,
    });
  // Stored reports without the judge remain usable, as do judges that identify themselves by nothing.
  const { judge: _, ...older } = report;
  await run(changed, older);
  await run(({ outputs }) => ({ key: "polite", score: outputs === "Wait!" }), report);
});

it("a calibration of a jury is refused if one of its prompts has changed", async () => {
  const juryOf = (prompt: string) =>
    createJury({
      judges: [politeBy("a"), politeBy("b"), politeBy("c", prompt)],
      feedbackKey: "polite",
    });
  const report = await calibrated(juryOf(PROMPT));
  expect(report.judge?.models).toEqual(["a", "b", "c"]);
  await run(juryOf(PROMPT), report);
  expect((await errorOf(run(juryOf("Is {outputs} kind?"), report))).code).toBe("invalid_config");
});

it("every result needs a calibrated model: a fallback is counted", async () => {
  const answeredBy = (model: string) => async (params: { outputs: string }) => {
    const fallback = params.outputs === "Wait!" ? model : "gpt-5.4";
    return politeBy(fallback)(params);
  };
  const error = await errorOf(run(answeredBy("gpt-5.4-mini"), await calibrated()));
  expect(error.message).toBe(
    `The calibration of "polite" is of another judge: it is of gpt-5.4, and gpt-5.4-mini scored 1 of 2 results. ${ADVICE}`,
  );
  // The fallback was calibrated, too.
  const both = await calibrated(answeredBy("gpt-5.4-mini"));
  await run(answeredBy("gpt-5.4-mini"), both);
  await run(answeredBy("gpt-5.4"), both);
});

it("a jury needs a calibration of the jury, and one judge needs its own", async () => {
  const juryOf = (...models: string[]) =>
    createJury({ judges: models.map((model) => politeBy(model)), feedbackKey: "polite" });
  const [ofJudge, ofJury] = [await calibrated(politeBy("a")), await calibrated(juryOf("a", "b", "a"))];
  expect(ofJury.judge).toMatchObject({ models: ["a", "b"], judges: [3] });
  const problem = async (...asked: Parameters<typeof run>) => (await errorOf(run(...asked))).message;
  const another = 'The calibration of "polite" is of another judge: ';
  expect(await problem(politeBy("a"), ofJury)).toBe(
    `${another}it is of a jury of 3, and one judge scored 2 of 2 results. ${ADVICE}`,
  );
  expect(await problem(juryOf("a", "a"), ofJudge)).toBe(
    `${another}it is of one judge, and a jury of 2 scored 2 of 2 results. ${ADVICE}`,
  );
  expect(await problem(juryOf("a", "b"), ofJudge)).toBe(
    `${another}it is of a, and b scored 2 of 2 results. ${ADVICE}`,
  );
  await run(juryOf("a", "b", "a"), ofJury);
});

const ANOTHER = 'The calibration of "polite" is of another judge: ';
const problemOf = async (...asked: Parameters<typeof run>) => (await errorOf(run(...asked))).message;

/** A judge whose samples get an error if the text says so. */
const sampled = (samples: number, more: object = {}) =>
  createLLMAsJudge({
    prompt: PROMPT,
    model: "gpt-5.4",
    feedbackKey: "polite",
    samples,
    judge: () => ({ score: true }),
    ...more,
  });
const juryBy = (vote: VoteRule, judges = ["a", "b", "c"].map((model) => politeBy(model))) =>
  createJury({ judges, vote, feedbackKey: "polite", passAt: 1 });

it("a jury needs a calibration with its vote", async () => {
  const unanimous = await calibrated(juryBy("unanimous"));
  expect(unanimous.judge).toMatchObject({ judges: [3], samples: [1], voteRules: ["unanimous"] });
  await run(juryBy("unanimous"), unanimous);
  expect(await problemOf(juryBy("majority"), unanimous)).toBe(
    `${ANOTHER}it is of a unanimous vote, and a majority vote scored 2 of 2 results. ${ADVICE}`,
  );
  expect(await problemOf(juryBy("median"), await calibrated(juryBy("mean")))).toBe(
    `${ANOTHER}it is of a mean vote, and a median vote scored 2 of 2 results. ${ADVICE}`,
  );
});

it("several samples of a judge are one judge, and need a calibration with as many", async () => {
  const ofThree = await calibrated(sampled(3));
  expect(ofThree.judge).toMatchObject({
    models: ["gpt-5.4"],
    judges: [1],
    samples: [3],
    voteRules: ["majority"],
  });
  await run(sampled(3), ofThree);
  expect(await problemOf(sampled(5), ofThree)).toBe(
    `${ANOTHER}it is of 3 samples, and 5 samples scored 2 of 2 results. ${ADVICE}`,
  );
  expect(await problemOf(sampled(1), ofThree)).toBe(
    `${ANOTHER}it is of 3 samples, and one sample scored 2 of 2 results. ${ADVICE}`,
  );
  expect(await problemOf(sampled(3), await calibrated(sampled(1)))).toContain("it is of one sample, and 3");
});

it("the rule of samples is compared where prompts do not tell them apart", async () => {
  const rated = (continuous: boolean) =>
    sampled(3, {
      prompt: () => [{ role: "user", content: "Is it polite?" }],
      judge: () => ({ score: continuous ? 1 : true }),
      continuous,
    });
  expect(await problemOf(rated(true), await calibrated(rated(false)))).toContain(
    "it is of a majority vote, and a mean vote scored",
  );
});

it("a jury needs a calibration with the samples of its judges, also if one of them failed", async () => {
  const jury = (samples: number, isDown = false) => {
    const judge = () => {
      if (isDown) throw new Error("down");
      return { score: true };
    };
    return juryBy("majority", [politeBy("a"), politeBy("b"), sampled(samples, { judge })]);
  };
  const report = await calibrated(jury(3));
  expect(report.judge).toMatchObject({ judges: [3], samples: [1, 3], voteRules: ["majority"] });
  await run(jury(3, true), report);
  expect(await problemOf(jury(5), report)).toContain("it is of one sample and 3 samples, and 5 samples");
});

it("RAG metrics need a calibration with as many samples, and rows without a score do not count", async () => {
  const claims = { "Please.": ["Please."], "Hello!": [] };
  const { judge } = scripted({ claims, support: { "Please.": ["Please."] } });
  const faithful = (samples: number) =>
    faithfulness({ judge, model: "gpt-5.4", samples, feedbackKey: "polite" });
  const rows = {
    data: Object.keys(claims).map((outputs) => ({ outputs, metadata: { context: "Please." } })),
  };
  const data = rows.data.map((row) => ({ ...row, human: true }));
  const report = await calibrate(faithful(3), { data, label: "human" });
  expect(report.judge).toMatchObject({ samples: [3], voteRules: ["mean"] });
  await run(faithful(3), report, rows);
  expect(await problemOf(faithful(2), report, rows)).toContain(
    "it is of 3 samples, and 2 samples scored 1 of 1",
  );
});

it("reports and results of earlier versions are compared by what they have", async () => {
  const { judge, ...report } = await calibrated(juryBy("unanimous"));
  const { models, prompts, judges } = judge!;
  await run(juryBy("majority"), { ...report, judge: { models, prompts, judges } } as CalibrationReport);
  const older = await run(juryBy("majority"));
  for (const { evaluationResults } of older.rows) delete evaluationResults[0]?.metadata?.voteRule;
  const calibration = { polite: { ...report, judge } } as EvaluateOptions["calibration"];
  expect((await compareExperiments(older, older, { calibration })).polite).toHaveProperty("corrected");
  const sampledBefore = await run(sampled(5));
  for (const { evaluationResults } of sampledBefore.rows) delete evaluationResults[0]?.metadata?.voteRule;
  const ofThree = { polite: await calibrated(sampled(3)) };
  await compareExperiments(sampledBefore, sampledBefore, { calibration: ofThree });
});

it("a calibration of G-Eval is refused for other criteria, steps or ranges", async () => {
  const rated = (options: Partial<GEvalOptions>) =>
    createGEval({
      criteria: "Politeness.",
      feedbackKey: "polite",
      judge: ({ schema }) =>
        JSON.stringify(schema).includes('"steps"') ? { steps: ["Look for please."] } : { score: 5 },
      samples: 1,
      useReasoning: false,
      passAt: 0.5,
      ...options,
    });
  const report = await calibrated(rated({}));
  expect(report.judge?.prompts).toEqual([expect.stringMatching(/^[0-9a-f]{8}$/)]);
  await run(rated({}), report);
  for (const changed of [
    { criteria: "Kindness." },
    { steps: ["Look for kindness."] },
    { range: [0, 5] },
  ] as const)
    expect((await errorOf(run(rated(changed as Partial<GEvalOptions>), report))).code).toBe("invalid_config");
});

it("prompts that are written for each row do not identify a judge", async () => {
  const perRow = ({ outputs }: { outputs: string }) =>
    politeBy("gpt-5.4", `${outputs} {outputs}`)({ outputs });
  const data = Array.from({ length: 11 }, (_, row) => ({ outputs: `${row}, please`, human: true }));
  const report = await calibrate(perRow, { data, label: "human" });
  expect(report.judge).toMatchObject({ models: ["gpt-5.4"], prompts: [] });
  await run(perRow, report);
});

it("merged and compared experiments are checked, too", async () => {
  const report = await calibrated();
  const partsOf = (judge: ReturnType<typeof politeBy>) =>
    Promise.all([1, 2].map((index) => run(judge, report, { shard: { index, count: 2 } })));
  const { aggregates } = await mergeExperiments(await partsOf(politeBy("gpt-5.4")));
  expect(aggregates.polite).toHaveProperty("corrected");
  const error = await errorOf(mergeExperiments(await partsOf(politeBy("gpt-5.4-mini"))));
  expect(error.message).toContain('The calibration of "polite" is of another judge');
  const [same, other] = [await run(politeBy("gpt-5.4")), await run(politeBy("gpt-5.4-mini"))];
  const calibration = { polite: report };
  expect((await compareExperiments(same, same, { calibration })).polite).toHaveProperty("corrected");
  expect((await errorOf(compareExperiments(same, other, { calibration }))).code).toBe("invalid_config");
});
