/** LangSmith in separate processes: with tracing, without, and if it is not installed. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { copyPackage } from "../package.js";
import { tool } from "../runtimes/harness.js";
import { LangSmithServer } from "./server.ts";

let server: LangSmithServer;
let alone: string; // a project that has this package and nothing else
const beside = import.meta.dirname; // here, LangSmith is found in tests/node_modules

beforeAll(() => {
  alone = mkdtempSync(join(tmpdir(), "openevals-wasm-langsmith-"));
  copyPackage(alone);
});
afterAll(() => rmSync(alone, { recursive: true, force: true }));

beforeEach(async () => {
  server = await LangSmithServer.start();
  return () => server.close();
});

const scores = `
  const results = await Promise.all([
    exactMatch({ outputs: "a", referenceOutputs: "a" }),
    exactMatch({ outputs: "a", referenceOutputs: "b" }),
  ]);
  console.log(JSON.stringify(results));
`;
const asModule = `import { exactMatch } from "openevals-wasm";${scores}`;
const asCommonJs = `const { exactMatch } = require("openevals-wasm");(async () => {${scores}})();`;
const results = [
  { key: "exact_match", score: true },
  { key: "exact_match", score: false, comment: 'outputs is "a" instead of "b"' },
];

/** Runs a script in a folder; `loaded` are the modules of LangSmith that it loaded, in either format. */
async function run(folder: string, code: string, env: NodeJS.ProcessEnv, type = "module") {
  const watch = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load(url, context, next) {
      if (url.includes("/node_modules/langsmith/")) loaded.push(url);
      return next(url, context);
    } });
    process.on("exit", () => console.error("loaded " + JSON.stringify(loaded)));
  `;
  const { LANGSMITH_TRACING, LANGCHAIN_TRACING_V2, ...clean } = process.env;
  const args = [
    "--import",
    `data:text/javascript,${encodeURIComponent(watch)}`,
    `--input-type=${type}`,
    "--eval",
    code,
  ];
  const { stdout, stderr } = await promisify(execFile)(tool("node24/bin/node"), args, {
    cwd: folder,
    env: { ...clean, ...env },
  });
  const [, loaded] = stderr.match(/^loaded (.*)$/m) as [string, string];
  return { results: JSON.parse(stdout), loaded: JSON.parse(loaded) as string[], stderr };
}

describe.each([
  ["ES modules", asModule, "module", "/traceable.js"],
  ["CommonJS", asCommonJs, "commonjs", "/traceable.cjs"],
])("%s", (_, code, type, file) => {
  test("without being asked for, LangSmith is not loaded", async () => {
    expect(await run(beside, code, {}, type)).toMatchObject({ results, loaded: [] });
    expect(await run(beside, code, { LANGSMITH_TRACING: "false" }, type)).toMatchObject({
      results,
      loaded: [],
    });
  });

  test.each([
    "LANGSMITH_TRACING",
    "LANGSMITH_TRACING_V2",
    "LANGCHAIN_TRACING",
    "LANGCHAIN_TRACING_V2",
  ])("%s traces even if LangSmith is not loaded yet", async (name) => {
    const { LANGSMITH_TRACING, ...env } = server.env;
    const { results: scored, loaded, stderr } = await run(beside, code, { ...env, [name]: "true" }, type);
    expect(scored).toEqual(results);
    expect(loaded.some((url) => url.endsWith(file))).toBe(true);
    // The part for tests is not loaded, since loading it changes the global `expect`.
    expect(loaded.filter((url) => url.includes("jestlike"))).toEqual([]);
    expect(stderr).not.toContain("openevals-wasm:");
    expect([...server.runs.values()].map(({ name, outputs }) => [name, outputs])).toEqual(
      results.map((result) => ["exact_match", result]),
    );
    expect(server.unknown).toEqual([]);
  });

  test("if it is missing, evaluators score anyway, and report once why there is no trace", async () => {
    const { results: scored, stderr } = await run(alone, code, server.env, type);
    expect(scored).toEqual(results);
    expect(stderr.match(/openevals-wasm: tracing with LangSmith is on/g)).toHaveLength(1);
    expect(stderr).toContain("langsmith could not be loaded");
    expect(stderr).not.toContain("lsv2_not_a_key");
    expect([...server.runs.keys()]).toEqual([]);
  });
});

test("inside of a run, evaluations are traced whatever the environment says", async () => {
  const code = `
    import { exactMatch } from "openevals-wasm";
    import { Client } from "langsmith";
    import { traceable } from "langsmith/traceable";
    const app = async () => [await exactMatch({ outputs: 1, referenceOutputs: 1 })];
    console.log(JSON.stringify(await traceable(app, { name: "app", tracingEnabled: true, client: new Client() })()));
  `;
  const { LANGSMITH_TRACING, ...env } = server.env;
  await run(beside, code, env);
  const app = await server.ended("app");
  expect(server.below(app)).toMatchObject([{ name: "exact_match", trace_id: app.id }]);
});
