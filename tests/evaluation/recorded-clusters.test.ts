/** Comparisons of experiments that record clusters. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Comparison,
  compareExperiments,
  compareMatrix,
  type Experiment,
  evaluate,
  evaluateComparative,
  formatComparative,
  formatComparison,
  mergeExperiments,
  planExperiment,
  readExperiment,
  sliceExperiment,
} from "openevals-wasm/evaluation";
import { calibrate } from "openevals-wasm/judges";
import { corpusWer } from "openevals-wasm/text";
import { describe, expect, it } from "vitest";
import { DATA, isRight, run } from "./comparison-data.js";

const folder = mkdtempSync(join(tmpdir(), "openevals-clusters-"));
const byPassage = { clusterBy: "passage" };
const byFunction = { clusterBy: ({ inputs }: any) => `n${inputs.n >> 1}` };
const few = (passage: number) => passage < 6;
const most = (passage: number) => passage < 11;

// Ten rows gain, which are five passages: two of 2^10 or 2^5 sign patterns are as far.
const ofRows = { pValue: expect.closeTo(2 / 2 ** 10, 12), count: 24 };
const ofPassages = { pValue: expect.closeTo(2 / 2 ** 5, 12), count: 24, clusters: 12 };

const figures = ({ pValue, count, clusters }: Partial<Comparison> = {}) => ({ pValue, count, clusters });
const compared = async (before: Experiment, after: Experiment, options = {}) =>
  figures((await compareExperiments(before, after, options)).isRight);

describe("the clusters of clusterBy", () => {
  it("are recorded with each row, and only then", async () => {
    const clustersOf = ({ rows }: Experiment) => rows.map(({ cluster }) => cluster);
    expect(clustersOf(await run(few, byPassage))).toEqual(DATA.map((_, row) => `p${row >> 1}`));
    expect(clustersOf(await run(few, byFunction))).toEqual(DATA.map((_, row) => `n${row >> 1}`));
    expect(Object.keys((await run(few)).rows[0]!)).toEqual(["example", "run", "evaluationResults", "errors"]);
  });

  it("call a function once for each example", async () => {
    let calls = 0;
    const clusterBy = ({ id }: { id: string }) => `${calls++ && id}`;
    await run(few, { clusterBy, numRepetitions: 3, output: { sink: join(folder, "calls.jsonl") } });
    expect(calls).toBe(DATA.length);
  });

  it.each([byPassage, byFunction])("apply to comparisons, with %o", async (options) => {
    const [before, after] = [await run(few, options), await run(most, options)];
    expect(await compared(before, after)).toEqual(ofPassages);
    // An option of the call takes precedence.
    const byExample = { clusterBy: ({ id }: { id: string }) => id };
    expect(await compared(before, after, byExample)).toEqual({ ...ofRows, clusters: 24 });
    const [pair] = await compareMatrix([before, after]);
    expect(figures(pair?.comparisons.isRight)).toEqual(ofPassages);
  });

  it("are read from files, and merged", async () => {
    const paths = await Promise.all(
      [few, most].map(async (known, index) => {
        const sink = join(folder, `${index}.jsonl`);
        await run(known, { ...byFunction, output: { sink } });
        return sink;
      }),
    );
    const [before, after] = await Promise.all(paths.map((path) => readExperiment(path)));
    expect(await compared(before!, after!)).toEqual(ofPassages);
    const json = join(folder, "after.json");
    writeFileSync(json, JSON.stringify(after));
    expect((await compared(before!, await readExperiment(json))).clusters).toBe(12);
    const parts = await Promise.all(
      [1, 2].map((index) => run(most, { ...byFunction, shard: { index, count: 2 } })),
    );
    const merged = await mergeExperiments(parts);
    expect(merged.rows).toEqual(after!.rows.map((row) => ({ ...row, run: expect.any(Object) })));
    expect(merged.aggregates).toEqual(after!.aggregates);
  });

  it("apply if only one experiment has them", async () => {
    const [before, after] = [await run(few), await run(most, byPassage)];
    expect(await compared(before, after)).toEqual(ofPassages);
    expect((await compared(after, before)).clusters).toBe(12);
    expect(await compared(before, await run(most))).toEqual(ofRows);
  });

  it("have to be the same, unless the comparison has its own", async () => {
    const experiments = [await run(few, byPassage), await run(most, byFunction)] as const;
    const error = {
      code: "invalid_input",
      message: expect.stringContaining(
        'The experiments have different clusters: the example "0" is in "p0" and in "n0". Evaluate one of them again with the ' +
          "clusterBy of the other. To choose the clusters, set clusterBy of compareExperiments() or evaluateComparative()",
      ),
    };
    await expect(compareExperiments(...experiments)).rejects.toMatchObject(error);
    const evaluators = [({ runs }: any) => ({ key: "k", scores: { [runs[0].id]: 1, [runs[1].id]: 0 } })];
    await expect(evaluateComparative(experiments, { evaluators })).rejects.toMatchObject(error);
    expect((await compared(...experiments, byPassage)).clusters).toBe(12);
    await evaluateComparative(experiments, { evaluators, ...byPassage, progress: false });
  });

  it("apply to corpus metrics", async () => {
    const experiments = [await run(few, byPassage), await run(most, byPassage)].map((experiment) => ({
      ...experiment,
      rows: experiment.rows.map(({ example, run, ...row }) => ({
        ...row,
        example: { ...example, outputs: `${example.outputs}` },
        run: { ...run, outputs: `${run.outputs}` },
      })),
    })) as [Experiment, Experiment];
    const summaryEvaluators = [corpusWer()];
    const recorded = await compareExperiments(...experiments, { summaryEvaluators });
    const given = await compareExperiments(...experiments, { summaryEvaluators, ...byPassage });
    expect(recorded).toEqual(given);
    expect(recorded.corpus_wer?.clusters).toBe(12);
  });

  it("apply to slices", async () => {
    const experiment = await run(few, byPassage);
    const slices = await sliceExperiment(experiment, { by: "language" });
    expect(slices).toEqual(await sliceExperiment(await run(few), { by: "language", ...byPassage }));
    // Each language has six passages of two rows.
    expect(slices.map(({ units }) => units)).toEqual([6, 6]);
  });

  it("apply to comparative experiments", async () => {
    const experiments = [await run(few, byPassage), await run(most, byPassage)];
    const evaluators = [
      ({ runs }: any) => ({
        key: "larger",
        scores: Object.fromEntries(runs.map(({ id, outputs }: any) => [id, outputs])),
      }),
    ];
    const options = { evaluators, progress: false };
    const found = await evaluateComparative(experiments, options);
    const { rows, aggregates } = found;
    expect(formatComparative(found, { columns: 120 })).toMatch(/Wins +Ties +Losses +Clusters +Win rate/);
    expect(rows[5]?.cluster).toBe("p2");
    expect(aggregates).toEqual(
      (await evaluateComparative(experiments, { ...options, ...byPassage })).aggregates,
    );
    expect(aggregates.larger?.pairs[0]).toMatchObject({ count: 24, clusters: 12 });
    const byExample = { clusterBy: ({ id }: { id: string }) => id };
    const alone = await evaluateComparative(experiments, { ...options, ...byExample });
    expect(aggregates.larger?.pairs[0]?.pValue).toBeGreaterThan(
      alone.aggregates.larger?.pairs[0]?.pValue ?? 1,
    );
  });

  it("leave examples that only experiments without clusters have alone", async () => {
    const clustered = await run(few, { ...byPassage, data: DATA.slice(0, 20) });
    const experiments = [clustered, await run(most), await run(few)];
    const evaluators = [
      ({ runs }: any) => ({
        key: "larger",
        scores: Object.fromEntries(runs.map(({ id, outputs }: any) => [id, outputs])),
      }),
    ];
    const { aggregates } = await evaluateComparative(experiments, { evaluators, progress: false });
    // Twenty rows are in ten passages, and four are alone.
    expect(aggregates.larger?.pairs.map(({ count, clusters }) => [count, clusters])).toEqual([
      [20, 10],
      [20, 10],
      [24, 14],
    ]);
  });

  it("apply to calibrations", async () => {
    const judge = await run(few, byPassage);
    const data = DATA.map((row) => ({ ...row, human: true }));
    const report = await calibrate(judge, { data, label: "human" });
    expect(report).toEqual(await calibrate(await run(few), { data, label: "human", ...byPassage }));
    expect(report.clusters).toBe(12);
  });

  it("are missing in a plan, which says so", async () => {
    const data = Array.from({ length: 60 }, (_, inputs) => ({
      inputs,
      outputs: 0,
      metadata: { topic: inputs % 20 },
    }));
    const experiment = await evaluate((n: number) => n % 3, {
      ...{ data, evaluators: [isRight], clusterBy: "topic" },
    });
    const plan = { experiments: [experiment, experiment], minimumDifference: 0.1 } as const;
    const clusters = { size: 3, correlation: 0.5 };
    expect((await planExperiment(plan)).comment).toContain("The experiments have clusters. Set clusters,");
    expect((await planExperiment({ ...plan, clusters })).comment ?? "").not.toContain("have clusters");
  });

  it("are counted in text", async () => {
    const [before, after] = [await run(few, byPassage), await run(most, byPassage)];
    const comparisons = await compareExperiments(before, after);
    const text = formatComparison(before, after, comparisons, { columns: 100 });
    expect(text).toMatch(/Pairs +Clusters +Up +Down\n─+\nisRight .* 0\.063 +24 +12 +10 +0\n/);
  });

  it("have to be texts", async () => {
    const before = await run(few, byPassage);
    const after = { ...before, rows: before.rows.map((row) => ({ ...row, cluster: 3 as never })) };
    await expect(compareExperiments(before, after)).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("rows[0].cluster of the second experiment has to be a text"),
    });
  });

  it("are those of all rows, or of none", async () => {
    const before = await run(few, byPassage);
    const without = ({ cluster, ...row }: Experiment["rows"][number]) => row;
    for (const [row, problem] of [
      [5, "rows[5] of the second experiment has no cluster, unlike rows[0]"],
      [0, "rows[1] of the second experiment has a cluster, unlike rows[0]"],
    ] as const) {
      const rows = before.rows.map((one, index) => (index === row ? without(one) : one));
      await expect(compareExperiments(before, { ...before, rows })).rejects.toMatchObject({
        code: "invalid_input",
        message: expect.stringContaining(`${problem}. Give each row its cluster, or none`),
      });
    }
    // Without any, those of the other experiment apply.
    expect((await compared(before, { ...before, rows: before.rows.map(without) })).clusters).toBe(12);
  });

  it("are in each line of a file", async () => {
    for (const [name, options, change, problem] of [
      [
        "lost",
        byPassage,
        { cluster: undefined },
        'it needs its cluster, since the experiment has clusterBy "passage"',
      ],
      ["added", {}, { cluster: "p0" }, "it has a cluster, but the experiment has no clusterBy"],
    ] as const) {
      const sink = join(folder, `${name}.jsonl`);
      await run(few, { ...options, output: { sink } });
      const lines = readFileSync(sink, "utf8").trimEnd().split("\n");
      lines[3] = JSON.stringify({ ...JSON.parse(lines[3]!), ...change });
      writeFileSync(sink, `${lines.join("\n")}\n`);
      const error = {
        code: "invalid_input",
        message: expect.stringContaining(`${name}.jsonl:4 is not a row of an experiment: ${problem}`),
      };
      await expect(readExperiment(sink)).rejects.toMatchObject(error);
      await expect(run(few, { ...options, output: { sink, resume: true } })).rejects.toMatchObject(error);
    }
  });

  it("exclude stopWhen, which needs independent examples", async () => {
    const stopWhen = { isRight: { baseline: await run(few, byPassage) } };
    await expect(run(most, { stopWhen })).rejects.toMatchObject({
      code: "invalid_config",
      message:
        "The baseline of stopWhen.isRight has clusters, but stopWhen assumes independent examples. Run all rows instead, and compare the experiments.",
    });
  });
});
