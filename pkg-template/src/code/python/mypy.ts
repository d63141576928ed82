import { aListOfStrings, type Checks, checkOptions } from "../../input/checks.js";
import { CODE_OPTIONS, scoresCode } from "../evaluator.js";
import type { CodeEvaluator, CodeEvaluatorOptions } from "../types.js";
import { checkFile, FILE, withoutVerdict } from "./tool.js";

/** The options of {@link createMypyEvaluator}. */
export interface MypyEvaluatorOptions extends CodeEvaluatorOptions {
  /** The `key` of the result; `mypy_succeeded` by default. */
  feedbackKey?: string | undefined;
  /**
   * The arguments for mypy, in the place of `--no-incremental`, `--disallow-untyped-calls`, `--disallow-incomplete-defs`
   * and `--ignore-missing-imports`.
   */
  mypyCliArgs?: string[] | undefined;
}

const OPTIONS: Checks<MypyEvaluatorOptions> = { ...CODE_OPTIONS, mypyCliArgs: aListOfStrings };

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
 * @returns An evaluator whose result is `{ key: "mypy_succeeded", score }` with `score` `true` or `false`; in that case
 * `comment` is what mypy found, a line for each error such as `python_file.py:1: error: …`. Where no code is found, `score`
 * is `false` and `metadata.code_extraction_failed` is `true`.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work, and where no program can be run;
 * `invalid_input` for outputs that are no text; `tool_failed` if mypy is not there, or fails; `callback_failed` if the
 * `codeExtractor` throws; and what {@link createLLMAsJudge} throws, with the strategy `llm`.
 *
 * @example
 * ```ts
 * import { createMypyEvaluator } from "openevals-wasm/code/python";
 *
 * const checks = createMypyEvaluator();
 * const result = await checks({ outputs: "def double(n: int) -> str: return n * 2" });
 * console.log(result.comment);
 * // python_file.py:1: error: Incompatible return value type (got "int", expected "str")  [return-value]
 * ```
 */
export function createMypyEvaluator(options: MypyEvaluatorOptions = {}): CodeEvaluator {
  const { mypyCliArgs = ARGS, ...common } = checkOptions("createMypyEvaluator", options, OPTIONS);
  const tool = { name: "mypy", program: "mypy", args: mypyCliArgs, otherwise };
  return scoresCode("mypy_evaluator", common, "mypy_succeeded", async (code) => {
    const ended = await checkFile(tool, code);
    if (ended.exitCode === 0) return { score: true };
    // 1 for errors; 2 for code that cannot be read, but also for arguments that make no sense.
    if (!ended.stdout.includes(FILE)) throw withoutVerdict("mypy", ended);
    const lines = ended.stdout.trimEnd().split(/\r?\n/);
    const found = lines.filter((line) => !/^Found \d+ errors? in /.test(line));
    return { score: false, comment: found.map(withoutFolder).join("\n") };
  });
}

const otherwise =
  "install it (pip install mypy), and see that the command mypy is on the PATH, as in an active virtual environment";

/** A line that begins with the path of the file. */
const withoutFolder = (line: string): string => line.replace(LEADING_PATH, FILE);

const LEADING_PATH = new RegExp(`^.*?[\\\\/]${FILE.replace(".", "\\.")}(?=:)`);
