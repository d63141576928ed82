/** Runs of agents at the same time, with equal texts, are read as each of them alone. */
import { trajectoriesFromOtlp } from "openevals-wasm/otel";
import { describe, expect, test } from "vitest";
import { randomFrom } from "../random.ts";
import { FORMATS, type Origin, type Step, spansOf, trajectoryOf } from "./runs.ts";
import { otlp, span } from "./spans.ts";

type Random = (below: number) => number;

const pick = <T>(random: Random, values: readonly T[]): T => values[random(values.length)] as T;

/** A run with texts, arguments and ids that other runs have, too. */
function makeRun(random: Random): Step[] {
  const hasIds = random(4) > 0;
  const steps: Step[] = [];
  for (let turn = 0; turn <= random(3); turn++) {
    steps.push({ ask: pick(random, ["Hi", "And a?"]) });
    for (let calls = random(3); calls > 0; calls--) {
      const call = { of: pick(random, ["a", "b"]), ...(hasIds && { id: `call_${steps.length}` }) };
      steps.push({ call, result: `${random(1000)}`, retries: random(3) ? [] : ["busy"] });
    }
    steps.push({ answer: pick(random, ["Yes", `It is ${random(1000)}`]) });
  }
  // The result of the last call is only in the span of its tool.
  if (hasIds && !random(3)) {
    const call = { id: `call_${steps.length}`, of: "a" };
    steps.push({ ask: "More?" }, { call, result: `${random(1000)}`, retries: ["busy"] });
  }
  return steps;
}

/** Times of the steps of a run: each has a random length, so that runs overlap. */
function timesOf(random: Random, steps: readonly Step[]): number[] {
  let time = 1000 + random(50) * 10;
  return [...steps, 0].map(() => (time += 10 + 10 * random(20)));
}

function shuffled<T>(random: Random, values: readonly T[]): T[] {
  const all = [...values];
  for (let index = all.length - 1; index > 0; index--) {
    const other = random(index + 1);
    [all[index], all[other]] = [all[other] as T, all[index] as T];
  }
  return all;
}

/** The spans in a random order, as several exports. */
const exported = (random: Random, spans: readonly ReturnType<typeof span>[]) => {
  const batches = Array.from({ length: 1 + random(4) }, () => [] as ReturnType<typeof span>[]);
  for (const each of shuffled(random, spans)) pick(random, batches).push(each);
  return batches.map((batch) => otlp(...batch));
};

/** The threads of all trajectories. */
const threadsOf = ({ trajectories }: ReturnType<typeof trajectoriesFromOtlp>) =>
  trajectories.flatMap(({ messages, metadata: { threads = [messages.length] } }) => {
    const ends = threads.map((_, index) => threads.slice(0, index + 1).reduce((a, b) => a + b));
    return threads.map((length, index) => messages.slice((ends[index] as number) - length, ends[index]));
  });

const inOrder = (threads: readonly unknown[]) => threads.map((thread) => JSON.stringify(thread)).sort();

const hex = (number: number, length: number) => number.toString(16).padStart(length, "0");
const TRACE = hex(1, 32);
const SEEDS = 20;

/** What distinguishes the runs. */
interface Apart {
  by: "trace" | "conversation";
  of(run: number): Origin;
  /** Spans around those of the run. */
  around?(spans: Spans, origin: Origin): Spans;
}

type Spans = ReturnType<typeof spansOf>;

const inTrace = (run: number) => ({ traceId: TRACE, parent: hex(run + 1, 16) });

/** The span of an agent, around all of its spans. */
function inAgent(spans: Spans, { traceId, parent }: Origin): Spans {
  const start = Math.min(...spans.map((each) => Number(each.startTimeUnixNano))) / 1e6;
  const end = Math.max(...spans.map((each) => Number(each.endTimeUnixNano))) / 1e6;
  const agent = span({ "gen_ai.operation.name": "invoke_agent" }, { start, end, id: parent as string });
  return [...spans, { ...agent, traceId }];
}

/** A span around each span, as chains have them. */
const inChains = (spans: Spans): Spans =>
  spans.flatMap((each) => {
    const id = each.spanId.replace(/^0/, "f");
    const chain = { ...each, attributes: [], events: [], spanId: id };
    return [chain, { ...each, parentSpanId: id }];
  });

const APART: Record<string, Apart> = {
  "in different traces": { by: "trace", of: (run) => ({ traceId: hex(run + 1, 32) }) },
  "in traces of different conversations": {
    by: "conversation",
    of: (run) => ({ traceId: hex(run + 1, 32), fields: { "gen_ai.conversation.id": `c${run}` } }),
  },
  "of different conversations in a trace": {
    by: "conversation",
    of: (run) => ({ traceId: TRACE, fields: { "gen_ai.conversation.id": `c${run}` } }),
  },
  "of different sessions in a trace that is read as one": {
    by: "trace",
    of: (run) => ({ traceId: TRACE, fields: { "session.id": `s${run}` } }),
  },
  "of different agents in a trace": { by: "trace", of: inTrace, around: inAgent },
  "of different agents, with a span around each step": {
    by: "trace",
    of: inTrace,
    around: (spans, origin) => inAgent(inChains(spans), origin),
  },
  "of different agents, whose spans are missing": { by: "trace", of: inTrace },
  "of traces of one conversation": {
    by: "conversation",
    of: (run) => ({ traceId: hex(run + 1, 32), fields: { "gen_ai.conversation.id": "c" } }),
  },
};

describe.each(Object.entries(FORMATS))("runs at the same time in the format %s", (_, format) => {
  test.each(Object.entries(APART))("%s are not mixed", (_, { by, of, around = (spans) => spans }) => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const random = randomFrom(seed);
      const runs = Array.from({ length: 2 + random(3) }, () => makeRun(random));
      const spans = runs.flatMap((steps, run) =>
        around(spansOf(steps, timesOf(random, steps), format, of(run)), of(run)),
      );
      const reading = trajectoriesFromOtlp(exported(random, spans), { by });
      expect(inOrder(threadsOf(reading)), `seed ${seed}`).toEqual(inOrder(runs.map(trajectoryOf)));
      expect(trajectoriesFromOtlp(exported(random, spans), { by }), `seed ${seed}`).toEqual(reading);
    }
  });
});

test("the order of export changes nothing, also with equal times, lost and repeated spans, and missing ids", () => {
  for (let seed = 1; seed <= 100; seed++) {
    const random = randomFrom(seed);
    const sometimes = <T extends object>(value: T) => (random(2) ? value : {});
    const spans = Array.from({ length: 2 + random(4) }, () => {
      const steps = makeRun(random);
      const times = timesOf(random, steps).map((time) => time - (time % 100));
      const id = pick(random, ["session.id", "gen_ai.conversation.id"]);
      const made = spansOf(steps, times, pick(random, Object.values(FORMATS)), {
        traceId: hex(1 + random(2), 32),
        fields: sometimes({ [id]: `${random(2)}` }),
        ...sometimes({ parent: hex(1 + random(3), 16) }),
      });
      const agent = inAgent(made, { traceId: hex(1 + random(2), 32), parent: hex(1 + random(3), 16) });
      return agent.filter(() => random(8) > 0);
    }).flat();
    spans.push(
      ...spans.slice(0, random(4)).map((copy) => ({ ...copy, ...sometimes({ endTimeUnixNano: "0" }) })),
    );
    for (const by of ["trace", "conversation"] as const) {
      const reading = trajectoriesFromOtlp(exported(random, spans), { by });
      expect(trajectoriesFromOtlp(exported(random, spans), { by }), `seed ${seed}`).toEqual(reading);
    }
  }
}, 30_000);

const GENAI = FORMATS.GenAI as (typeof FORMATS)[string];
const priced = (id: string | undefined, result: string, retries: string[] = []): Step => ({
  call: { of: "a", ...(id && { id }) },
  result,
  retries,
});
const run = (...steps: Step[]): Step[] => [{ ask: "And a?" }, ...steps];
const textsOf = (messages: readonly { role: string; content: unknown }[]) =>
  messages.map(({ role, content }) => content || role);

describe("runs at the same time that nothing tells apart", () => {
  const twins = [
    ...spansOf(run(priced(undefined, "10"), { answer: "10 each" }), [0, 10, 40, 60], GENAI, {
      traceId: TRACE,
    }),
    ...spansOf(run(priced(undefined, "99"), { answer: "99 each" }), [0, 11, 42, 70], GENAI, {
      traceId: TRACE,
    }),
  ];

  test("are two conversations, with a note that requests may be in the wrong one", () => {
    const { trajectories, notes } = trajectoriesFromOtlp(otlp(...twins));
    expect(trajectories[0]?.metadata.threads).toEqual([4, 4]);
    expect(notes.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^Trace 0+1 has 1 request that fits several conversations equally well/),
      expect.stringMatching(/^Trace 0+1 has 2 conversations with models/),
    ]);
  });

  test("have no such note if each has the id of its conversation, or a parent", () => {
    const apart = [
      (index: number) => ({ attributes: [{ key: "session.id", value: { stringValue: `s${index}` } }] }),
      (index: number) => ({ parentSpanId: hex(index + 1, 16) }),
    ];
    for (const marks of apart) {
      const spans = twins.map((each, index) => {
        const { attributes = [], ...more }: Partial<typeof each> = marks(index < 3 ? 0 : 1);
        return { ...each, ...more, attributes: [...each.attributes, ...attributes] };
      });
      const { trajectories, notes } = trajectoriesFromOtlp(otlp(...spans));
      expect(textsOf(trajectories[0]?.messages ?? [])).toEqual(
        ["10", "99"].flatMap((result) => ["And a?", "assistant", result, `${result} each`]),
      );
      expect(notes).toHaveLength(1);
    }
  });
});

test("a call that two instrumentations record side by side is one", () => {
  const steps = run(priced("c1", "10"), { answer: "10 each" });
  const spans = ["GenAI", "OpenInference"].flatMap((name, index) =>
    spansOf(steps, [0, 10 + index, 40 - index, 60 - index], FORMATS[name] as typeof GENAI, {
      traceId: TRACE,
    }),
  );
  const { trajectories, notes } = trajectoriesFromOtlp(otlp(...spans));
  expect(trajectories.map(({ messages }) => messages)).toEqual([trajectoryOf(steps)]);
  expect(notes).toEqual([]);
});

test("the agent inside a tool is another conversation, also with the same question", () => {
  const [agent, tool] = [hex(1, 16), hex(2, 16)];
  const outer = run(priced("c1", "10"), { answer: "10 each" });
  const inner = run(priced("c1", "7"), { answer: "7" });
  const spans = spansOf(outer, [0, 10, 100, 120], GENAI, { traceId: TRACE, parent: agent });
  const around = spans.map((each) =>
    each.name === "span" && each.startTimeUnixNano === "55000000" ? tool : undefined,
  );
  const all = spans.map((each, index) => ({ ...each, spanId: around[index] ?? each.spanId }));
  const inside = spansOf(inner, [55, 60, 80, 95], GENAI, { traceId: TRACE, parent: tool });
  const { trajectories } = trajectoriesFromOtlp(otlp(...all, ...inside));
  expect(threadsOf({ trajectories, notes: [] })).toEqual([trajectoryOf(outer), trajectoryOf(inner)]);
});

describe("a tool that runs several times for a call", () => {
  const resultsIn = (...spans: Spans) => {
    const { trajectories, notes } = trajectoriesFromOtlp(otlp(...spans));
    const results = trajectories.map(({ messages }) =>
      messages.filter(({ role }) => role === "tool").map(({ content }) => content),
    );
    return [results, notes.map(({ message }) => message)];
  };
  const ran = (results: [text: string, isError?: true][]): Spans => {
    const [chat, tool] = spansOf(run(priced("c1", "")), [0, 10, 20], GENAI, { traceId: TRACE }) as [any, any];
    return [
      chat,
      ...results.map(([text, isError], index) => ({
        ...spansOf(run(priced("c1", text)), [0, 20 + index, 21 + index], GENAI, { traceId: TRACE })[1],
        ...(isError && { status: { code: 2, message: text } }),
        spanId: hex(index + 100, 16),
        parentSpanId: tool.parentSpanId,
      })),
    ] as Spans;
  };
  const note = (which: string) =>
    `Tool "price" ran several times for the call "c1" with different results; the ${which} is shown.`;

  test.each<[string, [string, true?][], string, string[]]>([
    ["the last successful result", [["busy", true], ["10"]], "10", [note("last successful one")]],
    [
      "the last successful result before a failure",
      [["10"], ["busy", true]],
      "10",
      [note("last successful one")],
    ],
    ["the last of several", [["10"], ["11"]], "11", [note("last successful one")]],
    [
      "the last failure",
      [
        ["busy", true],
        ["down", true],
      ],
      "down",
      [note("last one")],
    ],
    ["a result that is recorded twice, without a note", [["10"], ["10"]], "10", []],
  ])("has %s", (_, results, expected, notes) => {
    expect(resultsIn(...ran(results))).toEqual([[[expected]], notes]);
    expect(resultsIn(...ran(results).reverse())).toEqual([[[expected]], notes]);
  });

  test("has the result that the model received, if a message has it", () => {
    const spans = spansOf(run(priced("c1", "10"), { answer: "10 each" }), [0, 10, 20, 30], GENAI, {
      traceId: TRACE,
    });
    const late = {
      ...(ran([["99"]])[1] as Spans[0]),
      startTimeUnixNano: "25000000",
      endTimeUnixNano: "26000000",
    };
    expect(resultsIn(...spans, late)).toEqual([[["10"]], []]);
  });

  test("never has the result of another trace of the conversation", () => {
    const session = { fields: { "session.id": "s" } };
    const first = spansOf(run(priced("c1", "10")), [0, 10, 20], GENAI, { traceId: hex(1, 32), ...session });
    const second = spansOf(run(priced("c1", "99")), [0, 30, 40], GENAI, { traceId: hex(2, 32), ...session });
    for (const spans of [
      [...first, ...second],
      [...second, ...first],
    ]) {
      const { trajectories } = trajectoriesFromOtlp(otlp(...spans), { by: "conversation" });
      expect(textsOf(trajectories[0]?.messages ?? [])).toEqual(
        ["10", "99"].flatMap((result) => ["And a?", "assistant", result]),
      );
    }
  });
});

describe("conversations in one trace", () => {
  const asked = (id: string, result: string, parent: string, at: number) => {
    const steps = run(priced("c1", result), { answer: `${result} each` });
    const [first, tool, last] = spansOf(steps, [0, at, at + 20, at + 40], GENAI, { traceId: TRACE, parent });
    // The span of the tool, and the agent around all of them, do not name the conversation.
    const named = (each: any) => ({
      ...each,
      attributes: [...each.attributes, { key: "gen_ai.conversation.id", value: { stringValue: id } }],
    });
    return inAgent([named(first), tool, named(last)] as Spans, { traceId: TRACE, parent });
  };
  const spans = [...asked("one", "10", hex(1, 16), 10), ...asked("two", "99", hex(2, 16), 15)];
  const read = (by: "trace" | "conversation") =>
    trajectoriesFromOtlp(otlp(...spans), { by }).trajectories.map(({ messages, metadata }) => [
      metadata.conversationId,
      metadata.threads,
      metadata.calls.length,
      textsOf(messages),
    ]);
  const texts = (result: string) => ["And a?", "assistant", result, `${result} each`];

  test("are each a trajectory by conversation", () => {
    expect(read("conversation")).toEqual([
      ["one", undefined, 2, texts("10")],
      ["two", undefined, 2, texts("99")],
    ]);
  });

  test("follow one another by trace, which then has no id of a conversation", () => {
    expect(read("trace")).toEqual([[undefined, [4, 4], 4, [...texts("10"), ...texts("99")]]]);
  });
});
