/** Evaluators that work in a sandbox: packages from the registry, types, and running. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SandboxError } from "@e2b/code-interpreter";
import { OpenEvalsError } from "openevals-wasm";
import {
  createE2BExecutionEvaluator,
  createE2BTypeScriptEvaluator,
  type Sandbox,
} from "openevals-wasm/code/e2b";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorOf } from "../api/error-of.ts";
import { LocalSandbox } from "./local-sandbox.ts";

// One for nearly all tests, since it takes a while to install the tools.
const sandbox = new LocalSandbox();
const compiles = createE2BTypeScriptEvaluator({ sandbox });
const runs = createE2BExecutionEvaluator({ sandbox });
const project = join(sandbox.folder, "openevals");
afterAll(() => sandbox.remove());

/** The packages installed for the code, by the project's own manifest. */
const installed = () => {
  const { dependencies = {} } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
  return Object.keys(dependencies);
};

describe("the examples of the documentation", () => {
  // With the versions of the tests, which fit together: those that are newest do not, on every day.
  const sandboxProjectDirectory = "langgraph";
  beforeAll(() => {
    const modules = join(sandbox.folder, sandboxProjectDirectory, "node_modules");
    mkdirSync(modules, { recursive: true });
    symlinkSync(join(import.meta.dirname, "../node_modules/@langchain"), join(modules, "@langchain"));
  });

  it("type-checking", async () => {
    const CODE = `
import { StateGraph } from '@langchain/langgraph';

await StateGraph.invoke({})
`;
    const evaluator = createE2BTypeScriptEvaluator({ sandbox, sandboxProjectDirectory });
    expect(await evaluator({ outputs: CODE })).toEqual({
      key: "typescript_succeeded",
      score: false,
      comment: "(4,18): Property 'invoke' does not exist on type 'typeof StateGraph'.",
    });
  });

  it("execution", async () => {
    const CODE = `
import { Annotation, StateGraph } from '@langchain/langgraph';

const StateAnnotation = Annotation.Root({
  joke: Annotation<string>,
  topic: Annotation<string>,
});

const graph = new StateGraph(StateAnnotation)
  .addNode("joke", () => ({}))
  .compile();
  
await graph.invoke({
  joke: "foo",
  topic: "history",
});
`;
    const evaluator = createE2BExecutionEvaluator({ sandbox, sandboxProjectDirectory });
    const result = await evaluator({ outputs: CODE });
    expect(result).toEqual({ key: "execution_succeeded", score: false, comment: expect.any(String) });
    expect(result.comment).toContain("joke is already being used as a state attribute");
    expect(result.comment).toContain("outputs.ts:10:4");
  });
});

/** Everything that a shell would make something else of. */
const AWKWARD = `const text = "it's \\"quoted\\" \\\\ $HOME $(touch hacked) \`touch hacked\`";
const template = \`\${1 + 1} $(touch hacked) %s 'é😀'\`;
if (text.length !== 52 || !text.startsWith("it's \\"q") || !template.endsWith("'é😀'")) throw new Error(text);
`;

describe("type-checking", () => {
  it("takes code unchanged, and does not run it", async () => {
    const outputs = `${AWKWARD}import { writeFileSync } from "fs"; writeFileSync("ran", ""); process.exit(3);`;
    expect(await compiles({ outputs })).toEqual({ key: "typescript_succeeded", score: true });
    expect(readFileSync(join(project, "outputs.ts"), "utf8")).toBe(outputs);
    for (const file of ["hacked", "ran"]) expect(existsSync(join(project, file))).toBe(false);
  });

  it("finds errors of types, those of Node and of packages as well", async () => {
    const outputs = [
      "import { EventEmitter } from 'eventemitter3';",
      "import { readFileSync } from 'fs';",
      "const n: number = 'é😀'; n.x;\r",
      "readFileSync(true);",
      "new EventEmitter(1);",
      "const f: (a: number) => void = (a: string) => {};",
    ].join("\n");
    const { score, comment } = await compiles({ outputs });
    expect(score).toBe(false);
    expect(comment?.match(/^\(.*?\)|^ {2,}Type.{5}/gm)).toEqual([
      "(3,7)",
      "(3,28)",
      "(4,14)",
      "(5,18)",
      "(6,7)",
      "  Types of ",
      "    Type 'num",
    ]);
    expect(comment).toContain("(3,7): Type 'string' is not assignable to type 'number'.\n(3,28): ");
  });

  it("finds errors of syntax", async () => {
    const { score, comment } = await compiles({ outputs: "let a = ;" });
    expect([score, comment]).toEqual([false, "(1,9): Expression expected."]);
  });

  it("installs packages that are imported in any form, once, and nothing else", async () => {
    const before = installed();
    const outputs = `
      import type { NestedRecord } from "@sindresorhus/is/no/such/file.js";
      export { nanoid } from "nanoid/non-secure";
      import "./local.js"; import "node:fs"; import "fs/promises"; import "@/alias"; import "~/home"; import "#inner";
      import kleur = require("kleur");
      type Options = import("mri").Options;
      const a = await import("dequal"), b = require(\`clsx\`);
      // import "comment"; a string: 'import "text"';
      const c = 'import "text"; require("text")', d = /import "regex\\\`/;
    `;
    const result = await compiles({ outputs });
    expect(result.comment).toContain("Cannot find module '@sindresorhus/is/no/such/file.js'");
    expect(result.comment).toContain("'./local.js'");
    expect(result.comment).not.toMatch(/'(nanoid|kleur|mri|dequal|clsx)/);
    const added = installed().filter((name) => !before.includes(name));
    expect(added.sort()).toEqual(["@sindresorhus/is", "clsx", "dequal", "kleur", "mri", "nanoid"]);
  });

  it("counts packages that do not exist as errors of the code", async () => {
    const outputs = "import a from 'openevals-wasm-no-such-package';\nimport bytes from 'bytes';\nbytes(a);";
    expect(await compiles({ outputs })).toEqual({
      key: "typescript_succeeded",
      score: false,
      comment: expect.stringMatching(/^\(1,15\): Cannot find module 'openevals-wasm-no-such-package'/),
    });
    // The other one is installed anyway.
    expect(installed()).toContain("bytes");
    const result = await runs({ outputs });
    expect(result.score).toBe(false);
    expect(result.comment).toContain("openevals-wasm-no-such-package");
  });
});

describe("execution", () => {
  it("succeeds with code that ends, whatever its types and output", async () => {
    const outputs = `${AWKWARD}
      import ms from "ms";
      if (ms("1s") !== 1000) throw new Error();
      enum A { B }
      console.error(A.B as string);
      await new Promise((resolve) => setTimeout(resolve, 1));`;
    expect(await runs({ outputs })).toEqual({ key: "execution_succeeded", score: true });
    expect(await runs({ outputs: "process.exit(0);" })).toEqual({ key: "execution_succeeded", score: true });
  });

  it.each([
    ["an error that is thrown", "throw new RangeError('boom é😀');", "RangeError: boom é😀"],
    ["an error of syntax", "const = 1;", "outputs.ts"],
    ["a rejection", "await Promise.reject(new Error('boom'));", "Error: boom"],
    ["an exit code", "process.exit(7);", "The code ended with exit code 7."],
  ])("fails with %s", async (_, outputs, comment) => {
    const result = await runs({ outputs });
    expect(result).toEqual({ key: "execution_succeeded", score: false, comment: expect.any(String) });
    expect(result.comment).toContain(comment);
  });

  it("fails in the same way if a sandbox returns the error that E2B throws", async () => {
    sandbox.throws = false;
    const result = await runs({ outputs: "console.error('bye'); process.exit(1);" });
    sandbox.throws = true;
    expect(result).toEqual({ key: "execution_succeeded", score: false, comment: "bye\n" });
  });

  it("has the end of a long error output as its comment", async () => {
    const { comment } = await runs({
      outputs: 'console.error(`${"x".repeat(1e6)} at last`);\nprocess.exit(1);',
    });
    expect(comment).toMatch(/^…x{9000,} at last\n$/);
    expect(comment).toHaveLength(10_001);
  });

  it("has the variables of the environment, which installing has not", async () => {
    const environmentVariables = { GREETING: 'it\'s "$HOME" `ls`\n', EMPTY: "" };
    const withVariables = createE2BExecutionEvaluator({ sandbox, environmentVariables });
    const outputs = `if (JSON.stringify([process.env.GREETING, process.env.EMPTY]) !==
      ${JSON.stringify(JSON.stringify(Object.values(environmentVariables)))}) throw new Error(process.env.GREETING);`;
    sandbox.log.length = 0;
    expect((await withVariables({ outputs })).score).toBe(true);
    expect(sandbox.log.map(({ envs }) => envs)).toEqual([undefined, environmentVariables]);
    expect((await runs({ outputs })).score).toBe(false);
  });

  it("that takes longer than the sandbox allows is an error", async () => {
    sandbox.timeoutMs = 3_000;
    const error = await errorOf(runs({ outputs: "setInterval(() => {}, 1e6);" }));
    sandbox.timeoutMs = 60_000;
    expect(error.code).toBe("timeout");
    expect(error.message).toContain("the command took too long");
  });
});

it("evaluations in one sandbox do not get in each other's way", async () => {
  const rows = [1, 2].map((n) => ({
    outputs: `if (${n} === 1) throw new Error("one"); export default ${n};`,
  }));
  const [results, types] = await Promise.all([runs.batch(rows), compiles.batch(rows)]);
  expect(results.map(({ score }) => score)).toEqual([false, true]);
  expect(results[0]?.comment).toContain("Error: one");
  // The second compares two numbers that are never equal.
  expect(types.map(({ comment }) => comment?.slice(0, 6))).toEqual([undefined, "(1,5):"]);
});

it("extracts code first", async () => {
  const options = { sandbox, feedbackKey: "runs", codeExtractionStrategy: "markdown_code_blocks" } as const;
  const outputs = { content: "Install it:\n```sh\nexit 1\n```\nRun it:\n```ts\nprocess.exit(0);\n```" };
  expect(await createE2BExecutionEvaluator(options)({ outputs })).toEqual({ key: "runs", score: true });
  const failed = await createE2BTypeScriptEvaluator(options)({ outputs: "Sorry." });
  expect(failed).toMatchObject({ key: "runs", score: false, metadata: { code_extraction_failed: true } });
});

it("a folder of one's own keeps its files, and lends its tools", async () => {
  const own = "my project/it's $here";
  const folder = join(sandbox.folder, own);
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  const manifest = '{ "type": "module", "name": "mine" }';
  writeFileSync(join(folder, "package.json"), manifest);
  writeFileSync(join(folder, "helper.ts"), "export const help = (n: number) => n;\n");
  const options = { sandbox, sandboxProjectDirectory: own };
  const outputs = "import { help } from './helper.js';\nif (help('1') !== '1') process.exit(1);";
  const result = await createE2BTypeScriptEvaluator(options)({ outputs });
  expect(result.comment).toMatch(/^\(2,5\): .*\n?.*\(2,10\): Argument of type 'string' is not/s);
  expect((await createE2BExecutionEvaluator(options)({ outputs })).score).toBe(true);
  expect(readFileSync(join(folder, "package.json"), "utf8")).toBe(manifest);
});

describe("a sandbox that fails is an error", () => {
  /** Without a cache of packages, and with a registry that is not there. */
  const offline = (registry: string) => {
    const cache = mkdtempSync(join(tmpdir(), "npm-cache-"));
    const env = { npm_config_registry: registry, npm_config_cache: cache, npm_config_fetch_retries: "0" };
    return { cache, sandbox: new LocalSandbox(env) };
  };

  const failing = async (registry: string) => {
    const { cache, sandbox } = offline(registry);
    try {
      for (const create of [createE2BTypeScriptEvaluator, createE2BExecutionEvaluator]) {
        const error = await errorOf(create({ sandbox })({ outputs: "0" }));
        expect(error.code).toBe("tool_failed");
        expect(error.message).toMatch(/^The sandbox failed to install packages \(exit code 1\): .*npm/s);
      }
    } finally {
      sandbox.remove();
      rmSync(cache, { recursive: true });
    }
  };

  it("where the registry cannot be reached", () => failing("http://127.0.0.1:1/"));

  it("where it answers with an error", async () => {
    const server = createServer((_, response) => response.writeHead(500).end("{}"));
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    await failing(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await new Promise((closed) => server.close(closed));
  });

  it("where a file cannot be written, or a command not be run", async () => {
    const gone = new SandboxError("the sandbox was not found");
    const reject = () => Promise.reject(gone);
    const broken: [Sandbox, string][] = [
      [{ files: { write: reject }, commands: sandbox.commands }, "write openevals/"],
      [{ files: sandbox.files, commands: { run: reject } }, 'run "node'],
    ];
    for (const [sandbox, words] of broken) {
      const error = await errorOf(createE2BExecutionEvaluator({ sandbox })({ outputs: "0" }));
      expect(error).toMatchObject({ code: "tool_failed", cause: gone });
      expect(error.message).toContain(`The sandbox failed to ${words}`);
      expect(error.message).toContain("the sandbox was not found");
    }
  });

  it("where there is no Node", async () => {
    const bare = new LocalSandbox({ PATH: "/nowhere" });
    const error = await errorOf(createE2BExecutionEvaluator({ sandbox: bare })({ outputs: "0" }));
    bare.remove();
    expect(error.code).toBe("tool_failed");
  });

  it.each([
    [{}, "commands.run returned {  }"],
    [{ code: 1, stderr: "boom" }, "commands.run returned { code: number, stderr: string }"],
    [{ exitCode: null }, "commands.run returned { exitCode: null }"],
    [{ exitCode: 0.5 }, "commands.run returned { exitCode: number }"],
    [{ exitCode: "0" }, "commands.run returned { exitCode: string }"],
    [{ exitCode: 1, stderr: ["boom"] }, "commands.run returned { exitCode: number, stderr: object }"],
    [undefined, "commands.run returned {  }"],
  ])("where a command ends with %j", async (result, words) => {
    const run = async (command: string) =>
      command.includes("install") ? { exitCode: 0 } : (result as object);
    const odd: Sandbox = { files: sandbox.files, commands: { run } };
    for (const create of [createE2BTypeScriptEvaluator, createE2BExecutionEvaluator]) {
      const error = await errorOf(create({ sandbox: odd })({ outputs: "0" }));
      expect(error.code).toBe("tool_failed");
      expect(error.message).toContain(`${words}; it has to return exitCode, a whole number`);
    }
  });

  it.each([{ exitCode: 0, stderr: "" }, { stderr: "boom" }])("where a command throws %j", async (thrown) => {
    const run = (command: string) =>
      command.includes("install") ? Promise.resolve({ exitCode: 0 }) : Promise.reject(thrown);
    const odd: Sandbox = { files: sandbox.files, commands: { run } };
    const error = await errorOf(createE2BExecutionEvaluator({ sandbox: odd })({ outputs: "0" }));
    expect(error.code).toBe("tool_failed");
  });

  it.each([
    ["{}", "{}"],
    ["null", "null"],
    ["[{}]", "[{}]"],
    ["none\n", "none"],
    ["", "it printed nothing"],
  ])("where the check of types prints %j", async (stdout, shown) => {
    const run = async () => ({ exitCode: 0, stdout });
    const odd: Sandbox = { files: sandbox.files, commands: { run } };
    const error = await errorOf(createE2BTypeScriptEvaluator({ sandbox: odd })({ outputs: "0" }));
    expect(error).toMatchObject({
      code: "tool_failed",
      message: `The sandbox failed to check types: its output is not a JSON list of errors: ${shown}`,
    });
  });

  it("and the next evaluation works", async () => {
    let failures = 1;
    const write: Sandbox["files"]["write"] = (...file) => {
      return failures-- > 0 ? Promise.reject(new Error("busy")) : sandbox.files.write(...file);
    };
    const flaky = createE2BExecutionEvaluator({ sandbox: { files: { write }, commands: sandbox.commands } });
    expect((await errorOf(flaky({ outputs: "0" }))).code).toBe("tool_failed");
    expect((await flaky({ outputs: "0" })).score).toBe(true);
  });
});

describe("options that cannot work are refused", () => {
  it("none at all", () => {
    expect(() => createE2BTypeScriptEvaluator(undefined as never)).toThrow("needs an object of options");
    expect(() => createE2BExecutionEvaluator(null as never)).toThrow("needs an object of options");
  });

  it.each([
    [{ sandbox: undefined }, "needs a sandbox with files.write"],
    [{ sandbox: { apiKey: "e2b_secret", files: {} } }, "needs a sandbox with files.write"],
    [{ sandboxProjectDirectory: "" }, "sandboxProjectDirectory"],
    [{ model: "openai:gpt-5.4" }, 'codeExtractionStrategy: "llm"'],
    [{ project: "x" }, 'has no option "project"'],
  ])("%j", (options, words) => {
    for (const create of [createE2BTypeScriptEvaluator, createE2BExecutionEvaluator]) {
      const make = () => create({ sandbox, ...options } as never);
      expect(make).toThrow(OpenEvalsError);
      expect(make).toThrow(words);
      expect(make).not.toThrow("e2b_secret");
    }
  });

  it("variables that are not strings, without showing them", () => {
    const make = (environmentVariables: object) => () =>
      createE2BExecutionEvaluator({ sandbox, environmentVariables } as never);
    expect(make({ KEY: "sk-secret", PORT: 80 })).toThrow(
      "environmentVariables has to be an object of strings",
    );
    expect(make({ KEY: "sk-secret", PORT: 80 })).not.toThrow("sk-secret");
    expect(() => createE2BTypeScriptEvaluator({ sandbox, environmentVariables: {} } as never)).toThrow(
      "no option",
    );
  });
});
