/** Rate limits of requests and tokens, as servers enforce and report them. */
import { createLLMAsJudge, initChatModel } from "openevals-wasm";
import { afterEach, expect, it } from "vitest";
import { errorOf } from "./judges.js";
import {
  anthropicHeaders,
  type Limit,
  type Limiter,
  limiter,
  openAIHeaders,
  plainHeaders,
  type State,
} from "./servers/limiting.js";
import { type Loopback, startLoopback } from "./servers/loopback.js";

const servers: Loopback[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** A new server, so that tests do not share limits. */
async function serving({ answer }: Limiter): Promise<string> {
  const server = await startLoopback(() => undefined);
  server.script.push(...Array.from({ length: 1_000 }, () => answer));
  servers.push(server);
  return server.url;
}

type Settings = NonNullable<Parameters<typeof initChatModel>[1]>;
const judgeAt = (baseURL: string, settings: Settings = {}, model = "openai:gpt-5.4") =>
  createLLMAsJudge({
    prompt: "{outputs}",
    judge: initChatModel(model, { baseURL, apiKey: "sk-limits", maxRetries: 0, ...settings }),
  });

const rows = (count: number, text = "row") =>
  Array.from({ length: count }, (_, row) => ({ outputs: `${text} ${row}` }));

const refused = ({ seen }: Limiter) => seen.filter(({ isRefused }) => isRefused).length;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

const window: Limit = { limit: 10, ms: 100, kind: "window" };
const CUSTOMS: [string, Limit, (state: State) => Record<string, string>][] = [
  ["OpenAI's", window, openAIHeaders("requests")],
  ["Anthropic's", window, anthropicHeaders("requests")],
  ["Together's", window, plainHeaders("x-ratelimit")],
  ["OpenAI's, of a bucket", { ...window, kind: "bucket" }, openAIHeaders("requests")],
  ["Anthropic's, of a bucket", { ...window, kind: "bucket" }, anthropicHeaders("requests")],
];

it.each(
  CUSTOMS,
)("three evaluators of one model respect the limit in headers: %s", async (_, limit, headers) => {
  const limited = limiter(limit, headers, 5);
  const url = await serving(limited);
  // Each has its own model. The first burst is no larger than the limit, so nothing is refused.
  const judges = [1, 2, 3].map(() => judgeAt(url, { maxConcurrency: 3 }));
  const took = await timed(() => Promise.all(judges.map((judge) => judge.batch(rows(15)))));
  expect(limited.seen).toHaveLength(45);
  expect(refused(limited)).toBe(0);
  // 45 requests at 10 per 100 ms take 350 ms with a bucket, and 400 with windows; one in each window would
  // take 4,400.
  expect(took).toBeLessThan(2_200);
});

it("requests do not wait for a full bucket", async () => {
  const limited = limiter({ limit: 20, ms: 2_000, kind: "bucket" }, openAIHeaders("requests"));
  const judge = judgeAt(await serving(limited), { maxConcurrency: 10 });
  const took = await timed(() => judge.batch(rows(24)));
  expect(refused(limited)).toBe(0);
  expect(took).toBeLessThan(1_500); // 400 ms, where the bucket is full after 2,000
});

it.each([
  ["OpenAI's", openAIHeaders("tokens")],
  ["Anthropic's", anthropicHeaders("input-tokens")],
  ["Mistral's", plainHeaders("ratelimitbysize")],
])("tokens: %s", async (_, headers) => {
  const cost = ({ text }: { text: string }) => Math.ceil(text.length / 4);
  const limited = limiter({ limit: 1_000, ms: 200, kind: "window", cost }, headers, 2);
  const judge = judgeAt(await serving(limited), { maxConcurrency: 2 });
  await judge.batch(rows(8, "word ".repeat(60)));
  expect(limited.seen).toHaveLength(8);
  expect(refused(limited)).toBe(0);
});

it("another model, and another key, has its own limits", async () => {
  const limited = limiter({ limit: 2, ms: 60_000, kind: "window" }, openAIHeaders("requests"));
  const free = limiter({ limit: 1_000, ms: 100, kind: "window" }, openAIHeaders("requests"));
  const url = await serving({
    seen: [],
    answer: (request) => {
      const isLimited =
        request.body.model === "gpt-5.4" && request.headers.authorization?.endsWith("-limits");
      return (isLimited ? limited : free).answer(request);
    },
  });
  const stop = new AbortController();
  await judgeAt(url).batch(rows(1));
  await judgeAt(url).batch(rows(1));
  const held = errorOf(judgeAt(url, { signal: stop.signal })({ outputs: "held" }));
  await judgeAt(url, {}, "openai:gpt-5.4-mini").batch(rows(5));
  await judgeAt(url, { apiKey: "sk-other" }).batch(rows(5));
  expect([limited.seen.length, free.seen.length]).toEqual([2, 10]);
  stop.abort();
  expect((await held).code).toBe("aborted");
  expect(limited.seen).toHaveLength(2);
});

it("waiting for a rate limit does not count towards timeoutMs", async () => {
  const limited = limiter({ limit: 2, ms: 600, kind: "window" }, openAIHeaders("requests"));
  const judge = judgeAt(await serving(limited), { timeoutMs: 500 });
  await judge({ outputs: "first" });
  await judge.batch(rows(3));
  expect(refused(limited)).toBe(0);
});

it.each<[string, Record<string, string>]>([
  ["negative", { remaining: "-1", reset: "-5" }],
  ["no numbers", { limit: "many", remaining: "NaN", reset: "soon" }],
  ["a year", { limit: "10", remaining: "0", reset: "31536000" }],
  ["a year from now", { limit: "10", remaining: "0", reset: new Date(Date.now() + 3e10).toISOString() }],
  ["nothing of nothing", { limit: "0", remaining: "0", reset: "0" }],
  ["no end", { limit: "10", remaining: "0" }],
])("wrong headers hold no request back: %s", async (_, told) => {
  const headers = Object.fromEntries(
    Object.entries(told).map(([word, value]) => [`x-ratelimit-${word}-requests`, value]),
  );
  const limited = limiter({ limit: 1_000, ms: 1_000, kind: "window" }, () => headers);
  const judge = judgeAt(await serving(limited), { maxConcurrency: 4 });
  const took = await timed(() => judge.batch(rows(20)));
  expect(limited.seen).toHaveLength(20);
  expect(took).toBeLessThan(2_000);
});

it.each(["requestsPerMinute", "tokensPerMinute"])("%s has to be a count", (option) => {
  for (const wrong of [0, -1, 1.5, Number.NaN, "60"])
    expect(() => initChatModel("openai:gpt-5.4", { [option]: wrong })).toThrow(
      expect.objectContaining({ code: "invalid_config", message: expect.stringContaining(option) }),
    );
});
