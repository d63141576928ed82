import { OpenEvalsError, reasonOf } from "../../core/errors.js";
import { type Checks, check, checkOptions } from "../../core/input/checks.js";
import { CODE_OPTIONS, scoresCode } from "./evaluator.js";
import { openTypeCheck } from "./type-check.js";
import type { CodeEvaluator, CodeEvaluatorOptions, Complaint, TypeCheck } from "./types.js";

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
   * The TypeScript that checks: the module `typescript` of version 5 or 6, or `typescript/unstable/async` of version 7. By
   * default the one that is installed.
   */
  typescript?: object | undefined;
  /**
   * The texts of `typescript/lib/lib.*.d.ts` by the names of the files, for TypeScript 5 and 6 where there is no file
   * system: in browsers and on the edge.
   */
  libFiles?: Record<string, string> | undefined;
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;

const OPTIONS: Checks<TypeScriptEvaluatorOptions> = {
  ...CODE_OPTIONS,
  typescript: check("the module of TypeScript", isObject),
  libFiles: check("the texts of files by their names", isObject),
};

/**
 * Makes an evaluator that checks whether TypeScript code is free of errors of syntax and type. The code is not run, and
 * neither it nor anything else is written to the disk.
 *
 * It is checked as one ES module with the options `module` and `moduleResolution` `NodeNext`, `target` `ES2021`,
 * `alwaysStrict` and `skipLibCheck`, not `strict`. Imports lead nowhere: that modules are missing is not counted, and
 * what comes out of them has the type `any`. Types that a script in the working directory sees without an import, such
 * as those of `@types/node`, are used; without them it does not count either that Node's `process` or `Buffer` is
 * missing.
 *
 * The package `typescript` is loaded on first use. With TypeScript 5 and 6 the check runs in this thread; with
 * TypeScript 7 in a process that ends with the last check that is waiting, through an API that it calls unstable.
 *
 * @returns An evaluator whose result is `{ key: "typescript_succeeded", score }` with `score` `true` or `false`; in that
 * case `comment` has a line `(line,column): message` for every error. Where no code is found, `score` is `false`
 * and `metadata.code_extraction_failed` is `true`.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work and, when the evaluator is called, if
 * there is no TypeScript; `invalid_input` for outputs that are no text; `tool_failed` if the compiler fails;
 * `callback_failed` if the `codeExtractor` throws; and what {@link createLLMAsJudge} throws, with the strategy `llm`.
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
  const { typescript, libFiles, ...common } = checkOptions("createTypeScriptEvaluator", options, OPTIONS);
  let opening: Promise<TypeCheck> | undefined;
  const open = () => {
    opening ??= openTypeCheck(typescript, libFiles).catch((error) => {
      // It may be installed by the next time.
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return scoresCode("typescript_evaluator", common, "typescript_succeeded", async (code) => {
    const check = await open();
    let complaints: Complaint[];
    try {
      complaints = await check(code);
    } catch (cause) {
      const message = `TypeScript failed to check the code: ${reasonOf(cause)}`;
      throw new OpenEvalsError("tool_failed", message, { cause });
    }
    return verdict(
      code,
      complaints.filter((complaint) => !IGNORED.includes(complaint.code)),
    );
  });
}

/** What only says that something is not installed: modules, the files of relative imports, types, those of Node. */
const IGNORED = [2307, 2580, 2591, 2664, 2688, 2732, 2792, 2834, 2835, 2882, 5097];

function verdict(code: string, complaints: Complaint[]) {
  const elsewhere = complaints.find(({ position }) => position === undefined);
  if (elsewhere) {
    throw new OpenEvalsError("tool_failed", `TypeScript cannot check any code here: ${elsewhere.message}`);
  }
  if (complaints.length === 0) return { score: true };
  const lines = complaints.map(({ position, message }) => {
    const before = code.slice(0, position).split(/\r\n|[\n\r\u2028\u2029]/);
    return `(${before.length},${(before.at(-1) ?? "").length + 1}): ${message}`;
  });
  return { score: false, comment: lines.join("\n") };
}
