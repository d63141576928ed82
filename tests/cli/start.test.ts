/** `npm start`, as users run it: without a judge, and with an Ollama on this machine. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ollamaURL } from "../../xtask/start/judge.mjs";
import type { Loopback } from "../providers/servers/loopback.js";
import { failure, startOllama, verdict } from "../providers/servers/ollama.js";

const script = fileURLToPath(new URL("../../xtask/start.mjs", import.meta.url));

async function start(env: Record<string, string>) {
  // Nothing that names a judge; but what the build goes by.
  const { PATH, HOME, CARGO_HOME, CARGO_TARGET_DIR, RUSTUP_HOME, RUSTUP_TOOLCHAIN } = process.env;
  const build = { CARGO_HOME, CARGO_TARGET_DIR, RUSTUP_HOME, RUSTUP_TOOLCHAIN };
  const options = { env: { PATH, HOME, ...build, ...env }, timeout: 60_000 };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script], options);
  const lines = stdout.split("\n");
  return {
    stdout,
    stderr,
    /** The figures of a key in each table: mean, tokens if there are any, count, and errors where there are any. */
    figures: (key: string) =>
      lines
        .filter((line) => line.startsWith(`${key}  `))
        .map((line) => (line.match(/[█▁-▇░]/u) ? line.replace(/\S+ to \S+ .*[█▁-▇░]/u, "") : line))
        .map((line) => line.split(/\s+/).slice(1)),
    /** The lines about a failing row. */
    about: (id: string) => stdout.match(new RegExp(`^✗ ${id} [^]*?\n\n`, "m"))?.[0],
  };
}

let ollama: Loopback;
beforeAll(async () => {
  ollama = await startOllama();
});
beforeEach(() => {
  ollama.requests.length = 0;
  ollama.script.length = 0;
});
afterAll(() => ollama.close());

/** Of so many answers. */
const tokens = (count: number) => (150 * count).toLocaleString("en");

/** Long messages are broken into lines. */
const unwrapped = (text: string) => text.replaceAll(/\s+/g, " ");

describe("without a judge", { timeout: 70_000 }, () => {
  let run: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    const gone = await startOllama();
    await gone.close();
    run = await start({ OLLAMA_HOST: gone.url });
  }, 70_000);

  it("says so in one line", () => {
    expect(run.stdout).toContain("No judge: set OPENAI_API_KEY, or start Ollama, to add one.\n");
  });

  it("counts equal rows", () => {
    // 4 of the 16 answers are the reference to the letter, and so are 3 of the 14 extractions.
    expect(run.figures("exact_match")).toEqual([
      ["25.0%", "16"],
      ["21.4%", "14"],
    ]);
    // One more extraction differs only in the order of its list.
    expect(run.figures("json_match:all")).toEqual([["0.286", "14"]]);
  });

  it("compares the trajectories in four ways", () => {
    expect(run.figures("trajectory_strict_match")).toEqual([["38.5%", "13"]]);
    expect(run.figures("trajectory_unordered_match")).toEqual([["46.2%", "13"]]);
    expect(run.figures("trajectory_subset_match")).toEqual([["53.8%", "13"]]);
    expect(run.figures("trajectory_superset_match")).toEqual([["61.5%", "13"]]);
  });

  it("shows labelled claims", () => {
    // 54 of 60 answers make claims; the verdicts are the labels.
    expect(run.figures("faithfulness")).toEqual([["0.554", "54", "6"]]);
  });

  it("writes reports", async () => {
    for (const dataset of ["question_answering", "extraction", "trajectories", "rag-claims"]) {
      expect(run.stdout).toContain(`target/reports/${dataset}.html`);
      const report = new URL(`../../target/reports/${dataset}.html`, import.meta.url);
      expect(await readFile(report, "utf8")).toMatch(new RegExp(`<title>.* rows? .* · ${dataset}-`));
    }
  });

  it("marks the first difference", () => {
    expect(run.about("swapped-digits")).toBe(
      [
        "✗ swapped-digits  How fast is light in a vacuum, in km/s?",
        "  ✗ exact_match   ✓ levenshtein_distance 0.875   ✓ embedding_similarity 0.740",
        '    exact_match  outputs is "299,792.548 km/s" instead of "299,792.458 km/s"',
        "\n",
      ].join("\n"),
    );
  });

  it("shows invisible characters", () => {
    expect(run.about("combining-accent")).toMatch(/U\+0065\s+U\+0301\s+and\s+U\+00E9\s+look\s+alike/);
  });

  it("lets the evaluator explain itself", () => {
    const about = run.about("wrong-unit");
    expect(about).toContain("get_weather");
    expect(about).toMatch(/fahrenheit/);
    expect(about).not.toContain("expected  ");
  });

  it("writes no progress and no colours into a pipe", () => {
    expect(run.stderr).toBe("");
    expect(run.stdout).not.toContain("\x1b");
  });
});

describe("with a judge", { timeout: 70_000 }, () => {
  const count = 16;

  it("joins in on the questions, with the first model that can judge", async () => {
    for (let i = 0; i < count; i++)
      ollama.script.push(verdict({ reasoning: "The answer is beside the point.", score: false }));
    const run = await start({ OLLAMA_HOST: new URL(ollama.url).host });
    expect(run.stdout).toContain("ollama:llama3.3");
    expect(run.figures("correctness")).toEqual([["0.0%", tokens(count), `${count}`]]);
    expect(run.about("capital")).toContain("correctness  The answer is beside the point.");
    const questions = ollama.requests.map(({ body }) => body.messages.at(-1).content).join("\n");
    expect(questions).toContain("中国最长的河流是哪一条?");
  });

  it("a row that the judge could not score is an error, not a score", async () => {
    const yes = verdict({ reasoning: "The same fact.", score: true });
    for (let i = 1; i < count; i++) ollama.script.push(yes);
    ollama.script.push(failure(400, "the model is asleep"));
    const run = await start({ OLLAMA_HOST: ollama.url });
    expect(run.figures("correctness")).toEqual([["100.0%", tokens(count - 1), `${count - 1}`, "1"]]);
    expect(unwrapped(run.stdout)).toMatch(/! correctness: provider_error: [^!]*the model is asleep/);
  });

  it("takes the model of OPENEVALS_MODEL", async () => {
    const run = await start({ OLLAMA_HOST: ollama.url, OPENEVALS_MODEL: "ollama:llama9" });
    expect(unwrapped(run.stdout)).toContain("model 'llama9' not found");
    expect(run.figures("correctness")).toEqual([["–", "0", `${count}`]]);
  });
});

describe("the data", () => {
  it.each([
    "question_answering",
    "extraction",
    "trajectories",
  ])("%s has complete rows with unique ids", async (name) => {
    const text = await readFile(new URL(`../data/${name}.jsonl`, import.meta.url), "utf8");
    const rows = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rows.length).toBeGreaterThanOrEqual(10);
    for (const row of rows) expect(Object.keys(row)).toEqual(["id", "inputs", "outputs", "referenceOutputs"]);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  });
});

it.each([
  [undefined, "http://localhost:11434"],
  ["", "http://localhost:11434"],
  ["127.0.0.1", "http://127.0.0.1:11434"],
  ["gpu.local:8080", "http://gpu.local:8080"],
  [":8080", "http://localhost:8080"],
  ["0.0.0.0:11434", "http://localhost:11434"],
  ["https://ollama.example.com/", "https://ollama.example.com"],
  ["http://10.0.0.5:8080", "http://10.0.0.5:8080"],
])("OLLAMA_HOST %j is %s", (host, url) => {
  expect(ollamaURL(host)).toBe(url);
});
