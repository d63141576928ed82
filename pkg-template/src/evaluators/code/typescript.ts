import { isOurs, OpenEvalsError, reasonOf } from "../../core/errors.js";
import { aDuration, check, checkOptions, type OptionChecks } from "../../core/input/checks.js";
import { isObject } from "../../core/input/objects.js";
import { withoutDirectives } from "./directives.js";
import { CODE_OPTIONS, codeEvaluator } from "./evaluator.js";
import { openTypeCheck } from "./type-check.js";
import type { CodeDiagnostic, CodeEvaluator, CodeEvaluatorOptions, TypeCheck } from "./types.js";

export type {
  CodeEvaluator,
  CodeEvaluatorOptions,
  CodeExtractionOptions,
  CodeExtractionStrategy,
  CodeExtractor,
  CodeParams,
} from "./types.js";

/** The options of {@link createTypeScriptEvaluator}. */
export interface TypeScriptEvaluatorOptions extends CodeEvaluatorOptions {
  /** The `key` of the result; `typescript_succeeded` by default. */
  feedbackKey?: string | undefined;
  /**
   * The compiler: the module `typescript` of version 5 or 6, or `typescript/unstable/async` of version 7. By default,
   * the installed one.
   */
  typescript?: object | undefined;
  /**
   * The contents of `typescript/lib/lib.*.d.ts` by file name, for TypeScript 5 and 6 without a file system: in browsers
   * and edge functions.
   */
  libFiles?: Record<string, string> | undefined;
  /**
   * The time limit of a check with TypeScript 7, in milliseconds; 60,000 by default. Waiting for other checks does not
   * count. TypeScript 5 and 6 run in this thread, so they cannot be interrupted.
   */
  timeoutMs?: number | undefined;
}

const OPTIONS: OptionChecks<TypeScriptEvaluatorOptions> = {
  ...CODE_OPTIONS,
  typescript: check("the module of TypeScript", isObject),
  libFiles: check("the texts of files by their names", isObject),
  timeoutMs: aDuration,
};

/**
 * Makes an evaluator that checks TypeScript code for syntax and type errors. The code is not run, and nothing is
 * written to disk.
 *
 * The code is checked as one ES module with `module` and `moduleResolution` `NodeNext`, `target` `ES2021`,
 * `alwaysStrict` and `skipLibCheck`, without `strict`. Imports are not resolved: missing modules are not counted, and
 * their exports have the type `any`. Comments such as `@ts-nocheck` hide no errors. Types that a script in the working
 * directory would see without an import, such as `@types/node`, are used, also for imports; without them, the missing
 * globals of Node, such as `process` and `Buffer`, are not counted. No other file is read, whatever the code imports or
 * references.
 *
 * The package `typescript` is loaded on first use. TypeScript 5 and 6 run in this thread. TypeScript 7 runs in a
 * separate process that ends after the last pending check; its API is marked unstable.
 *
 * @returns An evaluator whose result is `{ key: "typescript_succeeded", score }` with `score` `true` or `false`. For
 * `false`, `comment` has a line `(line,column): message` for each error. If there is no code, `score` is `false` and
 * `metadata.code_extraction_failed` is `true`.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The evaluator throws `invalid_config`
 * if there is no TypeScript, `invalid_input` for outputs without text, `tool_failed` if the compiler fails,
 * `timeout` if it takes too long, `callback_failed` if the `codeExtractor` throws, and with the strategy `llm` the errors of {@link createLLMAsJudge}.
 *
 * @example
 * ```ts
 * import { createTypeScriptEvaluator } from "openevals-wasm/code/typescript";
 *
 * const compiles = createTypeScriptEvaluator({ codeExtractionStrategy: "markdown_code_blocks" });
 * const result = await compiles({ outputs: 'Here:\n```ts\nconst n: number = "one";\n```' });
 * console.log(result.score, result.comment); // false (1,7): Type 'string' is not assignable to type 'number'.
 * ```
 */
export function createTypeScriptEvaluator(options: TypeScriptEvaluatorOptions = {}): CodeEvaluator {
  const read = checkOptions("createTypeScriptEvaluator", options, OPTIONS);
  const { typescript, libFiles, timeoutMs, ...common } = read;
  let opening: Promise<TypeCheck> | undefined;
  const open = () => {
    opening ??= openTypeCheck(typescript, libFiles, timeoutMs).catch((error) => {
      // TypeScript may be installed before the next call.
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return codeEvaluator("typescript_evaluator", common, "typescript_succeeded", "typescript", async (code) => {
    const check = await open();
    let diagnostics: CodeDiagnostic[];
    try {
      diagnostics = await check(withoutDirectives(code));
    } catch (cause) {
      if (isOurs(cause)) throw cause;
      const message = `TypeScript failed to check the code: ${reasonOf(cause)}`;
      throw new OpenEvalsError("tool_failed", message, { cause });
    }
    return verdict(
      code,
      diagnostics.filter((diagnostic) => !IGNORED.includes(diagnostic.code)),
    );
  });
}

/** The codes of errors that only mean that modules, relative imports or types are not installed. */
const IGNORED = [2307, 2580, 2591, 2664, 2688, 2732, 2792, 2834, 2835, 2882, 5097];

function verdict(code: string, diagnostics: CodeDiagnostic[]) {
  const elsewhere = diagnostics.find(({ position }) => position === undefined);
  if (elsewhere) {
    throw new OpenEvalsError("tool_failed", `TypeScript cannot check any code here: ${elsewhere.message}`);
  }
  if (diagnostics.length === 0) return { score: true };
  const lines = diagnostics.map(({ position, message }) => {
    const before = code.slice(0, position).split(/\r\n|[\n\r\u2028\u2029]/);
    return `(${before.length},${(before.at(-1) ?? "").length + 1}): ${message}`;
  });
  return { score: false, comment: lines.join("\n") };
}
