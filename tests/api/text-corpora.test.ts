/** Text metrics over a corpus: one score for all rows, and comparisons of two systems. */
import { compareExperiments, evaluate, formatComparison, formatExperiment } from "openevals-wasm/evaluation";
import * as text from "openevals-wasm/text";
import { describe, expect, test } from "vitest";
import { errorOf } from "./error-of.ts";

describe("a corpus", () => {
  const outputs = ["the cat sat on the mat", "it is raining today", "yes", "a long walk home"];
  const referenceOutputs = [
    "the cat sat on a mat",
    ["it rains today", "it is raining now"],
    "yes",
    "the long way home",
  ];

  test("has a score, an interval and counts", async () => {
    const summary = text.corpusBleu({ seed: 3 });
    const result = await summary({ outputs, referenceOutputs });
    expect(result).toMatchObject({
      key: "corpus_bleu",
      interval: { level: 0.95 },
      metadata: {
        signature: "nrefs:var|case:mixed|eff:no|tok:13a|smooth:exp",
        count: 4,
        errors: 0,
        outputLength: 15,
      },
    });
    expect(result.interval!.low).toBeLessThan(result.score!);
    expect(result.interval!.high).toBeGreaterThan(result.score!);
    expect(await summary({ outputs, reference_outputs: referenceOutputs })).toEqual(result);
  });

  test("takes rows whose examples have no id for different examples", async () => {
    const examples = outputs.map(() => ({}) as { id: string });
    const summary = text.corpusBleu({ seed: 3 });
    const known = await summary({ outputs, referenceOutputs });
    expect(await summary({ outputs, referenceOutputs, examples })).toEqual(known);
  });

  test("leaves out failed rows, and resamples the repetitions of an example together", async () => {
    const failed = await text.corpusWer()({
      outputs: [...outputs, undefined],
      referenceOutputs: [...referenceOutputs, "nothing"],
      errors: 2,
    });
    expect(failed.metadata).toMatchObject({ count: 4, errors: 3 });
    const once = await text.corpusChrf()({ outputs, referenceOutputs });
    const ids = ["a", "b", "c", "d", "a", "b", "c", "d"].map((id) => ({ id }));
    const twice = await text.corpusChrf()({
      outputs: [...outputs, ...outputs],
      referenceOutputs: [...referenceOutputs, ...referenceOutputs],
      examples: ids,
    });
    expect(twice.score).toBeCloseTo(once.score!, 15);
    expect(twice.interval!.low).toBeCloseTo(once.interval!.low, 12);
    expect(twice.interval!.high).toBeCloseTo(once.interval!.high, 12);
  });

  test("without rows has no score", async () => {
    expect(await text.corpusTer()({ outputs: [], referenceOutputs: [] })).toEqual({
      key: "corpus_ter",
      score: null,
      comment: "Not defined: there are no rows.",
      metadata: { count: 0, errors: 0 },
    });
    expect(await errorOf(text.corpusTer()({ outputs: ["a"], referenceOutputs: [] }))).toMatchObject({
      code: "invalid_input",
    });
  });
});

test("evaluate() accepts them, and reports know that lower error rates are better", async () => {
  const run = (answer: string) =>
    evaluate(() => answer, {
      data: Array.from({ length: 12 }, (_, row) => ({
        inputs: { row },
        referenceOutputs: { text: "it is a nice day" },
      })),
      evaluators: [text.wordErrorRate, text.bleu],
      summaryEvaluators: [text.corpusWer()],
    });
  const [good, bad] = [await run("it is a nice day"), await run("no")];
  expect(good.aggregates["word_error_rate"]!.mean).toBe(0);
  expect(good.summaryResults).toMatchObject([{ key: "corpus_wer", score: 0 }]);
  expect(formatExperiment(good)).not.toContain("✗ word_error_rate");
  expect(formatExperiment(bad)).toContain("✗ word_error_rate");
  // An improvement is green.
  const comparison = formatComparison(bad, good, await compareExperiments(bad, good), { color: true });
  const green = comparison.split("\u001b[32m").map((part) => part.split("\u001b")[0]!.trim());
  expect(green).toEqual(expect.arrayContaining(["-1.000", "+1.000"]));
});

describe("two systems over a corpus", () => {
  const referenceOutputs = Array.from({ length: 30 }, (_, row) => `the cat number ${row} sat on the mat`);
  const cut = referenceOutputs.map((text, row) => (row % 2 ? text : text.replace("the mat", "mats")));
  const worse = referenceOutputs.map((text, row) => (row % 3 ? text : "a dog"));

  test("have scores, an interval and a p-value", async () => {
    const summary = text.corpusBleu();
    const found = await summary.compare({ first: worse, second: cut, referenceOutputs });
    const [first, second] = [
      (await summary({ outputs: worse, referenceOutputs })).score!,
      (await summary({ outputs: cut, referenceOutputs })).score!,
    ];
    expect(found).toMatchObject({
      key: "corpus_bleu",
      first,
      second,
      difference: second - first,
      interval: { level: 0.95 },
      test: "paired_permutation",
      count: 30,
      signature: "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp",
    });
    const { low, high } = found.interval!;
    expect(low < found.difference! && found.difference! < high).toBe(true);
    const back = await summary.compare({ first: cut, second: worse, referenceOutputs });
    expect(back.difference).toBe(-found.difference!);
    expect(back.pValue).toBe(found.pValue);
    expect(back.interval!.low).toBeCloseTo(-high, 12);
    const others = { level: 0.5, seed: 4, test: "paired_bootstrap" } as const;
    const other = await summary.compare({ first: worse, second: cut, referenceOutputs, ...others });
    expect(other).toMatchObject({ test: "paired_bootstrap", interval: { level: 0.5 } });
    expect(other.interval!.high - other.interval!.low).toBeLessThan(high - low);
    expect(
      await text.corpusBleu({ level: 0.5 }).compare({ first: worse, second: cut, referenceOutputs }),
    ).toMatchObject({
      interval: { level: 0.5 },
    });
  });

  test("do not differ if all answers are equal", async () => {
    for (const test of ["paired_permutation", "paired_bootstrap"] as const) {
      expect(
        await text.corpusTer().compare({ first: cut, second: cut, referenceOutputs, test }),
      ).toMatchObject({
        difference: 0,
        interval: null,
        pValue: 1,
      });
    }
    expect(await text.corpusChrf().compare({ first: [], second: [], referenceOutputs: [] })).toMatchObject({
      first: null,
      difference: null,
      pValue: null,
      count: 0,
    });
  });

  test("treat repetitions of an example as dependent", async () => {
    const examples = cut.map((_, row) => ({ id: row % 5 }));
    const params = { first: worse, second: cut, referenceOutputs };
    const [alone, together] = [
      await text.corpusTer().compare(params),
      await text.corpusTer().compare({ ...params, examples }),
    ];
    expect(together.difference).toBeCloseTo(alone.difference!, 12);
    expect(together.pValue).toBeGreaterThan(alone.pValue!);
  });

  test("incomparable corpora are errors", async () => {
    const params = { first: ["a"], second: ["a"], referenceOutputs: ["a"] };
    const { compare } = text.corpusWer();
    expect(await errorOf(compare({ ...params, second: [] }))).toMatchObject({ code: "invalid_input" });
    expect(await errorOf(compare({ ...params, second: [undefined] }))).toMatchObject({
      code: "invalid_input",
    });
    expect(await errorOf(compare({ ...params, second: [{ a: 1, b: 2 }] }))).toMatchObject({
      code: "invalid_input",
    });
    expect(await errorOf(compare({ ...params, test: "t" as any }))).toMatchObject({ code: "invalid_config" });
    expect(await errorOf(compare(undefined as any))).toMatchObject({ code: "invalid_config" });
  });

  test("compareExperiments() compares corpora", async () => {
    const run = (answers: readonly string[], fails = -1) =>
      evaluate(
        ({ row }: { row: number }) => {
          if (row === fails) throw new Error("no answer");
          return { answer: answers[row]! };
        },
        {
          data: referenceOutputs.map((text, row) => ({ inputs: { row }, referenceOutputs: { text } })),
          evaluators: [text.chrf],
          summaryEvaluators: [text.corpusBleu()],
        },
      );
    const [before, after] = [await run(worse, 2), JSON.parse(JSON.stringify(await run(cut, 5)))];
    const summaryEvaluators = [text.corpusBleu(), text.corpusTer({ feedbackKey: "edits" })];
    const comparisons = await compareExperiments(before, after, { summaryEvaluators, level: 0.9 });
    expect(Object.keys(comparisons)).toEqual(["chrf", "corpus_bleu", "edits"]);
    const { corpus_bleu } = comparisons;
    expect(corpus_bleu).toMatchObject({
      test: "paired_permutation",
      interval: { level: 0.9 },
      count: 28,
      unpaired: { first: 1, second: 1 },
      errors: { first: 1, second: 1 },
      bounds: null,
      flipped: [],
    });
    const { first, second } = corpus_bleu!.means;
    expect(corpus_bleu!.difference).toBe(second! - first!);
    expect(corpus_bleu!.adjustedPValue).toBeGreaterThanOrEqual(corpus_bleu!.pValue!);
    expect(formatComparison(before, after, comparisons)).toMatch(/^corpus_bleu +0\.\d+ +0\.\d+ +\+0\.\d+ /m);
    const bootstrap = await compareExperiments(before, after, {
      summaryEvaluators,
      corpusTest: "paired_bootstrap",
    });
    expect(bootstrap["edits"]!.test).toBe("paired_bootstrap");
    const same = [text.corpusBleu({ feedbackKey: "chrf" })];
    expect(await errorOf(compareExperiments(before, after, { summaryEvaluators: same }))).toMatchObject({
      code: "invalid_config",
    });
    after.rows[0].example.outputs = { text: "another one" };
    expect(await errorOf(compareExperiments(before, after, { summaryEvaluators }))).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("needs the same reference outputs in both experiments"),
    });
  });
});
