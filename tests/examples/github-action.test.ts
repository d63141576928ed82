/** The steps of the action, in a shell, as a runner of GitHub's would run them. */
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import yaml from "js-yaml";
import { expect, it } from "vitest";
import { readJUnit } from "../cli/junit.js";
import { completion, startOpenAI } from "../providers/servers/openai.js";
import { examples, install, startProgram } from "./harness.js";

const KEY = "sk-of-the-test";

interface Step {
  name: string;
  id?: string;
  if?: string;
  uses?: string;
  shell?: string;
  env?: Record<string, string>;
  run?: string;
}

const action = yaml.load(
  await readFile(join(examples, "github-action/.github/actions/evals/action.yml"), "utf8"),
) as any;
const steps: Step[] = action.runs.steps;
const step = (name: string) => steps.find((one) => one.name === name) as Step;

/** Runs a step with bash as runners do, with the values of its expressions. */
async function runStep(
  { run, env = {} }: Step,
  folder: string,
  expressions: Record<string, string>,
  outer: NodeJS.ProcessEnv,
) {
  const own = Object.entries(env).map(([name, value]) => {
    const expression = /^\$\{\{ (\S+) \}\}$/.exec(value)?.[1] as string;
    return [name, expressions[expression]];
  });
  const args = ["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", run as string];
  const { said, ended } = startProgram("bash", args, folder, { ...outer, ...Object.fromEntries(own) });
  return { code: await ended, said: said() };
}

it("is an action: each step names its shell, and no event data is pasted into a script", () => {
  expect(action.runs.using).toBe("composite");
  for (const { run, uses, shell } of steps) {
    if (uses) expect(uses).toMatch(/^actions\/cache\/(?:restore|save)@v\d+$/);
    else expect({ shell, run }).toEqual({ shell: "bash", run: expect.not.stringContaining("${{") });
  }
});

it("compares a pull request with the main branch, comments, and asks the judge only new questions", async () => {
  const { folder } = await install("github-action");
  await rm(join(folder, ".evals"), { recursive: true, force: true });
  const openai = await startOpenAI(KEY);
  const judged: string[] = [];
  openai.script.push(
    ...Array.from({ length: 12 }, () => ({ body }: any) => {
      const text = body.messages.at(-1).content;
      judged.push(text);
      const score = !/gift|I do not know/.test(text);
      return completion(JSON.stringify({ reasoning: "Compared with what is true.", score }));
    }),
  );
  const programs = join(folder, "programs");
  await mkdir(programs, { recursive: true });
  await writeFile(join(programs, "gh"), '#!/bin/sh\nprintf "%s\\n" "$@" > gh.txt\n');
  await chmod(join(programs, "gh"), 0o755);
  const file = (name: string) => join(folder, name);
  const env = {
    PATH: `${programs}:${process.env.PATH}`,
    OPENAI_API_KEY: KEY,
    OPENAI_BASE_URL: `${openai.url}/v1`,
    GITHUB_WORKSPACE: folder,
    GITHUB_OUTPUT: file("outputs.txt"),
    GITHUB_STEP_SUMMARY: file("summary.md"),
  };
  const source = await readFile(file("src/faq.ts"), "utf8");
  try {
    for (const name of ["outputs.txt", "summary.md"]) await writeFile(file(name), "");
    const inputs = { "inputs.files": action.inputs.files.default };
    const main = await runStep(step("Run"), folder, inputs, env);
    expect(main).toMatchObject({ code: 0, said: expect.stringMatching(/^correct +75\.0%/m) });
    expect(judged).toHaveLength(4);
    expect(await runStep(step("Take the experiments of the main branch"), folder, {}, env)).toMatchObject({
      code: 0,
    });

    await writeFile(file("src/faq.ts"), source.replace(/\/return\|send back\/i/, "/nothing at all/"));
    await writeFile(file("outputs.txt"), "");
    const pull = await runStep(step("Run"), folder, inputs, env);
    expect(pull.code).toBe(1);
    expect(pull.said).toContain(
      "::error file=evals/faq.eval.ts,title=faq::correct is 50.0%25, below 75.0%25.",
    );
    expect(judged).toHaveLength(5);
    expect(await readFile(file("outputs.txt"), "utf8")).toBe("passed=false\ncomment=.evals/comment.md\n");
    expect(await readFile(file("summary.md"), "utf8")).toContain("## ✗ Evaluations: 1 of 1 failed");
    expect(await readJUnit(file(".evals/junit.xml"))).toHaveLength(1);

    const expressions = {
      "github.token": "ghs_of_the_test",
      "github.event.pull_request.number": "17",
      "steps.run.outputs.comment": ".evals/comment.md",
    };
    expect((await runStep(step("Comment"), folder, expressions, env)).code).toBe(0);
    const said = await readFile(file("gh.txt"), "utf8");
    expect(said).toBe("pr\ncomment\n17\n--body-file\n.evals/comment.md\n--edit-last\n--create-if-none\n");
    const comment = await readFile(file(".evals/comment.md"), "utf8");
    // One of four may be chance; that it is too low is not.
    expect(comment).toMatch(/^\| correct \| 75\.0% \| 50\.0% \| -25\.0 pp \| .* \| may be chance \|$/m);
    expect(comment).toContain("1 score that became worse");
  } finally {
    await writeFile(file("src/faq.ts"), source);
    await openai.close();
  }
});
