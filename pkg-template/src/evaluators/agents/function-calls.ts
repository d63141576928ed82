import { jsonOf, parsed } from "../../core/engine/crossing.js";
import { invalidConfig, invalidInput } from "../../core/errors.js";
import { checkOptions, type OptionChecks, oneOf, required, show } from "../../core/input/checks.js";
import { newJson } from "../../core/input/json/writer.js";
import { type ComparedValues, readArguments } from "../../core/input/params.js";
import { readRows } from "../../core/input/rows.js";
import { VERDICT } from "../../core/scales.js";
import { tracedEvaluator } from "../../core/tracing/hook.js";
import type { CalledWith, EvaluatorResult, ScoreScale, Trajectory } from "../../core/types.js";
import * as bindings from "../../openevals-agents.js";
import type {
  CallOrder,
  FunctionCallConfig,
  FunctionCallMode,
  FunctionCallVerdict,
  JsonOf,
} from "../../openevals-agents.types.js";
import { writeLines } from "../trajectory/lines.js";
import { type FunctionCall, readCalls } from "./call-list.js";
import { askEngine } from "./evaluator.js";
import { type AgentTools, aListOfTools, readParameters, readTools } from "./tools.js";

/** The options of {@link createFunctionCallEvaluator}. */
export interface FunctionCallOptions {
  /** The tools that may be called, with the schemas of their parameters. */
  tools: AgentTools;
  /**
   * `optimal` (the default): values are equal as JSON, and as many calls as possible are matched. `bfcl`: the rules of the
   * Berkeley Function-Calling Leaderboard for Python, which ignore case and some punctuation, and match greedily.
   */
  mode?: FunctionCallMode;
  /** Whether calls have to come in the order of the accepted ones: `any` (the default) or `same`. Not with `bfcl`. */
  order?: CallOrder;
  /** Whether calls that match no accepted call are allowed; `deny` by default. Not with `bfcl`. */
  extraCalls?: "allow" | "deny";
}

/** An accepted call: a tool, and the accepted values of each parameter. */
export interface AcceptedCall {
  /** The name of the tool. */
  name: string;
  /**
   * The accepted values of each parameter, as an object of lists, or its JSON text. A parameter may be missing if `""` is
   * among its values. A parameter that is not listed may not be passed.
   */
  args: Readonly<Record<string, readonly unknown[]>> | string;
}

/** The parameters of a function call evaluator. */
export interface FunctionCallParams {
  /** The agent's messages, or a list of its calls. */
  outputs: Trajectory | readonly FunctionCall[];
  /** The accepted calls. `[]`: no call may be made. `"any"`: at least one call has to be made, whatever it is. */
  referenceOutputs: readonly AcceptedCall[] | "any";
  [extra: string]: unknown;
}

/** The `metadata` of a result. A type alias, so that it is also a `Record`. */
export type FunctionCallMetadata = {
  /** For each accepted call, the index of the call that matches it, among all calls; `null` if none does. */
  matches: (number | null)[];
};

/** An evaluator of function calls. */
export interface FunctionCallEvaluator {
  <Given extends { outputs: unknown } = FunctionCallParams>(
    params: CalledWith<Given, FunctionCallParams>,
  ): Promise<EvaluatorResult>;
  /** Scores many rows in one call into the engine. */
  batch(rows: readonly FunctionCallParams[]): Promise<EvaluatorResult[]>;
  /** Its scores are `true` and `false`. */
  readonly scale: ScoreScale;
}

const NAME = "The function call evaluator";
const KEY = "function_calls";

/**
 * Makes an evaluator that compares function calls with accepted ones.
 *
 * A call matches an accepted one of the same name if each of its arguments equals an accepted value, and it leaves out only
 * parameters that may be missing. Numbers are equal by value. Where the schema says `integer`, a call has to write one: `5`, not
 * `5.0`. So pass arguments as JSON text, as models write them.
 *
 * `mode: "bfcl"` computes the verdicts of `bfcl-eval` 2026.3.23 for its Python categories, including irrelevance (`[]`)
 * and relevance (`"any"`).
 *
 * @returns An evaluator whose result is `{ key: "function_calls", score }`: whether all accepted calls are made, and with
 * `extraCalls: "deny"`, no others. The `comment` says what is wrong with each call; `metadata` is a
 * {@link FunctionCallMetadata}.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work, and schemas that cannot be converted. The
 * evaluator throws `invalid_input` for outputs without messages or calls, for a reference that is not a list of accepted calls
 * of `tools`, and for more than four million pairs of calls and accepted calls.
 *
 * @example
 * ```ts
 * import { createFunctionCallEvaluator } from "openevals-wasm/agents";
 *
 * const parameters = { type: "object", properties: { city: { type: "string" }, days: { type: "integer" } } };
 * const evaluator = createFunctionCallEvaluator({ tools: [{ name: "forecast", parameters }] });
 * const { score, comment } = await evaluator({
 *   outputs: [{ name: "forecast", args: '{"city": "Oslo"}' }],
 *   referenceOutputs: [{ name: "forecast", args: { city: ["Paris", "Paris, France"], days: ["", 1] } }],
 * });
 * console.log(score, comment);
 * // false Call 1 (forecast): city is "Oslo", which is not among the accepted ["Paris","Paris, France"].
 * ```
 */
export function createFunctionCallEvaluator(options: FunctionCallOptions): FunctionCallEvaluator {
  const maker = "createFunctionCallEvaluator";
  const { tools, mode = "optimal", order, extraCalls } = checkOptions(maker, options, OPTIONS);
  if (mode === "bfcl" && (order ?? extraCalls) !== undefined)
    throw invalidConfig(`${maker}: order and extraCalls do not apply to mode "bfcl"; leave them out`);
  const namedTools = readTools(tools, maker);
  let config: JsonOf<FunctionCallConfig> | undefined;

  const score = async (rows: readonly ComparedValues[], pathOf: (row: number) => string) => {
    config ??= jsonOf<FunctionCallConfig>({
      mode,
      order: order ?? "any",
      allowExtra: extraCalls === "allow",
      tools: await readParameters(namedTools),
    });
    const loadedConfig = config;
    const json = newJson();
    rows.forEach(({ outputs, referenceOutputs }, row) => {
      const path = pathOf(row);
      writeLines(json, readCalls(outputs, `${path}outputs`), `${path}outputs`).punctuation("\0");
      writeLines(json, accepted(referenceOutputs, path), `${path}referenceOutputs`).punctuation("\0");
    });
    const found = await askEngine("a comparison of function calls", json, (calls) =>
      bindings.functionCallVerdicts(loadedConfig, calls),
    );
    return parsed(found).map(resultOf);
  };
  const evaluator = tracedEvaluator(
    KEY,
    async (...args: unknown[]) => (await score([readArguments(NAME, args)], () => ""))[0],
    async (rows: readonly unknown[]) => score(readRows(NAME, rows), (row) => `rows[${row}].`),
  );
  return Object.assign(evaluator, { scale: VERDICT }) as FunctionCallEvaluator;
}

const OPTIONS: OptionChecks<FunctionCallOptions> = {
  tools: required(aListOfTools),
  mode: oneOf(["optimal", "bfcl"]),
  order: oneOf(["any", "same"]),
  extraCalls: oneOf(["allow", "deny"]),
};

function accepted(reference: unknown, path: string) {
  if (reference === "any") return [{ role: "any", calls: [] }];
  if (Array.isArray(reference)) return readCalls(reference, `${path}referenceOutputs`);
  throw invalidInput(
    `${path}referenceOutputs is ${show(reference)}; it has to be a list of accepted calls { name, args }, or "any"`,
  );
}

function resultOf({ matches, comment }: FunctionCallVerdict): EvaluatorResult {
  const metadata: FunctionCallMetadata = { matches: matches.map((call) => call ?? null) };
  return { key: KEY, score: comment == null, ...(comment && { comment }), metadata };
}
