/**
 * Our recipes beside Microsoft's, on the same conversations and the same answers of a model: `run.py` has
 * written the results of the original, and `differences.ts` has the intended differences.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { type EvaluationName, type EvaluationOutput, evaluate } from "openevals-wasm/recipes";
import { describe, expect, it } from "vitest";
import { recorded } from "../asked.ts";
import { type Script, scripted } from "../gold-set-scripts.ts";
import { type Case, DIFFERENCES, type Result } from "./differences.ts";

interface Conversation extends Pick<Case, "messages" | "tools"> {
  name: string;
  evaluations: Partial<Record<EvaluationName, { script?: Script; config?: object }>>;
}

const lines = (file: string): string[] =>
  readFileSync(new URL(file, import.meta.url), "utf8")
    .trimEnd()
    .split("\n");
const TEXTS = lines("conversations.jsonl");
const CONVERSATIONS: Conversation[] = TEXTS.map((text) => JSON.parse(text));
const RESULTS: { name: string; sha256: string; original: Record<string, Result> }[] = lines(
  "results.jsonl",
).map((text) => JSON.parse(text));
const ORIGINAL = new Map(RESULTS.map(({ name, original }) => [name, original]));

const CASES = CONVERSATIONS.flatMap(({ name: conversation, messages, tools, evaluations }) =>
  Object.entries(evaluations).map(([name, { script, config = {} }]): [string, Case] => [
    `${conversation}: ${name}`,
    { conversation, name: name as EvaluationName, messages, tools, config, script },
  ]),
);

const originalOf = ({ conversation, name }: Case) => ORIGINAL.get(conversation)?.[name] as Result;

/** Our expected result, and its differences from the original. */
function expectedOf(evaluated: Case): { expected: Result; differing: string[] } {
  let expected = originalOf(evaluated);
  const differing: string[] = [];
  for (const { about, applies, ours } of DIFFERENCES) {
    if (expected.error || !applies(evaluated, expected)) continue;
    const before = JSON.stringify(expected);
    expected = ours(expected, evaluated);
    if (JSON.stringify(expected) !== before) differing.push(about);
  }
  return { expected, differing };
}

/** Our result, in the form of the original's results. */
async function resultOf({ name, messages, tools, config, script }: Case): Promise<Result> {
  const { model, asked } = recorded(script ? scripted(name, script) : () => "I would rather not say.");
  const [output] = await evaluate({
    messages,
    tools,
    evaluations: [name],
    evaluationConfigs: { [name]: { ...config, model } },
  });
  const { applicable, score, feedback, metadata, error } = output as EvaluationOutput & { error?: any };
  if (error) return { error: error.code };
  const result: Result = { applicable, score: Math.round(score * 1e9) / 1e9, calls: asked.length };
  if (feedback !== undefined) result.feedback = namesIn(feedback, name);
  if (name === "claim_verification") {
    const counts = COUNTS.map(([theirs, ours]) => [theirs, metadata[ours]]);
    result.counts = Object.fromEntries(counts);
  }
  return result;
}

/** The counts of claim verification, in both packages. */
const COUNTS = [
  ["total_claims", "totalClaims"],
  ["num_closed_domain_supported", "numClosedDomainSupported"],
  ["num_open_domain_claims", "numOpenDomainClaims"],
  ["total_claims_closed_domain", "totalClaimsClosedDomain"],
] as const;

/**
 * The names in a feedback; for tools, only those that should have been called, since the original does not
 * name the others.
 */
function namesIn(feedback: string, name: EvaluationName): string[] {
  const [missed = ""] = feedback.split("These tools should not have been called:");
  const inside = new RegExp(`<${TAGS[name]}>(.*?)</`, "g");
  return [...missed.matchAll(inside)].map(([, named]) => named as string).sort();
}

const TAGS: Partial<Record<EvaluationName, string>> = {
  check_criteria: "criterion",
  claim_verification: "sentence",
  preference_adherence: "preference",
  tool_usage: "tool",
};

describe("has the same results as the original, but for the listed differences", () => {
  it.each(CASES)("%s", async (_, evaluated) => {
    const { expected, differing } = expectedOf(evaluated);
    const { calls, ...result } = await resultOf(evaluated);
    const { calls: wanted, ...rest } = expected;
    expect(result, differing.join("; ")).toEqual(rest);
    // The questions about claims differ, but there are never more than in the original.
    if (evaluated.name === "claim_verification") expect(calls ?? 0).toBeLessThanOrEqual(wanted ?? 0);
    else expect(calls).toBe(wanted);
  });
});

describe("the conversations", () => {
  it("are at least 60, and have all evaluations of the original", () => {
    expect(CONVERSATIONS.length).toBeGreaterThanOrEqual(60);
    const counts: Record<string, number> = {};
    for (const [, { name }] of CASES) counts[name] = (counts[name] ?? 0) + 1;
    expect(Object.keys(counts).sort()).toEqual([
      "check_criteria",
      "claim_verification",
      "guidance",
      "preference_adherence",
      "tool_usage",
    ]);
    expect(Math.min(...Object.values(counts))).toBeGreaterThanOrEqual(10);
  });

  it("are those that the original was run on", () => {
    const digests = TEXTS.map((text) => createHash("sha256").update(text).digest("hex").slice(0, 16));
    expect(RESULTS.map(({ sha256 }) => sha256)).toEqual(digests);
    expect(RESULTS.map(({ name }) => name)).toEqual(CONVERSATIONS.map(({ name }) => name));
  });

  it("show every difference, and mostly none", () => {
    const differing = CASES.map(([, evaluated]) => expectedOf(evaluated).differing);
    expect(new Set(differing.flat())).toEqual(new Set(DIFFERENCES.map(({ about }) => about)));
    expect(differing.filter((names) => !names.length).length).toBeGreaterThan(CASES.length / 2);
  });
});
