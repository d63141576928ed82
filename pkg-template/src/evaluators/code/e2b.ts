import { invalidConfig } from "../../core/errors.js";
import { anything, checkOptions, type OptionChecks, oneOf } from "../../core/input/checks.js";
import { onUse } from "../../core/platform/on-use.js";
import { withoutDirectives } from "./directives.js";
import { CODE_OPTIONS, codeEvaluator } from "./evaluator.js";
import {
  checkSandbox,
  DIRECTORY,
  failed,
  inSandbox,
  type Project,
  SANDBOX_FOLDER,
  SANDBOX_OPTIONS,
  type Sandbox,
} from "./sandbox.js";
import { SCRIPTS } from "./sandbox-scripts.js";
import type { CodeEvaluator, CodeEvaluatorOptions } from "./types.js";

export type { CommandOptions, CommandResult, Sandbox } from "./sandbox.js";
export type {
  CodeEvaluator,
  CodeEvaluatorOptions,
  CodeExtractionOptions,
  CodeExtractionStrategy,
  CodeExtractor,
  CodeParams,
} from "./types.js";

/** The options of {@link createE2BTypeScriptEvaluator}. */
export interface E2BTypeScriptEvaluatorOptions extends CodeEvaluatorOptions {
  /** The `key` of the result; `typescript_succeeded` by default. */
  feedbackKey?: string | undefined;
  /** The sandbox: a `Sandbox` of `@e2b/code-interpreter`, or any object of its shape. */
  sandbox: Sandbox;
  /**
   * The folder in the sandbox for the code, which is saved as `outputs.ts`; `openevals` by default. Its `package.json`,
   * installed packages, TypeScript 5 or 6, tsx and modules are used.
   */
  sandboxProjectDirectory?: string | undefined;
}

/** The options of {@link createE2BExecutionEvaluator}. */
export interface E2BExecutionEvaluatorOptions extends E2BTypeScriptEvaluatorOptions {
  /** The `key` of the result; `execution_succeeded` by default. */
  feedbackKey?: string | undefined;
  /** The language of the code; `typescript` by default. Python needs a sandbox with Python 3.10 or later. */
  language?: "typescript" | "python" | undefined;
  /**
   * The folder in the sandbox for the code, which is saved as `outputs.ts` or `outputs.py`; `openevals` by default. Its
   * packages, modules and tsx are used and, for Python, the virtual environment in `.venv`.
   */
  sandboxProjectDirectory?: string | undefined;
  /** Environment variables for the code only. The code can read and disclose them. */
  environmentVariables?: Record<string, string> | undefined;
}

const TYPES_OPTIONS: OptionChecks<E2BTypeScriptEvaluatorOptions> = {
  ...CODE_OPTIONS,
  ...SANDBOX_OPTIONS,
};

const EXECUTION_OPTIONS: OptionChecks<E2BExecutionEvaluatorOptions> = {
  ...TYPES_OPTIONS,
  language: oneOf(["typescript", "python"]),
  environmentVariables: anything,
};

/** The longest standard error output in a comment, in characters. */
const MAX_COMMENT = 10_000;

/** Pinned to a major version, so that results are stable. */
const TYPESCRIPT = "typescript@6";
const TSX = "tsx@4";
const NODE_TYPES = "@types/node@22";

/**
 * Makes an evaluator that checks the types of TypeScript code in a sandbox. It installs the packages that the code
 * imports from the registry. The code is not run.
 *
 * A package that does not exist is a missing module, which is an error of the code. Evaluations in the same sandbox run
 * one after the other.
 *
 * @returns An evaluator whose result is `{ key: "typescript_succeeded", score }` with `score` `true` or `false`. For
 * `false`, `comment` has a line `(line,column): message` for each error. If there is no code, `score` is `false` and
 * `metadata.code_extraction_failed` is `true`.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The evaluator throws `tool_failed`,
 * with the output, if the sandbox fails or cannot install packages, `timeout` if it takes too long, and the errors of
 * extraction, as with {@link createTypeScriptEvaluator}.
 *
 * @example
 * ```ts
 * import { createE2BTypeScriptEvaluator, type Sandbox } from "openevals-wasm/code/e2b";
 *
 * // With E2B: const sandbox = await Sandbox.create(), and E2B_API_KEY in the environment.
 * export async function check(sandbox: Sandbox, outputs: string) {
 *   const compiles = createE2BTypeScriptEvaluator({ sandbox });
 *   const result = await compiles({ outputs });
 *   if (!result.score) console.log(result.comment);
 * }
 * ```
 */
export function createE2BTypeScriptEvaluator(options: E2BTypeScriptEvaluatorOptions): CodeEvaluator {
  const maker = "createE2BTypeScriptEvaluator";
  const read = checkOptions(maker, options, TYPES_OPTIONS);
  const { sandbox, sandboxProjectDirectory: directory = DIRECTORY, ...common } = read;
  checkSandbox(maker, sandbox);
  return codeEvaluator("e2b_typescript_evaluator", common, "typescript_succeeded", "typescript", (code) =>
    withTools(sandbox, directory, withoutDirectives(code), [TYPESCRIPT, NODE_TYPES], async ({ run }) => {
      const { exitCode, stdout, stderr } = await run(`node ${SANDBOX_FOLDER}/check.mjs`);
      if (exitCode !== 0) throw failed(`check types (exit code ${exitCode})`, stderr);
      const errors = readErrors(stdout);
      if (errors.length === 0) return { score: true };
      const lines = errors.map(({ line, column, message }) => `(${line},${column}): ${message}`);
      return { score: false, comment: lines.join("\n") };
    }),
  );
}

/** An error that TypeScript reports. */
interface TypeDiagnostic {
  line: number;
  column: number;
  message: string;
}

function readErrors(stdout: string): TypeDiagnostic[] {
  let errors: unknown;
  try {
    errors = JSON.parse(stdout);
  } catch {}
  if (Array.isArray(errors) && errors.every(isDiagnostic)) return errors;
  throw failed(
    "check types",
    `its output is not a JSON list of errors: ${stdout.trim() || "it printed nothing"}`,
  );
}

const isDiagnostic = (value: any): value is TypeDiagnostic =>
  Number.isInteger(value?.line) && Number.isInteger(value.column) && typeof value.message === "string";

/**
 * Makes an evaluator that runs TypeScript or Python code in a sandbox and scores whether it ends without an error. It
 * installs the packages that the code imports from the registry.
 *
 * Types are not checked. Evaluations in the same sandbox run one after the other. Python packages are installed by the
 * names of their modules, with known exceptions (`cv2` is `opencv-python`), into the project's `.venv` or a separate
 * environment. A package that does not exist is a failed import, which is an error of the code.
 *
 * @returns An evaluator whose result is `{ key: "execution_succeeded", score }`. `score` is `true` if the code ends
 * with the exit code 0, otherwise `false` with the last 10,000 characters of its standard error output as `comment`. If
 * there is no code, `score` is `false` and `metadata.code_extraction_failed` is `true`.
 * @throws {@link OpenEvalsError} The errors of {@link createE2BTypeScriptEvaluator}, and `timeout` if the code exceeds
 * the time limit of the sandbox.
 *
 * @example
 * ```ts
 * import { createE2BExecutionEvaluator, type Sandbox } from "openevals-wasm/code/e2b";
 *
 * export async function run(sandbox: Sandbox, outputs: string) {
 *   const runs = createE2BExecutionEvaluator({
 *     sandbox,
 *     language: "python",
 *     environmentVariables: { STAGE: "test" },
 *     codeExtractionStrategy: "markdown_code_blocks",
 *   });
 *   const result = await runs({ outputs });
 *   if (!result.score) console.log(result.comment);
 * }
 * ```
 */
export function createE2BExecutionEvaluator(options: E2BExecutionEvaluatorOptions): CodeEvaluator {
  const maker = "createE2BExecutionEvaluator";
  const read = checkOptions(maker, options, EXECUTION_OPTIONS);
  const {
    sandbox,
    sandboxProjectDirectory: directory = DIRECTORY,
    language = "typescript",
    environmentVariables: envs,
    ...common
  } = read;
  checkSandbox(maker, sandbox);
  if (!Object.values(envs ?? {}).every((value) => typeof value === "string")) {
    throw invalidConfig("environmentVariables has to be an object of strings");
  }
  return codeEvaluator("e2b_execution_evaluator", common, "execution_succeeded", language, async (code) => {
    const verdict = async (command: string, { run }: Project) => {
      const { exitCode, stderr } = await run(command, envs && { envs });
      if (exitCode === 0) return { score: true };
      if (!stderr.trim()) return { score: false, comment: `The code ended with exit code ${exitCode}.` };
      // The reason comes last.
      const comment = stderr.length > MAX_COMMENT ? `…${stderr.slice(-MAX_COMMENT)}` : stderr;
      return { score: false, comment };
    };
    if (language === "typescript") {
      // As for npm scripts, the project's tools take precedence over ours.
      const command = `PATH="$PWD/node_modules/.bin:$PWD/${SANDBOX_FOLDER}/node_modules/.bin:$PATH" tsx outputs.ts`;
      return withTools(sandbox, directory, code, [TYPESCRIPT, TSX], (project) => verdict(command, project));
    }
    const { inPython } = await onUse("The Python runner", () => import("./python/sandbox-scripts.js"));
    return inPython(sandbox, directory, code, [], (project) =>
      verdict(`"$(cat ${SANDBOX_FOLDER}/python)" outputs.py`, project),
    );
  });
}

/** Writes code into the sandbox, installs its imports and the tools, and does the work. */
const withTools = <T>(
  sandbox: Sandbox,
  directory: string,
  code: string,
  tools: readonly string[],
  work: (project: Project) => Promise<T>,
): Promise<T> => {
  const install = `node ${SANDBOX_FOLDER}/install.mjs ${tools.join(" ")}`;
  return inSandbox(sandbox, directory, { ...SCRIPTS, "outputs.ts": code }, install, work);
};
