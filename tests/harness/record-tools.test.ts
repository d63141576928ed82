/** Recordings, with everything that arguments and results may be. */
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { generateText, isStepCount, tool } from "ai";
import { type RecordingMode, recordAgent, recordTools, withFaults } from "openevals-wasm/harness";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "./folder.js";
import { scriptedModel } from "./scripted.js";

const folder = await temporaryFolder();
let count = 0;
const newFile = () => join(folder, `deeper/${count++}.jsonl`);

/** A tool that counts its calls. */
function counted(file: string, mode?: RecordingMode) {
  let calls = 0;
  const { search } = recordTools(
    { search: async (args: any): Promise<any> => ({ found: args?.q, call: ++calls }) },
    { file, ...(mode && { mode }) },
  );
  return { search, calls: () => calls };
}

test("records, and replays the same, whatever the order of keys", async () => {
  const file = newFile();
  const recorded = counted(file, "record");
  expect(await recorded.search({ q: "Oslo", page: 1 })).toEqual({ found: "Oslo", call: 1 });
  expect(await recorded.search({ q: "Oslo", page: 1, limit: undefined })).toEqual({ found: "Oslo", call: 2 });
  expect(await readFile(file, "utf8")).toBe(
    '{"tool":"search","args":{"page":1,"q":"Oslo"},"result":{"found":"Oslo","call":1}}\n' +
      '{"tool":"search","args":{"page":1,"q":"Oslo"},"result":{"found":"Oslo","call":2}}\n',
  );
  const replayed = counted(file, "replay");
  const answers = [];
  for (let time = 0; time < 3; time++) answers.push((await replayed.search({ page: 1, q: "Oslo" })).call);
  // In their order, and then the last.
  expect([answers, replayed.calls()]).toEqual([[1, 2, 2], 0]);
});

test("by default, replays recorded calls and records the others", async () => {
  const file = newFile();
  await counted(file).search({ q: "Oslo" });
  const again = counted(file);
  await again.search({ q: "Oslo" });
  await again.search({ q: "Rome" });
  await again.search({ q: "Rome" });
  expect(again.calls()).toBe(2);
  expect((await readFile(file, "utf8")).match(/"(Oslo|Rome)","call":\d/g)).toEqual([
    '"Oslo","call":1',
    '"Rome","call":1',
    '"Rome","call":2',
  ]);
});

test("to record again replaces the file", async () => {
  const file = newFile();
  await counted(file, "record").search({ q: "Oslo" });
  await counted(file, "record").search({ q: "Rome" });
  expect(await readFile(file, "utf8")).not.toContain("Oslo");
});

test("100 calls at once are 100 lines", async () => {
  const file = newFile();
  const { search } = counted(file);
  await Promise.all(Array.from({ length: 100 }, (_, q) => search({ q: "x".repeat(q * 100) })));
  const replayed = counted(file, "replay");
  const found = await Promise.all(
    Array.from({ length: 100 }, (_, q) => replayed.search({ q: "x".repeat(q * 100) })),
  );
  expect(new Set(found.map(({ found }) => found.length)).size).toBe(100);
});

test("equal calls at once are recorded in the order in which they begin", async () => {
  const file = newFile();
  const ends: ((end: () => unknown) => void)[] = [];
  const tools = {
    next: (_: object) =>
      new Promise<unknown>((resolve) => ends.push((end) => resolve(new Promise((done) => done(end()))))),
  };
  const { next } = recordTools(tools, { file, mode: "record" });
  const calls = [next({ q: 1 }), next({ q: 1 }), next({ q: 1 }), next({ q: 2 })].map((call) =>
    call.catch((error: Error) => error.message),
  );
  await vi.waitFor(() => expect(ends).toHaveLength(4));
  ends[2]?.(() => "third");
  ends[3]?.(() => "other");
  // Another call does not wait for equal ones.
  expect(await calls[3]).toBe("other");
  ends[1]?.(() => {
    throw new Error("second");
  });
  ends[0]?.(() => "first");
  expect(await Promise.all(calls)).toEqual(["first", "second", "third", "other"]);
  const replayed = recordTools(tools, { file, mode: "replay" }).next;
  const again = [0, 1, 2].map(() => replayed({ q: 1 }).catch((error: Error) => error.message));
  expect(await Promise.all(again)).toEqual(["first", "second", "third"]);
});

test("each run of an agent has the recordings from their beginning, also if runs overlap", async () => {
  const file = newFile();
  const balances = [100, 100, 90, 90];
  const record = (mode: RecordingMode) => {
    const { balance } = recordTools({ balance: async (_: object) => balances.shift() }, { file, mode });
    return recordAgent(async () => [await balance({}), await balance({})].join());
  };
  const answers = async (agent: ReturnType<typeof recordAgent>) =>
    (await Promise.all([agent(""), agent("")])).map(({ messages }) => messages.at(-1)?.content);
  expect(await answers(record("record"))).toEqual(["100,90", "100,90"]);
  expect(await readFile(file, "utf8")).toBe(
    '{"tool":"balance","args":{},"result":100}\n{"tool":"balance","args":{},"result":90}\n',
  );
  const replayed = record("replay");
  expect(await answers(replayed)).toEqual(["100,90", "100,90"]);
  expect(await answers(replayed)).toEqual(["100,90", "100,90"]);
});

test("errors are recorded with their name", async () => {
  const file = newFile();
  const fail = () => {
    throw Object.assign(new TypeError("no such city"), { headers: { authorization: "Bearer 123" } });
  };
  for (const mode of ["record", "replay"] as const) {
    const { weather } = recordTools({ weather: async (_: object) => fail() }, { file, mode });
    await expect(weather({ city: "?" })).rejects.toMatchObject({
      name: "TypeError",
      message: "no such city",
    });
  }
  expect(await readFile(file, "utf8")).toBe(
    '{"tool":"weather","args":{"city":"?"},"error":{"name":"TypeError","message":"no such city"}}\n',
  );
});

test("a call without a recording says which ones are near", async () => {
  const file = newFile();
  const { search } = counted(file);
  for (const q of ["Oslo", "Paris", "Paris in May", "Rome"]) await search({ q });
  const { search: replayed, serch } = recordTools(
    { search: async (_: object) => 0, serch: async (_: object) => 0 },
    { file, mode: "replay" },
  );
  await expect(replayed({ q: "Paris in June" })).rejects.toMatchObject({
    code: "cache_miss",
    message:
      `${file} has no recording of search({"q":"Paris in June"}). The most similar of 4 recorded calls: ` +
      'search({"q":"Paris in May"}), search({"q":"Paris"}), search({"q":"Rome"}). Record the call with the mode "auto".',
  });
  await expect(serch({ q: "Oslo" })).rejects.toThrow("The tool has none; did you mean search?");
  const none = recordTools({ search: async (_: object) => 0 }, { file: newFile(), mode: "replay" });
  await expect(none.search({})).rejects.toMatchObject({
    code: "cache_miss",
    message: expect.stringContaining("Record it first"),
  });
});

const cyclic: any = { q: {} };
cyclic.q.again = cyclic;
test.each<[string, any, string]>([
  ["a cycle", cyclic, "the arguments of search.q.again"],
  ["a big number", { q: 1n }, "the arguments of search.q"],
  ["a function", { q: () => 1 }, "the arguments of search.q"],
  ["a map", new Map(), "the arguments of search"],
])("arguments with %s are refused, and no tool is called", async (_, args, place) => {
  const { search, calls } = counted(newFile());
  await expect(search(args)).rejects.toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining(place),
  });
  expect(calls()).toBe(0);
});

test.each<[string, any]>([
  ["nothing", undefined],
  ["null", null],
  ["a text", 'He said "hi"\n'],
  ["a list", [1, [2]]],
  ["a lone surrogate", "\ud800"],
  ["a prototype", JSON.parse('{"__proto__":{"a":1}}')],
])("%s as arguments and as a result", async (_, value) => {
  const file = newFile();
  await recordTools({ echo: async (args: any) => args }, { file }).echo(value);
  const replayed = recordTools({ echo: async (_: any): Promise<any> => "called" }, { file, mode: "replay" });
  expect(await replayed.echo(value)).toEqual(value);
});

test("a result that JSON cannot represent is an error of the recording", async () => {
  const { count } = recordTools({ count: async () => 10n }, { file: newFile() });
  await expect(count()).rejects.toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining("the result of count"),
  });
});

test.each<[string, unknown, string]>([
  [
    "a date",
    { at: [new Date(0)] },
    'of now.at[0] is a Date, but its recording would be "1970-01-01T00:00:00.000Z"',
  ],
  ["an address", new URL("http://a.b/"), 'of now is a URL, but its recording would be "http://a.b/"'],
  ["bytes", new Uint8Array([7]), 'of now is a Uint8Array, but its recording would be {"0":7}'],
  ["no number", { share: NaN }, "of now.share is NaN, but its recording would be null"],
  ["a hole", [undefined], "of now[0] is undefined, but its recording would be null"],
])("%s in a result is an error, since it would be replayed as something else", async (_, result, problem) => {
  const { now } = recordTools({ now: async () => result }, { file: newFile() });
  await expect(now()).rejects.toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining(problem),
  });
});

test("a result that throws when it is read is named", async () => {
  const odd = {
    get [Symbol.toStringTag](): string {
      throw new Error("no tag");
    },
    a: [1],
  };
  const { odd: recorded } = recordTools({ odd: async () => odd }, { file: newFile() });
  await expect(recorded()).rejects.toMatchObject({
    code: "invalid_input",
    message: "the result of odd cannot be read: no tag",
  });
});

test.each<[string, any, string]>([
  ["no number", { q: NaN }, "the arguments of search.q is NaN"],
  ["a number without an end", { q: [1, -Infinity] }, "the arguments of search.q[1] is -Infinity"],
  ["a hole in a list", { q: [undefined] }, "the arguments of search.q[0] is undefined"],
  ["an invalid date", { q: new Date(NaN) }, "the arguments of search.q is a Date"],
])("%s in arguments is an error, since the recording of null would answer it", async (_, args, place) => {
  const { search, calls } = counted(newFile());
  await expect(search(args)).rejects.toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining(`${place}, but its recording would be null`),
  });
  expect(calls()).toBe(0);
});

test("dates in arguments, as schemas make them, keep calls apart", async () => {
  const file = newFile();
  const days = async ({ since }: { since: Date }) => since.getTime() / 86_400_000;
  const recorded = recordTools({ days }, { file });
  await recorded.days({ since: new Date("1970-01-02") });
  await recorded.days({ since: new Date("1970-01-03") });
  const replayed = recordTools({ days: async () => 0 } as unknown as typeof recorded, {
    file,
    mode: "replay",
  });
  expect(await replayed.days({ since: new Date("1970-01-03") })).toBe(2);
  expect(await replayed.days({ since: new Date("1970-01-02") })).toBe(1);
});

test.skipIf(process.platform === "win32")("a pipe without a writer is refused", async () => {
  const pipe = join(folder, "pipe.jsonl");
  execFileSync("mkfifo", [pipe]);
  for (const mode of ["auto", "record", "replay"] as const)
    await expect(counted(pipe, mode).search({ q: "Oslo" })).rejects.toMatchObject({
      code: "invalid_input",
      message: `${pipe} is not a regular file, but a device, a pipe or a socket. Name a file.`,
    });
});

test("a file that cannot be read or written", async () => {
  await expect(counted(folder).search({})).rejects.toMatchObject({ code: "tool_failed" });
  const file = newFile();
  const { search } = counted(join(file, "below"));
  await counted(file).search({});
  await expect(search({})).rejects.toMatchObject({ code: "tool_failed" });
});

test("tools of the AI SDK, without their context", async () => {
  const file = newFile();
  const agent = async (mode: RecordingMode) => {
    const weather = tool({
      inputSchema: z.object({ city: z.string() }),
      contextSchema: z.object({ apiKey: z.string() }),
      execute: async ({ city }, { context }) => `${city}: ${context.apiKey.length} °C`,
    });
    const { steps } = await generateText({
      model: scriptedModel({ weather: { city: "Oslo" } }, "It is cold."),
      tools: recordTools({ weather }, { file, mode }),
      toolsContext: { weather: { apiKey: "sk-secret" } },
      prompt: "How warm is it in Oslo?",
      stopWhen: isStepCount(3),
    });
    return steps[0]?.toolResults[0]?.output;
  };
  expect(await agent("record")).toBe("Oslo: 9 °C");
  expect(await agent("replay")).toBe("Oslo: 9 °C");
  expect(await readFile(file, "utf8")).not.toContain("secret");
});

test("faults are not recorded", async () => {
  const file = newFile();
  const tools = withFaults(recordTools({ search: async () => "found" }, { file }), { failRate: 0.5 });
  for (let time = 0; time < 20; time++) await tools.search().catch(() => {});
  expect(await readFile(file, "utf8")).not.toContain("fault");
});

test("options that cannot work", () => {
  expect(() => recordTools({}, {} as never)).toThrow("file is missing; it has to be the path of a file.");
  expect(() => recordTools({}, { file: "a", mode: "reply" as never })).toThrow('mode is "reply"');
  expect(() => recordTools([] as never, { file: "a" })).toThrow("tools is []; it has to be an object.");
});

test("refuses positional arguments, of which a recording would only have the first", async () => {
  const { add } = recordTools({ add: async (a: number, b: number) => a + b }, { file: newFile() });
  await expect(add(1, 2)).rejects.toMatchObject({
    code: "invalid_input",
    message:
      "add was called with 2 arguments, but a recorded tool gets all of them as one object, as models write them: add({ … }).",
  });
});

test("ignores the context that packages pass behind the arguments", async () => {
  const { search } = counted(newFile()) as { search: (...args: any[]) => Promise<any> };
  const signal = new AbortController().signal;
  expect(await search({ q: "Rome" }, { toolCallId: "1", signal }, undefined, null)).toEqual({
    found: "Rome",
    call: 1,
  });
});

test("replays errors of JavaScript's own classes as these", async () => {
  const file = newFile();
  const failing = (mode: RecordingMode) =>
    recordTools(
      {
        sink: async (_args: object) => {
          throw new TypeError("sunk");
        },
      },
      { file, mode },
    ).sink({});
  await expect(failing("record")).rejects.toThrow(TypeError);
  await expect(failing("replay")).rejects.toThrow(TypeError);
});
