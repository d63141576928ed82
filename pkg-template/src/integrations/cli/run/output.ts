/** Checks and writes the files of `--output`. */

import { fileURLToPath } from "node:url";
import type { Outcome } from "../../../presentation/outcome.js";
import { usageError } from "../cli-error.js";
import { fileNameOf } from "../files.js";
import { checkOutputFiles, type WrittenFile, writeAll, writeExperiment } from "../output/output-files.js";
import { reportWritten } from "../output/terminal.js";
import type { DeclaredExperiment } from "./definitions.js";
import type { RunOptions } from "./options.js";

const isFile = (path: string): boolean => /\.json$/i.test(path);

/**
 * Rejects names that do not fit the experiments, and files that {@link checkOutputFiles} rejects.
 *
 * @param sources The files of code.
 * @param declared The experiments; empty before the code is loaded.
 */
export async function checkOutput(
  sources: readonly string[],
  declared: readonly DeclaredExperiment[],
  options: RunOptions,
): Promise<void> {
  checkNames(declared, options);
  if (options.report !== undefined && declared.length > 1)
    throw usageError(
      `--report ${options.report} shows one experiment, but there are ${declared.length}; write them into a folder with --output, and then run npx openevals-wasm report on it`,
    );
  const { output, format, baseline } = options;
  const isFolder = format === undefined && !isFile(output ?? "");
  const read = declared.flatMap(({ name, definition: { data } }) => [
    ...(typeof data === "string" ? [data] : []),
    ...(data instanceof URL && data.protocol === "file:" ? [fileURLToPath(data)] : []),
    ...(baseline === undefined ? [] : [`${baseline}/${fileNameOf(name)}`]),
  ]);
  const written = declared.flatMap(({ name, definition }): WrittenFile[] => {
    const file = isFolder ? fileOf(name, options) : undefined;
    const sink = definition.output?.sink;
    return [
      ...(file === undefined ? [] : [{ option: "--output", path: file }]),
      ...(typeof sink === "string"
        ? [{ option: `${name}: output.sink`, path: sink, isProtected: true }]
        : []),
    ];
  });
  await checkOutputFiles(
    [...sources, ...read],
    { ...options, ...(isFolder && { output: undefined }) },
    written,
  );
}

/** Rejects a file for several experiments, and two experiments with the same file. */
function checkNames(declared: readonly { name: string }[], { output, format }: RunOptions): void {
  if (output === undefined || format !== undefined) return;
  if (/\.jsonl$/i.test(output))
    throw usageError(
      `--output ${output} has to be a folder, or a .json file for a single experiment; to write rows to a .jsonl file as they finish, set it as the sink in the definition`,
    );
  if (isFile(output)) {
    if (declared.length > 1)
      throw usageError(
        `--output ${output} is one file, but there are ${declared.length} experiments; name a folder`,
      );
    return;
  }
  const names = declared.map(({ name }) => fileNameOf(name).toLowerCase());
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice)
    throw usageError(`Two experiments would be written to ${output}/${twice}; give one of them another name`);
}

/** The file of an experiment; `undefined` without `--output`, and with `--format`, which writes to `--output` instead. */
export function fileOf(name: string, { output, format }: RunOptions): string | undefined {
  if (output === undefined || format !== undefined) return undefined;
  return isFile(output) ? output : `${output}/${fileNameOf(name)}`;
}

export const writeOutcomes = (outcomes: readonly Outcome[], options: RunOptions): Promise<void> =>
  writeAll(
    outcomes.map(({ name, experiment }) => () => {
      const file = fileOf(name, options);
      return experiment && file !== undefined
        ? reportWritten("Experiment", file, writeExperiment(file, experiment, options))
        : undefined;
    }),
  );
