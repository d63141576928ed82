/** The output of `run`, `score` and `compare` for other tools: JUnit, GitHub, Markdown, CSV, JSON. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Marked } from "marked";
import { beforeAll, describe, expect, it } from "vitest";
import { readJUnit } from "./junit.js";
import { obeyed } from "./obeyed.js";
import { runProgram } from "./program.js";
import { doubling, lines, projectOf } from "./project.js";

/** Model output that may break the tools that show it. */
const NASTY =
  "| a | `b` <img src=x onerror=alert(1)>\n# @octocat, see #1 and https://example.com \\| *now*\u0000\u001b[31m]]>\ud800&";

const NASTY_EVAL = (answer: string) => `
  export default {
    name: "nasty | <b>@team</b>",
    data: [
      { id: "row|1", inputs: ${JSON.stringify(NASTY)}, referenceOutputs: "fine" },
      { id: "row 2", inputs: "q", referenceOutputs: "fine" },
      { id: "row 3", inputs: "q", referenceOutputs: "fine" },
    ],
    target: (question) => {
      if (question === "throw") throw new Error("no");
      return question === "q" ? "fine" : ${answer};
    },
    evaluators: [
      ({ outputs }) => ({ key: "right", score: outputs === "fine", comment: outputs === "fine" ? undefined : ${JSON.stringify(NASTY)} }),
      ({ outputs, example }) => {
        if (example.id === "row 2") return { key: "length|x", applicable: false, comment: "too short" };
        if (example.id === "row 3") throw new Error(${JSON.stringify(NASTY)});
        return { key: "length|x", score: outputs.length > 10 ? 0.25 : 0.75 };
      },
    ],
    failUnder: { right: 0.5, "length|x": 0.4 },
    maxErrors: 1,
  };
`;

let folder: string;
const run = (...args: string[]) => runProgram(folder, ["run", ...args]);
const written = async (name: string) => readFile(join(folder, name), "utf8");
/** Without times, which differ. */
const timeless = (markdown: string) => markdown.replaceAll(/, [\d.]+ m?s\)/g, ", … ms)");
const expected = (name: string) => join(import.meta.dirname, "expected", name);

beforeAll(async () => {
  folder = await projectOf({
    "good.mjs": NASTY_EVAL('"fine"'),
    "nasty.mjs": NASTY_EVAL("question"),
    "a.mjs": doubling(12),
    "worse/a.mjs": doubling(2),
    "broken.mjs": "throw new Error('a, b: 100%\\nsecond line');",
  });
  await run("good.mjs", "a.mjs", "--output", "main");
});

describe("--junit", () => {
  it("has a test for each row and key, and one for all rows", async () => {
    const { code } = await run("nasty.mjs", "a.mjs", "broken.mjs", "--junit", "out/junit.xml");
    expect(code).toBe(2);
    const suites = await readJUnit(join(folder, "out/junit.xml"));
    expect(suites.map(({ name, cases }) => [name, cases.length])).toEqual([
      ["broken.mjs", 1],
      ["nasty | <b>@team</b>", 7],
      ["a", 13],
    ]);
    const [broken, nasty, good] = suites as [any, any, any];
    expect(broken.cases).toMatchObject([{ name: "broken.mjs", kind: "error", message: "Error: a, b: 100%" }]);
    expect(good.cases.every(({ kind }: any) => kind === undefined)).toBe(true);
    expect(nasty.cases.map(({ name, kind, message }: any) => [name, kind, message])).toEqual([
      // Keys with a threshold are tested by their mean.
      ["row|1 › right", "system-out", undefined],
      ["row|1 › length|x", "system-out", undefined],
      ["row 2 › right", undefined, undefined],
      ["row 2 › length|x", "skipped", "too short"],
      ["row 3 › right", undefined, undefined],
      // One error is allowed.
      ["row 3 › length|x", "skipped", expect.stringContaining("| a | `b` <img")],
      ["all rows", "failure", "length|x is 0.250, below 0.400."],
    ]);
    expect(nasty.cases[0].text).toContain("https://example.com \\| *now*\\u0000\\u001b[31m]]>\\ud800&");
  });
});

describe("Markdown", () => {
  it("of a run has its means, failing scores and errors", async () => {
    const { stdout } = await run("nasty.mjs", "a.mjs", "--format", "markdown");
    await expect(timeless(stdout)).toMatchFileSnapshot(expected("run.md"));
  });

  it("of a comparison tells noise from regression", async () => {
    const options = ["--baseline", "main", "--comment", "out/comment.md"];
    const { code } = await run("nasty.mjs", "worse/a.mjs", ...options);
    expect(code).toBe(1);
    await expect(timeless(await written("out/comment.md"))).toMatchFileSnapshot(expected("comment.md"));
  });

  it.each(["run.md", "comment.md"])("%s reads as it was written, whatever that is", async (name) => {
    const html = await new Marked({ gfm: true }).parse(await readFile(expected(name), "utf8"));
    // The visible text, without zero-width spaces.
    const cells = Array.from(html.matchAll(/<td[^>]*>(.*?)<\/td>/gs), ([, cell = ""]) =>
      cell.replaceAll("&#8203;", "").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&"),
    );
    const seen = NASTY.replaceAll(/[\p{Cc}\p{Cs}]/gu, (character) =>
      character === "\n" ? "\\n" : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
    expect(cells).toContain(seen);
    expect(html.match(/<(?:img|a|b|em|code)\b/g)).toBe(null);
    for (const [table] of html.matchAll(/<table>.*?<\/table>/gs)) {
      const widths = Array.from(
        table.matchAll(/<tr>(.*?)<\/tr>/gs),
        ([row]) => row.match(/<t[hd]\b/g)?.length,
      );
      expect(new Set(widths).size).toBe(1);
    }
  });

  it("stays below the size limit of comments", async () => {
    await writeFile(
      join(folder, "long.mjs"),
      `export default Array.from({ length: 40 }, (_, i) => ({
        name: "long" + i,
        data: Array.from({ length: 12 }, (_, i) => ({ inputs: "x".repeat(500) })),
        target: (x) => x,
        evaluators: [() => ({ key: "no", score: false, comment: "y".repeat(500) })],
      }));`,
    );
    await run("long.mjs", "--comment", "out/long.md");
    const comment = await written("out/long.md");
    expect(comment.length).toBeLessThan(65_536);
    expect(comment).toContain("The rows are left out");
  });
});

describe("--github", () => {
  it("writes the summary, escaped annotations, and outputs", async () => {
    const env = {
      GITHUB_WORKSPACE: folder,
      GITHUB_STEP_SUMMARY: join(folder, "summary.md"),
      GITHUB_OUTPUT: join(folder, "output.txt"),
    };
    await writeFile(env.GITHUB_STEP_SUMMARY, "before\n");
    const args = [
      "run",
      "worse/a.mjs",
      "nasty.mjs",
      "broken.mjs",
      "--baseline",
      "main",
      "--github",
      "--comment",
      "c.md",
    ];
    const { code, stdout } = await runProgram(folder, args, env);
    expect(code).toBe(2);
    expect(obeyed(stdout)).toEqual([
      expect.stringMatching(
        /^::error file=broken\.mjs,title=broken\.mjs::Error: a, b: 100%25%0Asecond line%0A {4}at /,
      ),
      "::error file=worse/a.mjs,title=a::exact_match became worse.",
      "::error file=nasty.mjs,title=nasty | <b>@team</b>::length|x is 0.250, below 0.400.",
    ]);
    expect(await written("summary.md")).toMatch(/^before\n## ✗ Evaluations: 3 of 3 failed\n/);
    expect(await written("output.txt")).toBe("passed=false\ncomment=c.md\n");
    const better = ["run", "a.mjs", "--baseline", "worse.json", "--github"];
    await run("worse/a.mjs", "--output", "worse.json");
    expect((await runProgram(folder, better)).stdout).toContain(
      "\n::notice file=a.mjs,title=a::exact_match became better.\n",
    );
  });

  it("does not mix with a format on standard output", async () => {
    expect(await run("a.mjs", "--github", "--format", "json")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("name a file for --format with --output"),
    });
  });
});

describe("--format", () => {
  it("json is the experiments, and nothing else on standard output", async () => {
    const { stdout } = await run("a.mjs", "nasty.mjs", "--format", "json");
    expect(JSON.parse(stdout).map(({ rows }: any) => rows.length)).toEqual([12, 3]);
  });

  it("csv is rows, or the keys of a comparison", async () => {
    const { stdout } = await run("nasty.mjs", "--format", "csv", "--output", "out/rows.csv");
    expect(stdout).toContain("1 of 3 rows fails");
    const rows = await written("out/rows.csv");
    expect(rows).toMatch(
      /^experiment,id,repetition,inputs,outputs,reference_outputs,right,right comment,length\|x,/,
    );
    expect(rows).toMatch(/^nasty \| <b>@team<\/b>,row 2,0,q,fine,fine,true,,,too short,,[\d.]+\r$/m);
    const compared = await run("worse/a.mjs", "--baseline", "main", "--format", "csv");
    expect(compared.stdout).toMatch(
      /^experiment,key,before,now,difference,low,high,p,pairs,verdict\r\na,exact_match,1,0\.1\d+,-0\.8\d+,-0\.\d+,-0\.\d+,0\.00\d+,12,worse\r\n$/,
    );
  });

  it("csv keeps numbers, and names the failure of a target once", async () => {
    await writeFile(
      join(folder, "numbers.mjs"),
      `function seen({ outputs }) {
        if (outputs === "+1.5") throw new Error("no score");
        return { key: "seen", score: 1 };
      }
      export default {
        data: ["-5", "+1.5", "-5+3", "fails"].map((inputs) => ({ inputs })),
        target: (text) => {
          if (text === "fails") throw new Error("no answer");
          return text;
        },
        evaluators: [seen],
      };`,
    );
    const { stdout } = await run("numbers.mjs", "--format", "csv");
    expect(stdout.replaceAll(/,[^,\r]*\r\n/g, "\n").split("\n")).toEqual([
      "experiment,id,repetition,inputs,outputs,run_error,seen,seen error",
      "numbers,1,0,-5,-5,,1,",
      "numbers,2,0,+1.5,+1.5,,,no score",
      "numbers,3,0,'-5+3,'-5+3,,1,",
      "numbers,4,0,fails,,no answer,,",
      "",
    ]);
  });

  it("errors, and scores above the default mark, stand beside what passed", async () => {
    await writeFile(
      join(folder, "likert.mjs"),
      `export default {
        data: [{ inputs: 1 }, { inputs: 2 }, { inputs: 3 }],
        target: (stars) => stars,
        evaluators: [({ outputs }) => {
          if (outputs === 3) throw new Error("no answer");
          return { key: "stars", score: outputs };
        }],
      };`,
    );
    const { code, stdout } = await run("likert.mjs", "--max-errors", "1", "--format", "markdown");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^## ⚠ Evaluations passed, but some rows have errors\n\n### ⚠ likert /);
    expect(stdout).toContain(
      "- ⚠ stars passes at 1, but has scores up to 2: set passAt (--pass-at) to what is good enough.\n",
    );
  });

  it("names the first rows of an error", async () => {
    await writeFile(
      join(folder, "down.mjs"),
      `export default {
        data: Array.from({ length: 7 }, (_, row) => ({ id: "#" + row, inputs: row })),
        target: (row) => row,
        evaluators: [function polite({ outputs }) {
          if (outputs > 0) throw new Error("no answer");
          return true;
        }],
      };`,
    );
    const { stdout } = await run("down.mjs", "--format", "markdown");
    expect(stdout.replaceAll("&#8203;", "")).toMatch(
      /^- 6 errors in rows #1, #2, #3, #4, #5, …: polite: Error: no answer$/m,
    );
  });

  it("has the true rate beside the mean", async () => {
    const verdicts = { truePositives: 40, falseNegatives: 10, falsePositives: 30, trueNegatives: 70 };
    await writeFile(
      join(folder, "corrected.mjs"),
      `export default {
        data: Array.from({ length: 1000 }, (_, row) => ({ outputs: row < 450 })),
        evaluators: [({ outputs }) => ({ key: "polite", score: outputs })],
        calibration: { polite: ${JSON.stringify({ verdicts })} },
      };`,
    );
    const { stdout } = await run("corrected.mjs", "--format", "markdown");
    expect(stdout).toMatch(/^\| Key \| Mean \| 95% interval \| True rate \| n \|$/m);
    // (0.45 + 0.7 - 1) / (0.8 + 0.7 - 1)
    expect(stdout).toMatch(/^\| polite \| 45\.0% \| [^|]+ \| 30\.0% \(\d+\.\d% to \d+\.\d%\) \| 1,000 \|$/m);
  });

  it("score and compare have them as well", async () => {
    await writeFile(
      join(folder, "rows.jsonl"),
      lines([{ id: "a", inputs: "q", outputs: "x", referenceOutputs: "y" }]),
    );
    const score = ["score", "rows.jsonl", "--evaluator", "exact_match"];
    const markdown = await runProgram(folder, [...score, "--format", "markdown", "--junit", "score.xml"]);
    expect(markdown.stdout).toMatch(
      /^## ✓ Evaluations finished, without limits\n\n### ✓ rows \(1 row, .*\n\n1 of 1 row fails\.\n\n\| Key \| Mean \|/,
    );
    expect(await readJUnit(join(folder, "score.xml"))).toMatchObject([
      { name: "rows", cases: [{ name: "a › exact_match", kind: "system-out" }, { name: "all rows" }] },
    ]);
    expect(JSON.parse((await runProgram(folder, [...score, "--format", "json"])).stdout).rows).toHaveLength(
      1,
    );
    await run("worse/a.mjs", "--output", "second.json");
    const compare = await runProgram(folder, [
      "compare",
      "main/a.json",
      "second.json",
      "--format",
      "markdown",
    ]);
    expect(compare.stdout).toContain("🔴 **worse**");
    expect(compare.code).toBe(1);
    expect((await runProgram(folder, [...score, "--junit", "rows.jsonl"])).stderr).toContain(
      "--junit rows.jsonl would overwrite rows.jsonl, which this command reads",
    );
  });
});
