/** Every evaluator of the package that needs no model, and judges whose model is a function, with rows to score. */

import * as main from "openevals-wasm";
import * as agents from "openevals-wasm/agents";
import * as checks from "openevals-wasm/checks";
import * as retrieval from "openevals-wasm/retrieval";
import * as text from "openevals-wasm/text";

const said = {
  outputs: "The cat sat on the mat, 7 times.",
  referenceOutputs: "The cat sat on a mat, 7 times.",
};
const numbers = { outputs: "It is 42.", referenceOutputs: 42 };
const json = { outputs: '{"a": 1}', referenceOutputs: { a: 1 } };
const ranking = { outputs: ["a", "b", "c"], referenceOutputs: ["a", "c"] };
const talk = (query: string) => [
  { role: "user", content: "Weather?" },
  {
    role: "assistant",
    content: "",
    tool_calls: [
      { id: "1", type: "function", function: { name: "weather", arguments: `{"query":"${query}"}` } },
    ],
  },
  { role: "tool", tool_call_id: "1", content: "12 degrees" },
  { role: "assistant", content: "12 degrees." },
];
const trajectory = { outputs: talk("Oslo"), referenceOutputs: talk("Bergen") };
const graph = {
  outputs: { results: [{}], steps: [["a"]] },
  referenceOutputs: { results: [{}], steps: [["b"]] },
};
const telemetry = {
  ...said,
  metadata: { latencyMs: 10, usage: { inputTokens: 3, outputTokens: 2 }, model: "m" },
};

export interface Case {
  name: string;
  evaluator: any;
  row: Record<string, unknown>;
}

const row = (name: string, evaluator: unknown, row: Record<string, unknown>): Case => ({
  name,
  evaluator,
  row,
});

/** Those that are exported ready to use: they have `batch`, and no type in the package lists them. */
const ready = (module: object, given: Record<string, unknown>): Case[] =>
  Object.entries(module).flatMap(([name, evaluator]) =>
    typeof evaluator === "function" && "batch" in evaluator ? [row(name, evaluator, given)] : [],
  );
const isTrajectory = ({ name }: Case) => /^trajectory/.test(name);
const isGraph = ({ name }: Case) => /^graph/.test(name);

/** The checks, by the names of their makers. */
const CHECKS: Record<string, Case> = {
  contains: row("contains", checks.contains("cat"), said),
  containsAll: row("containsAll", checks.containsAll(["cat", "dog"]), said),
  containsAny: row("containsAny", checks.containsAny(["cat", "dog"]), said),
  startsWith: row("startsWith", checks.startsWith("A"), said),
  equalsNumber: row("equalsNumber", checks.equalsNumber(), numbers),
  jsonSchema: row("jsonSchema", checks.jsonSchema({ type: "object", required: ["b"] }), json),
  validJson: row("validJson", checks.validJson(), json),
  language: row("language", checks.language("en", { detect: () => "no" }), said),
  length: row("length", checks.length({ max: 10 }), said),
  validHtml: row("validHtml", checks.validHtml(), { outputs: "<p>Yes</p>" }),
  validSql: row("validSql", checks.validSql(), { outputs: "SELECT 1" }),
  validXml: row("validXml", checks.validXml(), { outputs: "<p>Yes" }),
  matches: row("matches", checks.matches(/cat/), said),
  cost: row("cost", checks.cost({ max: 1, prices: { m: { input: 1, output: 1 } } }), telemetry),
  latency: row("latency", checks.latency({ max: 5 }), telemetry),
  noPII: row("noPII", checks.noPII(), { outputs: "Write to a@example.com" }),
  noRefusal: row("noRefusal", checks.noRefusal(), said),
  allOf: row("allOf", checks.allOf([checks.contains("cat"), checks.contains("dog")]), said),
  anyOf: row("anyOf", checks.anyOf([checks.contains("cat"), checks.contains("dog")]), said),
  not: row("not", checks.not(checks.contains("cat")), said),
  firstFailing: row("firstFailing", checks.firstFailing([checks.contains("cat")]), said),
  unless: row("unless", checks.unless(checks.contains("dog"), main.levenshteinDistance), said),
  weighted: row("weighted", checks.weighted([{ evaluator: main.levenshteinDistance, weight: 1 }]), said),
};

/** The exports of `openevals-wasm/checks` that are not makers of checks. */
const OTHER_EXPORTS = ["guard"];
export const missingChecks = Object.keys(checks).filter(
  (name) => !Object.hasOwn(CHECKS, name) && !OTHER_EXPORTS.includes(name),
);

const judge = () => ({ score: true, reasoning: "It is." });
const toxic = { prompt: "Toxic? {outputs}", judge, feedbackKey: "toxic", lowerIsBetter: true };

export const CASES: Case[] = [
  ...ready(main, said).filter((one) => !isTrajectory(one) && !isGraph(one)),
  ...ready(main, trajectory).filter(isTrajectory),
  ...ready(main, graph).filter(isGraph),
  ...ready(text, said),
  ...ready(retrieval, ranking),
  ...Object.values(CHECKS),
  row("precision at 2", retrieval.createPrecisionAtKEvaluator({ k: 2 }), ranking),
  row("JSON match of keys", main.createJsonMatchEvaluator(), {
    outputs: { a: 1, b: 2 },
    referenceOutputs: { a: 1, b: 3 },
  }),
  row("JSON match", main.createJsonMatchEvaluator({ aggregator: "average" }), {
    outputs: { a: 1, b: 2 },
    referenceOutputs: { a: 1, b: 3 },
  }),
  row("embeddings", main.createEmbeddingSimilarityEvaluator({ embeddings: (t) => [t.length, 40] }), said),
  row("trajectory f1", main.createTrajectoryMatchEvaluator({ scoring: "f1" }), trajectory),
  row("tool policy", agents.createToolPolicy({ maxSteps: 0, scoring: "share" }), trajectory),
  row("loops", agents.loops(), trajectory),
  row("step status", agents.stepStatus(), trajectory),
  row("a judge", main.createLLMAsJudge({ prompt: "Good? {outputs}", judge }), said),
  row("a judge of toxicity", main.createLLMAsJudge(toxic), said),
  row(
    "a judge with choices",
    main.createLLMAsJudge({ prompt: "How good? {outputs}", choices: [1, 3, 5], judge: () => ({ score: 3 }) }),
    said,
  ),
];
