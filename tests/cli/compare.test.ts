/** Comparisons of experiments whose scores changed their meaning, and of summary scores. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runProgram } from "./program.js";
import { projectOf } from "./project.js";

/** Rows whose toxicity is the same on each. */
const toxic = (score: number, more = "") => `
  import { mean, median, passRate, percentile } from "openevals-wasm/evaluation";
  export default {
    name: "tox",
    data: Array.from({ length: 12 }, (_, i) => ({ id: "n" + i, inputs: i, outputs: i })),
    evaluators: [() => ({ key: "tox", score: ${score} })],
    ${more}
  };
`;
const averages =
  'summaryEvaluators: [mean({ key: "tox" }), median({ key: "tox" }), percentile({ key: "tox", percent: 2.5 }), passRate({ key: "tox" })]';

/** Rows that never change, and summary scores. */
const summed = (
  summaries: string,
  evaluators = "[({ outputs }) => ({ key: 'same', score: outputs > 1 })]",
) => `
  export default {
    name: "sums",
    data: Array.from({ length: 4 }, (_, i) => ({ id: "n" + i, inputs: i, outputs: i })),
    evaluators: ${evaluators},
    summaryEvaluators: [${summaries}],
  };
`;
const f1 = (score: unknown) => `function f1() { return ${score}; }`;

const folder = await projectOf({
  "f1.mjs": summed(f1(1)),
  "f0.mjs": summed(f1(0)),
  "fails.mjs": summed("function f1() { throw new Error('ouch'); }"),
  "several.mjs": summed(
    `${f1(0.5)}, () => ({ key: "recall", score: 0.25 }), () => ({ key: "matrix", value: [1] })`,
  ),
  "only1.mjs": summed(f1(1), "undefined"),
  "only0.mjs": summed(f1(0), "undefined"),
  "kind.mjs": toxic(0.1, 'lowerIsBetter: ["tox"],'),
  "toxic.mjs": toxic(0.9),
  "mean-kind.mjs": toxic(0.1, `lowerIsBetter: ["tox"], ${averages}`),
  "mean-toxic.mjs": toxic(0.9, averages),
});
const cli = (...args: string[]) => runProgram(folder, args);
for (const name of [
  "kind",
  "toxic",
  "mean-kind",
  "mean-toxic",
  "f1",
  "f0",
  "fails",
  "several",
  "only1",
  "only0",
])
  await cli("run", `${name}.mjs`, "--output", name);

it("the better direction of a key may not change", async () => {
  const turned =
    'In the first experiment, lower scores of "tox" are better, and in the second, higher ones, so they cannot be ' +
    "compared. Score the first one again with the same lowerIsBetter, or give the key another name.";
  const files = ["compare", "kind/tox.json", "toxic/tox.json"];
  const note =
    "In toxic/tox.json, higher scores of tox are better. If lower ones are, add --lower-is-better tox.";
  expect(await cli(...files)).toEqual({
    code: 2,
    stdout: "",
    stderr: `${note}\nopenevals-wasm: ${turned}\n`,
  });
  expect(await cli(...files, "--lower-is-better", "tox")).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("Worse on tox, by more than chance"),
  });
  // So are the mean, the median and the percentiles of that key.
  const averaged = ["compare", "mean-kind/tox.json", "mean-toxic/tox.json"];
  expect(await cli(...averaged)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('scores of "tox'),
  });
  expect(await cli(...averaged, "--lower-is-better", "tox")).toMatchObject({
    code: 1,
    stderr: "tox became worse.\n",
  });
  const ran = await cli("run", "toxic.mjs", "--baseline", "kind/tox.json");
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain(turned.slice(0, -1));
  expect(ran.stdout).not.toContain("etter on tox");
});

it("a key with the name of a prompt whose true is bad has a note where lower scores are not better", async () => {
  const scored = (key: string, score: number) => `
    export default {
      name: "${key}",
      data: Array.from({ length: 12 }, (_, i) => ({ id: "n" + i, inputs: i, outputs: i })),
      evaluators: [() => ({ key: "${key}", score: ${score} })],
    };
  `;
  const own = await projectOf({
    "before.mjs": scored("toxicity", 0.1),
    "after.mjs": scored("toxicity", 0.9),
    "kind.mjs": scored("kindness", 0.9),
  });
  for (const name of ["before", "after", "kind"])
    await runProgram(own, ["run", `${name}.mjs`, "--output", name]);
  const files = ["compare", "before/toxicity.json", "after/toxicity.json"];
  const note =
    "In before/toxicity.json and after/toxicity.json, higher scores of toxicity are better. If lower ones are, " +
    "add --lower-is-better toxicity.";
  const { code, stderr } = await runProgram(own, files);
  expect({ code, stderr }).toEqual({ code: 0, stderr: `${note}\n` });
  const { stdout } = await runProgram(own, [...files, "--json"]);
  expect(JSON.parse(stdout).experiments[0].notes).toEqual([note]);
  expect(await runProgram(own, [...files, "--lower-is-better", "toxicity"])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("Worse on toxicity"),
    stderr: "toxicity became worse.\n",
  });
  const kind = await runProgram(own, ["compare", "kind/kindness.json", "kind/kindness.json"]);
  expect(kind.stderr).toBe("");
});

it("the bounds of unpaired scores have the better direction of the reader, also in older experiments", async () => {
  for (const name of ["kind", "toxic"]) {
    const { scales: _, ...older } = JSON.parse(await readFile(join(folder, `${name}/tox.json`), "utf8"));
    // One row of twelve has no counterpart.
    if (name === "toxic") older.rows.pop();
    older.aggregates.tox.count = older.rows.length;
    await writeFile(join(folder, `${name}-older.json`), JSON.stringify(older));
  }
  const bounds = async (...more: string[]) => {
    const { stdout } = await cli("compare", "kind-older.json", "toxic-older.json", "--json", ...more);
    return JSON.parse(stdout).experiments[0].comparisons.tox.bounds;
  };
  const { worst, best } = await bounds();
  expect(worst).toBeLessThan(best);
  expect(await bounds("--lower-is-better", "tox")).toEqual({ worst: best, best: worst });
});

it("summary scores are compared, without a claim of chance", async () => {
  const files = ["compare", "f1/sums.json", "f0/sums.json"];
  const { code, stdout, stderr } = await cli(...files);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("Only the summary score f1 changed; 2 of 4 rows fail.");
  expect(stdout).toMatch(/^Summary +Before +After +Difference$/m);
  expect(stdout).toMatch(/^f1 +1\.000 +0\.000 +-1\.000$/m);
  const { experiments } = JSON.parse((await cli(...files, "--json")).stdout);
  expect(experiments[0].comparisons).toMatchObject({
    same: { verdict: "unchanged" },
    f1: { verdict: "changed", isSummary: true, difference: -1, means: { first: 1, second: 0 }, pValue: null },
  });
  const markdown = (await cli(...files, "--format", "markdown")).stdout;
  expect(markdown).toContain("Only the summary score f1 changed");
  expect(markdown).toContain("| f1 | 1.000 | 0.000 | -1.000 |");
  const csv = (await cli(...files, "--format", "csv")).stdout;
  expect(csv).toMatch(/^sums[^,]*,f1,1,0,-1,/m);
  expect((await cli("compare", "f1/sums.json", "f1/sums.json")).stdout).toContain("Nothing changed;");
  const ran = await cli("run", "f0.mjs", "--baseline", "f1/sums.json");
  expect(ran).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Only the summary score f1 changed;"),
  });
});

it("summary scores without a counterpart are like scores of rows", async () => {
  const failed = await cli("compare", "f1/sums.json", "fails/sums.json");
  expect(failed).toMatchObject({
    code: 1,
    stderr:
      "f1 has 1 score without a counterpart (1 error in the second), but 0 are allowed (--max-unpaired).\n",
  });
  const added = await cli("compare", "f1/sums.json", "several/sums.json");
  expect(added).toMatchObject({ code: 0, stdout: expect.stringMatching(/^recall +– +0\.250 +–$/m) });
  expect(added.stdout).not.toContain("matrix");
});

it("experiments may have nothing but summary scores", async () => {
  const changed = await cli("compare", "only1/sums.json", "only0/sums.json");
  expect(changed).toMatchObject({
    code: 0,
    stderr: "",
    stdout: expect.stringContaining("The summary score f1 changed;"),
  });
  expect(changed.stdout).not.toContain("Pairs");
  const same = await cli("compare", "only1/sums.json", "only1/sums.json");
  expect(same).toMatchObject({ code: 0, stdout: expect.stringContaining("Nothing changed;") });
});

it("compares only the keys that decide", async () => {
  const named = await cli("compare", "several/sums.json", "f0/sums.json", "--key", "f1", "--key", "same");
  expect(named).toMatchObject({ code: 0, stdout: expect.not.stringContaining("recall") });
  expect(named.stdout).toMatch(/^f1 +0\.500 +0\.000 +-0\.500$/m);
  // The second experiment has no recall.
  expect((await cli("compare", "several/sums.json", "f0/sums.json")).code).toBe(1);
  expect(await cli("compare", "f1/sums.json", "f0/sums.json", "--key", "smae")).toEqual({
    code: 2,
    stdout: "",
    stderr: 'openevals-wasm: --key has the key "smae", which no result has; did you mean "same"?\n',
  });
});

it("a margin needs scores of rows", async () => {
  const { code, stderr } = await cli("compare", "f1/sums.json", "f0/sums.json", "--margin", "f1=0.1");
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr:
      'openevals-wasm: --margin names "f1", a summary score, whose difference has no test; name a key of rows. ' +
      "See npx openevals-wasm compare --help.\n",
  });
});

it("run --baseline notes a file of another experiment", async () => {
  const other = await cli("run", "f1.mjs", "--baseline", "kind/tox.json", "--max-unpaired", "100");
  expect(other.stderr).toContain(
    'sums: kind/tox.json has the experiment "tox", not "sums". If it is not an earlier run of this one, name another file.\n',
  );
  expect((await cli("run", "f1.mjs", "--baseline", "f1/sums.json")).stderr).toBe("");
});

it("a fixed error needs no counterpart", async () => {
  const folder = await projectOf({
    "a.mjs": `
      import { exactMatch } from "openevals-wasm";
      export default {
        name: "fixed",
        data: ["a", "b", "c", "d"].map((id) => ({ id, inputs: id, referenceOutputs: id })),
        target: (input) => {
          if (input === "d" && !process.env.FIXED) throw new Error("crash");
          return input;
        },
        evaluators: [exactMatch],
      };
    `,
  });
  await runProgram(folder, ["run", "a.mjs", "--output", "before.json"]);
  const args = ["run", "a.mjs", "--baseline", "before.json", "--output", "after.json"];
  const { code, stdout, stderr } = await runProgram(folder, args, { FIXED: "1" });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "Experiment written to after.json\n" });
  expect(stdout).toContain("Nothing changed in the rows with both scores; all 4 rows pass.");
  // The other way round, it is a new error.
  const back = await runProgram(folder, ["compare", "after.json", "before.json"]);
  expect(back).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      "exact_match has 1 score without a counterpart (1 error in the second), but 0 are allowed (--max-unpaired).",
    ),
  });
});

it("nor do errors of a key on all rows, beside another key", async () => {
  const folder = await projectOf({
    "a.mjs": `
      const always = () => ({ key: "always", score: 1 });
      const judge = () => {
        if (!process.env.FIXED) throw new Error("down");
        return { key: "judge", score: 1 };
      };
      judge.feedbackKey = "judge";
      export default { name: "a", data: [1, 2, 3].map((outputs) => ({ outputs })), evaluators: [always, judge] };
    `,
  });
  await runProgram(folder, ["run", "a.mjs", "--output", "before.json"]);
  const after = await runProgram(folder, ["run", "a.mjs", "--output", "after.json"], { FIXED: "1" });
  expect(after.code).toBe(0);
  expect(await runProgram(folder, ["compare", "before.json", "after.json"])).toMatchObject({
    code: 0,
    stderr: "",
  });
  expect(await runProgram(folder, ["compare", "after.json", "before.json"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("judge has 3 scores without a counterpart (3 errors in the second)"),
  });
});

it("a comparison of some of the rows says which rows its means are of", async () => {
  const all = ["compare", "f1/sums.json", "part.json", "--max-unpaired", "4"];
  await cli("run", "f1.mjs", "--shard", "1/2", "--output", "part.json");
  const terminal = await cli(...all);
  // Rows n0 and n2 have a pair; without them n3 is right, too.
  expect(terminal.stdout).toMatch(
    /^same +50\.0% +50\.0% .*\nBefore and After are the means of the paired rows\.$/m,
  );
  const markdown = await cli(...all, "--format", "markdown");
  expect(markdown.stdout).toMatch(
    /^\| same \| 50\.0% \| 50\.0% .*\n\nBefore and Now are the means of the paired rows\.\n/m,
  );
  expect((await cli("compare", "f1/sums.json", "f1/sums.json")).stdout).not.toContain("paired rows");
});

it("a comparison of experiments with different repetitions says which of them it compares", async () => {
  await cli("run", "f1.mjs", "--repeat", "3", "--output", "thrice.json");
  const note = "The experiments have 1 and 3 repetitions; only the first of each row is compared.";
  const compared = ["compare", "f1/sums.json", "thrice.json"];
  const { code, stdout } = await cli(...compared);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(
    `Before and After are the means of the paired rows. ${note}`,
  );
  expect(stdout).toMatch(/^same .* 4 +0 +0$/m);
  expect(code).toBe(0);
  expect((await cli(...compared, "--format", "markdown")).stdout).toContain(note);
});

it("scores without a counterpart that could not make a key worse are no problem", async () => {
  const experiment = (score: string) => `
    export default {
      name: "grounded",
      data: Array.from({ length: 10 }, (_, i) => ({ id: "n" + i, inputs: i, outputs: i })),
      evaluators: [({ outputs }) => ({ key: "grounded", ...(${score}) })],
    };
  `;
  const own = await projectOf({
    "low.mjs": experiment("{ score: outputs < 2 }"),
    "high.mjs": experiment("outputs === 9 ? { applicable: false } : { score: true }"),
  });
  for (const name of ["low", "high"]) await runProgram(own, ["run", `${name}.mjs`, "--output", name]);
  const compare = (...names: string[]) =>
    runProgram(own, ["compare", ...names.map((name) => `${name}/grounded.json`)]);
  // At least 9 of 10 beside 2 of 10.
  expect(await compare("low", "high")).toMatchObject({ code: 0, stderr: "" });
  // Without a range, the missing score could be anything.
  const unscaled = await projectOf({
    "low.mjs": experiment("{ score: outputs < 2 ? 2 : 1 }"),
    "high.mjs": experiment("outputs === 9 ? { applicable: false } : { score: 8 }"),
  });
  for (const name of ["low", "high"]) await runProgram(unscaled, ["run", `${name}.mjs`, "--output", name]);
  expect(await runProgram(unscaled, ["compare", "low/grounded.json", "high/grounded.json"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("1 score without a counterpart"),
  });
  expect(await compare("high", "low")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("grounded became worse."),
  });
});

it("scores without a counterpart could make a key worse if lower is better", async () => {
  const experiment = (score: string) => `
    export default {
      name: "toxicity",
      data: [0, 1, 2, 3].map((i) => ({ id: "n" + i, inputs: i, outputs: i })),
      evaluators: [({ outputs }) => ({ key: "toxicity", ...(${score}) })],
      lowerIsBetter: ["toxicity"],
    };
  `;
  const own = await projectOf({
    "all.mjs": experiment("{ score: false }"),
    "fewer.mjs": experiment("outputs ? { score: false } : { applicable: false }"),
  });
  for (const name of ["all", "fewer"]) await runProgram(own, ["run", `${name}.mjs`, "--output", name]);
  // The missing score is 0 or 1, of 4 rows.
  expect(await runProgram(own, ["compare", "all/toxicity.json", "fewer/toxicity.json"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("The difference is between 0.000 and 0.250, whatever"),
  });
});

it("Markdown shows rows with all of their scores that became worse", async () => {
  const scoring = (score: number) => `
    export default {
      name: "two",
      data: Array.from({ length: 12 }, (_, i) => ({ id: "n" + i, inputs: i, outputs: i })),
      evaluators: ["one", "other"].map((key) => () => ({ key, score: ${score} })),
    };
  `;
  const folder = await projectOf({ "high.mjs": scoring(1), "low.mjs": scoring(0.5) });
  await runProgram(folder, ["run", "high.mjs", "--output", "high.json"]);
  const compared = ["--baseline", "high.json", "--format", "markdown"];
  const { stdout } = await runProgram(folder, ["run", "low.mjs", ...compared]);
  expect(stdout).toContain("<summary>24 scores that became worse, 10 of 12 rows shown</summary>");
  const cells = stdout.split("\n").filter((line) => /^\| n\d+ \|/.test(line));
  expect(cells.map((line) => line.split(" | ").slice(1, 3))).toEqual(
    Array.from({ length: 10 }, () => ["one<br>other", "1.000 → 0.500<br>1.000 → 0.500"]),
  );
});
