import { checkOptions, type OptionChecks } from "../../../core/input/checks.js";
import { findBuiltin } from "../../../core/platform/builtin.js";
import { CODE_OPTIONS, codeEvaluator } from "../evaluator.js";
import type { CodeEvaluator, CodeEvaluatorOptions } from "../types.js";
import { PYRIGHT_ARGS, type PythonDiagnostic, readPyright, verdictOfPyright } from "./diagnostics.js";
import { withoutDirectives, withoutParentImports } from "./directives.js";
import {
  checkFiles,
  FILE,
  TOOL_OPTIONS,
  type ToolOptions,
  toolArguments,
  withoutVerdict,
  withProcessor,
} from "./tool.js";

/** The options of {@link createPyrightEvaluator}. */
export interface PyrightEvaluatorOptions extends CodeEvaluatorOptions, ToolOptions {
  /** The `key` of the result; `pyright_succeeded` by default. */
  feedbackKey?: string | undefined;
  /** Further arguments for Pyright, such as `["--pythonversion", "3.12"]`. */
  pyrightCliArgs?: string[] | undefined;
}

const OPTIONS: OptionChecks<PyrightEvaluatorOptions> = {
  ...CODE_OPTIONS,
  ...TOOL_OPTIONS,
  pyrightCliArgs: toolArguments,
};

/**
 * Makes an evaluator that checks the types of Python code with Pyright. The code is not run.
 *
 * It uses the npm package `pyright`, otherwise the command `pyright` on the `PATH`, in a temporary folder with the code
 * alone. Imports find only packages that are installed for the `python` on the `PATH`. Configuration files are not used.
 * A process checks up to 20 files that wait at the same time, such as those of a batch, and as many processes run in
 * parallel as there are processors. Nothing is installed, and missing modules are not counted (the rule
 * `reportMissingImports`); {@link createE2BPyrightEvaluator} installs them.
 *
 * Comments such as `# type: ignore` and `# pyright: basic`, and `@no_type_check`, hide no errors. Pyright does not check
 * code that it takes for unreachable, such as `if not TYPE_CHECKING:`.
 *
 * @returns An evaluator whose result is `{ key: "pyright_succeeded", score }` with `score` `true` or `false`. For
 * `false`, `comment` is a JSON list of Pyright's errors, each with `severity`, `message`, `range` (lines and characters
 * from 0) and `rule`. If there is no code, `score` is `false` and `metadata.code_extraction_failed` is `true`.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work, and on runtimes that cannot run
 * programs. The evaluator throws `invalid_input` for outputs without text, `tool_failed` if Pyright is missing or
 * fails, `timeout` if it takes too long, `callback_failed` if the `codeExtractor` throws, and with the strategy `llm`
 * the errors of {@link createLLMAsJudge}.
 *
 * @example
 * ```ts
 * import { createPyrightEvaluator } from "openevals-wasm/code/python";
 *
 * const checks = createPyrightEvaluator({ codeExtractionStrategy: "markdown_code_blocks" });
 * const result = await checks({ outputs: 'Here:\n```python\nn: int = "one"\n```' });
 * console.log(result.score, JSON.parse(result.comment ?? "[]")[0].rule); // false reportAssignmentType
 * ```
 */
export function createPyrightEvaluator(options: PyrightEvaluatorOptions = {}): CodeEvaluator {
  const read = checkOptions("createPyrightEvaluator", options, OPTIONS);
  const { pyrightCliArgs = [], timeoutMs, ...common } = read;
  const checkAll = async (codes: readonly string[]): Promise<PythonDiagnostic[][]> => {
    const { program, args } = findPyright();
    const all = [...args, ...PYRIGHT_ARGS, ...pyrightCliArgs];
    const tool = { name: "Pyright", program, args: all, timeoutMs, installHint };
    // Names of modules do not begin with a digit, so no import leads from one folder to another.
    const files = codes.map((code, at) => [`${at}/${FILE}`, withoutParentImports(withoutDirectives(code))]);
    const ended = await checkFiles(tool, Object.fromEntries(files));
    const failed = (why?: string) => withoutVerdict("Pyright", ended, why);
    const found = readPyright(ended.stdout, codes.length, failed);
    if (codes.length === 1) return [found];
    const byFile = codes.map((_, at) => found.filter(({ file = "" }) => FOLDER.exec(file)?.[1] === `${at}`));
    if (byFile.flat().length < found.length) throw failed();
    return byFile;
  };
  const check = together(checkAll);
  return codeEvaluator("pyright_evaluator", common, "pyright_succeeded", "python", async (code) =>
    verdictOfPyright((await check(code)).filter(({ rule }) => rule !== "reportMissingImports")),
  );
}

/** The folder of a file. */
const FOLDER = /(\d+)[\\/][^\\/]+$/;

/** The most files of one process: a file that crashes Pyright delays the others. */
const MAX_TOGETHER = 20;

/** Checks the files that wait for a processor together, since Pyright takes longer to start than to check most of them. */
function together<Found>(
  checkAll: (codes: readonly string[]) => Promise<Found[]>,
): (code: string) => Promise<Found> {
  const waiting: { code: string; resolve(found: Found | Promise<Found>): void }[] = [];
  const alone = async (code: string) => (await checkAll([code]))[0] as Found;
  async function checkWaiting(): Promise<void> {
    if (!waiting.length) return;
    // By then, all rows of a batch are waiting.
    await new Promise((resolve) => setTimeout(resolve));
    const files = waiting.splice(0, MAX_TOGETHER);
    if (!files.length) return;
    try {
      const found = await checkAll(files.map(({ code }) => code));
      for (const [at, { resolve }] of files.entries()) resolve(found[at] as Found);
    } catch (error) {
      // One of them may have broken Pyright, or taken the time of the others.
      for (const { code, resolve } of files)
        resolve(files.length === 1 ? Promise.reject(error) : withProcessor(() => alone(code)));
    }
  }
  return (code) =>
    new Promise((resolve) => {
      waiting.push({ code, resolve });
      void withProcessor(checkWaiting);
    });
}

const installHint =
  "install the package (npm install pyright), or put the command on the PATH (pip install pyright)";

/** Finds the npm package beside this one or in the application, otherwise the command. */
function findPyright(): { program: string; args: string[] } {
  const { process } = globalThis as { process?: { execPath: string; cwd(): string } };
  // Some bundles have no `import.meta.url`.
  for (const from of process ? [import.meta.url, `${process.cwd()}/`] : []) {
    try {
      const main = findBuiltin("node:module")?.createRequire(from).resolve("pyright");
      if (process && main) return { program: process.execPath, args: [main] };
    } catch {}
  }
  return { program: "pyright", args: [] };
}
