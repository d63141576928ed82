/**
 * The assertions of the suites of `openevals` and `agentevals` about deterministic evaluators, as cases of
 * our own: each has the same scores in the published packages and here. Their tests with models are in
 * `judge.test.ts`, `json-match-rubric.test.ts`, `trajectory-judge.test.ts` and `simulation.test.ts`, with
 * models that answer by rule.
 */

import * as ours from "openevals-wasm";
import { describe, expect, it } from "vitest";
import { agentevals, graphTrajectoryStrictMatch, openevals } from "./reference.ts";

/** Either package; `tests/types` compares their types. */
const packages: [name: string, package_: any][] = [
  ["the reference", { ...agentevals, ...openevals, graphTrajectoryStrictMatch }],
  ["this package", ours],
];

/** Scores by key. */
const scores = (returned: any) => Object.fromEntries([returned].flat().map(({ key, score }) => [key, score]));

type Row = { outputs: unknown; referenceOutputs: unknown };
const row = (outputs: unknown, referenceOutputs: unknown): Row => ({ outputs, referenceOutputs });
type Scores = Record<string, unknown>;
type Case = [what: string, run: (package_: any) => Promise<unknown>, expected: Scores];

/** The intended differences. */
const KNOWN_DIFFERENCES: Record<string, Scores> = {
  // The equal elements are paired: 1, and 1 of 4 keys. The reference pairs in order: 1 of 3, and 2 of 3.
  "JSON match: lists with other keys, the average of averages": { "json_match:average": 0.625 },
};

const exact = (what: string, params: Row, score: boolean): Case => [
  `exactMatch: ${what}`,
  (package_) => package_.exactMatch(params),
  { exact_match: score },
];
const json = (what: string, options: object, params: Row, expected: Record<string, unknown>): Case => [
  `JSON match: ${what}`,
  (package_) => package_.createJsonMatchEvaluator(options)(params),
  expected,
];

const book = { title: "Emma", year: 1815 };
const prints = row([book, book], [book, { title: "Emma", year: 1816 }]);
const shelves = row(
  [
    { title: "Emma", pages: 9 },
    { title: "Emma", year: 1815 },
  ],
  [book, { ...book, author: "Austen" }],
);
const more = row([book, { title: "Ulysses", year: 1922 }], [book]);
const nested = row(
  [{ at: { x: 1, y: [1, 2] } }, { at: { x: 2 } }],
  [{ at: { x: 2 } }, { at: { y: [1, 2], x: 1 } }],
);
const lists = { aggregator: "average", listAggregator: "average" };

const jsonCases: Case[] = [
  json("each key", {}, row(book, { ...book, year: 1816 }), { "json_match:title": 1, "json_match:year": 0 }),
  json(
    "keys that hold objects and lists",
    { aggregator: "all" },
    row({ a: { b: [1, 2] } }, { a: { b: [1, 2] } }),
    {
      "json_match:all": 1,
    },
  ),
  json("the average", { aggregator: "average" }, row(book, { ...book, year: 1 }), {
    "json_match:average": 0.5,
  }),
  json("without a key", { aggregator: "average", excludeKeys: ["year"] }, row(book, { ...book, year: 1 }), {
    "json_match:average": 1,
  }),
  json("all or nothing", { aggregator: "all" }, row(book, { ...book, year: 1 }), { "json_match:all": 0 }),
  json("lists", {}, prints, { "json_match:title": 1, "json_match:year": 0 }),
  json("lists, by the average", { listAggregator: "average" }, prints, {
    "json_match:title": 1,
    "json_match:year": 0.5,
  }),
  json("lists, all keys", { aggregator: "all" }, prints, { "json_match:all": 0 }),
  json("lists, all keys by the average", { aggregator: "all", listAggregator: "average" }, prints, {
    "json_match:all": 0.5,
  }),
  json("lists, the average of keys", { aggregator: "average" }, prints, { "json_match:average": 0 }),
  json("lists, the average of averages", lists, prints, { "json_match:average": 0.75 }),
  json("lists with other keys", {}, shelves, {
    "json_match:title": 1,
    "json_match:year": 0,
    "json_match:pages": 0,
    "json_match:author": 0,
  }),
  json("lists with other keys, the average of averages", lists, shelves, { "json_match:average": 0.5 }),
  json("an element too many", lists, more, { "json_match:average": 0.5 }),
  json("an element too many, superset", { ...lists, listMatchMode: "superset" }, more, {
    "json_match:average": 1,
  }),
  json("an element too many, subset", { ...lists, listMatchMode: "subset" }, more, {
    "json_match:average": 0.5,
  }),
  json("an element too few, subset", { ...lists, listMatchMode: "subset" }, row([book], more.outputs), {
    "json_match:average": 1,
  }),
  json("another order", lists, nested, { "json_match:average": 1 }),
  json("another order, ordered", { ...lists, listMatchMode: "ordered" }, nested, { "json_match:average": 0 }),
];

const said = (content: string) => ({ role: "assistant", content });
const user = { role: "user", content: "How warm is it in Oslo and Rome?" };
const weather = (...cities: string[]) => ({
  role: "assistant",
  content: "",
  tool_calls: cities.map((city) => ({
    id: city,
    type: "function",
    function: { name: "get_weather", arguments: JSON.stringify({ city }) },
  })),
});
const called = (name: string, args: object) => ({
  role: "assistant",
  content: "",
  tool_calls: [{ id: "1", type: "function", function: { name, arguments: JSON.stringify(args) } }],
});
const answer = (content: string) => ({ role: "tool", tool_call_id: "1", content });
const together = [user, weather("Oslo", "Rome"), answer("4"), answer("20"), said("4 and 20.")];
const oneByOne = [user, weather("Oslo"), answer("4"), weather("Rome"), answer("20"), said("It is 4 and 20.")];
const half = [user, weather("Oslo"), answer("4"), said("It is 4, and surely 20.")];
const MODES = ["strict", "unordered", "superset", "subset"];

/** One pair in all modes; each mode has its key. */
const inAllModes = (what: string, outputs: unknown, reference: unknown, expected: boolean[]): Case[] =>
  MODES.map((trajectoryMatchMode, index) => [
    `trajectories: ${what}, ${trajectoryMatchMode}`,
    (package_) => package_.createTrajectoryMatchEvaluator({ trajectoryMatchMode })(row(outputs, reference)),
    { [`trajectory_${trajectoryMatchMode}_match`]: expected[index] },
  ]);

const booking = [user, called("book", { flight: { from: "OSL", to: "FCO" }, seat: "1A", note: "asap" })];
const other = [user, called("book", { flight: { from: "OSL", to: "FCO" }, seat: "9F" })];
const withArgs = (what: string, options: object, params: Row, score: boolean): Case => [
  `trajectories: ${what}`,
  (package_) => package_.createTrajectoryMatchEvaluator(options)(params),
  { trajectory_strict_match: score },
];
const override = (toolArgsMatchOverrides: object) => ({ toolArgsMatchOverrides });
const argsMode = (mode: string) => ({ trajectoryMatchMode: "strict", toolArgsMatchMode: mode });
const shorter = [user, called("book", { seat: "1A" })];
const longer = [user, called("book", { seat: "1A", note: "asap" })];

const trajectoryCases: Case[] = [
  ...inAllModes("equal", together, together, [true, true, true, true]),
  ...inAllModes("texts do not matter", [...together.slice(0, -1), said("Mild.")], together, [
    true,
    true,
    true,
    true,
  ]),
  ...inAllModes("calls one after the other", oneByOne, together, [false, true, true, true]),
  ...inAllModes("a call too few", half, together, [false, false, false, true]),
  ...inAllModes("a call too many", together, half, [false, false, true, false]),
  ...inAllModes(
    "other tools",
    [user, called("search", {})],
    [user, called("book", {})],
    [false, false, false, false],
  ),
  ...inAllModes("no calls", [user, said("Hi.")], [user, said("Hello.")], [true, true, true, true]),
  withArgs("other arguments", argsMode("exact"), row(other, booking), false),
  withArgs("other arguments, ignored", argsMode("ignore"), row(other, booking), true),
  withArgs("arguments, superset", argsMode("superset"), row(longer, shorter), true),
  withArgs("arguments, subset", argsMode("subset"), row(longer, shorter), false),
  withArgs("arguments, subset of more", argsMode("subset"), row(shorter, longer), true),
  withArgs("an override by a mode", override({ book: "ignore" }), row(other, booking), true),
  withArgs(
    "an override by fields",
    override({ book: ["flight.from", "flight.to"] }),
    row(other, booking),
    true,
  ),
  withArgs("an override by fields that differ", override({ book: ["seat"] }), row(other, booking), false),
  withArgs(
    "an override by a field that neither has",
    override({ book: ["flight.gate"] }),
    row(other, booking),
    false,
  ),
  withArgs(
    "an override by a function",
    override({ book: (a: any, b: any) => a.flight.to === b.flight.to }),
    row(other, booking),
    true,
  ),
  withArgs("an override of another tool", override({ search: "ignore" }), row(other, booking), false),
];

const graph = (...steps: string[][]) => ({ results: steps.map(() => ({})), steps });
const visited = graph(["__start__", "agent", "tools:__start__", "tools:search"], ["agent"]);
const graphCases: Case[] = [
  [
    "graphs: the same steps",
    (one) => one.graphTrajectoryStrictMatch(row(visited, visited)),
    { graph_trajectory_strict_match: true },
  ],
  [
    "graphs: another step",
    (one) => one.graphTrajectoryStrictMatch(row(visited, graph(["__start__", "agent"], ["agent"]))),
    { graph_trajectory_strict_match: false },
  ],
];

const cases: Case[] = [
  exact("equal", row({ a: 1, b: 2 }, { a: 1, b: 2 }), true),
  exact("another order of keys", row({ a: 1, b: 2 }, { b: 2, a: 1 }), true),
  exact("other values", row({ a: 1, b: 2 }, { a: 1, b: 3 }), false),
  [
    "Levenshtein: equal",
    (one) => one.levenshteinDistance(row({ a: 1 }, { a: 1 })),
    { levenshtein_distance: 1 },
  ],
  // One of seven characters differs.
  [
    "Levenshtein: different",
    (one) => one.levenshteinDistance(row("kittens", "mittens")),
    { levenshtein_distance: 1 - 1 / 7 },
  ],
  ...jsonCases,
  ...trajectoryCases,
  ...graphCases,
];

describe.each(packages)("%s", (_, package_) => {
  it.each(cases)("%s", async (what, run, expected) => {
    const known = package_ === ours ? KNOWN_DIFFERENCES[what] : undefined;
    expect(scores(await run(package_))).toEqual(known ?? expected);
  });
});

it("every known difference belongs to a case", () => {
  const names = cases.map(([what]) => what);
  expect(Object.keys(KNOWN_DIFFERENCES).filter((name) => !names.includes(name))).toEqual([]);
});
