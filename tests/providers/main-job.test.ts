/** `npm start`, as somebody runs it: with no judge, and with an Ollama on this machine. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Loopback } from "./servers/loopback.js";
import { failure, startOllama, verdict } from "./servers/ollama.js";

const script = fileURLToPath(new URL("../../xtask/start.mjs", import.meta.url));

async function start(env: Record<string, string>) {
  const { PATH, HOME } = process.env;
  const options = { env: { PATH, HOME, ...env }, timeout: 60_000 };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script], options);
  const lines = stdout.split("\n");
  return {
    stdout,
    stderr,
    /** The figures of the evaluator's rows in the table: mean, count, failures, errors. */
    figures: (key: string) =>
      lines
        .map((line) => line.replace(/[█░]/g, "").split(/\s{2,}/))
        .filter((cells) => cells[1] === key && /\d m?s$/.test(cells.at(-1) ?? ""))
        .map((cells) => cells.slice(2, -1).map(Number)),
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
    expect(run.stdout).toContain("No judge: set OPENAI_API_KEY, or start Ollama, and one joins in.\n");
  });

  it("counts what is equal", () => {
    // 4 of the 16 answers are the reference to the letter, and so are 3 of the 14 extractions.
    expect(run.figures("exact_match")).toEqual([
      [0.25, 16, 12],
      [0.21, 14, 11],
    ]);
    // One more extraction differs only in the order of its list.
    expect(run.figures("json_match:all")).toEqual([[0.29, 14, 10]]);
  });

  it("compares the trajectories in four ways", () => {
    expect(run.figures("trajectory_strict_match")).toEqual([[0.38, 13, 8]]);
    expect(run.figures("trajectory_unordered_match")).toEqual([[0.46, 13, 7]]);
    expect(run.figures("trajectory_subset_match")).toEqual([[0.54, 13, 6]]);
    expect(run.figures("trajectory_superset_match")).toEqual([[0.62, 13, 5]]);
  });

  it("marks the first difference", () => {
    expect(run.about("swapped-digits")).toBe(
      [
        "✗ swapped-digits  How fast is light in a vacuum, in km/s?",
        "  ✗ exact_match   ✓ levenshtein_distance 0.88   ✗ embedding_similarity 0.74",
        "    expected  299,792.458 km/s",
        "    actual    299,792.548 km/s",
        "                      ^",
        "\n",
      ].join("\n"),
    );
  });

  it("shows what cannot be seen", () => {
    expect(run.about("combining-accent")).toContain("^ U+00E9 and U+0065 U+0301 look alike\n");
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
    expect(run.figures("correctness")).toEqual([[0, count, count]]);
    expect(run.about("capital")).toContain("correctness  The answer is beside the point.");
    const questions = ollama.requests.map(({ body }) => body.messages.at(-1).content).join("\n");
    expect(questions).toContain("中国最长的河流是哪一条?");
  });

  it("a row that the judge could not score is an error, not a score", async () => {
    const yes = verdict({ reasoning: "The same fact.", score: true });
    for (let i = 1; i < count; i++) ollama.script.push(yes);
    ollama.script.push(failure(400, "the model is asleep"));
    const run = await start({ OLLAMA_HOST: ollama.url });
    expect(run.figures("correctness")).toEqual([[1, count - 1, 0, 1]]);
    expect(unwrapped(run.stdout)).toMatch(/! provider_error: [^!]*the model is asleep/);
  });

  it("takes the model of OPENEVALS_MODEL", async () => {
    const run = await start({ OLLAMA_HOST: ollama.url, OPENEVALS_MODEL: "ollama:llama9" });
    expect(unwrapped(run.stdout)).toContain("model 'llama9' not found");
    expect(run.figures("correctness").flat().slice(1)).toEqual([0, 0, count]);
  });
});

describe("the data", () => {
  it.each([
    "question_answering",
    "extraction",
    "trajectories",
  ])("%s holds whole rows with ids of their own", async (name) => {
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
