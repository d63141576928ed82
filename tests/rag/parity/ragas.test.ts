/** The arithmetic of Ragas 0.4.3, to 1e-6: its scores for random verdicts, which `cases.py` has written. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import * as rag from "openevals-wasm/rag";
import { describe, expect, it } from "vitest";
import { type RagScript, scripted } from "../judge.ts";

type Bits = (0 | 1)[];

interface Cases {
  faithfulness: { verdicts: Bits; score: number }[];
  context_recall: { verdicts: Bits; score: number }[];
  context_precision: { verdicts: Bits; usefulFor: "reference" | "outputs"; score: number }[];
  context_entity_recall: { reference: string[]; found: string[]; score: number }[];
  answer_relevancy: { vectors: Record<string, number[]>; noncommittal: Bits; score: number }[];
  factual_correctness: {
    answer: Bits;
    reference: Bits;
    mode: "precision" | "recall" | "f1";
    beta: number;
    score: number;
  }[];
  answer_correctness: {
    supported: number;
    wrong: number;
    missed: number;
    vectors: Record<string, number[]>;
    weights: [number, number];
    beta: number;
    score: number;
  }[];
  noise_sensitivity: {
    ofReference: Bits[];
    ofAnswer: Bits[];
    right: Bits;
    mode: "relevant" | "irrelevant";
    score: number;
  }[];
}

const cases: Cases = JSON.parse(
  gunzipSync(readFileSync(new URL("cases.json.gz", import.meta.url))).toString("utf8"),
);

/** Their tolerance: Ragas adds up to 1e-8 to denominators, and divides by them. */
const DIGITS = 6;
const CASES = 500;

/** The claims `a0`, `a1`, … with the texts that support them. */
const claimsOf = (prefix: string, verdicts: Bits, by: string) => {
  const claims = verdicts.map((_, index) => `${prefix}${index}`);
  const support = Object.fromEntries(
    verdicts.map((verdict, index) => [`${prefix}${index}`, verdict ? [by] : []]),
  );
  return { claims, support };
};

const of = async (script: RagScript, score: (judge: any) => Promise<rag.RagResult<any>>) =>
  (await score(scripted(script).judge)).score as number;

const ones = (verdicts: Bits) => verdicts.filter(Boolean).length;
const precise = (count: number, whole: number): Bits =>
  Array.from({ length: whole }, (_, i) => (i < count ? 1 : 0));

it("has 500 cases of each metric", () => {
  for (const list of Object.values(cases)) expect(list).toHaveLength(CASES);
});

it("faithfulness", async () => {
  for (const { verdicts, score } of cases.faithfulness) {
    const { claims, support } = claimsOf("a", verdicts, "c");
    const row = { outputs: "answer", context: ["c"], claims };
    expect(await of({ support }, (judge) => rag.faithfulness({ judge })(row))).toBeCloseTo(score, DIGITS);
  }
});

it("context recall", async () => {
  for (const { verdicts, score } of cases.context_recall) {
    const { claims: referenceClaims, support } = claimsOf("r", verdicts, "c");
    const row = { context: ["c"], referenceOutputs: "reference", referenceClaims };
    expect(await of({ support }, (judge) => rag.contextRecall({ judge })(row))).toBeCloseTo(score, DIGITS);
  }
});

it("context precision", async () => {
  for (const { verdicts, usefulFor, score } of cases.context_precision) {
    const context = verdicts.map((_, index) => `context ${index}`);
    const useful = context.filter((_, index) => verdicts[index]);
    const row = { inputs: "q", context, outputs: "answer", referenceOutputs: "reference" };
    const own = await of({ useful }, (judge) => rag.contextPrecision({ judge, usefulFor })(row));
    expect(own).toBeCloseTo(score, DIGITS);
  }
});

it("context entity recall, exact", async () => {
  for (const { reference, found, score } of cases.context_entity_recall) {
    const entities = { reference, context: found };
    const row = { context: ["context"], referenceOutputs: "reference" };
    const own = await of({ entities }, (judge) => rag.contextEntityRecall({ judge, exact: true })(row));
    expect(own).toBeCloseTo(score, DIGITS);
  }
});

it("answer relevancy, except that a negative mean is 0", async () => {
  let negative = 0;
  for (const { vectors, noncommittal, score } of cases.answer_relevancy) {
    const questions = noncommittal.map((flag, index) => [`q${index}`, flag] as const);
    const embeddings = (text: string) => vectors[text] as number[];
    const row = { inputs: "question", outputs: "answer" };
    const own = await of({ questions }, (judge) => rag.answerRelevancy({ judge, embeddings })(row));
    if (score < 0) negative++;
    expect(own).toBeCloseTo(Math.max(score, 0), DIGITS);
  }
  expect(negative).toBeGreaterThan(50);
});

describe("factual correctness", () => {
  const scoreOf = ({ answer, reference, mode, beta }: Cases["factual_correctness"][number]) => {
    const own = claimsOf("a", answer, "reference");
    const other = claimsOf("r", reference, "answer");
    const row = {
      outputs: "answer",
      referenceOutputs: "reference",
      claims: own.claims,
      referenceClaims: other.claims,
    };
    const support = { ...own.support, ...other.support };
    const options = { mode: mode === "f1" ? ("f" as const) : mode, beta };
    return of({ support }, (judge) => rag.factualCorrectness({ judge, ...options })(row));
  };
  const agrees = ({ answer, reference, mode }: Cases["factual_correctness"][number]) =>
    mode === "precision" || ones(answer) === ones(reference);

  it("is the same where as many claims of both sides are supported", async () => {
    const same = cases.factual_correctness.filter(agrees);
    expect(same.length).toBeGreaterThan(300);
    for (const row of same) expect(await scoreOf(row)).toBeCloseTo(row.score, DIGITS);
  });

  it("takes recall from the reference's claims, where Ragas takes true positives from the answer's", async () => {
    const others = cases.factual_correctness.filter((row) => !agrees(row));
    expect(others.length).toBeGreaterThan(50);
    for (const row of others) {
      const { answer, reference, mode, beta, score } = row;
      const [precision, recall] = [ones(answer) / answer.length, ones(reference) / reference.length];
      const missed = reference.length - ones(reference);
      const theirs = ones(answer) / (ones(answer) + missed || 1);
      const f = (recall: number) =>
        ((1 + beta ** 2) * precision * recall) / (beta ** 2 * precision + recall) || 0;
      expect(await scoreOf(row)).toBeCloseTo(mode === "recall" ? recall : f(recall), DIGITS);
      expect(score).toBeCloseTo(mode === "recall" ? theirs : f(theirs), DIGITS);
    }
  });
});

it("answer correctness", async () => {
  for (const { supported, wrong, missed, vectors, weights, beta, score } of cases.answer_correctness) {
    const own = claimsOf("a", precise(supported, supported + wrong), "reference");
    const other = claimsOf("r", precise(supported, supported + missed), "answer");
    const row = {
      outputs: "answer",
      referenceOutputs: "reference",
      claims: own.claims,
      referenceClaims: other.claims,
    };
    const embeddings = (text: string) => vectors[text] as number[];
    const support = { ...own.support, ...other.support };
    const scored = of({ support }, (judge) =>
      rag.answerCorrectness({ judge, embeddings, weights, beta })(row),
    );
    expect(await scored).toBeCloseTo(score, DIGITS);
  }
});

it("noise sensitivity", async () => {
  for (const { ofReference, ofAnswer, right, mode, score } of cases.noise_sensitivity) {
    const context = ofAnswer.map((_, index) => `context ${index}`);
    const supporting = (rows: Bits[], claim: number) => context.filter((_, index) => rows[index]?.[claim]);
    const support: Record<string, string[]> = {};
    for (const index of ofReference[0]!.keys()) support[`r${index}`] = supporting(ofReference, index);
    for (const [index, isRight] of right.entries())
      support[`a${index}`] = [...supporting(ofAnswer, index), ...(isRight ? ["reference"] : [])];
    const row = {
      outputs: "answer",
      referenceOutputs: "reference",
      context,
      claims: right.map((_, index) => `a${index}`),
      referenceClaims: ofReference[0]!.map((_, index) => `r${index}`),
    };
    const own = await of({ support }, (judge) => rag.noiseSensitivity({ judge, noise: mode })(row));
    expect(own).toBeCloseTo(score, DIGITS);
  }
});
