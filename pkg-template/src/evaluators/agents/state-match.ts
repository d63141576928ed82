import { jsonOf, parsed } from "../../core/engine/crossing.js";
import { check, checkOptions, fromZero, isListOf, type OptionChecks } from "../../core/input/checks.js";
import { rowsToJson } from "../../core/input/json/json.js";
import { newJson, type Writer } from "../../core/input/json/writer.js";
import { isRecord } from "../../core/input/objects.js";
import { type ComparedValues, readArguments } from "../../core/input/params.js";
import { readRows } from "../../core/input/rows.js";
import { passesByMark, scaleOf } from "../../core/passing.js";
import { VERDICT } from "../../core/scales.js";
import { tracedEvaluator } from "../../core/tracing/hook.js";
import type { Evaluator, EvaluatorResult } from "../../core/types.js";
import * as bindings from "../../openevals-agents.js";
import type { StateComparison, StateMatchConfig } from "../../openevals-agents.types.js";
import { metadataOfParts, type PartEvaluator, partResult } from "../calls/parts.js";
import { askEngine } from "./evaluator.js";

/**
 * The options of {@link createStateMatch}. Paths are keys and indices, as in `"orders[2].status"`. In patterns of paths, `*`
 * stands for any key or index, and `**` for any number of them: `"orders[*].id"`, `"**.updatedAt"`.
 */
export interface StateMatchOptions {
  /** Patterns of values that are not compared. */
  ignore?: readonly string[];
  /** Patterns of lists whose order does not count. As many equal elements as possible are paired. */
  unordered?: readonly string[];
  /** By how much numbers may differ, from 0; 0 by default. */
  tolerance?: number;
  /**
   * Evaluators of values that are not compared for equality, by pattern: any evaluator of this package, such as a judge, or a
   * function. Each gets the two values as `outputs` and `referenceOutputs`. The value differs if the score does not pass.
   */
  evaluators?: Readonly<Record<string, PartEvaluator>>;
}

/** A difference between two states. A type alias, so that it is also a `Record`. */
export type StateMismatch = {
  /** The path of the value: `orders[2].status`. */
  path: string;
  /** The value in the outputs as JSON text, cut after 80 characters; missing if there is none. */
  output?: string | undefined;
  /** The value in the reference, in the same way. */
  reference?: string | undefined;
  /** The comment of its evaluator. */
  comment?: string | undefined;
};

/** The `metadata` of {@link createStateMatch}. */
export type StateMatchMetadata = {
  /** The differences; up to 100, and those that evaluators found. */
  differences: StateMismatch[];
  /** The number of all differences. */
  count: number;
};

const NAME = "The state match";
const KEY = "state_match";

/**
 * Makes an evaluator that compares the state after a run with the expected state: rows of a database, files, a basket. States
 * are JSON values.
 *
 * @returns An evaluator whose result is `{ key: "state_match", score }`: whether the states are equal. The `comment` lists the
 * differences with their paths; `metadata` is a {@link StateMatchMetadata}.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The evaluator throws `invalid_input` for a
 * missing state, for values that JSON cannot represent, and for unordered lists with more than four million pairs of elements,
 * or ten million comparisons of their values; and the error of an evaluator, with the path of its value.
 *
 * @example
 * ```ts
 * import { createStateMatch } from "openevals-wasm/agents";
 *
 * const stateMatch = createStateMatch({ ignore: ["**.updatedAt"], tolerance: 0.01 });
 * const { score, comment } = await stateMatch({
 *   outputs: { orders: [{ id: 7, status: "open", updatedAt: 12 }] },
 *   referenceOutputs: { orders: [{ id: 7, status: "refunded", updatedAt: 9 }] },
 * });
 * console.log(score, comment);
 * // false orders[0].status is "open", but should be "refunded".
 * ```
 */
export function createStateMatch(options: StateMatchOptions = {}): Evaluator {
  const {
    ignore = [],
    unordered = [],
    tolerance = 0,
    evaluators = {},
  } = checkOptions("createStateMatch", options, OPTIONS);
  const parts = Object.values(evaluators);
  const config = jsonOf<StateMatchConfig>({
    ignore: ignore.map(stepsOf),
    unordered: unordered.map(stepsOf),
    judged: Object.keys(evaluators).map(stepsOf),
    tolerance,
  });
  const score = async (json: Writer) => {
    const found = await askEngine("a comparison of states", json, (rows) =>
      bindings.compareStates(config, rows),
    );
    return Promise.all(parsed(found).map((comparison) => resultOf(comparison, parts)));
  };
  const evaluator = tracedEvaluator(
    KEY,
    async (...args: unknown[]) => (await score(onlyRow(readArguments(NAME, args))))[0],
    async (rows: readonly unknown[]) => score(rowsToJson(readRows(NAME, rows))),
  );
  return Object.assign(evaluator, { scale: VERDICT }) as Evaluator;
}

/** Whether it is a path: not empty, and each bracket is closed. */
const isPath = (value: unknown): boolean =>
  typeof value === "string" && /^(?:[^[\]]|\[[^[\]]*\])+$/.test(value);

const aListOfPaths = check("a list of paths", (value) => isListOf(value, isPath));

const OPTIONS: OptionChecks<StateMatchOptions> = {
  ignore: aListOfPaths,
  unordered: aListOfPaths,
  tolerance: fromZero,
  evaluators: check("an object of evaluators, by path", (value) => {
    return (
      isRecord(value) &&
      Object.entries(value).every(([path, evaluator]) => isPath(path) && typeof evaluator === "function")
    );
  }),
};

/** The steps of a path: `orders[*].id` becomes `orders`, `*`, `id`. */
const stepsOf = (path: string): string[] =>
  path
    .replaceAll(/\[([^\]]*)\]/g, ".$1")
    .replace(/^\./, "")
    .split(".");

function onlyRow({ outputs, referenceOutputs }: ComparedValues): Writer {
  const json = newJson().punctuation("[[").value(outputs, "outputs");
  return json.punctuation(",").value(referenceOutputs, "referenceOutputs").punctuation("]]");
}

async function resultOf(
  { differences, count, judged }: StateComparison,
  evaluators: readonly PartEvaluator[],
): Promise<EvaluatorResult> {
  const results = await Promise.all(
    judged.map(async ({ rule, path, output, reference }) => {
      const evaluator = evaluators[rule] as PartEvaluator;
      const params = { outputs: JSON.parse(output), referenceOutputs: JSON.parse(reference) };
      const result = await partResult(evaluator, params, path);
      const passes = passesByMark(result.key, result.score as number | boolean, scaleOf(evaluator));
      const difference: StateMismatch = {
        path,
        output: shortened(output),
        reference: shortened(reference),
        ...(result.comment && { comment: result.comment }),
      };
      return { result: { ...result, path }, passes, difference };
    }),
  );
  const failed = results.filter(({ passes }) => !passes).map(({ difference }) => difference);
  const all: StateMismatch[] = [...differences.map(withoutNulls), ...failed];
  const total = count + failed.length;
  const metadata: StateMatchMetadata = { differences: all, count: total };
  const partResults = results.map(({ result }) => result);
  return {
    key: KEY,
    score: total === 0,
    ...(total && { comment: commentOf(all, total) }),
    metadata: partResults.length ? metadataOfParts(partResults, metadata) : metadata,
  };
}

const withoutNulls = ({
  path,
  output,
  reference,
}: StateComparison["differences"][number]): StateMismatch => ({
  path,
  ...(output != null && { output }),
  ...(reference != null && { reference }),
});

const shortened = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text);

/** How many differences a comment describes at most. */
const MAX_DESCRIBED = 10;

function commentOf(differences: readonly StateMismatch[], total: number): string {
  const described = differences.slice(0, MAX_DESCRIBED).map(({ path, output, reference, comment }) => {
    if (comment !== undefined) return `${path}: ${comment}`;
    if (output === undefined) return `${path} is missing, but should be ${reference}.`;
    if (reference === undefined) return `${path} is ${output}, and should not be there.`;
    return `${path} is ${output}, but should be ${reference}.`;
  });
  if (total > described.length) described.push(`There are ${total - described.length} more differences.`);
  return described.join(" ");
}
