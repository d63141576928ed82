/** Rewords messages of the package for the command line: they name its options, and the columns of the data. */

import { isOurs, reworded } from "../../../core/errors.js";
import type { FieldMap } from "../../../core/input/foreign-fields.js";
import type { RowEvaluator } from "../../../evaluation.js";

/** The wording for code, and that for the command line. */
const REWORDINGS: readonly (readonly [RegExp | string, string])[] = [
  [/^map /, "--map "],
  ["output.resume", "--resume"],
  ["output.overwrite", "--overwrite"],
  [/^lowerIsBetter has/, "--lower-is-better has"],
  ["passAt needs lowerIsBetter here, true or false:", "--pass-at works here only with --lower-is-better:"],
  [/(?<=^|: )passAt (?=has|is )/, "--pass-at "],
  [/ Set passAt\.$/, " Set --pass-at."],
  [/^baseURL /, "--base-url "],
  [/ needs a baseURL\. .*\.$/, " needs --base-url, such as http://localhost:8080/v1."],
  [", or pass its content as { stream, format }", ""],
  [", or pass baseURL", ", or pass --base-url"],
  [/, or pass (apiKey( or credentials)?|region|project|location)(?=\.$)/, ""],
  [/: maxCost is /, ": --max-cost is "],
  [/: maxTokens is /, ": --max-tokens is "],
  [/: maxDurationMs is /, ": --max-duration is "],
  [/ and got (undefined|null)\. Call it with \{ .*\}\.$/, ", which the row does not have. $COLUMNS"],
  [/ Pass it when you call the evaluator: .*$/, " $COLUMNS"],
  [/ Call it with \{ .*\}(; in evaluate\(\), .*)?\.$/, " $COLUMNS"],
];

const COLUMNS =
  "Add the column or field to the data: inputs, outputs, referenceOutputs, or metadata.context for context.";

/** A message, reworded for the command line. */
export const toCliMessage = (message: string): string =>
  REWORDINGS.reduce((text, [from, to]) => text.replace(from, () => to), message)
    .replace("$COLUMNS", COLUMNS)
    .replace(/map: (\{ .* \})/, (_, map) => mapFlag(JSON.parse(map)));

/** The text of an experiment, reworded to name `--pass-at`. */
export const withPassOption = (text: string): string =>
  text.replaceAll(/(?<= only at \S+;\s+set\s+)passAt(?=\s+to accept)/g, "--pass-at");

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
    throw isOurs(error) ? reworded(error, toCliMessage(error.message)) : error;
  }
}

/** The same evaluator, with reworded errors. */
export const withCliMessages = (evaluator: RowEvaluator): RowEvaluator =>
  new Proxy(evaluator, {
    apply: (evaluate, self, args) =>
      withCliErrors(new Promise((resolve) => resolve(Reflect.apply(evaluate as () => unknown, self, args)))),
  });
