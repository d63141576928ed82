import { checkOptions, type OptionChecks } from "../../../core/input/checks.js";
import { CODE_OPTIONS, codeEvaluator } from "../evaluator.js";
import type { CodeEvaluator, CodeEvaluatorOptions } from "../types.js";
import { withoutDirectives } from "./directives.js";
import {
  checkFiles,
  FILE,
  TOOL_OPTIONS,
  type ToolOptions,
  toolArguments,
  withoutVerdict,
  withProcessor,
} from "./tool.js";

/** The options of {@link createMypyEvaluator}. */
export interface MypyEvaluatorOptions extends CodeEvaluatorOptions, ToolOptions {
  /** The `key` of the result; `mypy_succeeded` by default. */
  feedbackKey?: string | undefined;
  /**
   * The arguments for mypy, instead of `--no-incremental`, `--disallow-untyped-calls`, `--disallow-incomplete-defs` and
   * `--ignore-missing-imports`.
   */
  mypyCliArgs?: string[] | undefined;
}

const OPTIONS: OptionChecks<MypyEvaluatorOptions> = {
  ...CODE_OPTIONS,
  ...TOOL_OPTIONS,
  mypyCliArgs: toolArguments,
};

const ARGS = [
  "--no-incremental",
  "--disallow-untyped-calls",
  "--disallow-incomplete-defs",
  "--ignore-missing-imports",
];

/**
 * Makes an evaluator that checks the types of Python code with mypy. The code is not run.
 *
 * It runs the command `mypy` on the `PATH` (`pip install mypy`, or an active virtual environment with it) in a temporary
 * folder with the code alone. Imports find only packages that are installed for this mypy. Configuration files are not
 * used, unless `mypyCliArgs` names one by its absolute path. As many files are checked in parallel as there are
 * processors.
 *
 * Comments such as `# type: ignore` and `# mypy: ignore-errors`, and `@no_type_check`, hide no errors. mypy does not
 * check code that it takes for unreachable, such as `if not TYPE_CHECKING:`.
 *
 * @returns An evaluator whose result is `{ key: "mypy_succeeded", score }` with `score` `true` or `false`. For `false`,
 * `comment` has a line for each error, such as `python_file.py:1: error: …`. If there is no code, `score` is `false`
 * and `metadata.code_extraction_failed` is `true`.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work, and on runtimes that cannot run
 * programs. The evaluator throws `invalid_input` for outputs without text, `tool_failed` if mypy is missing or fails,
 * `timeout` if it takes too long, `callback_failed` if the `codeExtractor` throws, and with the strategy `llm` the
 * errors of {@link createLLMAsJudge}.
 *
 * @example
 * ```ts no-run
 * import { createMypyEvaluator } from "openevals-wasm/code/python";
 *
 * const checks = createMypyEvaluator();
 * const result = await checks({ outputs: "def double(n: int) -> str: return n * 2" });
 * console.log(result.comment);
 * // python_file.py:1: error: Incompatible return value type (got "int", expected "str")  [return-value]
 * ```
 */
export function createMypyEvaluator(options: MypyEvaluatorOptions = {}): CodeEvaluator {
  const read = checkOptions("createMypyEvaluator", options, OPTIONS);
  const { mypyCliArgs = ARGS, timeoutMs, ...common } = read;
  // The summary proves that mypy has checked the file, so the caller's configuration must not hide it.
  const args = [
    "--config-file=",
    "--error-summary",
    ...mypyCliArgs.filter((arg) => arg !== "--no-error-summary"),
  ];
  const tool = { name: "mypy", program: "mypy", args, timeoutMs, installHint };
  return codeEvaluator("mypy_evaluator", common, "mypy_succeeded", "python", async (code) => {
    const ended = await withProcessor(() => checkFiles(tool, { [FILE]: withoutDirectives(code) }));
    if (ended.exitCode === 0 && SUCCESS.test(ended.stdout)) return { score: true };
    // The exit code is 1 for type errors, and 2 for syntax errors, but also for invalid arguments.
    if (ended.exitCode === 0 || !ended.stdout.includes(FILE)) throw withoutVerdict("mypy", ended);
    const lines = ended.stdout.trimEnd().split(/\r?\n/);
    const found = lines.filter((line) => !/^Found \d+ errors? in /.test(line));
    return { score: false, comment: found.map(withoutFolder).join("\n") };
  });
}

/** The summary without errors; with `--output json`, an empty line. */
const SUCCESS = /(^|\n)Success: no issues found|^\r?\n$/;

const installHint =
  "install it (pip install mypy) and make sure that the command mypy is on the PATH, as in an active virtual environment";

/** Removes the folder from a line that begins with the path of the file. */
const withoutFolder = (line: string): string => line.replace(LEADING_PATH, FILE);

const LEADING_PATH = new RegExp(`^.*?[\\\\/]${FILE.replace(".", "\\.")}(?=:)`);
