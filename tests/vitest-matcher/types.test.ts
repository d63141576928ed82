/** The types of the matcher, for those who have Vitest, Jest or none of them. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { copyPackage } from "../package.js";
import { tool } from "../runtimes/harness.js";

const compilers = ["typescript", "typescript6", "typescript5"].map((name) => {
  const manifest = tool(`${name}/package.json`);
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  return { version, bin: join(dirname(manifest), "bin/tsc") };
});

const here = import.meta.dirname;
const beside = join(here, ".work"); // beside the tests, so that the frameworks are found in tests/node_modules
let alone: string; // a project that has this package and nothing else

beforeAll(() => {
  rmSync(beside, { recursive: true, force: true });
  mkdirSync(beside);
  alone = mkdtempSync(join(tmpdir(), "openevals-wasm-types-"));
  copyPackage(alone);
});
afterAll(() => rmSync(alone, { recursive: true, force: true }));

/** The output of a compiler for a file, in a folder. */
function complaints(bin: string, folder: string, name: string, code: string, options = {}): string {
  writeFileSync(join(folder, `${name}.ts`), code);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    // The compilers' own declarations are not ours to check.
    skipDefaultLibCheck: true,
    module: "nodenext",
    target: "es2022",
    lib: ["es2022", "dom"],
    types: [],
    ...options,
  };
  const project = join(folder, `tsconfig.${name}.json`);
  writeFileSync(project, JSON.stringify({ compilerOptions, files: [`${name}.ts`] }));
  const { stdout, stderr } = spawnSync(process.execPath, [bin, "-p", project, "--pretty", "false"], {
    cwd: folder,
    encoding: "utf8",
  });
  return stdout + stderr;
}

const uses = `
import { createJsonMatchEvaluator, createTrajectoryMatchEvaluator, exactMatch } from "openevals-wasm";
import "openevals-wasm/vitest";

export async function assertions() {
  const passed: Promise<void> = expect({ a: 1 }).toPassEvaluator(exactMatch, { referenceOutputs: { a: 1 } });
  await passed;
  await expect("a").not.toPassEvaluator(createJsonMatchEvaluator(), { inputs: 1, passAt: 0.5, key: "k", context: "c" });
  await expect(Promise.resolve([])).resolves.toPassEvaluator(createTrajectoryMatchEvaluator());
  await expect([]).toPassEvaluator({ evaluate: async (messages: object[], tools?: object[]) => ({ score: 100 }) });
  // @ts-expect-error: a number
  await expect("a").toPassEvaluator(exactMatch, { passAt: "0.5" });
  // @ts-expect-error: no evaluator
  await expect("a").toPassEvaluator("exact_match");
}
`;

/** The shape of `@types/jest`, which is not installed: its names would be global in every test. */
const globalTypes = `
interface Both { not: jest.Matchers<void, any>; resolves: jest.Matchers<Promise<void>, any> }
declare global {
  namespace jest { interface Matchers<R, T = {}> { toBe(expected: T): R } }
  const expect: <T>(actual: T) => jest.Matchers<void, T> & Both;
}
`;

describe.each(compilers)("with TypeScript $version", ({ bin }) => {
  test("Vitest's expect has the matcher", () => {
    // The declarations of Vitest itself are not ours to check.
    const options = { skipLibCheck: true, types: ["node"] };
    const code = `import { expect } from "vitest";${uses}`;
    expect(complaints(bin, beside, "of-vitest", code, options)).toBe("");
  });

  test("Jest's expect has the matcher, imported", () => {
    const options = { skipLibCheck: true, types: ["node"] };
    expect(
      complaints(bin, beside, "of-jest", `import { expect } from "@jest/globals";${uses}`, options),
    ).toBe("");
  });

  test("Jest's expect has the matcher, global", () => {
    expect(complaints(bin, alone, "of-jest-global", globalTypes + uses)).toBe("");
  });

  test("without a framework the entry point compiles, declarations included", () => {
    const code = `import { evaluatorMatchers } from "openevals-wasm/vitest";\nexport const { toPassEvaluator } = evaluatorMatchers;\n`;
    expect(complaints(bin, alone, "none", code)).toBe("");
    expect(
      complaints(bin, alone, "none-bundled", code, { module: "esnext", moduleResolution: "bundler" }),
    ).toBe("");
  });
});
