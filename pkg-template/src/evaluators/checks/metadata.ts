/** Checks of the latency and cost of a row's answer. */

import { invalidConfig, invalidInput } from "../../core/errors.js";
import { check, checkOptions, type OptionChecks, required, show } from "../../core/input/checks.js";
import {
  costOfUsage,
  isPrice,
  type ModelPrice,
  type ModelPrices,
  PriceList,
} from "../../core/records/prices.js";
import { reportedUsage } from "../../core/records/reported-usage.js";
import { callUserFunction } from "../../core/user-function.js";
import {
  CHECK_OPTIONS,
  type Check,
  type CheckedRow,
  type CheckOptions,
  type CheckParams,
  type Finding,
  makeCheck,
} from "./check.js";

/** The options of {@link latency}. */
export interface LatencyOptions extends CheckOptions {
  /** The longest duration that passes, in milliseconds. */
  max: number;
  /**
   * Returns the duration in milliseconds. By default, it is `latencyMs` in the `metadata` of the parameters, the row or
   * the outputs, otherwise the time that the target took in `evaluate()`.
   */
  value?: ((row: CheckParams) => unknown) | undefined;
}

/** The options of {@link cost}. */
export interface CostOptions extends CheckOptions {
  /** The highest cost that passes, in the currency of the prices. */
  max: number;
  /**
   * The price of a million tokens: one price, or prices by model. The model is `metadata.model`, and is found with or
   * without its provider and date.
   */
  prices?: ModelPrice | ModelPrices | undefined;
  /**
   * Returns the cost; excludes `prices`. By default, it is `cost` in the `metadata`, otherwise the `usage` there
   * multiplied by the prices.
   */
  value?: ((row: CheckParams) => unknown) | undefined;
}

const anAmount = check("a number from 0", (value) => Number.isFinite(value) && value >= 0);
const aFinder = check("a function", (value) => typeof value === "function");

const LATENCY_OPTIONS: OptionChecks<LatencyOptions> = {
  ...CHECK_OPTIONS,
  max: required(anAmount),
  value: aFinder,
};

const COST_OPTIONS: OptionChecks<CostOptions> = {
  ...CHECK_OPTIONS,
  max: required(anAmount),
  prices: check("{ input, output } for a million tokens, or such prices by the names of models", (value) => {
    return isPrice(value) || (typeof value === "object" && Object.values(value).every(isPrice));
  }),
  value: aFinder,
};

/**
 * Makes a check of how long the application took to answer.
 *
 * @returns A check with the key `latency`; `metadata.latencyMs` is the time.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The check throws `invalid_input` if the
 * duration is unknown.
 *
 * @example
 * ```ts
 * import { latency } from "openevals-wasm/checks";
 *
 * const { comment } = await latency({ max: 2_000 })({ outputs: "…", metadata: { latencyMs: 2_310 } });
 * console.log(comment); // It took 2,310 ms, but only 2,000 are allowed.
 * ```
 */
export function latency(options: LatencyOptions): Check {
  const read = checkOptions("latency", options, LATENCY_OPTIONS);
  const { max, value } = read;
  const find = async ({ params }: CheckedRow): Promise<Finding> => {
    const found = value ? await callUserFunction("value of latency", () => value(params)) : timeOf(params);
    const took = amount(found, "latency", "latencyMs in its metadata");
    const holds = took <= max;
    const comment = `It took ${shown(took)} ms${holds ? "" : `, but only ${shown(max)} are allowed`}`;
    return { holds, comment, metadata: { latencyMs: took } };
  };
  return makeCheck({ name: "latency", key: "latency", find }, read);
}

/**
 * Makes a check of the cost of an answer.
 *
 * @returns A check with the key `cost`; `metadata.cost` is the amount.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The check throws `invalid_input` if the
 * cost is unknown, or the model has no price.
 *
 * @example
 * ```ts
 * import { cost } from "openevals-wasm/checks";
 *
 * const cheap = cost({ max: 0.01, prices: { "gpt-5.4": { input: 1.25, cachedInput: 0.125, output: 10 } } });
 * const metadata = { model: "gpt-5.4", usage: { inputTokens: 2_000, outputTokens: 900 } };
 * const { comment } = await cheap({ outputs: "…", metadata });
 * console.log(comment); // It cost 0.0115, but only 0.01 is allowed.
 * ```
 */
export function cost(options: CostOptions): Check {
  const read = checkOptions("cost", options, COST_OPTIONS);
  const { max, prices, value } = read;
  if (value && prices) throw invalidConfig("cost has both value and prices; leave one of them out");
  const find = async ({ params }: CheckedRow): Promise<Finding> => {
    const found = value
      ? await callUserFunction("value of cost", () => value(params))
      : costOf(params, prices);
    const spent = amount(
      found,
      "cost",
      prices ? "usage in its metadata" : "cost in its metadata, or prices for its usage",
    );
    const holds = spent <= max;
    const comment = `It cost ${shown(spent)}${holds ? "" : `, but only ${shown(max)} is allowed`}`;
    return { holds, comment, metadata: { cost: spent } };
  };
  return makeCheck({ name: "cost", key: "cost", find }, read);
}

const shown = (value: number): string => value.toLocaleString("en", { maximumSignificantDigits: 6 });

type MetadataFields = Record<string, unknown>;

/** The objects that may have facts about an answer, in order of precedence. */
function metadataOf({ metadata, example, outputs }: CheckParams): MetadataFields[] {
  const places = [
    metadata,
    (example as MetadataFields | undefined)?.metadata,
    (outputs as MetadataFields | undefined)?.metadata,
    outputs,
  ];
  return places.filter((place): place is MetadataFields => typeof place === "object" && place !== null);
}

const reported = (params: CheckParams, name: string): unknown =>
  metadataOf(params).find((place) => place[name] != null)?.[name];

/** The reported duration, otherwise that of the run, also in LangSmith's format. */
function timeOf(params: CheckParams): unknown {
  const { durationMs, start_time, end_time } = (params.run ?? {}) as Record<string, unknown>;
  const timestamp = (time: unknown) => (time == null ? Number.NaN : Number(new Date(time as string)));
  const elapsed = timestamp(end_time) - timestamp(start_time);
  return reported(params, "latencyMs") ?? durationMs ?? (Number.isNaN(elapsed) ? undefined : elapsed);
}

function costOf(params: CheckParams, prices: CostOptions["prices"]): unknown {
  const reportedCost = reported(params, "cost");
  if (reportedCost != null) return reportedCost;
  const usage = reported(params, "usage") as MetadataFields | undefined;
  if (!prices || typeof usage !== "object") return undefined;
  const model = reported(params, "model");
  const price = isPrice(prices) ? prices : new PriceList(prices).of(String(model));
  if (!price) {
    throw invalidInput(
      `cost has no price for the model ${show(model)}; it has those of ${Object.keys(prices).map(show).join(", ")}`,
    );
  }
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens } = reportedUsage(usage);
  const tokens = (found: unknown, kind: string) => amount(found, "cost", `the ${kind} of usage`);
  return costOfUsage(
    {
      inputTokens: tokens(inputTokens, "inputTokens"),
      outputTokens: tokens(outputTokens, "outputTokens"),
      cachedInputTokens: tokens(cachedInputTokens ?? 0, "cachedInputTokens"),
      cacheWriteTokens: tokens(cacheWriteTokens ?? 0, "cacheWriteTokens"),
    },
    price,
  );
}

function amount(value: unknown, name: string, place: string): number {
  if (typeof value === "number" && value >= 0 && Number.isFinite(value)) return value;
  const found = value === undefined ? "does not have" : `has ${show(value)} for`;
  throw invalidInput(`The row ${found} ${place}, which ${name} needs`);
}
