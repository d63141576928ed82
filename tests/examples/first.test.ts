/** The files that `init` writes, as in the example. `tests/cli/init-projects.test.ts` calls `init`. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import yaml from "js-yaml";
import { expect, it } from "vitest";
import { examples, install, runScript, startScript } from "./harness.js";

it("passes as an experiment and as tests, without a key", async () => {
  const { folder } = await install("first");
  expect(await runScript(folder, ["evals"])).toMatch(/^exact_match +100\.0% .* 3$/m);
  expect(await runScript(folder, ["test"])).toMatch(/Tests +4 passed/);
});

it("fails if too few answers are right", async () => {
  const { folder } = await install("first", {
    as: "first-changed",
    changes: { "evals/first.eval.ts": ["/parcel|deliver/i", "/letter/i"] },
  });
  const evals = await startScript(folder, ["evals"]);
  expect(await evals.ended).toBe(1);
  expect(evals.said()).toMatch(/^exact_match +66\.7% .* 3$/m);
  expect(evals.said()).toContain("first: exact_match is 66.7%, below 80.0%.");
  await expect(runScript(folder, ["test"])).rejects.toThrow(
    /exact_match: the score is false, it should be true/,
  );
});

it("equals the code in the guide", async () => {
  const chapter = await readFile(join(examples, "../guide/getting-started.md"), "utf8");
  for (const file of ["evals/first.jsonl", "evals/first.eval.ts"])
    expect(chapter).toContain(`\n${await readFile(join(examples, "first", file), "utf8")}\`\`\`\n`);
});

it("runs in the workflow", async () => {
  const { folder } = await install("first");
  const workflow = yaml.load(await readFile(join(folder, ".github/workflows/evals.yml"), "utf8")) as any;
  expect(workflow.permissions).toEqual({ contents: "read" });
  expect(workflow.jobs.evals.steps.at(-1).run).toBe("npm run evals -- --github");
  expect(await runScript(folder, ["evals", "--github"])).toContain("100.0%");
});
