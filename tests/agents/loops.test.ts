/** Loops, planted and absent. */

import {
  type AgentLoop,
  type LoopsMetadata,
  type LoopsOptions,
  loops,
  type Message,
} from "openevals-wasm/agents";
import { expect, test } from "vitest";
import { randomFrom } from "../random.ts";
import { assistant, call, result } from "./messages.ts";

async function found(outputs: Message[], options?: LoopsOptions) {
  const evaluator = loops(options);
  const one = await evaluator({ outputs });
  expect(await evaluator.batch([{ outputs }, { outputs: [assistant()] }])).toEqual([
    one,
    { key: "no_loops", score: true, metadata: { loops: [] } },
  ]);
  const { loops: all } = one.metadata as LoopsMetadata;
  expect(one.score).toBe(all.length === 0);
  return { comment: one.comment, loops: all.map(shortened) };
}

const shortened = ({ kind, first, last, period, repeats, resultsChange }: AgentLoop) =>
  [
    kind,
    first.message,
    last.message,
    period,
    repeats,
    ...(resultsChange === undefined ? [] : [resultsChange]),
  ].join(" ");

/** A message for each letter, which is a call of a tool. */
const calls = (letters: string): Message[] =>
  Array.from(letters, (letter) => assistant(call(letter, { a: 1 })));

const step = (id: string, name: string, args: unknown, content: string): Message[] => [
  assistant(call(name, args, id)),
  result(id, content),
];

test.each([
  ["abc", []],
  ["aab", []],
  ["abab", []],
  ["baaac", ["call 1 3 1 3"]],
  ["abababx", ["cycle 0 5 2 3"]],
  ["xabcabcabcab", ["cycle 1 11 3 3"]],
  ["aaabbb", ["call 0 2 1 3", "call 3 5 1 3"]],
  ["aabaabaab", ["cycle 0 8 3 3"]],
])("the calls %s", async (letters, expected) => {
  expect((await found(calls(letters))).loops).toEqual(expected);
});

test("comments name the place, the calls and the count", async () => {
  const polls = ["10 %", "20 %", "20 %"].flatMap((content, id) => step(`${id}`, "poll", { job: 1 }, content));
  expect((await found(polls)).comment).toBe(
    "outputs[0].tool_calls[0] to outputs[4].tool_calls[0]: poll is called 3 times in a row with the same arguments, and the results change.",
  );
  expect((await found(calls("ababab"))).comment).toBe(
    "outputs[0].tool_calls[0] to outputs[5].tool_calls[0]: the cycle a, b is repeated 3 times with the same arguments.",
  );
});

test("options: how often, which tools, and which have to progress", async () => {
  expect((await found(calls("aa"), { minRepeats: 2 })).loops).toEqual(["call 0 1 1 2"]);
  expect((await found(calls("axaxa"), { ignore: ["x*"] })).loops).toEqual(["call 0 4 1 3"]);
  const searches = ["a", "b", "c"].flatMap((q, id) => step(`${id}`, "search", { q }, "nothing"));
  expect((await found(searches)).loops).toEqual([]);
  expect((await found(searches, { progress: ["s*"] })).loops).toEqual(["noProgress 0 4 1 3 false"]);
  const same = ["1", "2", "3"].flatMap((id) => step(id, "search", {}, "nothing"));
  expect((await found(same, { progress: ["*"] })).loops).toEqual(["call 0 4 1 3 false"]);
});

test("arguments are compared as JSON, and text that is not JSON as text", async () => {
  const equal = ['{"a":1,"b":2}', '{ "b": 2.0, "a": 1 }', { a: 1, b: 2 }].map((args) =>
    assistant(call("f", args)),
  );
  expect((await found(equal)).loops).toEqual(["call 0 2 1 3"]);
  expect((await found(["{1", "{2", "{3"].map((args) => assistant(call("f", args))))).loops).toEqual([]);
  expect((await found(["{1", "{1", "{1"].map((args) => assistant(call("f", args))))).loops).toHaveLength(1);
});

test("planted loops are found, and there is no false alarm on 10,000 trajectories without repeats", async () => {
  const random = randomFrom(30);
  const rows: { outputs: Message[] }[] = [];
  const planted: (string | undefined)[] = [];
  for (let row = 0; row < 10_000; row++) {
    // No call is made twice, though tools, arguments and results are.
    const messages = Array.from({ length: 1 + random(29) }, (_, at) =>
      step(`${row}-${at}`, `tool${random(3)}`, { page: at, q: random(2) }, `result ${random(2)}`),
    );
    rows.push({ outputs: messages.flat() });
    planted.push(undefined);
    if (row % 10) continue;
    const period = 1 + random(6);
    const repeats = 3 + random(3);
    const start = random(messages.length + 1);
    const unit = Array.from({ length: period }, (_, at) => assistant(call("again", { at })));
    const cycle = Array.from({ length: repeats }, () => unit).flat();
    const before = messages.slice(0, start).flat();
    rows.push({ outputs: [...before, ...cycle, ...messages.slice(start).flat()] });
    const kind = period === 1 ? "call" : "cycle";
    planted.push([kind, before.length, before.length + cycle.length - 1, period, repeats].join(" "));
  }
  const results = await loops().batch(rows);
  const wrong = results.filter(({ metadata }, row) => {
    const [first, ...more] = (metadata as LoopsMetadata).loops.map(shortened);
    return first !== planted[row] || more.length > 0;
  });
  expect(wrong).toEqual([]);
});
