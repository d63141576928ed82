/** Rewords messages of the package for the command line: they name its options, and the columns of the data. */

import { isOurs, type OpenEvalsErrorCode, reworded } from "../../core/errors.js";
import type { FieldMap } from "../../core/input/foreign-fields.js";
import { parseJson } from "../../core/input/json/parse-json.js";
import { isRecord } from "../../core/input/objects.js";
import type {
  BudgetOptions,
  EvaluateOptions,
  ExperimentOutputOptions,
  MergeOptions,
  RowEvaluator,
} from "../../evaluation.js";

/** An option in code, as messages name it. The compiler finds those that were renamed. */
type OptionInCode =
  | (keyof EvaluateOptions | keyof BudgetOptions | "baseURL")
  | `output.${keyof ExperimentOutputOptions}`
  | `${keyof MergeOptions}: true`;

/** Options in code, and those of the command line that set them. */
const FLAGS = {
  "output.resume": "--resume",
  "output.overwrite": "--overwrite",
  "partial: true": "--partial",
  passAt: "--pass-at",
  lowerIsBetter: "--lower-is-better",
  baseURL: "--base-url",
  maxCost: "--max-cost",
  maxTokens: "--max-tokens",
  maxDurationMs: "--max-duration",
} satisfies Partial<Record<OptionInCode, `--${string}`>>;

const ALL = Object.keys(FLAGS) as (keyof typeof FLAGS)[];

/** The errors of options and data. Others may have texts of models and providers, which stay as they are. */
const REWORDED: readonly OpenEvalsErrorCode[] = ["invalid_config", "invalid_input", "missing_variable"];

const COLUMNS =
  "Add the column or field to the data: inputs, outputs, referenceOutputs, or metadata.context for context.";

/** A message with the options of the command line in place of those in code. Names in quotes are the user's. */
export const withFlags = (message: string, options: readonly (keyof typeof FLAGS)[] = ALL): string =>
  options.reduce((text, option) => {
    const named = new RegExp(`(?<![\\w."-])(?:budget\\.)?${option}(?![\\w"])`, "g");
    return text.replace(named, FLAGS[option]);
  }, message);

/** A message without advice on calls of functions. */
const toCliMessage = (message: string): string =>
  withFlags(message)
    .replace(/^map (?=has |reads )/, "--map ")
    .replace(/map: (\{ .*? \})/g, (text, map) => {
      // A column may have such a name.
      const read = parseJson(map);
      return isRecord(read) ? mapFlag(read as FieldMap) : text;
    })
    .replace(/, or pass (?!--)[^.]*(?=\.$)/, "")
    .replace(
      /(?: and got (?:undefined|null))?([.?]) (?:Call it with|Pass it when you call the evaluator:) .*$/,
      `$1 ${COLUMNS}`,
    );

/** A map in the form of the option `--map`. */
export const mapFlag = (map: FieldMap): string => {
  const pairs = Object.entries(map).map(([field, source]) => `${field}=${source}`);
  return `--map ${pairs.some((pair) => /[^\w.=-]/.test(pair)) ? `"${pairs}"` : pairs}`;
};

/** Waits for work, and rewords its errors. */
export async function withCliErrors<T>(running: Promise<T> | T): Promise<T> {
  try {
    return await running;
  } catch (error) {
    throw isOurs(error) && REWORDED.includes(error.code)
      ? reworded(error, toCliMessage(error.message))
      : error;
  }
}

/** The same evaluator, with reworded errors. */
export const withCliMessages = (evaluator: RowEvaluator): RowEvaluator =>
  new Proxy(evaluator, {
    apply: (evaluate, self, args) =>
      withCliErrors(new Promise((resolve) => resolve(Reflect.apply(evaluate as () => unknown, self, args)))),
  });
