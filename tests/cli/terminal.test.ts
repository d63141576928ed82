/** What the program writes to a terminal of 80 columns. */
import { expect, it } from "vitest";
import { runProgram } from "./program.js";
import { doubling, lines, projectOf } from "./project.js";

const folder = await projectOf({
  "a.eval.mjs": doubling(12),
  "rows.jsonl": lines([
    {
      id: "a",
      inputs: { question: "Why?" },
      outputs: `Because ${"of this ".repeat(20)}`,
      referenceOutputs: "No.",
    },
  ]),
  "promptfoo.json": '{ "prompts": ["a"], "tests": [{ "assert": [{ "type": "guardrails" }] }] }',
});

const COLUMNS = "data:text/javascript,process.stdout.columns=80;process.stderr.columns=80";
const inTerminal = (...args: string[]) => runProgram(folder, args, { NODE_OPTIONS: `--import=${COLUMNS}` });
const inPipe = (...args: string[]) => runProgram(folder, args);
const longest = (text: string) => Math.max(...text.split("\n").map((line) => line.length));
const words = (text: string) => text.split(/\s+/);

it.each(["score", "run", "history"])("wraps the help of %s", async (command) => {
  const [terminal, pipe] = [await inTerminal(command, "--help"), await inPipe(command, "--help")];
  expect(longest(terminal.stdout)).toBeLessThanOrEqual(80);
  expect(longest(pipe.stdout)).toBeGreaterThan(100);
  expect(words(terminal.stdout)).toEqual(words(pipe.stdout));
});

it("wraps messages, but not in a pipe", async () => {
  const [terminal, pipe] = [
    await inTerminal("import", "promptfoo.json"),
    await inPipe("import", "promptfoo.json"),
  ];
  expect(longest(terminal.stderr)).toBeLessThanOrEqual(80);
  expect(longest(pipe.stderr)).toBeGreaterThan(80);
  expect(words(terminal.stderr)).toEqual(words(pipe.stderr));
});

it("has a command to copy on its own line", async () => {
  for (const _ of [1, 2]) await inPipe("run", "a.eval.mjs", "--history", ".evals");
  const { stdout } = await inTerminal("history");
  expect(stdout).toMatch(/^To test whether this is chance:\n {2}npx openevals-wasm compare \S+ \S+$/m);
});

it("wraps the values of a row", async () => {
  await inPipe("score", "rows.jsonl", "--evaluator", "exact_match", "--output", "rows.json");
  const { stdout } = await inTerminal("show", "rows.json", "--row", "a");
  expect(longest(stdout)).toBeLessThanOrEqual(80);
  expect(stdout).toContain(`
inputs
    {
      "question": "Why?"
    }
outputs
    Because of this of this`);
});
