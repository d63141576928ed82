import { checkOptions, type OptionChecks } from "../../../core/input/checks.js";
import { CODE_OPTIONS, codeEvaluator } from "../evaluator.js";
import {
  checkSandbox,
  DIRECTORY,
  failed,
  SANDBOX_FOLDER,
  SANDBOX_OPTIONS,
  type Sandbox,
} from "../sandbox.js";
import type { CodeEvaluator, CodeEvaluatorOptions } from "../types.js";
import { PYRIGHT_ARGS, readPyright, verdictOfPyright } from "./diagnostics.js";
import { withoutDirectives } from "./directives.js";
import { inPython } from "./sandbox-scripts.js";

/** The options of {@link createE2BPyrightEvaluator}. */
export interface E2BPyrightEvaluatorOptions extends CodeEvaluatorOptions {
  /** The `key` of the result; `pyright_succeeded` by default. */
  feedbackKey?: string | undefined;
  /**
   * The sandbox with Python 3.10 or later: a `Sandbox` of `@e2b/code-interpreter`, or any object of its shape.
   */
  sandbox: Sandbox;
  /**
   * The folder in the sandbox for the code, which is saved as `outputs.py`; `openevals` by default. Its virtual
   * environment in `.venv` and its modules are used.
   */
  sandboxProjectDirectory?: string | undefined;
}

const OPTIONS: OptionChecks<E2BPyrightEvaluatorOptions> = { ...CODE_OPTIONS, ...SANDBOX_OPTIONS };

/** A Pyright of the sandbox takes precedence. */
const COMMAND =
  `PATH="$PATH:$PWD/${SANDBOX_FOLDER}/node_modules/.bin" pyright ${PYRIGHT_ARGS.join(" ")} ` +
  `--pythonpath "$(cat ${SANDBOX_FOLDER}/python)" outputs.py`;

/**
 * Makes an evaluator that checks the types of Python code with Pyright in a sandbox. It installs the packages that the
 * code imports with pip. The code is not run.
 *
 * Pyright is installed with npm if the sandbox has none. Packages are installed by the names of their modules, with
 * known exceptions such as `yaml`, into the project's `.venv` or a separate environment. A package that does not exist
 * is a missing import, which is an error of the code. Evaluations in the same sandbox run one after the other.
 *
 * The code cannot turn off its check, as with {@link createPyrightEvaluator}. Each command has the time limit of the sandbox.
 *
 * @returns An evaluator whose result is `{ key: "pyright_succeeded", score }` with `score` `true` or `false`. For
 * `false`, `comment` is a JSON list of Pyright's errors, as with {@link createPyrightEvaluator}. If there is no code,
 * `score` is `false` and `metadata.code_extraction_failed` is `true`.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The evaluator throws `tool_failed`,
 * with the output, if the sandbox fails or cannot install packages, `timeout` if it takes too long, and the errors of
 * extraction, as with {@link createPyrightEvaluator}.
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
  return codeEvaluator("e2b_pyright_evaluator", common, "pyright_succeeded", "python", (code) =>
    inPython(sandbox, directory, withoutDirectives(code), ["pyright"], async ({ run }) => {
      const { exitCode, stdout, stderr } = await run(COMMAND);
      const found = readPyright(stdout, 1, (why = stderr || stdout) =>
        failed(`check types (exit code ${exitCode})`, why),
      );
      return verdictOfPyright(found);
    }),
  );
}
