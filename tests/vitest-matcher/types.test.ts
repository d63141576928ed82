/** The types of the matcher, for those who have Vitest, Jest or none of them. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { copyPackage } from "../package.js";
import { tool } from "../runtimes/harness.js";
import { buildProjects } from "../types/build-projects.ts";

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

/** A project of one file. */
interface Project {
  code: string;
  options?: object;
}

/** Type-checks projects of a folder; returns the compiler errors of each. */
function check(bin: string, folder: string, projects: Record<string, Project>): Record<string, string> {
  for (const [name, { code, options }] of Object.entries(projects)) {
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
    const config = { compilerOptions, files: [`${name}.ts`] };
    writeFileSync(join(folder, `tsconfig.${name}.json`), JSON.stringify(config));
  }
  return buildProjects(bin, folder, Object.keys(projects));
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

const without = `import { evaluatorMatchers } from "openevals-wasm/vitest";\nexport const { toPassEvaluator } = evaluatorMatchers;\n`;

describe.each(compilers)("with TypeScript $version", ({ bin }) => {
  let complaints: Record<string, string>;
  beforeAll(() => {
    // The declarations of the frameworks themselves are not ours to check.
    const options = { skipLibCheck: true, types: ["node"] };
    complaints = {
      ...check(bin, beside, {
        "of-vitest": { code: `import { expect } from "vitest";${uses}`, options },
        "of-jest": { code: `import { expect } from "@jest/globals";${uses}`, options },
      }),
      ...check(bin, alone, {
        "of-jest-global": { code: globalTypes + uses },
        none: { code: without },
        "none-bundled": { code: without, options: { module: "esnext", moduleResolution: "bundler" } },
      }),
    };
  }, 240_000);

  test.each([
    ["Vitest's expect has the matcher", "of-vitest"],
    ["Jest's expect has the matcher, imported", "of-jest"],
    ["Jest's expect has the matcher, global", "of-jest-global"],
    ["without a framework the entry point compiles, declarations included", "none"],
    ["without a framework the entry point compiles for bundlers", "none-bundled"],
  ])("%s", (_, project) => {
    expect(complaints[project]).toBe("");
  });
});
