import { type Checks, checkOptions } from "../../../core/input/checks.js";
import { CODE_OPTIONS, scoresCode } from "../evaluator.js";
import type { CodeEvaluator, CodeEvaluatorOptions } from "../types.js";
import { checkFile, FILE, TOOL_OPTIONS, type ToolOptions, toolArguments, withoutVerdict } from "./tool.js";

/** The options of {@link createMypyEvaluator}. */
export interface MypyEvaluatorOptions extends CodeEvaluatorOptions, ToolOptions {
  /** The `key` of the result; `mypy_succeeded` by default. */
  feedbackKey?: string | undefined;
  /**
   * The arguments for mypy, in the place of `--no-incremental`, `--disallow-untyped-calls`, `--disallow-incomplete-defs`
   * and `--ignore-missing-imports`.
   */
  mypyCliArgs?: string[] | undefined;
}

const OPTIONS: Checks<MypyEvaluatorOptions> = {
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
 * The command `mypy` on the `PATH` is used (`pip install mypy`; that of a virtual environment is there while the environment
 * is active). It runs in the working directory, on a temporary file, and as many at the same time as there are processors.
 *
 * Code can switch its checks off, as with the original: with `# type: ignore` for a line or all of it, with
 * `# mypy: ignore-errors` and other settings of mypy in such a comment, and with `@no_type_check`.
 *
 * @returns An evaluator whose result is `{ key: "mypy_succeeded", score }` with `score` `true` or `false`; in that case
 * `comment` is what mypy found, a line for each error such as `python_file.py:1: error: …`. Where no code is found, `score`
 * is `false` and `metadata.code_extraction_failed` is `true`.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work, and where no program can be run;
 * `invalid_input` for outputs that are no text; `tool_failed` if mypy is not there, or fails, and `timeout` if it takes
 * too long; `callback_failed` if the `codeExtractor` throws; and what {@link createLLMAsJudge} throws, with the strategy `llm`.
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
  // Whatever the caller's configuration is: by its summary, mypy is known to have checked the file.
  const args = ["--error-summary", ...mypyCliArgs.filter((arg) => arg !== "--no-error-summary")];
  const tool = { name: "mypy", program: "mypy", args, timeoutMs, otherwise };
  return scoresCode("mypy_evaluator", common, "mypy_succeeded", async (code) => {
    const ended = await checkFile(tool, code);
    if (ended.exitCode === 0 && SUCCESS.test(ended.stdout)) return { score: true };
    // 1 for errors; 2 for code that cannot be read, but also for arguments that make no sense.
    if (ended.exitCode === 0 || !ended.stdout.includes(FILE)) throw withoutVerdict("mypy", ended);
    const lines = ended.stdout.trimEnd().split(/\r?\n/);
    const found = lines.filter((line) => !/^Found \d+ errors? in /.test(line));
    return { score: false, comment: found.map(withoutFolder).join("\n") };
  });
}

/** The summary that there are no errors; with `--output json`, it is an empty line. */
const SUCCESS = /(^|\n)Success: no issues found|^\r?\n$/;

const otherwise =
  "install it (pip install mypy), and see that the command mypy is on the PATH, as in an active virtual environment";

/** A line that begins with the path of the file. */
const withoutFolder = (line: string): string => line.replace(LEADING_PATH, FILE);

const LEADING_PATH = new RegExp(`^.*?[\\\\/]${FILE.replace(".", "\\.")}(?=:)`);
