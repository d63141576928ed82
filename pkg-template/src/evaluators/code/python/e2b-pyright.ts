import { type Checks, checkOptions } from "../../../core/input/checks.js";
import { CODE_OPTIONS, scoresCode } from "../evaluator.js";
import { checkSandbox, DIRECTORY, FOLDER, failed, SANDBOX_OPTIONS, type Sandbox } from "../sandbox.js";
import type { CodeEvaluator, CodeEvaluatorOptions } from "../types.js";
import { PYRIGHT_ARGS, verdictOfPyright } from "./diagnostics.js";
import { inPython } from "./sandbox-scripts.js";

/** The options of {@link createE2BPyrightEvaluator}. */
export interface E2BPyrightEvaluatorOptions extends CodeEvaluatorOptions {
  /** The `key` of the result; `pyright_succeeded` by default. */
  feedbackKey?: string | undefined;
  /**
   * Where the code is checked: a `Sandbox` of `@e2b/code-interpreter`, or anything of its shape, with Python 3.10 or later.
   */
  sandbox: Sandbox;
  /**
   * The folder in the sandbox where the code is put, as `outputs.py`; `openevals` by default. What is there already is
   * used: a virtual environment in `.venv`, modules that the code imports.
   */
  sandboxProjectDirectory?: string | undefined;
}

const OPTIONS: Checks<E2BPyrightEvaluatorOptions> = { ...CODE_OPTIONS, ...SANDBOX_OPTIONS };

/** Those of the sandbox first. */
const COMMAND =
  `PATH="$PATH:$PWD/${FOLDER}/node_modules/.bin" pyright ${PYRIGHT_ARGS.join(" ")} ` +
  `--pythonpath "$(cat ${FOLDER}/python)" outputs.py`;

/**
 * Makes an evaluator that checks the types of Python code with Pyright in a sandbox, where the packages that it imports are
 * installed with pip. The code is not run.
 *
 * Pyright is installed with npm where the sandbox has none. Packages are known by the names of their modules, but for some
 * whose names differ, such as `yaml`; those that do not exist are missing imports, and so errors of the code. They are
 * put into the project's `.venv`, or else into an environment of their own. Evaluations in one sandbox take turns.
 *
 * Code can switch its checks off, as with {@link createPyrightEvaluator}. Each command may take as long as the sandbox allows.
 *
 * @returns An evaluator whose result is `{ key: "pyright_succeeded", score }` with `score` `true` or `false`; in that case
 * `comment` is a JSON list of Pyright's errors, as with {@link createPyrightEvaluator}. Where no code is found, `score` is
 * `false` and `metadata.code_extraction_failed` is `true`.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work; `tool_failed`, with what it said, if the
 * sandbox fails or cannot install packages, and `timeout` if it takes too long; what else extracting code may throw, as
 * with {@link createPyrightEvaluator}.
 *
 * @example
 * ```ts
 * import { createE2BPyrightEvaluator, type Sandbox } from "openevals-wasm/code/python";
 *
 * // With E2B: const sandbox = await Sandbox.create("OpenEvalsPython"), and E2B_API_KEY in the environment.
 * export async function check(sandbox: Sandbox, outputs: string) {
 *   const checks = createE2BPyrightEvaluator({ sandbox });
 *   const result = await checks({ outputs });
 *   if (!result.score) console.log(result.comment);
 * }
 * ```
 */
export function createE2BPyrightEvaluator(options: E2BPyrightEvaluatorOptions): CodeEvaluator {
  const maker = "createE2BPyrightEvaluator";
  const read = checkOptions(maker, options, OPTIONS);
  const { sandbox, sandboxProjectDirectory: directory = DIRECTORY, ...common } = read;
  checkSandbox(maker, sandbox);
  return scoresCode("e2b_pyright_evaluator", common, "pyright_succeeded", (code) =>
    inPython(sandbox, directory, code, ["pyright"], async ({ run }) => {
      const { exitCode, stdout, stderr } = await run(COMMAND);
      return verdictOfPyright(stdout, (why = stderr || stdout) =>
        failed(`check types (exit code ${exitCode})`, why),
      );
    }),
  );
}
