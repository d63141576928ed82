/** Comparisons by slices: where the second experiment is worse. */
import {
  adjustPValues,
  compareExperiments,
  type Experiment,
  formatComparison,
  type SliceBy,
} from "openevals-wasm/evaluation";
import { describe, expect, it } from "vitest";
import { of } from "./comparison-data.js";

interface SliceRows {
  rows: number;
  /** The rows that are right in the first experiment only, and in the second only. All others are right in both. */
  lost?: number;
  gained?: number;
}

/** Two experiments whose `metadata.language` defines slices of these rows. */
function experiments(slices: Readonly<Record<string, SliceRows>>, field = "language") {
  const rows = Object.entries(slices).flatMap(([language, { rows, lost = 0, gained = 0 }]) =>
    Array.from({ length: rows }, (_, row) => ({
      language,
      first: row < lost || row >= lost + gained,
      second: row >= lost,
    })),
  );
  const metadata = (row: number) => ({ [field]: rows[row]!.language });
  const side = (which: "first" | "second") =>
    of(
      rows.map((row) => row[which]),
      metadata,
    );
  return [side("first"), side("second")] as const;
}

const by = async (
  [first, second]: readonly [Experiment, Experiment],
  sliceBy: SliceBy | SliceBy[] = "language",
) => {
  const { score } = await compareExperiments(first, second, { sliceBy });
  return new Map(score!.slices!.map((slice) => [slice.value, slice]));
};

describe("compareExperiments by slices", () => {
  it("finds the slice that falls while the whole rises", async () => {
    const both = experiments({ de: { rows: 40, lost: 8 }, en: { rows: 160, gained: 20 } });
    const { score } = await compareExperiments(...both, { sliceBy: "language" });
    // 20 of 200 rows gained, 8 lost: 2 * sum(binom(28, k), k <= 8) / 2**28.
    expect(score!.difference).toBeCloseTo(12 / 200, 12);
    expect(score!.adjustedPValue).toBeCloseTo(0.03569814, 8);
    expect(score!.slices!.map(({ value }) => value)).toEqual(["en", "de"]);
    const [en, de] = score!.slices!;
    expect(de).toMatchObject({ by: "language", value: "de", units: 40, count: 40, test: "mcnemar_exact" });
    expect(de!.means).toEqual({ first: 1, second: 0.8 });
    expect(de!.difference).toBeCloseTo(-0.2, 12);
    // All eight changes in one direction: 2 / 2**8.
    expect(de!.pValue).toBeCloseTo(1 / 128, 12);
    expect(de!.adjustedPValue).toBeCloseTo(1 / 128, 12);
    expect(de!.interval!.high).toBeLessThan(0);
    expect(en!.means).toEqual({ first: 0.875, second: 1 });
    expect(en!.adjustedPValue).toBeCloseTo(2 ** -19, 12);
    expect(de).not.toHaveProperty("comment");
    // The figures of the whole are those without slices.
    const { slices: _, ...whole } = score!;
    expect((await compareExperiments(...both)).score).toEqual(whole);
  });

  it("counts beside a p-value only the slices that could have one as small", async () => {
    const slices = await by(
      experiments({
        de: { rows: 30, lost: 7 },
        en: { rows: 100, lost: 3 },
        fr: { rows: 100, lost: 1, gained: 2 },
        it: { rows: 100 },
      }),
    );
    // 2 / 2**7. Holm's method without regard to the few changes would multiply it by four.
    expect(slices.get("de")!.adjustedPValue).toBeCloseTo(1 / 64, 12);
    // Of 1/4, all but it are capable: three, less the one before.
    expect(slices.get("en")!.adjustedPValue).toBeCloseTo(2 / 4, 12);
    expect(slices.get("fr")!.adjustedPValue).toBe(1);

    const two = await by(
      experiments({
        de: { rows: 30, lost: 6 },
        en: { rows: 30, lost: 6 },
        fr: { rows: 30, lost: 5 },
      }),
    );
    for (const value of ["de", "en", "fr"])
      expect(two.get(value)!.adjustedPValue, value).toBeCloseTo(2 / 32, 12);
    // Beside the interval without 0 is one that agrees with the adjusted p-value.
    const { interval, adjustedInterval } = two.get("de")!;
    expect(interval!.high).toBeLessThan(0);
    expect(adjustedInterval!.high).toBeGreaterThanOrEqual(0);
  });

  it("names slices with too few rows, and finds nothing in them", async () => {
    const slices = await by(experiments({ de: { rows: 5, lost: 5 }, en: { rows: 50 } }));
    expect(slices.get("de")).toMatchObject({
      units: 5,
      difference: -1,
      comment: expect.stringContaining("the slice has 5 of the 6 needed"),
    });
    expect(slices.get("de")!.adjustedPValue).toBeCloseTo(1 / 16, 12);
    // 2 / 2**6 is above 0.01, and 2 / 2**7 is the first below.
    const strict = await compareExperiments(...experiments({ de: { rows: 7, lost: 7 } }), {
      sliceBy: "language",
      level: 0.99,
    });
    expect(strict.score!.slices![0]!.comment).toContain("7 of the 8 needed");
  });

  it("counts clusters, and pairs in no slice nowhere", async () => {
    const [first, second] = experiments({ de: { rows: 40, lost: 8 }, en: { rows: 40 } });
    for (const { rows } of [first, second])
      for (const [index, row] of rows.entries()) {
        row.example.metadata = { ...row.example.metadata, page: index >> 2 };
        if (index >= 60) row.example.metadata = { language: null, page: index >> 2 };
      }
    const { score } = await compareExperiments(first, second, { sliceBy: "language", clusterBy: "page" });
    expect(score!.clusters).toBe(20);
    const [de, en] = ["de", "en"].map((value) => score!.slices!.find((slice) => slice.value === value)!);
    // The eight rows are two clusters of four: 2 / 2**2.
    expect(de).toMatchObject({ units: 10, clusters: 10, count: 40, pValue: 0.5 });
    expect(en).toMatchObject({ units: 5, count: 20, comment: expect.any(String) });
  });

  it("takes lists, functions, several fields, and values of any type", async () => {
    const values = [
      true,
      1,
      "1",
      "",
      "日本語 🇯🇵",
      "x".repeat(5_000),
      { a: 1 },
      ["p", "q", "p"],
      null,
      undefined,
    ];
    const scores = Array.from({ length: 60 }, (_, row) => row % 7 > 0);
    const experiment = of(scores, (row) => ({ kind: values[row % values.length], half: row < 30 }));
    const { score } = await compareExperiments(experiment, experiment, {
      sliceBy: ["kind", "half", ({ id }) => Number(id) % 2],
    });
    const names = score!.slices!.map(({ by, value, count }) => `${by}=${value.slice(0, 20)}:${count}`);
    expect(names.sort()).toEqual(
      [
        ...["kind=true:6", "kind=1:12", "kind=:6", "kind=日本語 🇯🇵:6", `kind=${"x".repeat(20)}:6`],
        ...['kind={"a":1}:6', "kind=p:6", "kind=q:6", "half=true:30", "half=false:30", "=0:30", "=1:30"],
      ].sort(),
    );
    for (const slice of score!.slices!) expect(slice).toMatchObject({ difference: 0, adjustedPValue: 1 });
  });

  it("compares one slice of all rows, and slices without common rows", async () => {
    const only = await by(experiments({ de: { rows: 40, lost: 8 } }));
    expect(only.get("de")!.adjustedPValue).toBeCloseTo(1 / 128, 12);
    const [first, second] = experiments({ de: { rows: 20 } });
    for (const row of second.rows) row.example.id += "x";
    expect((await by([first, second])).get("de")).toMatchObject({
      count: 0,
      units: 0,
      difference: null,
      pValue: null,
      adjustedPValue: null,
      unpaired: { first: 20, second: 20 },
      comment: expect.any(String),
    });
  });

  it("takes the slice of the experiment that has the field", async () => {
    const [first, second] = experiments({ de: { rows: 40, lost: 8 }, en: { rows: 40 } });
    for (const row of first.rows) row.example.metadata = {};
    expect((await by([first, second])).get("de")!.pValue).toBeCloseTo(1 / 128, 12);
    expect((await by([second, first])).get("de")!.pValue).toBeCloseTo(1 / 128, 12);
  });

  it("rejects an example that is in different slices", async () => {
    const [first, second] = experiments({ de: { rows: 10 }, en: { rows: 10 } });
    second.rows[3]!.example.metadata = { language: "en" };
    second.rows[4]!.example.metadata = { language: ["de", "en"] };
    await expect(by([first, second])).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining(
        '2 examples have another language in the second experiment, such as "3": "de", then "en".',
      ),
    });
  });

  it("rejects a field that no row has, and invalid options", async () => {
    const both = experiments({ de: { rows: 10 } });
    await expect(by(both, "langauge")).rejects.toMatchObject({
      code: "invalid_config",
      message: expect.stringMatching(
        /^sliceBy is "langauge", but no row has this field.*did you mean "language"/,
      ),
    });
    for (const sliceBy of ["", [], [""], 5, {}, ["language", "language"]])
      await expect(by(both, sliceBy as never), JSON.stringify(sliceBy)).rejects.toMatchObject({
        code: "invalid_config",
      });
    const fails = () => {
      throw new Error("no language");
    };
    await expect(by(both, fails)).rejects.toMatchObject({
      code: "callback_failed",
      message: "sliceBy failed: no language",
    });
  });

  it("rejects a field that is empty in all rows, and functions that return nothing or a promise", async () => {
    const scores = Array.from({ length: 10 }, () => true);
    const empty = of(scores, () => ({ language: null, tags: [] }));
    for (const sliceBy of ["language", "tags", () => undefined])
      await expect(by([empty, empty], sliceBy)).rejects.toMatchObject({
        code: "invalid_config",
        message: expect.stringContaining("sliceBy puts no row into a slice"),
      });
    await expect(by([empty, empty], async () => "de")).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("is a promise (await it); sliceBy has to return it at once"),
    });
  });

  it("adjustPValues() adjusts the slices of several comparisons together", async () => {
    const both = experiments({ de: { rows: 40, lost: 7 }, en: { rows: 40, lost: 1 } });
    const one = await compareExperiments(...both, { sliceBy: "language" });
    const adjusted = await adjustPValues([one, one, one]);
    for (const { score } of adjusted) expect(score!.slices![0]!.adjustedPValue).toBeCloseTo(3 / 64, 12);
    expect(one.score!.slices![0]!.adjustedPValue).toBeCloseTo(1 / 64, 12);
    // Without the test, which JSON does not keep, all six slices count.
    const [read] = await adjustPValues(JSON.parse(JSON.stringify([one, one, one])));
    expect(read!.score!.slices![0]!.adjustedPValue).toBeCloseTo(6 / 64, 12);
    const broken = { score: { ...one.score!, slices: [{ pValue: 7 }] } } as never;
    await expect(adjustPValues([broken])).rejects.toMatchObject({ code: "invalid_input" });
  });

  it("formatComparison() lists the worst slices first, also on narrow terminals", async () => {
    const [first, second] = experiments({
      en: { rows: 160, gained: 40 },
      ["日本語".repeat(40)]: { rows: 40, lost: 8 },
      fr: { rows: 4 },
    });
    const whole = (experiment: Experiment): Experiment => ({
      ...experiment,
      experimentName: "run",
      aggregates: {},
      summaryResults: [],
      scales: { score: { direction: "higher", min: 0, max: 1 } },
    });
    const [before, after] = [whole(first), whole(second)];
    const comparisons = await compareExperiments(before, after, { sliceBy: "language" });
    for (const columns of [40, 60, 100]) {
      const lines = formatComparison(before, after, comparisons, { columns, color: false }).split("\n");
      const titles = lines.findIndex((line) => /^language +Before +After/.test(line));
      expect(lines[titles + 2], `${columns}`).toMatch(/^日本.*…/);
      expect(lines[titles + 3], `${columns}`).toMatch(/^en /);
      expect(lines.join(" ")).toMatch(/Too few rows to find a difference: fr \(4\)\./);
    }
    expect(formatComparison(before, after, comparisons, { columns: 400, color: false })).toMatch(
      /Better on score, by more than chance; worse in language: 日本/,
    );
  });
});
