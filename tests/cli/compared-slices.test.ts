/** `compare --slice-by` and `run --baseline --slice-by`. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runProgram } from "./program.js";
import { projectOf } from "./project.js";

/** Of forty German rows, the first `lost` are wrong; of 160 English ones, the last twenty unless they are gained. */
const evals = (name: string, { lost, gained }: { lost: number; gained: boolean }) => `
  const data = Array.from({ length: 204 }, (_, row) => ({
    id: "n" + row,
    inputs: { row },
    outputs: row < 40 ? row >= ${lost} : ${gained} || row < 180 || row >= 200,
    metadata: { language: row < 40 ? "de" : row < 200 ? "en" : "fr", ...(row % 2 && { topic: "odd" }) },
  }));
  export default { name: "${name}", data, evaluators: [({ outputs }) => ({ key: "correct", score: outputs })] };
`;

const folder = await projectOf({
  "before.mjs": evals("qa", { lost: 0, gained: false }),
  "falls.mjs": evals("qa", { lost: 8, gained: true }),
  "rises.mjs": evals("qa", { lost: 0, gained: true }),
  "other.mjs": `
    const data = [{ id: "a", inputs: 1, outputs: true }];
    export default { name: "other", data, evaluators: [({ outputs }) => ({ key: "correct", score: outputs })] };
  `,
  "lang.mjs": evals("qa", { lost: 0, gained: false }).replaceAll('"de"', '"nl"'),
});
const cli = (...args: string[]) => runProgram(folder, args);
for (const name of ["before", "falls", "rises", "other", "lang"])
  await cli("run", `${name}.mjs`, "--output", name);
const falls = ["compare", "before/qa.json", "falls/qa.json"];

it("a slice that became worse fails a comparison that is better", async () => {
  expect(await cli(...falls)).toMatchObject({ code: 0, stderr: "" });
  const { code, stdout, stderr } = await cli(...falls, "--slice-by", "language");
  expect({ code, stderr }).toEqual({ code: 1, stderr: "correct became worse in language: de.\n" });
  expect(stdout).toContain("Better on correct, by more than chance; worse in language: de; 8 of 204 rows");
  expect(stdout).toMatch(/^de +100\.0% +80\.0% +-20\.0 pp .* 0\.008 +40$/m);
  expect(stdout.indexOf("\nde ")).toBeLessThan(stdout.indexOf("\nen "));
  expect(stdout).toContain("Too few rows to find a difference: fr (4).");
  const rises = await cli("compare", "before/qa.json", "rises/qa.json", "--slice-by", "language");
  expect(rises).toMatchObject({ code: 0, stderr: "" });
});

it("all forms of the result have the slices", async () => {
  const { code, stdout } = await cli(...falls, "--slice-by", "language", "--json");
  expect(code).toBe(1);
  const [{ passed, problems, comparisons }] = JSON.parse(stdout).experiments;
  expect({ passed, problems }).toEqual({
    passed: false,
    problems: ["correct became worse in language: de."],
  });
  const slices = comparisons.correct.slices;
  expect(slices.map(({ value, verdict }: { value: string; verdict: string }) => [value, verdict])).toEqual([
    ["en", "better"],
    ["de", "worse"],
    ["fr", "unchanged"],
  ]);
  expect(comparisons.correct.sliceCount).toBe(3);
  expect(slices[1]).toMatchObject({
    ...{ by: "language", units: 40, count: 40, means: { first: 1, second: 0.8 }, difference: -0.2 },
    ...{ flipped: [], flippedCount: 8 },
  });
  expect(slices[1].adjustedPValue).toBeCloseTo(1 / 128, 12);
  const markdown = (await cli(...falls, "--slice-by", "language", "--format", "markdown")).stdout;
  expect(markdown).toContain("correct became worse in language: de.");
  expect(markdown).toMatch(/^\| de \| 100\.0% \| 80\.0% \| -20\.0 pp \|.*\| 40 \| 🔴 \*\*worse\*\* \|$/m);
  expect(markdown).toContain("Too few rows to find a difference: fr (4).");
  const csv = (await cli(...falls, "--slice-by", "language", "--format", "csv")).stdout;
  expect(csv).toMatch(/^qa[^,]*,correct,language: de,1,0\.8,-0\.2,.*,worse\r$/m);
  const written = await cli(...falls, "--slice-by", "language", "--report", "slices.html");
  expect(written.code).toBe(1);
  expect(await readFile(join(folder, "slices.html"), "utf8")).toContain("worse in language: de");
});

it("several fields are compared together, and rows without a field are counted", async () => {
  const { code, stdout, stderr } = await cli(...falls, "--slice-by", "language", "--slice-by", "topic");
  expect(code).toBe(1);
  expect(stdout).toMatch(/^Slice +Before/m);
  expect(stdout).toMatch(/^language: de /m);
  expect(stdout).toMatch(/^topic: odd /m);
  expect(stderr).toBe(
    '102 of 204 rows have no "topic" and are in no slice.\ncorrect became worse in language: de.\n',
  );
});

it("run compares the slices with those of its baseline", async () => {
  const ran = await cli("run", "falls.mjs", "--baseline", "before", "--slice-by", "language");
  expect(ran).toMatchObject({ code: 1, stdout: expect.stringMatching(/^de +100\.0% +80\.0% /m) });
  expect(ran.stderr).toContain("correct became worse in language: de.");
  expect((await cli("run", "rises.mjs", "--baseline", "before", "--slice-by", "language")).code).toBe(0);
  expect((await cli("run", "falls.mjs", "--baseline", "before")).code).toBe(0);
});

it("a field that no row has is an error, before anything is run", async () => {
  const unknown = await cli(...falls, "--slice-by", "langauge");
  expect(unknown).toMatchObject({ code: 2, stdout: "" });
  expect(unknown.stderr).toMatch(
    /--slice-by is "langauge", but no row has this field in its metadata or inputs; did you mean "language"\?/,
  );
  const ran = await cli("run", "falls.mjs", "--baseline", "before", "--slice-by", "langauge");
  expect(ran).toMatchObject({ code: 2, stdout: "", stderr: unknown.stderr.replace(" compare ", " run ") });
  const twice = await cli(...falls, "--slice-by", "language", "--slice-by", "language");
  expect(twice).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--slice-by language is there twice"),
  });
  const alone = await cli("run", "falls.mjs", "--slice-by", "language");
  expect(alone).toMatchObject({ code: 2, stdout: "" });
  expect(alone.stderr).toContain("--slice-by applies to a comparison; add --baseline");
});

it("a shard without rows is not compared with a baseline", async () => {
  const shard = await cli("run", "other.mjs", "--shard", "2/2", "--baseline", "other");
  expect(shard.code).toBe(0);
  expect(shard.stderr).toContain("Shard 2 of 2 has no rows");
  expect(shard.stderr).not.toContain("counterpart");
});

it("rows that moved to another slice are an error, and so are experiments without common rows", async () => {
  const moved = await cli("compare", "before/qa.json", "lang/qa.json", "--slice-by", "language");
  expect(moved).toMatchObject({ code: 2, stdout: "" });
  expect(moved.stderr).toContain(
    '40 examples have another language in the second experiment, such as "n0": "de", then "nl".',
  );
  const foreign = await cli("compare", "before/qa.json", "other/other.json", "--slice-by", "language");
  expect(foreign.code).toBe(2);
  expect(foreign.stderr).toContain("No row has a score in both");
});
