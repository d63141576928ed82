/** Experiments as tests, in the frameworks themselves. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { levenshteinDistance } from "openevals-wasm";
import { describeEval } from "openevals-wasm/vitest";
import { expect, test } from "vitest";
import { lines, projectOf } from "../cli/project.ts";
import { type Reported, runJest, runVitest } from "./run-tests.ts";

const config = { "vitest.config.ts": 'export default { test: { include: ["*.cases.ts"] } };' };

/** The outcome of each test, and the reason of a failure. */
const told = ({ testResults }: Reported) =>
  Object.fromEntries(
    testResults.flatMap(({ assertionResults }) =>
      assertionResults.map(({ fullName, status, failureMessages }) => [
        fullName,
        status === "failed"
          ? failureMessages[0]!.replace(/^(?:Assertion)?Error: /, "").split("\n    at ")[0]
          : status,
      ]),
    ),
  );

const CAPITALS = `
  import { exactMatch, levenshteinDistance } from "openevals-wasm";
  import { describeEval } from "openevals-wasm/vitest";

  const answers = { France: "Paris", Peru: "Cusco" };
  const target = async (country: string) => {
    if (!(country in answers)) throw new Error("no network");
    return answers[country];
  };
  describeEval("strict", {
    data: [
      { inputs: "France", referenceOutputs: "Paris" },
      { id: "peru", inputs: "Peru", referenceOutputs: "Lima" },
      { inputs: "Kenya", referenceOutputs: "Nairobi" },
    ],
    target,
    evaluators: [exactMatch],
    maxConcurrency: 4,
  });
  describeEval("of a file", {
    data: "rows.jsonl",
    evaluators: [exactMatch, levenshteinDistance],
    passAt: { levenshtein_distance: 0.7 },
    failUnder: { exact_match: 0.9 },
  });
  let runs = 0;
  const seldom = ({ outputs }) => ({ key: "toxicity", score: runs++ % 3 === 2, comment: "It swears at " + outputs });
  describeEval("repeated", {
    data: [{ id: "often", inputs: "France" }, { id: "always", inputs: "Peru" }],
    target,
    evaluators: [seldom, () => ({ key: "nothing", applicable: false })],
    numRepetitions: 3,
    eachAtLeast: 0.6,
    lowerIsBetter: ["toxicity"],
    failOver: { none: 1 },
  });
  describeEval("strictly repeated", {
    data: [{ id: "often", inputs: "France" }],
    target,
    evaluators: [seldom],
    numRepetitions: 3,
    lowerIsBetter: ["toxicity"],
  });
  describeEval("failed and low", {
    data: [{ inputs: "France", referenceOutputs: "Lyon" }, { inputs: "Kenya", referenceOutputs: "Nairobi" }],
    target,
    evaluators: [exactMatch],
    failUnder: { exact_match: 0.9 },
    eachAtLeast: 0,
  });
  describeEval("wrong", { data: [{ inputs: "France" }], target, evaluators: [exactMatch], maxConcurency: 4 } as any);
  describeEval.skip("skipped", { data: [{ inputs: "Kenya" }], target, evaluators: [exactMatch] });
`;

test("a missing file of data is reported with the name of the experiment", async () => {
  const cases = `
    import { exactMatch } from "openevals-wasm";
    import { describeEval } from "openevals-wasm/vitest";
    describeEval("capitals", { data: "nope.jsonl", target: (n: unknown) => n, evaluators: [exactMatch] });
  `;
  const folder = await projectOf({ ...config, "a.cases.ts": cases }, ["vitest"]);
  const { testResults, output } = await runVitest(folder, "a.cases.ts");
  expect(testResults[0]!.message, output).toContain("capitals: There is no file nope.jsonl (in ");
});

test("in Vitest, each row is a test with its own failure message", async () => {
  const folder = await projectOf(
    {
      ...config,
      "a.cases.ts": CAPITALS,
      "rows.jsonl": lines([
        { id: "near", inputs: "a", outputs: "kitten", referenceOutputs: "mitten" },
        { id: "far", inputs: "b".repeat(300), outputs: "kitten", referenceOutputs: "sitting" },
      ]),
    },
    ["vitest"],
  );
  const reported = await runVitest(folder, "a.cases.ts");
  expect(told(reported), reported.output).toEqual({
    "strict 1: France": "passed",
    "strict peru":
      'exact_match: the score is false, it should be true\n  outputs is "Cusco" instead of "Lima"\n\n' +
      'inputs: "Peru"\noutputs: "Cusco"\nreferenceOutputs: "Lima"',
    "strict 3: Kenya": 'The target failed: Error: no network\n\ninputs: "Kenya"\nreferenceOutputs: "Nairobi"',
    "strict totals": "exact_match has 1 error, but 0 are allowed (maxErrors).",
    "of a file near": "passed",
    "of a file far":
      "levenshtein_distance: the score is 0.5714285714285714, it should be at least 0.7\n\n" +
      `inputs: "${"b".repeat(199)}…\noutputs: "kitten"\nreferenceOutputs: "sitting"`,
    "of a file totals": "exact_match is 0.0%, below 90.0%.",
    "repeated often": "passed",
    "repeated always": "passed",
    "repeated totals":
      'There is a threshold for the key "none", which no result has; the keys are toxicity, nothing.',
    "strictly repeated often":
      "toxicity passes in 2 of 3 repetitions.\n\noften #3\ntoxicity: the score is true, it should be false\n" +
      '  It swears at Paris\n\ninputs: "France"\noutputs: "Paris"',
    "strictly repeated totals": "passed",
    "failed and low 1: France": "passed",
    "failed and low 2: Kenya": "skipped",
    "failed and low totals":
      "exact_match has 1 error, but 0 are allowed (maxErrors).\nexact_match is 0.0%, below 90.0%.",
    "wrong 1: France": expect.stringContaining(
      'describeEval "wrong": The experiment has no option "maxConcurency"; did you mean maxConcurrency?',
    ),
    "wrong totals": expect.stringContaining(
      'describeEval "wrong": The experiment has no option "maxConcurency"; did you mean maxConcurrency?',
    ),
    "skipped 1: Kenya": "skipped",
    "skipped totals": "skipped",
  });
  // The place is that of the call.
  const [failed] = reported.testResults[0]!.assertionResults.filter(({ status }) => status === "failed");
  expect(failed!.failureMessages[0]).toMatch(/\n {4}at .*a\.cases\.ts:10:3\)?(\n|$)/);
});

test("nothing measured does not pass, and a missing key is reported before the target runs", async () => {
  const folder = await projectOf(
    {
      ...config,
      "a.cases.ts": `
        import { appendFileSync } from "node:fs";
        import { createLLMAsJudge } from "openevals-wasm";
        import { describeEval } from "openevals-wasm/vitest";
        const data = [{ id: "a", inputs: "a" }];
        const target = (inputs: string) => appendFileSync("calls", inputs) ?? inputs;
        const judge = createLLMAsJudge({ prompt: "{outputs}", model: "openai:gpt-5.4", feedbackKey: "polite" });
        describeEval("no evaluators", { data, target: () => "b" });
        describeEval("not applicable", { data, target: () => "b", evaluators: [() => ({ key: "fits", applicable: false })] });
        describeEval("no key", { data, target, evaluators: [judge] });
      `,
    },
    ["vitest"],
  );
  const reported = await runVitest(folder, "a.cases.ts");
  const key = "polite: openai:gpt-5.4 needs a key: set OPENAI_API_KEY in the environment, or pass apiKey.";
  expect(told(reported), reported.output).toEqual({
    "no evaluators a": "skipped",
    "no evaluators totals":
      "Nothing was measured: no evaluator returned a result. Check `evaluators` and `summaryEvaluators`.",
    "not applicable a": "skipped",
    "not applicable totals": "Nothing was measured: no result is applicable.",
    "no key a": expect.stringContaining(key),
    "no key totals": expect.stringContaining(key),
  });
  await expect(readFile(join(folder, "calls"))).rejects.toThrow("ENOENT");
});

test("ids from map are the names of tests, also with a list", async () => {
  const cases = `
    import { exactMatch } from "openevals-wasm";
    import { describeEval } from "openevals-wasm/vitest";
    const data = [
      { tickets: [{ key: "T-1" }], question: "a", expected: "a" },
      { tickets: [{ key: "T-2" }], question: "b", expected: "c" },
      { tickets: [], question: "c", expected: "c" },
    ] as any[];
    const echo = { target: (text: string) => text, evaluators: [exactMatch] };
    const map = { inputs: "question", referenceOutputs: "expected" };
    describeEval("list", { ...echo, data, map: { ...map, id: "tickets.0.key" } });
    describeEval("stream", { ...echo, data: (async function* () { yield* data; })(), map: { ...map, id: "tickets.0.key" } });
    describeEval("brackets", { ...echo, data: data.slice(0, 1), map: { ...map, id: "tickets[0].key" } });
  `;
  const folder = await projectOf({ ...config, "a.cases.ts": cases }, ["vitest"]);
  const reported = await runVitest(folder, "a.cases.ts");
  const wrong =
    'map reads id from "tickets[0].key", which no row has; write the places of lists with dots: "tickets.0.key".';
  const failed = expect.stringContaining("exact_match: the score is false");
  expect(told(reported), reported.output).toEqual({
    ...{ "list T-1": "passed", "list T-2": failed, "list 3": "passed", "list totals": "passed" },
    ...{ "stream T-1": "passed", "stream T-2": failed, "stream 3": "passed", "stream totals": "passed" },
    ...{ "brackets 1": expect.stringContaining(wrong), "brackets totals": expect.stringContaining(wrong) },
  });
  const selected = await runVitest(folder, "a.cases.ts", {}, [], ["-t", "list 3"]);
  expect(told(selected)["list 3"], selected.output).toBe("passed");
});

/** The outcomes of the tests of an experiment with these rows, by id. */
async function toldOf(experiments: string) {
  const cases = `
    import { describeEval } from "openevals-wasm/vitest";
    const rows = (count: number) => Array.from({ length: count }, (_, i) => ({ id: String(i), inputs: i }));
    const target = (inputs: number) => inputs;
    const broken = () => { throw new Error("no network"); };
    ${experiments}
  `;
  const folder = await projectOf({ ...config, "a.cases.ts": cases }, ["vitest"]);
  const reported = await runVitest(folder, "a.cases.ts");
  return { outcomes: told(reported), output: reported.output };
}

test("rows that are not run are skipped", async () => {
  const { outcomes, output } = await toldOf(`
    describeEval("stopped", {
      data: rows(40), target, evaluators: [function ok({ inputs }) { return inputs < 30; }], stopWhen: { ok: { width: 0.3 } },
    });
    const ok = [function ok() { return true; }];
    describeEval("part", { data: rows(2), target, evaluators: ok, shard: { index: 1, count: 2 } } as any);
    describeEval("empty", { data: rows(1), target, evaluators: ok, shard: { index: 2, count: 2 } } as any);
    describeEval("aborted", { data: rows(1), target, evaluators: ok, signal: AbortSignal.abort("enough") });
  `);
  const stopped = Object.keys(outcomes).filter((name) => name.startsWith("stopped "));
  const of = (status: string) => stopped.filter((name) => outcomes[name] === status);
  expect(of("skipped").length, output).toBeGreaterThan(10);
  expect(of("passed").length + of("skipped").length).toBe(41);
  expect(outcomes["stopped 39"]).toBe("skipped");
  expect(outcomes).toMatchObject({
    "stopped totals": "passed",
    "part 0": "passed",
    "part 1": "skipped",
    "part totals": "passed",
    "empty 0": "skipped",
    "empty totals": "Shard 2 of 2 has no rows; there is nothing to score.",
    "aborted 0": expect.stringContaining("The experiment stopped before this row: "),
    "aborted totals": expect.stringContaining("The experiment stopped before the end: "),
  });
});

test.each([
  "",
  ", keepRows: false",
])("a resumed experiment tests the rows of the earlier run%s", async (more) => {
  const cases = `
    import { describeEval } from "openevals-wasm/vitest";
    describeEval("resumed", {
      data: ["a", "b"].map((id) => ({ id, outputs: id })),
      evaluators: [function isA({ outputs }) { return outputs === "a"; }],
      output: { sink: "kept.jsonl", resume: true${more} },
    });
  `;
  const folder = await projectOf({ ...config, "a.cases.ts": cases }, ["vitest"]);
  for (let run = 0; run < 2; run++) {
    const reported = await runVitest(folder, "a.cases.ts");
    expect(told(reported), reported.output).toEqual({
      "resumed a": "passed",
      "resumed b": expect.stringContaining("isA: the score is false, it should be true"),
      "resumed totals": "passed",
    });
  }
});

test("what fails in the program fails here", async () => {
  const { outcomes, output } = await toldOf(`
    const ok = function ok({ outputs }) { return outputs !== 0; };
    describeEval("target", { data: rows(2), target: broken, evaluators: [ok], maxErrors: 5 });
    describeEval("evaluator", { data: rows(2), target, evaluators: [function judge() { return broken(); }], maxErrors: 5 });
    let calls = 0;
    describeEval("seldom", {
      data: rows(1).map((row) => ({ ...row, inputs: 1 })), target: (inputs) => (calls++ ? broken() : inputs), evaluators: [ok],
      numRepetitions: 3, maxErrors: 2, eachAtLeast: 1,
    });
    describeEval("each", { data: rows(2), target, evaluators: [ok], failUnder: { ok: 0.5 }, eachAtLeast: 1 });
    let turns = 0;
    describeEval("rarely applicable", {
      data: rows(1), target, numRepetitions: 3, eachAtLeast: 0.6,
      evaluators: [function fits() { return ++turns < 3 ? { applicable: false } : false; }],
    });
    describeEval("summary", { data: rows(2), target, evaluators: [() => ({ key: "fine", score: 1 })], summaryEvaluators: [function f1() { return broken(); }] });
    describeEval("low summary", { data: rows(1), target, summaryEvaluators: [function f1() { return 0.5; }], failUnder: { f1: 0.8 } });
    describeEval("allowed", {
      data: rows(2), target: (inputs) => (inputs ? inputs : broken()), evaluators: [ok], maxErrors: 1,
    });
  `);
  const noNetwork = "The target failed: Error: no network";
  expect(outcomes, output).toEqual({
    "target 0": "skipped",
    "target 1": "skipped",
    "target totals":
      "Nothing was measured: the target failed on every row. The first failure: Error: no network",
    "evaluator 0": "skipped",
    "evaluator 1": "skipped",
    "evaluator totals": "judge has no scores.",
    "seldom 0":
      "ok passes in 1 of 3 repetitions.\n\n" +
      ["0 #2", "0 #3"].map((name) => `${name}\n${noNetwork}\n\ninputs: 1`).join("\n\n"),
    "seldom totals": "passed",
    "each 0": "ok: the score is false, it should be true\n\ninputs: 0\noutputs: 0",
    "each 1": "passed",
    "each totals": "passed",
    "rarely applicable 0":
      "fits passes in 0 of 1 repetitions.\n\n0 #3\nfits: the score is false, it should be true\n\ninputs: 0\noutputs: 0",
    "rarely applicable totals": "passed",
    "summary 0": "passed",
    "summary 1": "passed",
    "summary totals": "f1 failed: no network",
    "low summary 0": "skipped",
    "low summary totals": "f1 is 0.500, below 0.800.",
    "allowed 0": "skipped",
    "allowed 1": "passed",
    "allowed totals": "passed",
  });
});

test("a row passes only if a score could have failed it", async () => {
  const { outcomes, output } = await toldOf(`
    const grade = Object.assign(() => ({ key: "grade", score: 0 }), { feedbackKey: "grade", scale: { direction: "higher" } });
    const even = function even({ outputs }) { return outputs % 2 ? { applicable: false } : true; };
    const unscored = function unscored({ outputs }) { return outputs % 2 ? [] : true; };
    const options = { target, evaluators: [grade] };
    describeEval("unmarked", { ...options, data: rows(1) });
    describeEval("marked", { ...options, data: rows(1), passAt: { grade: 0.5 } });
    describeEval("of the mean", { ...options, data: rows(1), failUnder: { grade: 0.5 } });
    describeEval("each", { ...options, data: rows(1), failUnder: { grade: 0 }, eachAtLeast: 1 });
    describeEval("beside another", { data: rows(2), target, evaluators: [grade, even] });
    describeEval("without results", { data: rows(2), target, evaluators: [unscored], failUnder: { unscored: 0.5 } });
  `);
  const unmarked = "grade scored 0, and has no pass mark.\nNothing can fail this row. Set passAt";
  expect(outcomes, output).toEqual({
    "unmarked 0": `${unmarked}, or failUnder for the mean of all rows.`,
    "unmarked totals": "passed",
    "marked 0": "grade: the score is 0, it should be at least 0.5\n\ninputs: 0\noutputs: 0",
    "marked totals": "passed",
    "of the mean 0": "passed",
    "of the mean totals": "grade is 0.000, below 0.500.",
    "each 0": `${unmarked}.`,
    "each totals": "passed",
    "beside another 0": "passed",
    "beside another 1": "skipped",
    "beside another totals": "passed",
    "without results 0": "passed",
    "without results 1": "skipped",
    "without results totals": "passed",
  });
});

test("with -t, only those rows are evaluated whose tests are run", async () => {
  const folder = await projectOf(
    {
      ...config,
      "a.cases.ts": `
        import { appendFileSync } from "node:fs";
        import { describeEval } from "openevals-wasm/vitest";
        const rows = ["a", "b", "c"].map((id) => ({ id, inputs: id }));
        const target = (id: string) => appendFileSync("calls", id) ?? id;
        const evaluators = [() => ({ key: "fine", score: 1 })];
        describeEval("one", { data: (async function* () { yield* rows; })(), target, evaluators });
        describeEval("other", { data: rows, target, evaluators });
        describeEval("none", { data: [], target, evaluators });
      `,
    },
    ["vitest"],
  );
  const reported = await runVitest(folder, "a.cases.ts", {}, [], ["-t", "one b|other totals|none"]);
  const statuses = told(reported);
  expect(Object.keys(statuses).filter((name) => statuses[name] === "passed")).toEqual([
    "one b",
    "other totals",
  ]);
  expect(statuses["none totals"]).toBe("OpenEvalsError: The data has no rows.");
  expect(await readFile(join(folder, "calls"), "utf8")).toBe("babc");
});

test("with a sink, the totals and the reporter have all rows", async () => {
  const folder = await projectOf(
    {
      ...config,
      "a.cases.ts": `
        import { describeEval } from "openevals-wasm/vitest";
        const options = { data: ["a", "b"].map((id) => ({ id, outputs: id })), evaluators: [() => ({ key: "fine", score: 1 })] };
        describeEval("kept", { ...options, output: { sink: "kept.jsonl", overwrite: true } });
        describeEval("not kept", { ...options, output: { keepRows: false } });
      `,
    },
    ["vitest"],
  );
  const run = () => runVitest(folder, "a.cases.ts", {}, ["default", "openevals-wasm/vitest/reporter"]);
  const first = await run();
  expect(new Set(Object.values(told(first))), first.output).toEqual(new Set(["passed"]));
  expect(first.output).toMatch(/^a\.cases\.ts > kept {2}2 rows · /m);
  const { output, numPassedTests } = await run();
  expect(numPassedTests).toBe(6);
  // Without rows there is nothing to compare.
  expect(output.match(/^Since the last run/gm)).toHaveLength(1);
  expect(output).toMatch(/^a\.cases\.ts > not kept {2}2 rows · /m);
});

test("in Jest, the data is a list", async () => {
  const folder = await projectOf({
    "a.cases.cjs": `
      const { exactMatch } = require("openevals-wasm");
      const { describeEval } = require("openevals-wasm/vitest");
      const evaluators = [exactMatch];
      describeEval("list", {
        data: [{ id: "right", outputs: 1, referenceOutputs: 1 }, { id: "wrong", outputs: 1, referenceOutputs: 2 }],
        evaluators,
      });
      describeEval("unscored", { data: [{ id: "a", outputs: 1 }], evaluators: [() => []] });
      test("no files", () => {
        expect(() => describeEval("file", { data: "rows.jsonl", evaluators })).toThrow("has to be a list or an iterable");
      });
    `,
  });
  const reported = await runJest(folder, "a.cases.cjs");
  expect(told(reported), reported.output).toEqual({
    "list right": "passed",
    "list wrong": expect.stringContaining(
      "exact_match: the score is false, it should be true\n  outputs is 1 instead of 2",
    ),
    "list totals": "passed",
    "unscored a": expect.stringContaining(
      "No evaluator returned a result for this row. Only Vitest can skip a test that has started; elsewhere, such a test fails.",
    ),
    "unscored totals": expect.stringContaining("Nothing was measured"),
    "no files": "passed",
  });
  // Jest prints the message alone, not as a difference of values that it has not compared.
  expect(reported.output).not.toContain("Expected value");
});

test.each([
  [{ passAt: "0.5" }, 'passAt is "0.5"; it has to be a number, or a plain object of numbers, by key.'],
  [{ failUnder: { key: "1" } }, 'failUnder is {"key":"1"}; it has to be a plain object of numbers, by key.'],
  [{ passAt: new Map([["key", 1]]) }, "passAt is {}; it has to be a number, or a plain object of numbers"],
  [{ failUnder: new Map([["key", 1]]) }, "failUnder is {}; it has to be a plain object of numbers, by key."],
  [{ failOver: [1] }, "failOver is [1]; it has to be a plain object of numbers, by key."],
  [{ eachAtLeast: new Map([["key", 1]]) }, "eachAtLeast is {}; it has to be a number from 0 to 1."],
  [
    { evaluators: [levenshteinDistance], failOver: { levenshtein_distance: 90 } },
    'The mean of "levenshtein_distance" must not be above 90, but its scores are from 0 to 1. Write 0.9 for 90%.',
  ],
  [{ eachAtLeast: 2 }, "eachAtLeast is 2; it has to be a number from 0 to 1."],
])("rejects invalid options at once: %j", (options, message) => {
  expect(() => describeEval("any", { data: [], ...(options as object) })).toThrow(message);
});

test("what a terminal would act upon is escaped in names and failures", async () => {
  const { outcomes, output } = await toldOf(`
    describeEval("hostile", {
      data: [{ id: "x\\u001b]0;ROW\\u0007", inputs: 1 }],
      target,
      evaluators: [() => ({ key: "k\\u001b[2J", score: false, comment: "one\\ntwo\\u009b1m" })],
    });
  `);
  expect(outcomes, output).toMatchObject({
    "hostile x\\u001b]0;ROW\\u0007": expect.stringMatching(
      /^k\\u001b\[2J: the score is false, it should be true\n {2}one\n {2}two\\u009b1m\n/,
    ),
  });
});
