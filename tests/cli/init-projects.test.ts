/** `init` as a new user calls it: in an empty folder from a registry, in a Vite project and in a Next.js project. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { install, runProgram, runScript } from "../examples/harness.js";
import { tool } from "../runtimes/harness.js";
import { program } from "./program.js";
import { type Registry, startRegistry } from "./registry.js";

let registry: Registry;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(() => registry.close());

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "init-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The registry for npm and pnpm, with caches that no other test fills. */
async function environment(): Promise<NodeJS.ProcessEnv> {
  const place = await emptyFolder();
  const userconfig = join(place, "npmrc");
  await writeFile(
    userconfig,
    `registry=${registry.url}\nstore-dir=${place}/store\ncache-dir=${place}/cache\n`,
  );
  const settings = { npm_config_userconfig: userconfig, npm_config_registry: registry.url };
  const homes = {
    XDG_DATA_HOME: place,
    XDG_CACHE_HOME: place,
    XDG_STATE_HOME: place,
    XDG_CONFIG_HOME: place,
  };
  return {
    ...settings,
    ...homes,
    npm_config_cache: join(place, "cache"),
    pnpm_config_registry: registry.url,
  };
}

const PROGRAM = "node_modules/.bin/openevals-wasm";
const GREEN = /^exact_match +100\.0% .* 3$/m;

it("in an empty folder, with npm", async () => {
  const [folder, env] = [await emptyFolder(), await environment()];
  expect(await runProgram("npx", ["--yes", "openevals-wasm", "init", "--ci"], folder, env)).toMatch(GREEN);
  expect((await readdir(folder)).sort()).toEqual([
    ".github",
    "evals",
    "node_modules",
    "package-lock.json",
    "package.json",
  ]);
  expect(await runProgram("npm", ["run", "evals"], folder, env)).toMatch(GREEN);
  // Runs the steps of the workflow.
  await rm(join(folder, "node_modules"), { recursive: true });
  await runProgram("npm", ["ci"], folder, env);
  expect(await runProgram("npm", ["run", "evals", "--", "--github"], folder, env)).toMatch(GREEN);
});

it("in an empty folder, with pnpm", async () => {
  const [folder, env] = [await emptyFolder(), await environment()];
  const pnpm = tool(".bin/pnpm");
  const PATH = [join(pnpm, ".."), process.env.PATH].join(delimiter);
  // As in the workflow: outside of CI, pnpm asks before it replaces installed packages.
  const run = (...args: string[]) => runProgram(pnpm, args, folder, { ...env, PATH, CI: "true" });
  expect(await run("dlx", "openevals-wasm", "init")).toMatch(GREEN);
  expect((await readdir(folder)).sort()).toEqual(["evals", "node_modules", "package.json", "pnpm-lock.yaml"]);
  expect(await run("run", "evals")).toMatch(GREEN);
  await run("install", "--frozen-lockfile");
});

it("goes on after it was killed during the installation", async () => {
  const [folder, env] = [await emptyFolder(), await environment()];
  const asked = registry.stall();
  // In a group with npm, as in a terminal.
  const options = { cwd: folder, env: { ...process.env, ...env }, detached: true, stdio: "ignore" } as const;
  const init = spawn(process.execPath, [program, "init"], options);
  const ended = once(init, "close");
  await Promise.race([asked, ended]);
  process.kill(-(init.pid as number), "SIGKILL");
  await ended;
  registry.resume();
  expect(await readdir(folder)).toContain("package.json");
  expect(await readdir(folder)).not.toContain("package-lock.json");
  expect(await runProgram(process.execPath, [program, "init"], folder, env)).toMatch(GREEN);
  expect(await readdir(folder)).toContain("package-lock.json");
});

/** A copy of an example with a configuration of TypeScript, and with packages of the tests. */
async function projectFrom(name: string, dependencies: Record<string, string>, tsconfig: object) {
  const files = { "tsconfig.json": JSON.stringify(tsconfig) };
  const { folder } = await install(name, { as: `init-${name}`, dependencies, files });
  const copy = await emptyFolder();
  await cp(folder, copy, { recursive: true, verbatimSymlinks: true });
  const manifest = JSON.parse(await readFile(join(copy, "package.json"), "utf8"));
  manifest.devDependencies = { ...manifest.devDependencies, ...dependencies };
  // Which create-next-app does not set.
  if (name === "next") delete manifest.type;
  await writeFile(join(copy, "package.json"), JSON.stringify(manifest, null, 2));
  return copy;
}

/** As `npm create vite` writes it. */
const VITE = {
  compilerOptions: {
    ...{ target: "ES2023", useDefineForClassFields: true, module: "ESNext", lib: ["ES2023", "DOM"] },
    ...{
      types: ["vite/client"],
      skipLibCheck: true,
      moduleResolution: "bundler",
      noEmit: true,
      strict: true,
    },
    ...{ allowImportingTsExtensions: true, verbatimModuleSyntax: true, moduleDetection: "force" },
    ...{ noUnusedLocals: true, noUnusedParameters: true, noFallthroughCasesInSwitch: true },
    ...{ erasableSyntaxOnly: true, noUncheckedSideEffectImports: true },
  },
  include: ["evals"],
};

it("in a Vite project with TypeScript and Vitest", async () => {
  const folder = await projectFrom("vite-worker", { typescript: "^7.0.0", vitest: "^4.0.0" }, VITE);
  expect(await runProgram(join(folder, PROGRAM), ["init"], folder)).toMatch(GREEN);
  const written = await readdir(join(folder, "evals"));
  expect(written.sort()).toEqual(["first.eval.ts", "first.jsonl", "first.test.ts"]);
  expect(await runScript(folder, ["evals"])).toMatch(GREEN);
  expect(await runProgram(tool(".bin/vitest"), ["run"], folder)).toMatch(/Tests +4 passed/);
  // A row with a wrong answer is a failed test; the others pass.
  const data = join(folder, "evals/first.jsonl");
  const rows = await readFile(data, "utf8");
  await writeFile(data, `${rows}{"id":"wrong","inputs":"Hello!","referenceOutputs":{"topic":"delivery"}}\n`);
  await expect(runProgram(tool(".bin/vitest"), ["run"], folder)).rejects.toThrow(/1 failed \| 4 passed/);
  await writeFile(data, rows);
  await runProgram(tool(".bin/tsc"), ["--project", "."], folder);
  await runScript(folder, ["build"]);
});

/** As `npx create-next-app` writes it. */
const NEXT = {
  compilerOptions: {
    ...{ target: "ES2017", lib: ["dom", "dom.iterable", "esnext"], allowJs: true, skipLibCheck: true },
    ...{ strict: true, noEmit: true, esModuleInterop: true, module: "esnext", moduleResolution: "bundler" },
    ...{ resolveJsonModule: true, isolatedModules: true, jsx: "react-jsx", incremental: true },
    ...{ plugins: [{ name: "next" }], paths: { "@/*": ["./*"] } },
  },
  include: ["**/*.ts", "**/*.tsx", "**/*.mts"],
  exclude: ["node_modules"],
};

it("in a Next.js project with TypeScript, which Node reads", async () => {
  const folder = await projectFrom("next", { typescript: "^7.0.0" }, NEXT);
  const PATH = [join(tool("node24/bin/node"), ".."), process.env.PATH].join(delimiter);
  expect(await runProgram(join(folder, PROGRAM), ["init"], folder, { PATH })).toMatch(GREEN);
  expect((await readdir(join(folder, "evals"))).sort()).toEqual(["first.eval.mts", "first.jsonl"]);
  expect(await runProgram("npm", ["run", "evals"], folder, { PATH })).toMatch(GREEN);
  await runProgram(tool(".bin/tsc"), ["--project", "."], folder);
});
