/** TypeScript in `run`: by the esbuild of the project, or by Node. */
import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { program } from "./program.js";
import { lines, projectOf } from "./project.js";

const start = promisify(execFile);

async function run(node: string, cwd: string, ...args: string[]) {
  const binary = join(import.meta.dirname, `../node_modules/${node}/bin/node`);
  const ended = start(binary, [program, "run", ...args], { cwd }).catch((failed) => failed);
  const { stdout, stderr } = await ended;
  return { stdout, stderr };
}

const FILES = {
  "package.json": "{}",
  "evals/capitals.eval.ts": `
    import { exactMatch } from "openevals-wasm";
    import { defineExperiment } from "openevals-wasm/evaluation";
    import { capital, Kind } from "../src/app";

    export default defineExperiment({
      data: new URL("./rows.jsonl", import.meta.url),
      target: async (question: string) => capital(question),
      evaluators: [exactMatch],
      metadata: { kind: Kind.City },
    });
  `,
  "evals/rows.jsonl": lines([{ inputs: "France?", referenceOutputs: "Paris" }]),
  "src/app.ts": `
    export enum Kind { City = "city" }
    export const capital = (question: string): string => (question.startsWith("France") ? "Paris" : "–");
  `,
  "plain.eval.ts": `
    export default {
      data: [{ inputs: 1 }],
      target: (n: number): number => n,
      evaluators: [({ outputs }: { outputs: number }) => ({ key: "one", score: outputs === 1 })],
    };
  `,
  "broken.eval.ts": "export const x: number = ;",
  "throws.eval.ts": "interface Unused {\n  a: 1;\n}\n\nthrow new Error('ouch');\n",
};

it.each(["node20", "node24"])("all of it with esbuild, in %s", async (node) => {
  const folder = await projectOf(FILES, ["esbuild"]);
  const { stdout, stderr } = await run(node, folder, "evals/capitals.eval.ts", "plain.eval.ts");
  expect(stdout).toMatch(/^exact_match +100\.0%/m);
  expect(stdout).toMatch(/^one +100\.0%/m);
  expect(stderr).toBe("");
  expect((await readdir(join(folder, "evals"))).sort()).toEqual(["capitals.eval.ts", "rows.jsonl"]);
  const mistakes = await run(node, folder, "broken.eval.ts", "throws.eval.ts");
  expect(mistakes.stderr).toContain('broken.eval.ts: broken.eval.ts:1:26: Unexpected ";"');
  expect(mistakes.stderr).toMatch(/throws\.eval\.ts: +at .*throws\.eval\.ts:5:7/);
});

it("what Node reads, without", async () => {
  const folder = await projectOf(FILES);
  expect((await run("node22", folder, "plain.eval.ts")).stdout).toMatch(/^one +100\.0%/m);
  expect((await run("node22", folder, "evals/capitals.eval.ts")).stderr).toMatch(
    /Node runs TypeScript without enums and similar syntax.*Install esbuild in the project/,
  );
  const common = await projectOf({ ...FILES, "package.json": '{ "type": "commonjs" }' });
  expect((await run("node22", common, "plain.eval.ts")).stderr).toContain(
    'Node reads the file as CommonJS, since the nearest package.json does not have "type": "module". Rename it to plain.eval.mts',
  );
  expect((await run("node20", folder, "plain.eval.ts")).stderr).toMatch(
    /^plain\.eval\.ts: The file is TypeScript, which Node 20\.[\d.]+ cannot run\. Install esbuild in the project \(npm install --save-dev esbuild\), or use Node 22\.18 or later\.\n$/,
  );
});
