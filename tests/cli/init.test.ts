/** `init` in projects that have the package: the written files, and the detected facts. */
import { execFile } from "node:child_process";
import { access, readdir, readFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import yaml from "js-yaml";
import { describe, expect, it } from "vitest";
import { init, installed, LISTED, modules, PROJECT, textsIn } from "./installed.js";
import { program, runProgram } from "./program.js";

it("writes an experiment, its data and a script, and runs it", async () => {
  const folder = await installed(PROJECT);
  const { code, stdout } = await init(folder);
  expect(stdout).toMatch(
    /^created evals\/first\.eval\.mjs\ncreated evals\/first\.jsonl\nchanged package\.json\n/,
  );
  expect(stdout).toMatch(/^exact_match +100\.0% .* 3$/m);
  expect(stdout).toMatch(
    /^Put your application and your rows into evals\/, then run: npm run evals\nTo score with a model as a judge, read node_modules\/openevals-wasm\/docs\/judges\.md\nTo run it on GitHub for each pull request: npx openevals-wasm init --ci\n/m,
  );
  await access(join(folder, "node_modules/openevals-wasm/docs/judges.md"));
  expect(code).toBe(0);
  const texts = await textsIn(folder);
  expect(Object.keys(texts)).toEqual(["evals/first.eval.mjs", "evals/first.jsonl", "package.json"]);
  expect(
    texts["evals/first.jsonl"]
      ?.trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toHaveLength(3);
  expect(JSON.parse(texts["package.json"] as string).scripts).toEqual({
    evals: "openevals-wasm run evals/*.eval.mjs",
  });

  // A second call changes nothing.
  const again = await init(folder);
  expect(again.stdout).not.toMatch(/created|changed/);
  expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/^exact_match +100\.0%/m) });
  expect(await textsIn(folder)).toEqual(texts);
});

describe("package.json keeps its form", () => {
  const script = '"evals": "openevals-wasm run evals/*.eval.mjs"';
  it.each([
    [
      "tabs",
      `{\n\t"files": ["a", "b"],\n\t"scripts": {\n\t\t"test": "x"\n\t},\n\t${LISTED}\n}`,
      `{\n\t"files": ["a", "b"],\n\t"scripts": {\n\t\t"test": "x",\n\t\t${script}\n\t},\n\t${LISTED}\n}`,
    ],
    [
      "four spaces, no scripts",
      `{\n    ${LISTED}\n}\n`,
      `{\n    ${LISTED},\n    "scripts": {\n        ${script}\n    }\n}\n`,
    ],
    [
      "Windows",
      `{\r\n  "scripts": {},\r\n  ${LISTED}\r\n}\r\n`,
      `{\r\n  "scripts": {\r\n    ${script}\r\n  },\r\n  ${LISTED}\r\n}\r\n`,
    ],
    ["one line", `{"a":1,${LISTED}}`, `{"a":1,${LISTED},"scripts":{${script.replace(": ", ":")}}}`],
    [
      "a byte order mark, and a second object called scripts",
      `\uFEFF{\n  "x": { "scripts": { "a": "}" } },\n  "scripts": { "b": "\\"{" },\n  ${LISTED}\n}`,
      `\uFEFF{\n  "x": { "scripts": { "a": "}" } },\n  "scripts": { "b": "\\"{", ${script} },\n  ${LISTED}\n}`,
    ],
  ])("%s", async (_name, before, after) => {
    const folder = await installed({ "package.json": before });
    expect((await init(folder)).code).toBe(0);
    expect(await readFile(join(folder, "package.json"), "utf8")).toBe(after);
  });
});

describe("TypeScript", () => {
  const typescript = (type: string) => ({
    "package.json": `{ "type": "${type}", ${LISTED} }`,
    "tsconfig.json": "{}",
  });
  it.each([
    ["node20", "commonjs", ["esbuild"], "first.eval.mts"],
    ["node20", "module", ["esbuild"], "first.eval.ts"],
    ["node24", "module", [], "first.eval.ts"],
    ["node24", "commonjs", [], "first.eval.mts"],
    // Nothing here can run TypeScript.
    ["node20", "module", [], "first.eval.mjs"],
  ])("%s, %s, with %j: %s", async (node, type, packages, name) => {
    const folder = await installed(typescript(type), packages);
    const binary = join(modules, node, "bin/node");
    const PATH = [dirname(binary), process.env.PATH].join(delimiter);
    const { HOME } = process.env;
    const ended = await new Promise<{ error: unknown; stdout: string }>((resolve) => {
      execFile(binary, [program, "init"], { cwd: folder, env: { PATH, HOME } }, (error, stdout) =>
        resolve({ error, stdout }),
      );
    });
    expect(ended).toEqual({ error: null, stdout: expect.stringMatching(/^exact_match +100\.0%/m) });
    expect(await readdir(join(folder, "evals"))).toEqual([name, "first.jsonl"].sort());
    const why =
      /^evals\/first\.eval\.mjs is JavaScript, because Node 20\.\S+ needs esbuild to run TypeScript\. /m;
    expect(why.test(ended.stdout)).toBe(name.endsWith("mjs"));
  });
});

describe("a workflow", () => {
  const stepsOf = (text: string) =>
    (yaml.load(text) as any).jobs.evals.steps.map(({ uses, run }: any) => uses ?? run).slice(2);

  it.each([
    ["npm", "package-lock.json", ["npm ci", "npm run evals -- --github"]],
    [
      "pnpm",
      "pnpm-lock.yaml",
      ["npm install --global pnpm", "pnpm install --frozen-lockfile", "pnpm run evals --github"],
    ],
    ["yarn", "yarn.lock", ["corepack enable", "yarn install", "yarn run evals --github"]],
    ["bun", "bun.lock", ["oven-sh/setup-bun@v2", "bun install --frozen-lockfile", "bun run evals --github"]],
  ])("for the package manager of the lock file: %s", async (name, lock, steps) => {
    // Its experiment is another one, which `init` does not run.
    const own = { "evals/first.eval.mjs": "export default 1;\n", [lock]: "" };
    const scripts = '"scripts": { "evals": "openevals-wasm run mine.mjs" }';
    const folder = await installed({ "package.json": `{ ${scripts}, ${LISTED} }`, ...own });
    const { code, stdout } = await init(folder, "--ci");
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `created .github/workflows/evals.yml\nThe project is set up: ${name} run evals\n`,
    });
    expect(await textsIn(folder)).toMatchObject(own);
    expect(stepsOf(await readFile(join(folder, ".github/workflows/evals.yml"), "utf8"))).toEqual(steps);
  });

  it("of a package in a monorepo is in the folder of the repository", async () => {
    const files = {
      "packages/app/package.json": PROJECT["package.json"],
      "package.json": '{ "workspaces": ["packages/*"] }',
    };
    const app = await installed({ ...files, ".git/HEAD": "", "pnpm-lock.yaml": "" }, [], "packages/app");
    // pnpm is not there, so that it ends before the run.
    const { code, stdout, stderr } = await runProgram(app, ["init", "--ci"], {
      PATH: dirname(process.execPath),
    });
    expect(stdout).toContain("created ../../.github/workflows/evals.yml\n");
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(
        /^openevals-wasm: pnpm cannot be started: .*ENOENT\. Install pnpm, then run npx openevals-wasm init again\.\n$/,
      ),
    });
    const workflow = yaml.load(await readFile(join(app, "../../.github/workflows/evals.yml"), "utf8")) as any;
    expect(workflow.jobs.evals.defaults).toEqual({ run: { "working-directory": "packages/app" } });
  });
});

it("with Vitest, each row is a test", async () => {
  const vitest = `"devDependencies": { "vitest": "^4.0.0", "openevals-wasm": "^0.1.0" }`;
  const folder = await installed({ "package.json": `{ "type": "module", ${vitest} }` }, ["vitest"]);
  expect((await init(folder)).stdout).toContain("created evals/first.test.mjs\n");
  const { code, stdout } = await new Promise<{ code: number; stdout: string }>((resolve) => {
    const { PATH, HOME } = process.env;
    const options = { cwd: folder, env: { PATH, HOME, NO_COLOR: "1" } };
    execFile(process.execPath, [join(modules, "vitest/vitest.mjs"), "run"], options, (error, stdout) =>
      resolve({ code: Number(error?.code ?? 0), stdout }),
    );
  });
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/Tests +4 passed/) });
});
