/** Options with a typing error: each function that takes options refuses them, and suggests the right name. */

import * as main from "openevals-wasm";
import * as agents from "openevals-wasm/agents";
import * as checks from "openevals-wasm/checks";
import { createE2BExecutionEvaluator, createE2BTypeScriptEvaluator } from "openevals-wasm/code/e2b";
import {
  createE2BPyrightEvaluator,
  createMypyEvaluator,
  createPyrightEvaluator,
} from "openevals-wasm/code/python";
import { createTypeScriptEvaluator } from "openevals-wasm/code/typescript";
import * as evaluation from "openevals-wasm/evaluation";
import * as harness from "openevals-wasm/harness";
import * as interop from "openevals-wasm/interop";
import * as autoevals from "openevals-wasm/interop/autoevals";
import * as judges from "openevals-wasm/judges";
import * as otel from "openevals-wasm/otel";
import * as recipes from "openevals-wasm/recipes";
import * as retrieval from "openevals-wasm/retrieval";
import * as text from "openevals-wasm/text";
import { expect, test } from "vitest";

const judge = async () => ({ score: true });

/** A function with options, the right name of one, and a call with that option misspelt. */
type Row = [name: string, meant: string, call: () => unknown];

/** The word with its last two letters swapped. */
const misspelt = (word: string): string => `${word.slice(0, -2)}${word.at(-1)}${word.at(-2)}`;
const wrong = (meant: string, more: object = {}): any => ({ ...more, [misspelt(meant)]: undefined });

/** Factories that take their options as the only argument. */
const ofOptions = (module: object, meant: string, names: readonly string[]): Row[] =>
  names.map((name) => [name, meant, () => (module as Record<string, any>)[name](wrong(meant))]);

const ROWS: Row[] = [
  ...ofOptions(agents, "passAt", ["createToolPolicy", "stepStatus"]),
  ...ofOptions(agents, "minRepeats", ["loops"]),
  ["recordTools", "mode", () => harness.recordTools({}, wrong("mode", { file: "a" }))],
  ["withFaults", "failRate", () => harness.withFaults({}, wrong("failRate"))],
  ...ofOptions(agents, "tools", ["createFunctionCallEvaluator", "createArgumentCheck", "replay"]),
  ...ofOptions(agents, "toolArgsMatchMode", ["createToolCallMetrics"]),
  ...ofOptions(agents, "tolerance", ["createStateMatch"]),
  ...ofOptions(agents, "basis", ["createTauReward"]),
  ...ofOptions(agents, "extraHandoffs", ["createHandoffCheck"]),
  ...ofOptions(agents, "instructions", [
    "createGoalAccuracy",
    "createTaskCompletion",
    "createStepEfficiency",
    "createConversationJudges",
  ]),
  ...ofOptions(main, "passAt", [
    "createEmbeddingSimilarityEvaluator",
    "createLevenshteinEvaluator",
    "createTrajectoryMatchEvaluator",
    "createJsonMatchEvaluator",
  ]),
  ...ofOptions(main, "trajectoryMatchMode", ["createTrajectoryMatchEvaluator"]),
  ...ofOptions(main, "graphTrajectoryMatchMode", ["createGraphTrajectoryMatchEvaluator"]),
  ["createLLMAsJudge", "model", () => main.createLLMAsJudge(wrong("model", { prompt: "?" }))],
  ["createCodeLLMAsJudge", "model", () => main.createCodeLLMAsJudge(wrong("model", { prompt: "?" }))],
  ["createTrajectoryLLMAsJudge", "model", () => main.createTrajectoryLLMAsJudge(wrong("model"))],
  ["createGraphTrajectoryLLMAsJudge", "model", () => main.createGraphTrajectoryLLMAsJudge(wrong("model"))],
  ["createLLMSimulatedUser", "system", () => main.createLLMSimulatedUser(wrong("system"))],
  ["createBrowserModel", "signal", () => main.createBrowserModel(wrong("signal"))],
  ["initChatModel", "temperature", () => main.initChatModel("ollama:llama3.3", wrong("temperature"))],
  [
    "initEmbeddings",
    "maxRetries",
    () => main.initEmbeddings("openai:text-embedding-3-small", wrong("maxRetries")),
  ],
  ["runMultiturnSimulation", "maxTurns", () => main.runMultiturnSimulation(wrong("maxTurns"))],
  ["createJury", "judges", () => judges.createJury(wrong("judges"))],
  ["createGEval", "criteria", () => judges.createGEval(wrong("criteria"))],
  ["createPairwiseJudge", "model", () => judges.createPairwiseJudge(wrong("model", { prompt: "?" }))],
  ["calibrate", "threshold", () => (judges.calibrate as any)([], wrong("threshold"))],
  ["correctRate", "calibration", () => (judges.correctRate as any)(wrong("calibration"))],
  [
    "CheckCriteriaEvaluator",
    "judge",
    () => new recipes.CheckCriteriaEvaluator(wrong("judge", { criteria: ["it"] })),
  ],
  ["ClaimVerificationEvaluator", "judge", () => new recipes.ClaimVerificationEvaluator(wrong("judge"))],
  ["GuidanceEvaluator", "judge", () => new recipes.GuidanceEvaluator(wrong("judge"))],
  ["PreferenceAdherenceEvaluator", "judge", () => new recipes.PreferenceAdherenceEvaluator(wrong("judge"))],
  ["ToolUsageEvaluator", "judge", () => new recipes.ToolUsageEvaluator(wrong("judge"))],
  ["toAutoevals", "missing", () => interop.toAutoevals(judge, wrong("missing"))],
  ["fromAutoevals", "passAt", () => interop.fromAutoevals(judge, wrong("passAt"))],
  ["toVitestEvalsJudge", "passAt", () => interop.toVitestEvalsJudge(judge, wrong("passAt"))],
  ["toMastraScorer", "createScorer", () => interop.toMastraScorer(judge, wrong("createScorer"))],
  ["init", "client", () => autoevals.init(wrong("client"))],
  [
    "LLMClassifierFromTemplate",
    "choiceScores",
    () => autoevals.LLMClassifierFromTemplate(wrong("choiceScores")),
  ],
  ["createTypeScriptEvaluator", "codeExtractor", () => createTypeScriptEvaluator(wrong("codeExtractor"))],
  ["createMypyEvaluator", "codeExtractor", () => createMypyEvaluator(wrong("codeExtractor"))],
  ["createPyrightEvaluator", "codeExtractor", () => createPyrightEvaluator(wrong("codeExtractor"))],
  ["createE2BPyrightEvaluator", "sandbox", () => createE2BPyrightEvaluator(wrong("sandbox"))],
  ["createE2BTypeScriptEvaluator", "sandbox", () => createE2BTypeScriptEvaluator(wrong("sandbox"))],
  ["createE2BExecutionEvaluator", "sandbox", () => createE2BExecutionEvaluator(wrong("sandbox"))],
  ["createResultExporter", "resource", () => otel.createResultExporter(wrong("resource"))],
  ["online", "baseline", () => otel.online([judge], wrong("baseline"))],
  ["evaluate", "maxConcurrency", () => evaluation.evaluate(judge, wrong("maxConcurrency", { data: [] }))],
  ["evaluateComparative", "evaluators", () => evaluation.evaluateComparative([] as any, wrong("evaluators"))],
  [
    "compareExperiments",
    "correction",
    () => evaluation.compareExperiments({} as any, {} as any, wrong("correction")),
  ],
  ["compareMatrix", "clusterBy", () => evaluation.compareMatrix([], wrong("clusterBy"))],
  ["formatMatrix", "color", () => evaluation.formatMatrix([], [], wrong("color"))],
  ["planExperiment", "power", () => evaluation.planExperiment(wrong("power"))],
  ["sliceExperiment", "clusterBy", () => evaluation.sliceExperiment({} as any, wrong("clusterBy"))],
  ["formatExperiment", "color", () => evaluation.formatExperiment({} as any, wrong("color"))],
  [
    "startEvaluatorWorkers",
    "timeoutMs",
    () => (evaluation.startEvaluatorWorkers as any)(() => {}, wrong("timeoutMs")),
  ],
  ...ofOptions(checks, "negate", ["validJson", "validXml", "validHtml", "validSql", "noRefusal"]),
  ["contains", "ignoreCase", () => (checks.contains as any)("x", wrong("ignoreCase"))],
  ["containsAny", "ignoreCase", () => (checks.containsAny as any)(["x"], wrong("ignoreCase"))],
  ["matches", "negate", () => checks.matches(/x/, wrong("negate"))],
  ["noPII", "kinds", () => checks.noPII(wrong("kinds"))],
  [
    "weighted",
    "passAt",
    () => checks.weighted([{ evaluator: checks.validJson(), weight: 1 }], wrong("passAt")),
  ],
  ["guard", "onFail", () => checks.guard("", [checks.validJson()], wrong("onFail"))],
  ...ofOptions(
    text,
    "passAt",
    Object.keys(text).filter((name) => /^create.*Evaluator$/.test(name)),
  ),
  ...ofOptions(
    retrieval,
    "passAt",
    Object.keys(retrieval).filter((name) => /^create.*Evaluator$/.test(name)),
  ),
];

test.each(ROWS)("%s suggests %s", async (_name, meant, call) => {
  await expect((async () => call())()).rejects.toMatchObject({
    code: "invalid_config",
    message: expect.stringContaining(`has no option "${misspelt(meant)}"; did you mean ${meant}?`),
  });
});

test("every factory has a row", () => {
  const modules = { ...main, ...checks, ...judges, ...retrieval, ...text };
  const factories = Object.keys(modules).filter((name) => /^create/.test(name));
  const tested = ROWS.map(([name]) => name);
  expect(factories.filter((name) => !tested.includes(name))).toEqual([]);
});

test("a name that is close to none lists the options", async () => {
  expect(() => main.createLLMAsJudge({ prompt: "?", colour: "red" } as any)).toThrow(
    /has no option "colour"; it has prompt, feedbackKey, model, .*\.$/,
  );
});

test.each<[object, string]>([
  [{ judges: { cacheMode: "replai" } }, 'cacheMode is "replai"; did you mean "replay"?'],
  [{ judges: { mode: "Batch" } }, 'mode is "Batch"; did you mean "batch"?'],
  [{ output: { resume: "faild" } }, 'resume is "faild"; did you mean "failed"?'],
  [{ output: { resume: "again" } }, 'resume is "again"; it has to be true, false or "failed".'],
  [{ judges: { cachMode: "replay" } }, 'evaluate.judges has no option "cachMode"; did you mean cacheMode?'],
  [{ concurrency: 4 }, 'evaluate has no option "concurrency"; did you mean maxConcurrency?'],
  [{ repetitions: 3 }, 'evaluate has no option "repetitions"; did you mean numRepetitions?'],
  [{ dataset: [] }, 'evaluate has no option "dataset"; did you mean data?'],
  [{ prefix: "a" }, 'evaluate has no option "prefix"; did you mean experimentPrefix?'],
  [{ mapInptus: () => ({}) }, 'evaluate has no option "mapInptus"; did you mean mapInputs?'],
])("evaluate suggests values and names in groups: %j", async (options, message) => {
  const asked = { data: [{ inputs: 1 }], evaluators: [], ...options };
  await expect(evaluation.evaluate(undefined, asked as never)).rejects.toMatchObject({
    code: "invalid_config",
    message,
  });
});

test("a part of a name suggests an option that is there", async () => {
  expect(() => evaluation.defineExperiment({ dataset: [], evaluators: [] } as never)).toThrow(
    'The experiment has no option "dataset"; did you mean data?',
  );
  const compare = (options: object) => evaluation.evaluateComparative([], options as never);
  await expect(compare({ concurrency: 2 })).rejects.toThrow(
    'no option "concurrency"; did you mean maxConcurrency?',
  );
  await expect(compare({ dataset: [] })).rejects.toThrow('no option "dataset"; it has ');
});
