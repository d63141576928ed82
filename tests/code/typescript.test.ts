/** Type-checking in memory, with every version of TypeScript that has an API. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EvaluatorResult, OpenEvalsError } from "openevals-wasm";
import { createTypeScriptEvaluator } from "openevals-wasm/code/typescript";
import * as typescript7 from "typescript/unstable/async";
import typescript5 from "typescript5";
import typescript6 from "typescript6";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { errorOf } from "../api/error-of.ts";
import { copyPackage } from "../package.ts";
import { reference } from "./reference.ts";

/** A compiler with which all evaluators share the parsed standard library: each of them takes seconds to parse it. */
function sharingFiles<Compiler extends typeof typescript5 | typeof typescript6>(
  compiler: Compiler,
): Compiler {
  const parsed = new Map<string, object>();
  const createSourceFile = (path: string, ...rest: [text: string, target: any]) => {
    if (!path.includes("/node_modules/")) return compiler.createSourceFile(path, ...rest);
    if (!parsed.has(path)) parsed.set(path, compiler.createSourceFile(path, ...rest));
    return parsed.get(path);
  };
  return { ...compiler, createSourceFile } as Compiler;
}

const sharing5 = sharingFiles(typescript5);
const versions: [string, object][] = [
  ["5", sharing5],
  ["6", sharingFiles(typescript6)],
  ["7", typescript7],
];

/** Code, and the comment that it gets; none for code without errors. */
const cases: [what: string, code: string, comment?: string][] = [
  ["the example of the documentation", "function add(a, b) { return a + b; }"],
  ["a type error", "const n: number = 'one';", "(1,7): Type 'string' is not assignable to type 'number'."],
  [
    "several errors",
    "let a: string = 1;\r\n\r\n  b;\n",
    "(1,5): Type 'number' is not assignable to type 'string'.\n(3,3): Cannot find name 'b'.",
  ],
  [
    "an error behind characters of two units",
    "const s = '😀'; s.nope;",
    "(1,19): Property 'nope' does not exist on type '\"😀\"'.",
  ],
  [
    "an error with an explanation",
    "const f: (a: number) => void = (a: string) => {};",
    "(1,7): Type '(a: string) => void' is not assignable to type '(a: number) => void'.\n" +
      "  Types of parameters 'a' and 'a' are incompatible.\n    Type 'number' is not assignable to type 'string'.",
  ],
  [
    "half of a surrogate pair",
    "const s: number = '\ud800';",
    "(1,7): Type 'string' is not assignable to type 'number'.",
  ],
  ["an error of syntax", "const = 1;", "(1,7): Variable declaration expected."],
  [
    "an error of syntax beside one of type",
    "const = 1; const s: string = 1;",
    "(1,7): Variable declaration expected.",
  ],
  ["modules that are not installed", "import { z } from 'no-such-package';\nz.object({}).parse(1).name;"],
  [
    "all other forms of import",
    "export * from 'nope';\nimport type { A } from '@no/such';\nconst a: A = 1;\nconst b: import('nope').B = a;\nawait import('./c.js');\nimport d from './d';\nimport e from './e.ts';\nimport './f.css';\nimport g from './g.json';\nimport h = require('h');\ndeclare module 'i' { interface J {} }\n",
  ],
  ["code that is at odds with strict", "let a: string = null; function f(b) { return b.c; }"],
  ["an await at the top level", "const { ok } = await fetch('https://example.com'); export {};"],
  ["the same in a script without imports", "await Promise.resolve(); import.meta.url;"],
  [
    "names that browsers have for globals",
    "const name = 'Ada'; const event = 1; let status: number = event;",
  ],
  [
    "Node's modules and globals",
    "import { readFileSync } from 'node:fs';\nconst text: string = readFileSync('a', 'utf8'); process.exit(Buffer.from(text).length);",
  ],
  ["Node's modules, misused", "import { readFileSync } from 'node:fs';\nreadFileSync(true);", "(2,14): "],
  [
    "the library of later years",
    "Promise.withResolvers();",
    "(1,9): Property 'withResolvers' does not exist on",
  ],
  [
    "a comment that turns off the check",
    "// @ts-nocheck\nconst n: number = 'one';",
    "(2,7): Type 'string' is not assignable to type 'number'.",
  ],
  [
    "the same in other forms",
    "/* @TS-NoCheck */ let a: number = 'one';",
    "(1,23): Type 'string' is not assignable to type 'number'.",
  ],
  [
    "comments that hide the error of a line",
    "// @ts-ignore\nlet a: string = 1;\n/* @ts-expect-error */\nlet b: string = 2;",
    "(2,5): Type 'number' is not assignable to type 'string'.\n(4,5): Type 'number' is not assignable",
  ],
  ["such a comment without an error", "// @ts-expect-error\nconst s: '@ts-ignore' = '@ts-ignore';"],
  ["quotes and templates", "const s = `\"'\\`$(ls) ${1 + 1}` as const; const t: 1 = s.length;", "(1,"],
];

describe.each(versions)("TypeScript %s", (_, typescript) => {
  const evaluator = createTypeScriptEvaluator({ typescript });

  // In one batch, for which TypeScript 7 starts its server once.
  const results = new Map<string, EvaluatorResult>();
  beforeAll(async () => {
    const rows = await evaluator.batch(cases.map(([, outputs]) => ({ outputs })));
    for (const [at, [what]] of cases.entries()) results.set(what, rows[at] as EvaluatorResult);
  });

  it.each(cases)("%s", (what, _, comment) => {
    const result = results.get(what);
    if (comment === undefined) return expect(result).toEqual({ key: "typescript_succeeded", score: true });
    expect(result).toEqual({ key: "typescript_succeeded", score: false, comment: expect.any(String) });
    expect(result?.comment?.slice(0, comment.length)).toBe(comment);
  });

  it("checks many at the same time, each separately", async () => {
    const rows = [
      "const a: 1 = 1;",
      "const a: 1 = 2;",
      "let b = a;",
      "declare global { var a: 3 }; export {};",
      "a;",
    ];
    const results = await evaluator.batch(rows.map((outputs) => ({ outputs })));
    expect(results.map(({ score }) => score)).toEqual([true, false, false, true, false]);
  });

  it("checks the code that a strategy extracts", async () => {
    const inMarkdown = createTypeScriptEvaluator({
      typescript,
      feedbackKey: "compiles",
      codeExtractionStrategy: "markdown_code_blocks",
    });
    const message = { role: "assistant", content: "Here:\n\n```ts\nlet a: string = 1;\n```\n" };
    expect(await inMarkdown({ outputs: { messages: [message] } })).toEqual({
      key: "compiles",
      score: false,
      comment: "(1,5): Type 'number' is not assignable to type 'string'.",
    });
    expect((await inMarkdown({ outputs: "none" })).metadata).toEqual({ code_extraction_failed: true });
  });

  it("goes on after code that ends the compiler", async () => {
    const evaluator = createTypeScriptEvaluator({ typescript });
    const nested = `const a = ${"(".repeat(1e6)}1${")".repeat(1e6)};`;
    const [hostile, next] = [
      evaluator({ outputs: nested }),
      evaluator({ outputs: "const n: number = 'one';" }),
    ];
    expect(await errorOf(hostile)).toMatchObject({ code: "tool_failed" });
    expect(await next).toMatchObject({ score: false });
  });

  it("reads no file that the code names", async () => {
    const folder = mkdtempSync(join(tmpdir(), "elsewhere-"));
    const manifest = join(import.meta.dirname, "../node_modules/@types/node/package.json");
    try {
      for (const name of ["mod.ts", "mod.d.ts", "view.tsx"])
        writeFileSync(join(folder, name), 'export const TOKEN = "secret";');
      writeFileSync(join(folder, "global.ts"), 'declare const TOKEN: "secret";');
      writeFileSync(join(folder, "data.json"), '{ "TOKEN": "secret" }');
      symlinkSync(folder, join(folder, "link"));
      const use = "const n: number = TOKEN;";
      const unresolved = [
        ...["mod.ts", "mod.js", "mod", "view.tsx", "link/mod.ts"].map((name) => `${folder}/${name}`),
        `file://${folder}/mod.ts`,
        `../..${folder}/mod.js`,
        `C:${folder}/mod.ts`,
        `C:${folder}/mod.ts`.replaceAll("/", "\\\\"),
      ].map((name) => `import { TOKEN } from "${name}"; ${use}`);
      const rows = [
        ...unresolved,
        `let token: typeof import("${folder}/mod.ts").TOKEN = 1;`,
        `import { TOKEN } from "${folder}/data.json" with { type: "json" }; ${use}`,
        `import { name } from "${manifest}" with { type: "json" }; const n: number = name;`,
        `import manifest from "${manifest}" with { type: "json" }; const n: number = manifest.name;`,
        `/// <reference types="${folder}/mod" />\nconst n = 1;`,
      ];
      const results = await evaluator.batch(rows.map((outputs) => ({ outputs })));
      expect(results.map(({ comment }) => comment)).toEqual(rows.map(() => undefined));
      for (const name of ["global.ts", "missing.ts"]) {
        const { comment } = await evaluator({
          outputs: `/// <reference path="${folder}/${name}" />\nTOKEN;`,
        });
        expect(comment).toBe(`(1,22): File '${folder}/${name}' not found.\n(2,1): Cannot find name 'TOKEN'.`);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("uses the rest of TypeScript's library on request", async () => {
    const outputs = '/// <reference lib="esnext" />\nPromise.withResolvers();';
    expect(await evaluator({ outputs })).toMatchObject({ score: true });
  });

  it("leaves no file and no process behind", async () => {
    // Other tests use the shared folder of temporary files.
    const folder = mkdtempSync(join(tmpdir(), "own-"));
    vi.stubEnv("TMPDIR", folder);
    try {
      await evaluator({ outputs: "let a: string = 1;" });
      expect(readdirSync(folder)).toEqual([]);
    } finally {
      vi.unstubAllEnvs();
      rmSync(folder, { recursive: true });
    }
    expect(readdirSync("/").filter((name) => name.includes("openevals"))).toEqual([]);
    const children = () => {
      return spawnSync("ps", ["-o", "comm=", "--ppid", `${process.pid}`], { encoding: "utf8" }).stdout;
    };
    await vi.waitFor(() => expect(children()).not.toContain("tsc"), { timeout: 10_000 });
  });
});

it("a script ends after code that ends the compiler of TypeScript 7", () => {
  const script = `
    import { createTypeScriptEvaluator } from "openevals-wasm/code/typescript";
    const nested = "const a = " + "(".repeat(1e6) + "1" + ")".repeat(1e6);
    await createTypeScriptEvaluator()({ outputs: nested }).catch(({ code }) => console.log(code));
  `;
  const { status, stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: import.meta.dirname,
    encoding: "utf8",
    timeout: 60_000,
  });
  expect([status, stdout]).toEqual([0, "tool_failed\n"]);
});

it("TypeScript 7 has only so much time for each check", async () => {
  const evaluator = createTypeScriptEvaluator({ typescript: typescript7, timeoutMs: 10_000 });
  // With each of these brackets, it needs more than twice the time.
  const nested = `const a = ${"[".repeat(500)}1${"]".repeat(500)};`;
  const [late, next] = [evaluator({ outputs: nested }), evaluator({ outputs: "const n: number = 'one';" })];
  expect(await errorOf(late)).toMatchObject({
    code: "timeout",
    message: "TypeScript did not end within 10000 ms (timeoutMs).",
  });
  expect(await next).toMatchObject({ score: false });
});

describe("as the reference, with TypeScript 5", () => {
  const theirs = reference.createTypeScriptEvaluator();
  const ours = createTypeScriptEvaluator({ typescript: sharing5 });
  // These are taken for errors by it: a file in the temporary folder is no ES module, and without exports a script.
  const different = ["an await at", "the same in a script", "names that browsers have", "all other forms"];
  // It obeys these.
  const comments = [
    "a comment that turns off",
    "the same in other forms",
    "comments that hide",
    "such a comment",
  ];

  it.each(
    cases.filter(([what]) => ![...different, ...comments].some((start) => what.startsWith(start))),
  )("%s", async (_, outputs) => {
    const { key, score, comment } = await theirs({ outputs });
    const result = await ours({ outputs });
    expect([result.key, result.score, result.comment]).toEqual([key, score, comment]);
  });
});

/** Runs a script in a new folder, from which no types can be seen, and no package unless this one is asked for; returns what it prints. */
function inNewFolder(script: string, hasPackage = false): string {
  const folder = mkdtempSync(join(tmpdir(), "empty-"));
  try {
    if (hasPackage) copyPackage(folder);
    const before = readdirSync(folder);
    const args = ["--input-type=module", "-e", script];
    const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
    expect(readdirSync(folder)).toEqual(before);
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it("without the types of Node its names do not count, others do", () => {
  const code = "import fs from 'node:fs'; process.exit(Buffer.from(fs.x).length); nope;";
  const modules = ["typescript5", "typescript6", "typescript/unstable/async"].map((name) =>
    import.meta.resolve(name),
  );
  const script = `
    import { createTypeScriptEvaluator } from ${JSON.stringify(import.meta.resolve("openevals-wasm/code/typescript"))};
    for (const module of ${JSON.stringify(modules)}) {
      const evaluator = createTypeScriptEvaluator({ typescript: await import(module) });
      console.log((await evaluator({ outputs: ${JSON.stringify(code)} })).comment);
    }`;
  const comment = `(1,${code.indexOf("nope") + 1}): Cannot find name 'nope'.`;
  expect(inNewFolder(script)).toBe(`${comment}\n`.repeat(3));
});

describe("which TypeScript", () => {
  it("the one that is installed, by default", async () => {
    // It is version 7, which is loaded by another path.
    expect((await createTypeScriptEvaluator()({ outputs: "let a: string = 1;" })).score).toBe(false);
    const { version, ...rest } = await import("typescript");
    expect([version.split(".")[0], rest]).toEqual([
      "7",
      { default: expect.anything(), versionMajorMinor: "7.0" },
    ]);
  });

  it("with its files where there is no file system", async () => {
    const folder = join(createRequire(import.meta.url).resolve("typescript5/package.json"), "../lib");
    const files = readdirSync(folder).filter((name) => /^lib\..*\.d\.ts$/.test(name));
    const libFiles = Object.fromEntries(
      files.map((name) => [name, readFileSync(join(folder, name), "utf8")]),
    );
    const typescript = { ...typescript5, sys: undefined };
    const evaluator = createTypeScriptEvaluator({ typescript, libFiles });
    expect((await evaluator({ outputs: "const a: string[] = ['a'].map((b) => b.trim());" })).score).toBe(
      true,
    );
    expect((await evaluator({ outputs: "Promise.resolve(1).then((a: string) => a);" })).score).toBe(false);
    const error = await errorOf(createTypeScriptEvaluator({ typescript })({ outputs: "0" }));
    expect(error.code).toBe("invalid_config");
    expect(error.message).toContain("libFiles");
    const without = createTypeScriptEvaluator({ typescript, libFiles: {} })({ outputs: "0" });
    expect(await errorOf(without)).toMatchObject({ code: "tool_failed" });
  });

  it("without any, an error names the package to install", () => {
    const script = `
      import { createTypeScriptEvaluator } from "openevals-wasm/code/typescript";
      const error = await createTypeScriptEvaluator()({ outputs: "0" }).catch((error) => error);
      console.log(error.name, error.code, error.message);`;
    const printed = inNewFolder(script, true);
    expect(printed).toMatch(/^OpenEvalsError invalid_config /);
    expect(printed).toContain("npm install typescript");
  });

  it("that is invalid is an error", async () => {
    const error = await errorOf(
      createTypeScriptEvaluator({ typescript: { version: "6" } })({ outputs: "0" }),
    );
    expect(error.code).toBe("invalid_config");
    expect(error.message).toContain("typescript has to be the module of TypeScript 5 or 6");
  });

  it("that fails is an error, and the next check works", async () => {
    let broken = true;
    const typescript = {
      ...sharing5,
      getPreEmitDiagnostics(...args: Parameters<typeof typescript5.getPreEmitDiagnostics>) {
        if (broken) throw new Error("Debug Failure");
        return typescript5.getPreEmitDiagnostics(...args);
      },
    };
    const evaluator = createTypeScriptEvaluator({ typescript });
    const error = await errorOf(evaluator({ outputs: "0" }));
    expect(error).toMatchObject({ code: "tool_failed", cause: expect.any(Error) });
    broken = false;
    expect((await evaluator({ outputs: "0" })).score).toBe(true);
  });
});

it.each([
  [{ model: "openai:gpt-5.4" }, 'codeExtractionStrategy: "llm"'],
  [{ client: () => ({}), codeExtractionStrategy: "none" }, 'codeExtractionStrategy: "llm"'],
  [{ codeExtractionStrategy: "llm" }, "needs a model"],
  [{ typescript: "5" }, 'typescript is "5"; it has to be the module of TypeScript'],
  [null, "needs an object of options"],
  [{ feedbackKey: 1 }, "feedbackKey is 1"],
  [{ timeoutMs: 0 }, "timeoutMs is 0; it has to be a number of milliseconds above 0"],
  [{ strict: true }, 'createTypeScriptEvaluator has no option "strict"'],
])("options that cannot work are refused: %j", (options, words) => {
  const make = () => createTypeScriptEvaluator(options as object);
  expect(make).toThrow(OpenEvalsError);
  expect(make).toThrow(words);
});
