/** Validates experiments before they are shown or compared: they may be written by hand, or by another version. */

import { invalidInput } from "../errors.js";
import { isObject } from "../input/objects.js";
import { isScale } from "../passing.js";
import { checkEach, checkSummaries, rowsOf, withoutErrors } from "./check-rows.js";
import { isPrice } from "./prices.js";
import type { Experiment } from "./types.js";

/** Rejects an experiment that cannot be shown. It need not have its rows. */
export function checkExperiment(experiment: unknown, name: string): void {
  checkEach(experiment, name);
  for (const [index, { errors }] of rowsOf(experiment, name).entries())
    if (!errors) throw withoutErrors(`rows[${index}]`, name);
  const { experimentName, rows } = experiment as Experiment;
  if (typeof experimentName !== "string") throw invalidInput(`The ${name} needs experimentName, a text`);
  checkFigures(experiment, name);
  for (const [index, { run }] of rows.entries()) RUN(run, `rows[${index}].run`, name);
}

/** Rejects aggregates and summary results that cannot be shown. */
export function checkFigures(figures: unknown, name: string): void {
  const { aggregates, summaryResults } = Object(figures) as Experiment;
  const areAggregates = isObject(aggregates) && Object.values(aggregates).every(isObject);
  if (!areAggregates) throw invalidInput(`The ${name} needs aggregates, an object with one for each key`);
  checkSummaries(summaryResults, name);
  for (const [key, aggregate] of Object.entries(aggregates))
    AGGREGATE(aggregate, `aggregates[${JSON.stringify(key)}]`, name);
  for (const [index, { interval }] of summaryResults.entries())
    optional(INTERVAL)(interval, `summaryResults[${index}].interval`, name);
  REST(figures, "", name);
}

/** Rejects a value that cannot be shown. */
type CheckShown = (value: unknown, place: string, name: string) => void;

const kind =
  (what: string, fits: (value: unknown) => boolean): CheckShown =>
  (value, place, name) => {
    if (!fits(value)) throw invalidInput(`${place} of the ${name} has to be ${what}`);
  };

const number = kind("a number", Number.isFinite);
const object = kind("an object", isObject);
const list = kind("a list", Array.isArray);
const text = kind("a text", (value) => typeof value === "string");

const optional =
  (check: CheckShown): CheckShown =>
  (value, place, name) => {
    if (value != null) check(value, place, name);
  };

const fields =
  (checks: Record<string, CheckShown>): CheckShown =>
  (value, place, name) => {
    object(value, place, name);
    for (const [field, check] of Object.entries(checks))
      check((value as Record<string, unknown>)[field], place ? `${place}.${field}` : field, name);
  };

const listOf =
  (check: CheckShown): CheckShown =>
  (value, place, name) => {
    list(value, place, name);
    for (const [index, one] of Array.from(value as unknown[]).entries())
      check(one, `${place}[${index}]`, name);
  };

const INTERVAL = fields({ low: number, high: number, level: optional(number) });
const RATE = fields({ true: number, false: number });
const HISTOGRAM = fields({
  min: number,
  max: number,
  median: number,
  standardDeviation: number,
  histogram: listOf(fields({ from: number, to: number, count: number })),
});
const DISTRIBUTION: CheckShown = (value, place, name) => {
  const { kind: which } = Object(value) as { kind?: unknown };
  if (which === "boolean") RATE(value, place, name);
  else if (which === "number") HISTOGRAM(value, place, name);
  else throw invalidInput(`${place} of the ${name} has to have the kind "boolean" or "number"`);
};
const USAGE = fields({ inputTokens: number, outputTokens: number });
const COST = fields({ total: number, recorded: optional(number), unpriced: optional(object) });
const AGGREGATE = fields({
  usage: optional(USAGE),
  cost: optional(COST),
  mean: optional(number),
  count: optional(number),
  errors: optional(number),
  notApplicable: optional(number),
  values: optional(number),
  interval: optional(INTERVAL),
  distribution: optional(DISTRIBUTION),
  corrected: optional(fields({ value: optional(number), interval: optional(INTERVAL) })),
});
const RUN = fields({
  startTime: optional(number),
  durationMs: optional(number),
  repetition: optional(number),
});
const REST = fields({
  scales: optional(
    kind(
      "an object with a scale for each key",
      (scales) => isObject(scales) && Object.values(scales).every(isScale),
    ),
  ),
  metadata: optional(object),
  usage: optional(USAGE),
  cost: optional(COST),
  prices: optional(kind("prices by model", (prices) => Object.values(Object(prices)).every(isPrice))),
  unreadableUsage: optional(object),
  budget: optional(
    fields({
      tokens: number,
      cost: optional(number),
      withoutUsage: optional(number),
      dropped: optional(fields({ tokens: number, cost: optional(number) })),
    }),
  ),
  durationMs: optional(number),
  resumed: optional(kind("true", (resumed) => resumed === true)),
  resumedRows: optional(number),
  sink: optional(text),
  startedAt: optional(text),
  ignoredFields: optional(list),
  stopped: optional(fields({ message: text })),
  decisions: optional(
    listOf(fields({ key: text, examples: number, interval: optional(INTERVAL), note: optional(text) })),
  ),
});
