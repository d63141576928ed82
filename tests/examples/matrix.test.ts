/** The list of the examples is the matrix of the tests. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { repository, tool } from "../runtimes/harness.js";
import { exampleNames, examples, install, isIn, runProgram } from "./harness.js";

const names = await exampleNames();

it("every example has a test, and every test an example", async () => {
  const files = await readdir(import.meta.dirname);
  const tested = files.flatMap((name) => /^(.+)\.test\.ts$/.exec(name)?.[1] ?? []);
  expect(tested.filter((name) => !["matrix", "styles"].includes(name)).sort()).toEqual(names.toSorted());
});

it.each(names)("%s describes itself and how to start it, and requires this version", async (name) => {
  const read = (file: string) => readFile(join(examples, name, file), "utf8");
  expect(await read("README.md")).toMatch(/^# \S.*\n\n[\s\S]+?\n```sh\n[\s\S]+?\n```\n/);
  const { private: isPrivate, dependencies, devDependencies } = JSON.parse(await read("package.json"));
  const { version } = JSON.parse(await readFile(join(repository, "pkg/package.json"), "utf8"));
  expect(isPrivate).toBe(true);
  expect(isIn({ ...dependencies, ...devDependencies }["openevals-wasm"], version)).toBe(true);
});

it.each([
  ["agent-ci", "evals/agent.test.ts"],
  ["cloudflare-hono", "src/index.ts"],
  ["cloudflare-queues", "src/index.ts"],
  ["deno", "main.ts"],
  ["first", "evals/first.test.ts"],
  ["github-action", "evals/faq.eval.ts"],
  ["lambda", "src/handler.ts"],
  ["vite-worker", "src/main.ts"],
  ["vitest", "evals/faq.test.ts"],
])("the TypeScript in %s compiles", async (name, file) => {
  const { folder } = await install(name, { as: `${name}-types`, dependencies: { "@types/node": "^20.0.0" } });
  const compilerOptions = {
    ...{ strict: true, noUncheckedIndexedAccess: true, noEmit: true, skipLibCheck: true, target: "es2023" },
    ...{
      module: "esnext",
      moduleResolution: "bundler",
      allowImportingTsExtensions: true,
      resolveJsonModule: true,
    },
    types: ["node"],
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [file] }));
  await runProgram(tool(".bin/tsc"), ["--project", "."], folder);
});

it("the README of the repository leads to all of them", async () => {
  const list = await readFile(join(examples, "README.md"), "utf8");
  expect(names.filter((name) => !list.includes(`](${name}/`))).toEqual([]);
  expect(await readFile(join(repository, "README.md"), "utf8")).toContain("](www/examples/README.md)");
});
