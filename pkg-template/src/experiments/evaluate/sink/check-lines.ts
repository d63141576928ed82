/** Validates the lines of an experiment file, which may be damaged, or written by another version. */

import { invalidInput, type OpenEvalsError } from "../../../core/errors.js";
import { aListOfStrings, isListOf, MAX_U32, show } from "../../../core/input/checks.js";
import { isRecord } from "../../../core/input/objects.js";
import { aMarkByKey, isScale } from "../../../core/passing.js";
import { isScore } from "../../../core/records/score.js";
import type { EvaluationResult, EvaluatorFailure } from "../../../core/records/types.js";
import { problemOfUsage } from "../../../core/records/usage.js";
import type { Dropped } from "../../stored/ledger.js";
import type { Marks } from "../options/pass-marks.js";
import { type Header, MAGIC, type RowLine, VERSION } from "./format.js";

const isWhole = (value: unknown, least: number, most: number): boolean =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= most;

/**
 * Reads the first line; `undefined` if it is not the header of an experiment.
 *
 * @param place The name of the line in messages.
 * @throws {@link OpenEvalsError} `invalid_input` for a header that is damaged, or of another version.
 */
export function readHeader(line: string, place: string): Header | undefined {
  if (!line.startsWith(MAGIC)) return undefined;
  let header: Partial<Header>;
  try {
    header = JSON.parse(line);
  } catch {
    throw invalidInput(`${place} is not the header of an experiment: it is not valid JSON`);
  }
  if (header.version !== VERSION) {
    throw invalidInput(
      `${place} has version ${show(header.version)} of the format; only version ${VERSION} can be read`,
    );
  }
  const problem = problemOfHeader(header);
  if (problem) throw invalidInput(`${place} is not the header of an experiment: ${problem}`);
  return header as Header;
}

/** The problem of a header of this version, without the full stop; `undefined` if there is none. */
function problemOfHeader(header: Partial<Header>): string | undefined {
  const { evaluators, repetitions, experimentName, startedAt, dropped } = header;
  if (typeof experimentName !== "string") return "experimentName has to be a text";
  if (typeof startedAt !== "string") return "startedAt has to be a text";
  if (!isListOf(evaluators, (name) => typeof name === "string"))
    return "evaluators has to be a list of texts";
  if (!isWhole(repetitions, 1, MAX_U32)) return "repetitions has to be a whole number from 1";
  if (!areMarks(header as Record<keyof Marks, unknown>))
    return "scales, passAt, lowerIsBetter and optionalKeys have to be as evaluate() records them";
  return dropped === undefined || isDropped(dropped) ? undefined : "dropped has to have tokens by model";
}

/** Whether these are valid marks: files may be damaged. */
function areMarks({ scales, passAt, lowerIsBetter, optionalKeys }: Record<keyof Marks, unknown>): boolean {
  const isAbsentOr = (test: (value: any) => boolean, value: unknown) => value === undefined || test(value);
  return (
    isAbsentOr((list) => isListOf(list, isScale), scales) &&
    isAbsentOr(aMarkByKey.test, passAt) &&
    [lowerIsBetter, optionalKeys].every((keys) => isAbsentOr(aListOfStrings.test, keys))
  );
}

const isDropped = ({ tokens, withoutUsage = 0 }: Partial<Dropped>): boolean =>
  isRecord(tokens) &&
  Object.values(tokens).every((used) => !problemOfUsage({ cachedInputTokens: -1, ...Object(used) })) &&
  isWhole(withoutUsage, 0, Number.MAX_SAFE_INTEGER);

/** The problem of a line with a row. */
export function problemOfRow(
  line: unknown,
  { evaluators, clusterBy }: Pick<Header, "evaluators" | "clusterBy">,
): string | undefined {
  if (!isRecord(line)) return "it has to be an object";
  const { position, cluster, example, run, evaluationResults, errors, outcomes } = line as Partial<RowLine>;
  if (!isWhole(position, 0, MAX_U32)) return `position has to be a whole number from 0 to ${MAX_U32}`;
  if (cluster !== undefined && typeof cluster !== "string") return "cluster has to be a text";
  if ((cluster === undefined) !== (clusterBy === undefined))
    return clusterBy === undefined
      ? "it has a cluster, but the experiment has no clusterBy"
      : `it needs its cluster, since the experiment has clusterBy ${show(clusterBy)}`;
  if (!isRecord(example) || typeof example.id !== "string") return "example has to have an id, a text";
  if (!isRecord(run)) return "run has to be an object";
  if (!Array.isArray(evaluationResults)) return "evaluationResults has to be a list";
  if (!Array.isArray(errors)) return "errors has to be a list";
  return (
    problemIn(evaluationResults, problemOfResult, "evaluationResults") ??
    problemIn(errors, problemOfFailure, "errors") ??
    problemOfOutcomes(outcomes, [evaluators.length, evaluationResults.length, errors.length])
  );
}

function problemIn(
  list: readonly unknown[],
  problemOf: (element: unknown) => string | undefined,
  name: string,
): string | undefined {
  for (let index = 0; index < list.length; index++) {
    const problem = problemOf(list[index]);
    if (problem) return `${name}[${index}] ${problem}`;
  }
  return undefined;
}

function problemOfResult(result: unknown): string | undefined {
  const { key, score } = (result ?? {}) as Partial<EvaluationResult>;
  if (typeof key !== "string") return "has to have a key, a text";
  return isScore(score) ? undefined : "has to have a score that is true, false, a finite number or null";
}

function problemOfFailure(failure: unknown): string | undefined {
  const { key, error } = (failure ?? {}) as Partial<EvaluatorFailure>;
  const isFailure = typeof key === "string" && typeof error?.message === "string";
  return isFailure ? undefined : "has to have a key and an error with a message";
}

/** The error for a file whose last line records another number of rows. */
export const wrongRowCount = (name: string, rows: number, recorded: number): OpenEvalsError =>
  invalidInput(`${name} has ${rows} rows, but its last line records ${recorded}`);

/** The results and errors have to match the recorded outcomes. */
function problemOfOutcomes(
  outcomes: unknown,
  [evaluators, results, errors]: [number, number, number],
): string | undefined {
  if (!isListOf(outcomes, (count) => count === null || isWhole(count, 0, MAX_U32)))
    return "outcomes has to be a list of whole numbers from 0, and null";
  const counts = outcomes as RowLine["outcomes"];
  if (counts.length !== evaluators) return `outcomes has ${counts.length} of ${evaluators} evaluators`;
  const failed = counts.filter((count) => count === null).length;
  const returned = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  if (returned === results && failed === errors) return undefined;
  return `outcomes counts ${returned} results and ${failed} errors, but the row has ${results} and ${errors}`;
}
