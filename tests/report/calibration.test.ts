/** The result of `calibrate()`, as text. */
import { type CalibrationReport, calibrate, formatCalibration } from "openevals-wasm/judges";
import { expect, it } from "vitest";

const judge = ({ outputs }: { outputs: string }) => ({
  key: "polite",
  score: outputs.includes("please"),
  comment: outputs === "Wait!" ? undefined : `It says:\n"${outputs}"\u001b`,
});
const data = [
  { id: "asked", outputs: "Wait, please.", human: true },
  { id: "told", outputs: "Wait!", human: false },
  { id: "kind\n", outputs: "Would you mind waiting?", human: true },
  { id: "nobody", outputs: "Hm." },
];
const lines = (report: CalibrationReport, options = {}) =>
  formatCalibration(report, options)
    .split("\n")
    .map((line) => line.trimEnd());

it("has the figures with their intervals, and says why others cannot be told", async () => {
  const report = await calibrate(judge, { data, label: "human" });
  const shown = lines(report);
  expect(shown.slice(0, 8)).toEqual([
    "polite  3 results",
    "Left out: 1 unlabelled",
    "Of 1 row that people fail, the judge passes 0. Of 2 rows that people pass, the",
    "judge fails 1.",
    "",
    expect.stringMatching(/^Figure +Value +95% interval$/),
    expect.stringMatching(/^─+$/),
    expect.stringMatching(/^Accuracy +66\.7% +20\.8% to 93\.9%$/),
  ]);
  expect(shown).toContainEqual(expect.stringMatching(/^Specificity +100\.0% +/));
  expect(shown).toContainEqual(expect.stringMatching(/^Cohen's kappa +0\.400 +/));
  expect(shown.join(" ")).toContain(
    "Gwet's AC1 are agreement beyond chance: 1 is perfect, 0 is that of chance.",
  );
  expect(shown.some((line) => line.startsWith("Flip rate "))).toBe(false);
  expect(shown.join(" ")).toContain(
    "Flip rate: Each example was judged once. Set numRepetitions to judge it several times.",
  );
  const at = shown.indexOf("1 disagreement");
  expect(shown.slice(at + 1)).toEqual([
    "",
    "kind\\n",
    "  outputs  Would you mind waiting?",
    "  people   true",
    "  judge    false",
    "  comment  It says: …",
    "",
  ]);
});

it("shows the beginning of the data of a disagreement, on one line", async () => {
  const inputs = { question: "May I\u001b wait?", history: "a".repeat(300) };
  const [, , kind] = data;
  const report = await calibrate(judge, {
    data: [{ ...kind!, inputs, outputs: `Would you\nmind ${"b".repeat(300)}` }],
    label: "human",
  });
  const [{ inputs: cut, outputs } = {}] = report.disagreements;
  expect(cut).toBe(`{"question":"May I\\u001b wait?","history":"${"a".repeat(156)}…`);
  expect(outputs).toBe(`Would you\nmind ${"b".repeat(184)}…`);
  const shown = lines(report, { columns: 40 });
  expect(shown).toContain('  inputs   {"question":"May I\\u001b wai…');
  expect(shown).toContain("  outputs  Would you\\nmind bbbbbbbbbbbb…");
  // Reports of earlier versions have no data.
  const older = { ...report, disagreements: report.disagreements.map(({ inputs, outputs, ...one }) => one) };
  expect(lines(older).filter((line) => /^ {2}(?:inputs|outputs)/.test(line))).toEqual([]);
});

const GRADED = [
  ...["Weighted kappa", "Ordinal alpha", "Interval alpha", "Spearman's rho", "Kendall's tau-b"],
  ...["Mean absolute error", "Human ordinal alpha", "Human interval alpha"],
];

it("counts the mistakes of the judge in both directions, also if true is bad", async () => {
  const toxic = Object.assign(
    ({ outputs }: { outputs: string }) => ({ key: "toxic", score: outputs > "b" }),
    {
      scale: { direction: "lower", passAt: 0 } as const,
    },
  );
  const rows = ["a", "c", "d", "a", "a"].map((outputs, at) => ({ outputs, human: at > 2 || at === 1 }));
  const report = await calibrate(toxic, { data: rows, label: "human" });
  // People fail the rows a and d, and pass the rows c, a and a.
  expect(lines(report, { columns: 120 })).toContain(
    "Of 2 rows that people fail, the judge passes 1. Of 3 rows that people pass, the judge fails 1.",
  );
});

it("leaves out figures of grades for verdicts that are true or false", async () => {
  const rows = data.map((row) => ({ ...row, other: row.human }));
  const verdicts = await calibrate(judge, { data: rows, label: ["human", "other"] });
  for (const title of GRADED) expect(formatCalibration(verdicts)).not.toContain(title);
  // 0.4, 0.8 and 0.6 instead of true and false.
  const scores = ({ outputs }: { outputs: string }) => ({ key: "polite", score: (outputs.length % 5) / 5 });
  const marked = formatCalibration(await calibrate(scores, { data, label: "human", threshold: 0.5 }));
  expect(marked).not.toContain("Weighted kappa");
  for (const title of GRADED.slice(1, 6)) expect(marked).toContain(title);
  const grades = rows.map((row, index) => ({ ...row, human: index / 4, other: index / 4 }));
  const graded = formatCalibration(await calibrate(scores, { data: grades, label: ["human", "other"] }));
  for (const title of GRADED) expect(graded).toContain(title);
});

it("says why figures have no interval", async () => {
  // Of 22 labels, two are false.
  const rows = Array.from({ length: 22 }, (_, at) => ({ outputs: "please", human: at > 1 }));
  const mixed = (row: { outputs: string; inputs?: number }) => ({
    ...judge(row),
    score: (row.inputs ?? 0) > 0,
  });
  const data = rows.map((row, inputs) => ({ ...row, inputs }));
  const report = await calibrate(mixed as never, { data, label: "human" });
  const shown = lines(report, { columns: 120 });
  expect(shown).toContainEqual(expect.stringMatching(/^Cohen's kappa +0\.645 +–$/));
  expect(shown.join(" ")).toMatch(
    /No interval for Cohen's kappa, .*: fewer than 5 independent labels are outside the most frequent class/,
  );
});

it("says why rows failed, and on which", async () => {
  const failing = ({ inputs, outputs }: { inputs: number; outputs: string }) => {
    if (inputs > 11) throw new Error(`Failure ${inputs}`);
    if (inputs % 2) throw new Error("Status 401:\u001b wrong key");
    return judge({ outputs });
  };
  const rows = Array.from({ length: 22 }, (_, inputs) => ({ inputs, outputs: "please", human: true }));
  const report = await calibrate(failing as never, { data: rows, label: "human" });
  const shown = lines(report);
  expect(shown.slice(0, 8)).toEqual([
    "polite  6 results",
    "Left out: 16 failed",
    "Of 6 rows that people pass, the judge fails 0.",
    "",
    "! Error: Status 401:\\u001b wrong key",
    "    6 results: 2, 4, 6, 8, 10, …",
    "! Error: Failure 12",
    "    1 result: 13",
  ]);
  // The report has ten distinct errors.
  expect(shown).toContain("… and 1 other error");
  const { failures, ...earlier } = report;
  expect(failures).toHaveLength(10);
  expect(lines(earlier)[3]).toBe("");
  expect(lines(earlier)[4]).toMatch(/^Figure/);
});

it("reads stored reports whose flip rate is called flicker", async () => {
  const { flipRate, ...report } = await calibrate(judge, { data, label: "human", numRepetitions: 2 });
  const stored = { ...report, flicker: flipRate } as unknown as CalibrationReport;
  expect(lines(stored)).toContainEqual(expect.stringMatching(/^Flip rate +0\.0% +/));
});

it("has the agreement of people, and the most confident disagreements", async () => {
  const rows = data.slice(0, 3).map((row, index) => ({ ...row, other: index === 0 ? row.human : true }));
  const sure = (row: { outputs: string }) => ({ ...judge(row), metadata: { confidence: 0.9 } });
  const report = await calibrate(sure, { data: rows, label: ["human", "other"] });
  const shown = lines(report, { columns: 100, color: true }).join("\n");
  expect(shown).toContain("\u001b[1m");
  expect(shown).toMatch(/^Human agreement .*66\.7%/m);
  expect(shown).toMatch(/judge .*false, with a confidence of 90/);
  expect(shown).toMatch(/^Brier score /m);
});

it("fits narrow terminals, and is the same after JSON", async () => {
  const report = await calibrate(judge, { data, label: "human" });
  const text = formatCalibration(report, { columns: 44 });
  for (const line of text.split("\n")) expect(line.length, line).toBeLessThanOrEqual(44);
  expect(formatCalibration(JSON.parse(JSON.stringify(report)), { columns: 44 })).toBe(text);
});

it("of nothing says why", async () => {
  const silent = async () => ({ key: "polite", score: null });
  const report = await calibrate(silent, { data: data.slice(2), label: "human" });
  const shown = lines(report);
  expect(shown.slice(0, 3)).toEqual(["polite  0 results", "Left out: 1 unlabelled, 1 not applicable", ""]);
  expect(shown.slice(3).join(" ")).toMatch(/^Accuracy, .*: No row has both a label and a verdict\. $/);
});

it("rejects values that are not reports", () => {
  for (const wrong of [undefined, {}, { key: 1 }])
    expect(() => formatCalibration(wrong as never)).toThrow(
      expect.objectContaining({ code: "invalid_input" }),
    );
  expect(() => formatCalibration({} as never, { colour: true } as never)).toThrow(
    expect.objectContaining({ code: "invalid_config" }),
  );
});
