/** Evaluators of rows, and their parameters. */

import { inPlace, invalidConfig, invalidInput, isOurs, reworded } from "../../core/errors.js";
import { CheckedParams, checkedParams } from "../../core/input/checked-params.js";
import { noSuchOption, show } from "../../core/input/checks.js";
import { isRecord } from "../../core/input/objects.js";
import { ownCopy, readAtOnce } from "../../core/input/own-copy.js";
import { scaleOf } from "../../core/passing.js";
import type { EvaluationResult, Example, Run } from "../../core/records/types.js";
import type { ScoreScale } from "../../core/types.js";
import { callUserFunction } from "../../core/user-function.js";
import { checkAccess } from "../../models/chat/providers/check-access.js";
import { messagesOf } from "./messages.js";
import { MisspeltInputs } from "./misspelt-inputs.js";
import { readResults } from "./read-results.js";

/** The parameters of an evaluator. The result of `mapInputs` overrides them. */
export interface EvaluatorCallParams {
  /** The input of the application. */
  inputs: any;
  /** The answer of the application. */
  outputs: any;
  /** The expected answer. */
  referenceOutputs: any;
  /** The `attachments` of the row, if it has any. */
  attachments?: any;
  /** The call of the target. Not enumerable, so that it is not a variable of prompts. */
  run: Run;
  /** The row of the data. Not enumerable, so that it is not a variable of prompts. */
  example: Example;
}

/**
 * The return value of an evaluator: a result, a list of results, `{ results }` with such a list, or a score, whose key
 * is the name of the function. The type excludes functions, so that the compiler rejects `noPII` instead of `noPII()`.
 */
export type EvaluatorReturn = (object & { bind?: never }) | number | boolean;

/**
 * A function that evaluates a row: the evaluators of this package, those of LangSmith, and your own. Its type is that of a method,
 * so that a function may declare narrower parameters.
 */
export type EvaluatorFunction<Params = any> = {
  evaluate(params: Params, example?: any): EvaluatorReturn | Promise<EvaluatorReturn>;
}["evaluate"];

/** An evaluator of conversations, for example from `openevals-wasm/recipes`. */
export interface ConversationEvaluator {
  evaluate(messages: any, tools?: any): Promise<object>;
}

/** An evaluator in LangSmith's older form. */
export interface RunEvaluator {
  evaluateRun(run: any, example?: any): EvaluatorReturn | Promise<EvaluatorReturn>;
}

/**
 * Maps the fields of a row to those that evaluators expect. Its result overrides their parameters.
 *
 * @example
 * ```ts
 * import { evaluate, type MapInputs } from "openevals-wasm/evaluation";
 *
 * const mapInputs: MapInputs = ({ outputs }) => ({ context: outputs.documents, outputs: outputs.answer });
 * ```
 */
export type MapInputs = (
  params: EvaluatorCallParams,
) => Record<string, unknown> | Promise<Record<string, unknown>>;

/** An evaluator of rows, or one with its own `mapInputs`. */
export type RowEvaluator<Params = any> =
  | EvaluatorFunction<Params>
  | ConversationEvaluator
  | RunEvaluator
  | { evaluator: EvaluatorFunction | ConversationEvaluator | RunEvaluator; mapInputs: MapInputs };

/** A row for evaluators. */
export interface EvaluatedRow {
  /** The row before it is recorded. */
  example: Example;
  /** The run, with the outputs of the target unchanged. */
  run: Run;
}

/** A checked evaluator. */
export interface PreparedEvaluator {
  /** Its name in messages, and the key of its failures before the first result. */
  name: string;
  /** Whether it is a judge, a RAG metric or has embeddings of this package, so that calling it only asks models. */
  isJudge: boolean;
  /** The scale of its scores. */
  scale: ScoreScale;
  /** The models that it asks, as far as they are known. */
  models: string[];
  /** Rejects a model without a key or an address, before it is asked. */
  checkAccess(): Promise<void>;
  evaluate(row: EvaluatedRow): Promise<EvaluationResult[]>;
}

/**
 * Reads a list of evaluators.
 *
 * @param misspelt Notices the names that mappings return.
 */
export function readEvaluators(
  evaluators: readonly RowEvaluator[],
  mapInputs: MapInputs | undefined,
  misspelt = new MisspeltInputs(),
): PreparedEvaluator[] {
  if (!Array.isArray(evaluators)) throw invalidConfig("evaluators has to be a list, such as [exactMatch]");
  // Unlike `map`, it visits the holes of a list.
  const names = Array.from(evaluators, (evaluator) => nameOf(withMapping(evaluator).evaluator));
  return Array.from(evaluators, (entry, index) => {
    const place = `evaluators[${index}]`;
    const { evaluator, mapInputs: ownMapping, ...unknown } = withMapping(entry);
    for (const name in unknown) throw noSuchOption(place, name, ["evaluator", "mapInputs"]);
    const call = callerOf(evaluator, place);
    const name = names[index] as string;
    const isUnique = name && names.indexOf(name) === names.lastIndexOf(name);
    const label = isUnique ? name : place;
    const mappings = [mapInputs, ownMapping].filter((mapping) => mapping !== undefined);
    const { feedbackKey, model, embeddings, batch, scale } = Object(evaluator) as Record<string, unknown>;
    if (feedbackKey === "") throw invalidConfig(`${place} has an empty feedbackKey`);
    return {
      name: label,
      scale: scaleOf(evaluator),
      isJudge: "model" in Object(evaluator) && typeof batch === "function",
      models: [model, embeddings].filter((name) => typeof name === "string"),
      checkAccess: () => checkAccessOf(evaluator, label),
      evaluate: async (shared) => {
        const row = ownRow(shared);
        const params = mappings.length ? await mapped(row, mappings, misspelt) : paramsOf(row);
        try {
          return await readAtOnce(call(params, row), (returned) =>
            readResults(returned, label, scale as ScoreScale | undefined),
          );
        } catch (thrown) {
          throw shared.example.outputs == null ? adviseOnReference(thrown) : thrown;
        }
      },
    };
  });
}

/** Rows are not calls: the error of a row without a reference says what to change in the experiment. */
function adviseOnReference(thrown: unknown): unknown {
  if (!isOurs(thrown)) return thrown;
  const message = thrown.message.replace(
    / needs referenceOutputs(?: and got (?:undefined|null))?\. Call it with \{.*$/,
    " needs referenceOutputs, and the row has none: it is missing or null. Add it, or wrap the evaluator in a function that returns [] for such rows and has its scale.",
  );
  return message === thrown.message ? thrown : reworded(thrown, message);
}

/** The error names the evaluator. */
export async function checkAccessOf(evaluator: unknown, label: string): Promise<void> {
  try {
    await checkAccess(evaluator);
  } catch (error) {
    throw inPlace(label, error);
  }
}

/** An evaluator and its own mapping, if it has one. */
export const withMapping = (entry: RowEvaluator) =>
  typeof entry === "object" && entry !== null && "evaluator" in entry
    ? entry
    : { evaluator: entry, mapInputs: undefined };

/** The name of an evaluator, if it has a distinctive one. In a minified bundle, class names are short. */
function nameOf(evaluator: unknown): string {
  const { feedbackKey, evalName = feedbackKey, name } = Object(evaluator) as Record<string, unknown>;
  const ofClass = Object.getPrototypeOf(Object(evaluator))?.constructor.name as string | undefined;
  const found =
    evalName ?? (typeof evaluator === "function" ? name : ofClass?.replace(/^(.{1,2}|Object)$/, ""));
  return typeof found === "string" && found !== "evaluate" ? found : "";
}

type CallEvaluator = (params: EvaluatorCallParams, row: EvaluatedRow) => unknown;

function callerOf(evaluator: unknown, place: string): CallEvaluator {
  if (typeof evaluator === "function") {
    // Older evaluators of LangSmith read the run in their first argument, and the example in their second.
    if (evaluator.length === 2)
      return (params, { run, example }) =>
        evaluator(checkedParams({ ...run, ...params, run, example }), example);
    return (params) => evaluator(params);
  }
  const { evaluate, evaluateRun } = (evaluator ?? {}) as Partial<ConversationEvaluator & RunEvaluator>;
  if (typeof evaluateRun === "function") {
    return (_, { run, example }) => (evaluator as RunEvaluator).evaluateRun(run, example);
  }
  if (typeof evaluate === "function") {
    return (params) => {
      const { messages, tools } = messagesOf(params);
      return (evaluator as ConversationEvaluator).evaluate(messages, tools);
    };
  }
  if (typeof evaluator === "string") {
    throw invalidConfig(
      `${place} is the text ${show(evaluator)}; names are for the command line. Import the evaluator, and pass it`,
    );
  }
  throw invalidConfig(
    `${place} is ${show(evaluator)}; it has to be a function, or an object with evaluate or evaluateRun`,
  );
}

/** The row for one evaluator, with copies, so that evaluators cannot change each other's. */
const ownRow = ({ example, run }: EvaluatedRow): EvaluatedRow => ({
  example: withCopies(example, ["inputs", "outputs", "metadata", "attachments"]),
  run: withCopies(run, ["outputs"]),
});

function withCopies<Fields extends object>(record: Fields, names: readonly (keyof Fields)[]): Fields {
  const own = { ...record };
  for (const name of names) own[name] &&= ownCopy(own[name]);
  return own;
}

async function mapped(
  row: EvaluatedRow,
  mappings: readonly MapInputs[],
  misspelt: MisspeltInputs,
): Promise<EvaluatorCallParams> {
  let params = paramsOf(row);
  const all: Record<string, unknown> = {};
  for (const mapping of mappings) {
    const given = params;
    const more: unknown = await callUserFunction("mapInputs", () => mapping(given));
    if (!isRecord(more)) {
      throw invalidInput(`mapInputs returned ${show(more)}; it has to return an object such as { context }`);
    }
    params = paramsOf(row);
    for (const [name, value] of Object.entries(more)) defineField(all, name, { value, writable: true });
    // run and example are reserved.
    for (const name of Object.keys(all))
      if (name !== "run" && name !== "example") defineField(params, name, misspelt.property(name, all));
  }
  return params;
}

/** The parameters of one call. Members that are not variables of prompts are inherited, since defining them is slow. */
class CallParams extends CheckedParams {
  inputs: unknown;
  outputs: unknown;
  referenceOutputs: unknown;
  declare attachments?: unknown;
  readonly #row: EvaluatedRow;

  constructor(row: EvaluatedRow) {
    super();
    this.inputs = row.example.inputs;
    this.outputs = row.run.outputs;
    this.referenceOutputs = row.example.outputs;
    this.#row = row;
  }

  get run(): Run {
    return this.#row.run;
  }

  get example(): Example {
    return this.#row.example;
  }
}

function paramsOf(row: EvaluatedRow): EvaluatorCallParams {
  const params = new CallParams(row);
  if (row.example.attachments !== undefined) params.attachments = row.example.attachments;
  return params;
}

/** Defines a field. Assigning one named `__proto__` would set the prototype. */
const defineField = (fields: object, name: string, property: PropertyDescriptor): unknown =>
  Object.defineProperty(fields, name, { enumerable: true, configurable: true, ...property });
