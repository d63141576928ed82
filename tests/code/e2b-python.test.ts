/** Python code that is run in a sandbox. */
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createE2BExecutionEvaluator, type Sandbox } from "openevals-wasm/code/e2b";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorOf } from "../api/error-of.ts";
import { LocalSandbox } from "./local-sandbox.ts";
import { PATH, Shelf } from "./shelf.ts";

const shelf = new Shelf();
const sandbox = new LocalSandbox(shelf.environment);
const runs = createE2BExecutionEvaluator({ sandbox, language: "python" });
const project = join(sandbox.folder, "openevals");
beforeAll(() => {
  shelf.put("doubles", "doubles", "def double(n): return 2 * n\n");
  shelf.put("PyYAML", "yaml", "def safe_load(text): return {'a': 1}\n");
  shelf.put("opencv-python", "cv2", "import nothing_that_exists\n");
  shelf.put("google-cloud-storage", "google/cloud/storage", "name = 'storage'\n");
  shelf.put("google-genai", "google/genai", "name = 'genai'\n");
  shelf.put("google", "googlesearch", "raise RuntimeError('another package')\n");
});
afterAll(() => {
  sandbox.remove();
  shelf.remove();
});

const SUCCEEDED = { key: "execution_succeeded", score: true };

describe("Python in a sandbox", () => {
  it("succeeds with code that ends, unchanged, whatever it prints", async () => {
    const outputs = [
      `text = "it's \\"quoted\\" $HOME $(touch hacked) \`touch hacked\` é😀"`,
      "import json, os.path, sys",
      "assert len(text) > 40 and json.dumps({}) == '{}'",
      "print('warning', file=sys.stderr)",
      "if __name__ == '__main__': sys.exit(0)",
    ].join("\n");
    expect(await runs({ outputs })).toEqual(SUCCEEDED);
    expect(readFileSync(join(project, "outputs.py"), "utf8")).toBe(outputs);
    expect(existsSync(join(project, "hacked"))).toBe(false);
    // Type checkers are not needed, and the standard library exists.
    expect(existsSync(join(project, ".openevals/node_modules"))).toBe(false);
    expect(existsSync(join(project, ".openevals/venv"))).toBe(false);
  });

  it.each([
    ["an exception", "def f():\n    raise ValueError('boom é😀')\nf()", "ValueError: boom é😀"],
    ["a place in the code", "x = 1\nx.y", 'outputs.py", line 2'],
    ["an error of syntax", "def f(:", "SyntaxError"],
    ["an exit code", "import sys; sys.exit(7)", "The code ended with exit code 7."],
    ["a text to exit with", "import sys; sys.exit('no such file')", "no such file"],
  ])("fails with %s", async (_, outputs, comment) => {
    const result = await runs({ outputs });
    expect(result).toEqual({ key: "execution_succeeded", score: false, comment: expect.any(String) });
    expect(result.comment).toContain(comment);
  });

  it("installs imported packages, also under another name, once", async () => {
    const outputs = "import doubles, yaml\nassert doubles.double(yaml.safe_load('a: 1')['a']) == 2";
    expect(await runs({ outputs })).toEqual(SUCCEEDED);
    shelf.put("doubles", "doubles", "raise RuntimeError('installed again')\n");
    expect(await runs({ outputs })).toEqual(SUCCEEDED);
  });

  it("knows the packages below a name that many share", async () => {
    const outputs = [
      "from google.cloud import storage",
      "from google import genai",
      "import google.genai as same",
      "assert (storage.name, genai.name, same.name) == ('storage', 'genai', 'genai')",
      "import importlib.util",
      "assert importlib.util.find_spec('googlesearch') is None",
    ].join("\n");
    expect(await runs({ outputs })).toEqual(SUCCEEDED);
  });

  it("counts packages that do not exist as errors of the code, and those that fail", async () => {
    const missing = await runs({ outputs: "import doubles\nimport openevals_no_such_package" });
    expect(missing.score).toBe(false);
    expect(missing.comment).toContain("ModuleNotFoundError: No module named 'openevals_no_such_package'");
    const broken = await runs({ outputs: "import cv2" });
    expect(broken.comment).toContain("No module named 'nothing_that_exists'");
  });

  it("uses the modules of the project, and finds code in Markdown", async () => {
    await sandbox.files.write("mine/helper.py", "def help(): return 'ok'\n");
    const own = createE2BExecutionEvaluator({
      sandbox,
      language: "python",
      sandboxProjectDirectory: "mine",
      codeExtractionStrategy: "markdown_code_blocks",
      feedbackKey: "runs",
    });
    const outputs =
      "Install:\n```sh\nexit 1\n```\nRun:\n```python\nimport helper\nassert helper.help() == 'ok'\n```";
    expect(await own({ outputs })).toEqual({ key: "runs", score: true });
    expect(await own({ outputs: "Sorry." })).toMatchObject({
      score: false,
      metadata: { code_extraction_failed: true },
    });
  });

  it("has the variables of the environment, which installing has not", async () => {
    const environmentVariables = { GREETING: 'it\'s "$HOME" `ls`' };
    const withVariables = createE2BExecutionEvaluator({ sandbox, language: "python", environmentVariables });
    const outputs = `import os\nassert os.environ["GREETING"] == ${JSON.stringify(environmentVariables.GREETING)}`;
    sandbox.log.length = 0;
    expect(await withVariables({ outputs })).toEqual(SUCCEEDED);
    expect(sandbox.log.map(({ envs }) => envs)).toEqual([undefined, environmentVariables]);
    expect((await runs({ outputs })).comment).toContain("KeyError: 'GREETING'");
  });

  it("scores a batch in the order of its rows", async () => {
    const results = await runs.batch([{ outputs: "1 / 0" }, { outputs: "1 / 1" }]);
    expect(results.map(({ score }) => score)).toEqual([false, true]);
    expect(results[0]?.comment).toContain("ZeroDivisionError");
  });

  it("that takes longer than the sandbox allows is an error", async () => {
    sandbox.timeoutMs = 3_000;
    const error = await errorOf(runs({ outputs: "import threading; threading.Event().wait()" }));
    sandbox.timeoutMs = 60_000;
    expect(error.code).toBe("timeout");
    expect(error.message).toContain("the command took too long");
  });

  it("distinguishes a registry without the package from a missing registry", async () => {
    for (const [status, expected] of [
      [
        404,
        { score: false, comment: expect.stringContaining("No module named 'openevals_no_such_package'") },
      ],
      [500, { code: "tool_failed", message: expect.stringContaining("install packages") }],
    ] as const) {
      const server = createServer((_, response) => response.writeHead(status).end());
      await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
      const PIP_INDEX_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      const online = new LocalSandbox({
        PATH,
        PIP_NO_INDEX: "",
        PIP_FIND_LINKS: "",
        PIP_INDEX_URL,
        PIP_RETRIES: "0",
      });
      const evaluator = createE2BExecutionEvaluator({ sandbox: online, language: "python" });
      const result = await evaluator({ outputs: "import openevals_no_such_package" }).catch((error) => error);
      expect(result).toMatchObject(expected);
      online.remove();
      await new Promise((closed) => server.close(closed));
    }
  });

  it("is an error where the sandbox has no Python, or no registry", async () => {
    const unreachable = new LocalSandbox({
      PATH,
      PIP_NO_INDEX: "",
      PIP_FIND_LINKS: "",
      PIP_INDEX_URL: "http://127.0.0.1:1/",
      PIP_RETRIES: "0",
    });
    const bare = new LocalSandbox({ PATH: "/nowhere" });
    const cases: [Sandbox, RegExp][] = [
      [unreachable, /^The sandbox failed to install packages \(exit code 1\)/],
      [bare, /^The sandbox failed to /],
    ];
    for (const [sandbox, words] of cases) {
      const evaluator = createE2BExecutionEvaluator({ sandbox, language: "python" });
      const error = await errorOf(evaluator({ outputs: "import doubles" }));
      expect(error.code).toBe("tool_failed");
      expect(error.message).toMatch(words);
    }
    unreachable.remove();
    bare.remove();
  });

  it("refuses languages that it does not run", () => {
    const make = () => createE2BExecutionEvaluator({ sandbox, language: "ruby" } as never);
    expect(make).toThrow('language is "ruby"; it has to be "typescript" or "python"');
  });
});
