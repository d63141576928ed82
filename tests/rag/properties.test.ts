/** Properties of scores, whatever the verdicts are. */
import fc from "fast-check";
import {
  contextPrecision,
  contextRecall,
  factualCorrectness,
  faithfulness,
  noiseSensitivity,
} from "openevals-wasm/rag";
import { expect, it } from "vitest";
import { scripted } from "./judge.ts";

const RUNS = { numRuns: 60 };
/** The claims of an answer and of a reference, each with the contexts that support it. */
const contexts = ["c0", "c1", "c2"];
const sources = fc.uniqueArray(fc.constantFrom(...contexts, "the answer", "the reference"));
const sides = fc.record({
  answer: fc.array(sources, { minLength: 1, maxLength: 15 }),
  reference: fc.array(sources, { minLength: 1, maxLength: 15 }),
});

function rowOf({ answer, reference }: { answer: string[][]; reference: string[][] }) {
  const named = (side: string, list: string[][]) => list.map((by, index) => [`${side}${index}`, by] as const);
  const support = Object.fromEntries([...named("a", answer), ...named("r", reference)]);
  const claims = answer.map((_, index) => `a${index}`);
  const referenceClaims = reference.map((_, index) => `r${index}`);
  const row = {
    outputs: "the answer",
    referenceOutputs: "the reference",
    context: contexts,
    claims,
    referenceClaims,
  };
  return { row, judge: scripted({ support }).judge };
}

it("scores are from 0 to 1", () =>
  fc.assert(
    fc.asyncProperty(sides, async (verdicts) => {
      const { row, judge } = rowOf(verdicts);
      const evaluators = [
        faithfulness({ judge }),
        contextRecall({ judge }),
        factualCorrectness({ judge }),
        factualCorrectness({ judge, beta: 0.5 }),
        noiseSensitivity({ judge }),
        noiseSensitivity({ judge, noise: "irrelevant" }),
      ];
      for (const evaluator of evaluators) {
        const { score } = await evaluator(row);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
      }
    }),
    RUNS,
  ));

it("the order of claims changes nothing", () =>
  fc.assert(
    fc.asyncProperty(sides, async (verdicts) => {
      const { row, judge } = rowOf(verdicts);
      const reversed = {
        ...row,
        claims: [...row.claims].reverse(),
        referenceClaims: [...row.referenceClaims].reverse(),
      };
      for (const evaluator of [
        faithfulness({ judge }),
        contextRecall({ judge }),
        factualCorrectness({ judge }),
        noiseSensitivity({ judge }),
      ]) {
        expect((await evaluator(reversed)).score).toBeCloseTo((await evaluator(row)).score as number, 12);
      }
    }),
    RUNS,
  ));

it("an irrelevant context at the end raises no precision and lowers no recall", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.boolean(), { minLength: 1, maxLength: 20 }),
      fc.array(sources, { minLength: 1, maxLength: 15 }),
      async (verdicts, reference) => {
        const texts = verdicts.map((_, index) => `context ${index}`);
        const useful = texts.filter((_, index) => verdicts[index]);
        const precision = contextPrecision({ judge: scripted({ useful }).judge });
        const before = (await precision({ outputs: "a", context: texts })).score as number;
        const after = (await precision({ outputs: "a", context: [...texts, "irrelevant"] })).score as number;
        expect(after).toBeLessThanOrEqual(before);

        const { row, judge } = rowOf({ answer: [[]], reference });
        const recall = contextRecall({ judge });
        const found = (await recall(row)).score as number;
        expect((await recall({ ...row, context: [...contexts, "irrelevant"] })).score).toBeGreaterThanOrEqual(
          found,
        );
      },
    ),
    RUNS,
  ));
