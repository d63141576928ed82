/** Code in Python: Pyright and mypy as they are, on this machine, and Pyright in a sandbox. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { OpenEvalsError } from "openevals-wasm";
import {
  createE2BPyrightEvaluator,
  createMypyEvaluator,
  createPyrightEvaluator,
  type Sandbox,
} from "openevals-wasm/code/python";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { errorOf } from "../api/error-of.ts";
import { copyPackage } from "../package.ts";
import { LocalSandbox } from "./local-sandbox.ts";
import { PATH, PYTHON, Shelf } from "./shelf.ts";

const TOOLS = fileURLToPath(new URL("../node_modules/.bin", import.meta.url));
beforeAll(() => {
  expect(existsSync(join(PYTHON, "mypy")), "npm test installs mypy into target/python").toBe(true);
  vi.stubEnv("PATH", PATH);
});
afterAll(() => vi.unstubAllEnvs());

const { TMPDIR } = process.env;

const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith("python-code-"));
// Other processes on this machine may have some, too.
const others = new Set(folders());
const temporary = () => folders().filter((name) => !others.has(name));

const ASSIGNED = 'count: int = "one"\n';
/** Code that both reject, and code that both accept. */
const cases: [what: string, outputs: string, score: boolean][] = [
  ["a function without types", "def sum_of_two_numbers(a, b): return a + b", true],
  ["a module that is not installed", "from fastapi import FastAPI\napp = FastAPI()\n", true],
  ["text that is no code", "Sure! Here is a function: def add(a, b): return a + b", false],
  ["an error of syntax", "def f():\n    nonlocal nonlocal\n", false],
  ["a name that does not exist", "app = FastAPI()\n", false],
  ["an error of types, behind other alphabets", `greeting = "héllo 😀"\n${ASSIGNED}`, false],
];

describe.each([
  ["createPyrightEvaluator", createPyrightEvaluator, "pyright_succeeded"],
  ["createMypyEvaluator", createMypyEvaluator, "mypy_succeeded"],
] as const)("%s", (name, create, key) => {
  it("distinguishes code with and without errors, and leaves no file behind", async () => {
    const results = await create().batch(cases.map(([, outputs]) => ({ outputs })));
    for (const [index, [what, , score]] of cases.entries()) {
      const comment = score ? {} : { comment: expect.stringMatching(/./) };
      expect(results[index], what).toEqual({ key, score, ...comment });
    }
    expect(temporary()).toEqual([]);
  });

  it("checks the code that a strategy extracts", async () => {
    const evaluator = create({ codeExtractionStrategy: "markdown_code_blocks", feedbackKey: "types" });
    const content =
      "Install it:\n```sh\npip install it\n```\nand\n```python\nn = 1\n```\nthen\n```\nn.upper()\n```";
    const result = await evaluator({ outputs: { messages: [{ role: "assistant", content }] } });
    expect(result).toEqual({ key: "types", score: false, comment: expect.stringContaining("upper") });
    expect(await evaluator({ outputs: "none" })).toMatchObject({
      key: "types",
      score: false,
      metadata: { code_extraction_failed: true },
    });
  });

  it("is not turned off by the code", async () => {
    const wrong = 'n: int = "one"';
    const method = 'def f(n: int) -> int:\n    return "one"\n';
    const rows = [
      `# type: ignore\n${wrong}`,
      "#type:ignore\ndef f(:",
      `# mypy: ignore-errors\n# pyright: basic, reportAssignmentType=false\n${wrong}`,
      `"""\n# mypy: ignore-errors\n"""\n${wrong}`,
      ...[
        "# type: ignore",
        "#\u0085type:\u0085ignore",
        "# type: ignore[assignment]",
        "# a # pyright: ignore",
      ].map((comment) => `${wrong}  ${comment}`),
      `from typing import no_type_check\n@no_type_check\n${method}`,
      `import typing\n@typing.\uff4eo_type_check\n${method}`,
      `from typing import no_type_check as decorate\n@decorate\n${method}`,
    ];
    const results = await create().batch(rows.map((outputs) => ({ outputs })));
    for (const [index, { score }] of results.entries()) expect(score, rows[index]).toBe(false);
  });

  it("accepts code with such comments and decorators, and keeps places and equal strings", async () => {
    const outputs = [
      "from typing import Literal, no_type_check",
      'x: Literal["# type: ignore"] = "# type: ignore"  # type: ignore',
      "@no_type_check",
      "def double(n: int) -> int: return n * 2",
      'double(1); double("1")  # pyright: ignore',
    ];
    expect(await create()({ outputs: outputs.slice(0, 4).join("\n") })).toEqual({ key, score: true });
    const { comment } = await create()({ outputs: outputs.join("\n") });
    if (name === "createMypyEvaluator")
      expect(comment).toMatch(/^python_file\.py:5: error: Argument 1 to "double"/);
    else expect(JSON.parse(comment ?? "")).toMatchObject([{ range: { start: { line: 4, character: 18 } } }]);
  });

  it("reads no file of this machine that the code imports", async () => {
    const folder = mkdtempSync(join(tmpdir(), "elsewhere-"));
    const here = process.cwd();
    try {
      writeFileSync(join(folder, "localmod.py"), "TOKEN = 42\n");
      vi.stubEnv("MYPYPATH", folder);
      vi.stubEnv("PYTHONPATH", folder);
      process.chdir(folder);
      const outputs = "from localmod import TOKEN\nn: str = TOKEN\n";
      const results = await create().batch([{ outputs }, { outputs: `import localmod\n${ASSIGNED}` }]);
      expect(results.map(({ score }) => score)).toEqual([true, false]);
    } finally {
      vi.stubEnv("MYPYPATH", undefined);
      vi.stubEnv("PYTHONPATH", undefined);
      process.chdir(here);
      rmSync(folder, { recursive: true });
    }
  });

  it("has only so much time, and needs a place for the file", async () => {
    const late = await errorOf(create({ timeoutMs: 1 })({ outputs: "0" }));
    expect(late.code).toBe("timeout");
    expect(late.message).toMatch(/did not end within 1 ms \(timeoutMs\)/);
    vi.stubEnv("TMPDIR", "/nowhere");
    const homeless = await errorOf(create()({ outputs: "0" })).finally(() => vi.stubEnv("TMPDIR", TMPDIR));
    expect(homeless.code).toBe("tool_failed");
    expect(homeless.message).toMatch(/could not check the code: ENOENT/);
  });

  it("refuses options that cannot work", () => {
    const args = name === "createMypyEvaluator" ? "mypyCliArgs" : "pyrightCliArgs";
    for (const [options, words] of [
      [{ [args]: "--strict" }, `${args} is "--strict"; it has to be a list of strings`],
      [{ [args]: ["a\0b"] }, `${args} is ["a\\u0000b"]; it has to be a list of strings`],
      [{ timeoutMs: 0 }, "timeoutMs is 0; it has to be a number of milliseconds above 0"],
      [{ model: "openai:gpt-5.4" }, 'codeExtractionStrategy: "llm"'],
      [{ cliArgs: [] }, `${name} has no option "cliArgs"`],
    ] as const) {
      expect(() => create(options as never)).toThrow(OpenEvalsError);
      expect(() => create(options as never)).toThrow(words);
    }
  });
});

describe("Pyright", () => {
  it("follows no relative import out of the folder", async () => {
    const folder = mkdtempSync(join(tmpdir(), "elsewhere_"));
    writeFileSync(join(folder, "secret.py"), "TOKEN = 42\n");
    const rows = ["..", ". .", ". \\\n.", "..."].map((dots) => {
      const path = dots === "..." ? folder.slice(1).replaceAll("/", ".") : basename(folder);
      return { outputs: `from ${dots}${path}.secret import TOKEN\nn: str = TOKEN\n` };
    });
    const results = await createPyrightEvaluator().batch(rows);
    rmSync(folder, { recursive: true });
    expect(results).toEqual(rows.map(() => ({ key: "pyright_succeeded", score: true })));
  });

  it("reports errors as JSON, without a file name", async () => {
    const { comment } = await createPyrightEvaluator()({ outputs: ASSIGNED });
    expect(JSON.parse(comment ?? "")).toEqual([
      {
        severity: "error",
        message: expect.stringContaining(`"Literal['one']" is not assignable to "int"`),
        range: { start: { line: 0, character: 13 }, end: { line: 0, character: 18 } },
        rule: "reportAssignmentType",
      },
    ]);
  });

  it("takes arguments, and fails with the tool's message about unknown ones", async () => {
    const outputs = "match 1:\n  case _: pass\n";
    const old = createPyrightEvaluator({ pyrightCliArgs: ["--pythonversion", "3.9"] });
    expect((await old({ outputs })).score).toBe(false);
    expect((await createPyrightEvaluator()({ outputs })).score).toBe(true);
    const error = await errorOf(createPyrightEvaluator({ pyrightCliArgs: ["--nonsense"] })({ outputs }));
    expect(error.code).toBe("tool_failed");
    expect(error.message).toMatch(/^Pyright ended without a verdict \(exit code \d\): .*--nonsense/s);
  });

  it("checks a batch in one process, each file as if it were alone", async () => {
    const folder = mkdtempSync(join(tmpdir(), "counted-"));
    const starts = join(folder, "starts");
    // Counts the processes, where the package is not installed.
    const counting = `#!/bin/sh\necho >> ${starts}\nexec ${process.execPath} ${join(TOOLS, "../pyright/index.js")} "$@"\n`;
    writeFileSync(join(folder, "pyright"), counting, { mode: 0o755 });
    copyPackage(folder);
    const rows = Array.from({ length: 12 }, (_, index) => [
      `SHARED = ${index}\nn${index}: str = ${index}`,
      `import python_file\nprint(SHARED)`,
    ])
      .flat()
      .map((outputs) => ({ outputs }));
    const script = `
      import { createPyrightEvaluator } from "openevals-wasm/code/python";
      console.log(JSON.stringify(await createPyrightEvaluator().batch(${JSON.stringify(rows)})));`;
    const options = { cwd: folder, env: { ...process.env, PATH: [folder, PATH].join(delimiter) } };
    const printed = execFileSync(process.execPath, ["--input-type=module", "-e", script], options);
    const results: { comment: string }[] = JSON.parse(printed.toString());
    const messages = results.map(({ comment }) => JSON.parse(comment).map((one: any) => one.message));
    expect(messages).toEqual(
      rows.map((_, index) => [
        index % 2
          ? '"SHARED" is not defined'
          : expect.stringContaining(`"Literal[${index / 2}]" is not assignable to "str"`),
      ]),
    );
    // 20 files, and the other four.
    expect(readFileSync(starts, "utf8")).toBe("\n\n");
    rmSync(folder, { recursive: true });
  });

  it("that breaks down has found nothing in the code, and does not affect other checks", async () => {
    const outputs = `x = ${"(".repeat(3000)}1${")".repeat(3000)}`;
    const check = createPyrightEvaluator();
    // In one process, at first.
    const others = [ASSIGNED, "n = 1"].map((outputs) => check({ outputs }));
    const { code, message } = await errorOf(check({ outputs }));
    expect((await Promise.all(others)).map(({ score }) => score)).toEqual([false, true]);
    expect(code).toBe("tool_failed");
    expect(message).toContain("internal error");
    expect(message).toContain("RangeError");
    expect(message).toContain('"python_file.py"');
    expect(message).not.toContain("python-code-");
  });

  it("is the command on the PATH where the package is not installed, or else an error", async () => {
    const folder = mkdtempSync(join(tmpdir(), "no-pyright-"));
    copyPackage(folder);
    symlinkSync(join(TOOLS, "../pyright/index.js"), join(folder, "pyright"));
    const script = `
      import { createPyrightEvaluator } from "openevals-wasm/code/python";
      const check = createPyrightEvaluator();
      console.log(JSON.stringify(await check({ outputs: "n: int = ''" }).catch((error) => error)));
      process.env.PATH = "/nowhere";
      console.log(await check({ outputs: "0" }).catch(({ code, message }) => code + ": " + message));`;
    const env = { ...process.env, PATH: [folder, PATH].join(delimiter) };
    const args = ["--input-type=module", "-e", script];
    const printed = execFileSync(process.execPath, args, { cwd: folder, env, encoding: "utf8" });
    rmSync(folder, { recursive: true });
    const [found, missing] = printed.split("\n");
    expect(JSON.parse(found ?? "")).toMatchObject({ key: "pyright_succeeded", score: false });
    expect(missing).toMatch(
      /^tool_failed: Pyright is not installed: install the package \(npm install pyright\)/,
    );
  });
});

describe("mypy", () => {
  it("reports the errors line by line, with its own name for the file", async () => {
    const outputs = `${ASSIGNED}def half(n: int) -> str:\n    return n / 2\n`;
    const { comment } = await createMypyEvaluator()({ outputs });
    expect(comment?.split("\n")).toEqual([
      expect.stringMatching(
        /^python_file\.py:1: error: Incompatible types in assignment .* {2}\[assignment\]$/,
      ),
      expect.stringMatching(
        /^python_file\.py:3: error: Incompatible return value type .* {2}\[return-value\]$/,
      ),
    ]);
  });

  it("has default arguments, which the caller's replace", async () => {
    const incomplete = { outputs: "def f(a: int, b): return a\n" };
    const noted = { outputs: "def f(a):\n    n: int = a\n" };
    const [own, plain] = [createMypyEvaluator(), createMypyEvaluator({ mypyCliArgs: ["--no-incremental"] })];
    const results = [await own(incomplete), await plain(incomplete), await own(noted)];
    // The last has only a note, which is not an error.
    expect(results.map(({ score }) => score)).toEqual([false, true, true]);
    expect(results[0]?.comment).toContain("[no-untyped-def]");
  });

  it("is believed by its summary, and not by its exit code", async () => {
    const folder = mkdtempSync(join(tmpdir(), "other-mypy-"));
    for (const said of ["echo 'python_file.py:1: error: bad'", ":", "echo mypy 2.4.1"]) {
      writeFileSync(join(folder, "mypy"), `#!/bin/sh\n${said}\n`);
      chmodSync(join(folder, "mypy"), 0o755);
      vi.stubEnv("PATH", [folder, PATH].join(delimiter));
      const error = await errorOf(createMypyEvaluator()({ outputs: "0" }));
      vi.stubEnv("PATH", PATH);
      expect(error.code, said).toBe("tool_failed");
      expect(error.message).toMatch(/^mypy ended without a verdict \(exit code 0\): /);
    }
    rmSync(folder, { recursive: true });
  });

  it.each([
    [["--no-error-summary"]],
    [["--output", "json"]],
    [["--pretty", "--strict"]],
    [["--verbose"]],
  ])("has a verdict with %j", async (mypyCliArgs) => {
    const checks = createMypyEvaluator({ mypyCliArgs: [...mypyCliArgs, "--no-incremental"] });
    const results = await checks.batch([{ outputs: "n = 1" }, { outputs: ASSIGNED }]);
    expect(results.map(({ score }) => score)).toEqual([true, false]);
    expect(results[1]?.comment).toContain("Incompatible types");
  });

  it("that is not there, or fails, is an error that says what to do", async () => {
    const failed = await errorOf(createMypyEvaluator({ mypyCliArgs: ["--nonsense"] })({ outputs: "0" }));
    expect(failed.code).toBe("tool_failed");
    expect(failed.message).toMatch(/^mypy ended without a verdict \(exit code 2\): .*--nonsense/s);
    vi.stubEnv("PATH", "/nowhere");
    const missing = await errorOf(createMypyEvaluator().batch([{ outputs: "0" }]));
    vi.stubEnv("PATH", PATH);
    expect(missing.code).toBe("tool_failed");
    expect(missing.message).toMatch(/^rows\[0\]: mypy is not installed: install it \(pip install mypy\)/);
    expect(temporary()).toEqual([]);
  });
});

describe("createE2BPyrightEvaluator", () => {
  const shelf = new Shelf();
  const { environment } = shelf;
  const sandbox = new LocalSandbox(environment);
  const checks = createE2BPyrightEvaluator({ sandbox });
  beforeAll(() => {
    shelf.put("doubles", "doubles", "def double(n: int) -> int: ...\n");
    shelf.put("PyJWT", "jwt", "def decode(text: str) -> object: ...\n");
  });
  afterAll(() => {
    sandbox.remove();
    shelf.remove();
  });

  const rulesOf = ({ comment }: { comment?: string }) =>
    JSON.parse(comment ?? "[]").map(({ rule, file }: { rule?: string; file?: string }) => file ?? rule);

  it("installs imported packages, and checks against them, without running the code", async () => {
    const outputs = [
      "import doubles, os.path, jwt",
      "from doubles import double",
      'open("ran", "w").close()',
      'double("two")',
      "jwt.nothing",
    ].join("\n");
    const result = await checks({ outputs });
    expect(result).toEqual({ key: "pyright_succeeded", score: false, comment: expect.any(String) });
    expect(rulesOf(result)).toEqual(["reportArgumentType", "reportAttributeAccessIssue"]);
    expect(existsSync(join(sandbox.folder, "openevals/ran"))).toBe(false);
    expect(readFileSync(join(sandbox.folder, "openevals/outputs.py"), "utf8")).toBe(outputs);
    expect(await checks({ outputs: "import jwt\njwt.decode('a')" })).toEqual({
      key: "pyright_succeeded",
      score: true,
    });
  });

  it("counts packages that do not exist as errors of the code", async () => {
    const result = await checks({
      outputs: "import openevals_no_such_package\nimport doubles\nfrom . import x",
    });
    expect(rulesOf(result)).toContain("reportMissingImports");
    expect(result.comment).not.toContain("doubles");
    expect(rulesOf(await checks({ outputs: "def f(:" }))).not.toEqual([]);
  });

  it("uses the project's modules and its virtual environment", async () => {
    const sandboxProjectDirectory = "my project";
    await sandbox.files.write(`${sandboxProjectDirectory}/helper.py`, "def help(n: int) -> int: ...\n");
    const folder = join(sandbox.folder, sandboxProjectDirectory);
    execFileSync(join(PYTHON, "python"), ["-m", "venv", "--without-pip", join(folder, ".venv")]);
    const own = createE2BPyrightEvaluator({ sandbox, sandboxProjectDirectory });
    // Without Pyright on the PATH, it is installed, too.
    const before = sandbox.env.PATH;
    sandbox.env.PATH = PATH.split(delimiter)
      .filter((path) => !path.endsWith("node_modules/.bin"))
      .join(delimiter);
    const result = await own({
      outputs: "import doubles\nfrom helper import help\nhelp(doubles.double('1'))",
    });
    sandbox.env.PATH = before;
    expect(rulesOf(result)).toEqual(["reportArgumentType"]);
    expect(existsSync(join(folder, ".openevals/node_modules/pyright"))).toBe(true);
    expect(existsSync(join(folder, ".openevals/venv"))).toBe(false);
    const [lib] = readdirSync(join(folder, ".venv/lib"));
    expect(readdirSync(join(folder, ".venv/lib", lib ?? "", "site-packages"))).toContain("doubles");
  });

  it("is an error where Pyright has checked nothing", async () => {
    const summary = { filesAnalyzed: 1 };
    const broken = { severity: "error", message: 'Broke at "/a/outputs.py": x\nat y', file: "/a/outputs.py" };
    for (const [said, words] of [
      [{ generalDiagnostics: [null], summary }, "[null]"],
      [{ generalDiagnostics: [], summary: { filesAnalyzed: 0 } }, '"filesAnalyzed":0'],
      [{ generalDiagnostics: [] }, "[]"],
      [{ generalDiagnostics: [broken], summary }, 'Broke at "outputs.py": x'],
    ] as const) {
      const run = async () => ({ exitCode: 0, stdout: JSON.stringify(said) });
      const fake: Sandbox = { files: sandbox.files, commands: { run } };
      const { code, message } = await errorOf(createE2BPyrightEvaluator({ sandbox: fake })({ outputs: "0" }));
      expect(code).toBe("tool_failed");
      expect(message).toContain(words);
    }
  });

  it("is an error where the sandbox fails", async () => {
    const unreachable = new LocalSandbox({
      ...environment,
      PIP_NO_INDEX: "",
      PIP_FIND_LINKS: "",
      PIP_INDEX_URL: "http://127.0.0.1:1/",
      PIP_RETRIES: "0",
    });
    const bare = new LocalSandbox({ PATH: "/nowhere" });
    const gone: Sandbox = {
      files: sandbox.files,
      commands: { run: () => Promise.reject(new Error("gone")) },
    };
    for (const [sandbox, words] of [
      [unreachable, "install packages (exit code 1)"],
      [bare, 'run "python3'],
      [gone, 'run "python3'],
    ] as const) {
      const error = await errorOf(createE2BPyrightEvaluator({ sandbox })({ outputs: "import doubles" }));
      expect(error.code).toBe("tool_failed");
      expect(error.message).toContain(`The sandbox failed to ${words}`);
    }
    unreachable.remove();
    bare.remove();
    expect(() => createE2BPyrightEvaluator({ sandbox: {} } as never)).toThrow(
      "needs a sandbox with files.write",
    );
  });
});
