/** Experiments that are kept by commit, and their trends. */
import { execFileSync } from "node:child_process";
import { appendFile, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runProgram } from "./program.js";
import { doubling, projectOf } from "./project.js";

const FILES = { "a.mjs": doubling(3), "b.mjs": doubling(6), "c.mjs": doubling(12), "other.mjs": doubling(1) };
const named = {
  "a.mjs": doubling(3, 'name: "app",'),
  "b.mjs": doubling(6, 'name: "app",'),
  "c.mjs": doubling(12, 'name: "app",'),
};

it("keeps each run with its commit, and draws trends", async () => {
  const folder = await projectOf({ ...FILES, ...named });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
      cwd: folder,
      encoding: "utf8",
    });
  git("init", "--quiet", "--initial-branch", "topic");
  git("commit", "--quiet", "--allow-empty", "--message", "first");
  for (const file of ["a.mjs", "b.mjs", "c.mjs"])
    expect((await runProgram(folder, ["run", file, "other.mjs", "--history", ".evals"])).code).toBe(0);
  const commit = git("rev-parse", "HEAD").trim();
  const index = (await readFile(join(folder, ".evals/history.jsonl"), "utf8")).trim().split("\n");
  expect(index.map((line) => JSON.parse(line))).toMatchObject(
    ["app", "other", "app", "other", "app", "other"].map((name) => ({
      name,
      commit,
      branch: "topic",
      rows: 12,
    })),
  );
  expect((await readdir(join(folder, ".evals"))).filter((name) => name.endsWith(".json"))).toHaveLength(6);

  const { code, stdout } = await runProgram(folder, ["history", "--filter", "app"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    new RegExp(`^app  3 runs, the last [\\d-]+ [\\d:]+, ${commit.slice(0, 8)} on topic$`, "m"),
  );
  expect(stdout).toMatch(/^exact_match +▁▃█ +50\.0% +100\.0% +\+50\.0 pp +12$/m);
  const [, compare = ""] = /is chance: npx openevals-wasm (.+)$/m.exec(stdout) ?? [];
  expect((await runProgram(folder, compare.split(" "))).code).toBe(0);
  expect(stdout).not.toContain("other");
  const last = await runProgram(folder, ["history", ".evals", "--last", "2"]);
  expect(last.stdout).toMatch(/^exact_match +▁█ /m);
  expect((await runProgram(folder, ["report", ".evals"])).stderr).toContain(
    "Index of 6 experiments written to",
  );
});

it("works without git, with the variables of CI services, and with a truncated index", async () => {
  const folder = await projectOf(named);
  const keep = (env: Record<string, string>) =>
    runProgram(folder, ["run", "a.mjs", "--history", "kept"], { GIT_CEILING_DIRECTORIES: "/", ...env });
  expect((await keep({})).code).toBe(0);
  await keep({ GITHUB_SHA: "0123456789abcdef", GITHUB_HEAD_REF: "feature" });
  await appendFile(join(folder, "kept/history.jsonl"), '{"name": "ap');
  const { stdout, stderr } = await runProgram(folder, ["history", "kept"]);
  expect(stdout).toMatch(/^app {2}2 runs, the last .*, 01234567 on feature$/m);
  expect(stdout).toMatch(/^exact_match +▄▄ +25\.0% +25\.0% +0\.0 pp/m);
  expect(stderr).toBe("kept/history.jsonl:3 is not a valid entry and is skipped.\n");
  const entry = { name: "app", startedAt: "2026-01-01", aggregates: { k: { mean: "x", count: 1 } } };
  await appendFile(join(folder, "kept/history.jsonl"), `\n${JSON.stringify(entry)}\n`);
  expect((await runProgram(folder, ["history", "kept"])).stderr).toContain(
    "kept/history.jsonl:4 is not a valid entry",
  );
  // The next run starts a new line.
  await keep({});
  expect((await runProgram(folder, ["history", "kept"])).stdout).toMatch(/^app {2}3 runs/m);
});

it("compares no runs between which the better direction of a key changed", async () => {
  const folder = await projectOf({
    "a.mjs": doubling(3, 'name: "app",'),
    "turned.mjs": doubling(6, 'name: "app", lowerIsBetter: ["exact_match"],'),
  });
  for (const file of ["a.mjs", "turned.mjs"]) await runProgram(folder, ["run", file, "--history", "kept"]);
  const turned = await runProgram(folder, ["history", "kept"]);
  expect(turned).toMatchObject({ code: 0, stderr: "" });
  expect(turned.stdout).toMatch(/^exact_match +▁█ +25\.0% +50\.0% +12$/m);
  expect(turned.stdout).toContain(
    'The last two runs cannot be compared. In the first experiment, higher scores of "exact_match" are better, and in the second, ' +
      "lower ones, so they cannot be compared. Score the first one again with the same lowerIsBetter, or give the key another name.",
  );
  expect(turned.stdout).not.toContain("openevals-wasm compare");
  const read = await runProgram(folder, ["history", "kept", "--lower-is-better", "exact_match"]);
  expect(read.stdout).toMatch(/^exact_match +▁█ +25\.0% +50\.0% +\+25\.0 pp +12$/m);
  await runProgram(folder, ["run", "turned.mjs", "--history", "kept"]);
  expect((await runProgram(folder, ["history", "kept"])).stdout).toMatch(/ 50\.0% +50\.0% +0\.0 pp +12$/m);
});

it.each([
  [["history"], /\.evals has no history; run --history \.evals creates one/],
  [["history", "a", "b"], /history takes one folder/],
  [["run", "a.mjs", "--history", "x", "--shard", "1/2"], /--history keeps whole experiments/],
])("%j: exit code 2, and what to do", async (args, message) => {
  const folder = await projectOf(named);
  const { code, stderr } = await runProgram(folder, args);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) });
});

it("another file of the same name is kept, and nothing runs", async () => {
  const mine = '{"asked": "How warm is it?"}\n';
  const folder = await projectOf({ ...named, "chat/history.jsonl": mine });
  const { code, stdout, stderr } = await runProgram(folder, ["run", "a.mjs", "--history", "chat"]);
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining("chat/history.jsonl is not an index of --history; name another folder."),
  });
  expect(await readFile(join(folder, "chat/history.jsonl"), "utf8")).toBe(mine);
});

it("an index whose first line was not written to its end is continued", async () => {
  const folder = await projectOf({ ...named, "kept/history.jsonl": '{"name":"app","startedAt":"20' });
  expect((await runProgram(folder, ["run", "a.mjs", "--history", "kept"])).code).toBe(0);
  const index = await readFile(join(folder, "kept/history.jsonl"), "utf8");
  expect(JSON.parse(index.trim().split("\n").at(-1) as string)).toMatchObject({ name: "app" });
});

it("rounds the change of a mean as the means", async () => {
  const experiment = (right: number) => `
    import { exactMatch } from "openevals-wasm";
    export default {
      name: "rounded",
      data: Array.from({ length: 10 }, (_, i) => ({ inputs: i, referenceOutputs: "yes" })),
      target: (i) => (i < ${right} ? "yes" : "no"),
      evaluators: [exactMatch],
    };
  `;
  // 1 - 0.8 is less than 0.2, and 0.4 - 0.1 more than 0.3.
  const folder = await projectOf(
    Object.fromEntries([8, 10, 1, 4].map((right) => [`${right}.mjs`, experiment(right)])),
  );
  for (const [right, change] of [
    [8, undefined],
    [10, "+20.0 pp"],
    [1, "-90.0 pp"],
    [4, "+30.0 pp"],
  ] as const) {
    await runProgram(folder, ["run", `${right}.mjs`, "--history", "kept"]);
    if (change) expect((await runProgram(folder, ["history", "kept"])).stdout).toContain(` ${change} `);
  }
});
