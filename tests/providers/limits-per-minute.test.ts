/** Rate limits from options, and the lifetime of headers: minutes pass on a fake clock. */
import { createLLMAsJudge, initChatModel } from "openevals-wasm";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";

// Lazily loaded files take no time on this clock.
beforeAll(async () => {
  await answering({}).judge({ outputs: "row" });
});
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Advances the clock, and lets everything else happen in between. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 1_000) {
    await vi.advanceTimersByTimeAsync(Math.min(left, 1_000));
    await new Promise((turn) => setImmediate(turn));
  }
}

let models = 0;
type Settings = NonNullable<Parameters<typeof initChatModel>[1]>;

/** A model that answers at once, and records the time of each request. */
function answering(
  settings: Settings,
  headers: Record<string, string> = {},
  usage = { input: 20, output: 5 },
) {
  const seen: number[] = [];
  const fetch = async () => {
    seen.push(performance.now());
    const message = { role: "assistant", content: '{"reasoning":"Yes.","score":true}' };
    const answer = {
      choices: [{ message, finish_reason: "stop" }],
      usage: { prompt_tokens: usage.input, completion_tokens: usage.output },
    };
    return new Response(JSON.stringify(answer), { headers });
  };
  const judge = initChatModel(`openai:gpt-${++models}`, {
    apiKey: "sk-x",
    fetch,
    maxConcurrency: 4,
    ...settings,
  });
  return { seen, judge: createLLMAsJudge({ prompt: "{outputs}", judge }) };
}

const rows = (count: number, text = "row") => Array.from({ length: count }, () => ({ outputs: text }));

/** The most requests within a minute. */
const mostInAMinute = (seen: number[]) =>
  Math.max(...seen.map((begin) => seen.filter((at) => at >= begin && at < begin + 60_000).length));

it.each([5, 60, 300])("requestsPerMinute: %d, evenly spread", async (requestsPerMinute) => {
  const { judge, seen } = answering({ requestsPerMinute });
  const begun = performance.now();
  const all = judge.batch(rows(2 * requestsPerMinute));
  await pass(130_000);
  expect(await all).toHaveLength(2 * requestsPerMinute);
  expect(mostInAMinute(seen)).toBeLessThanOrEqual(requestsPerMinute);
  expect((seen.at(-1) as number) - begun).toBeLessThan(2 * 61_000);
  // A burst of one second's worth.
  const atOnce = seen.filter((at) => at < begun + 50).length;
  expect(atOnce).toBeLessThanOrEqual(Math.max(1, requestsPerMinute / 60 + 1));
});

it("the lower of two limits for one model applies to both", async () => {
  const fetch = vi.fn(async () => new Response("{}", { status: 400 }));
  const model = `openai:gpt-${++models}`;
  const judges = [{ requestsPerMinute: 5 }, {}, { requestsPerMinute: 500 }].map((settings) =>
    createLLMAsJudge({
      prompt: "{outputs}",
      judge: initChatModel(model, { apiKey: "sk-x", fetch, maxRetries: 0, ...settings }),
    }),
  );
  // Each model reports its limits with its first request.
  const begun = Promise.allSettled(judges.map((judge) => judge({ outputs: "row" })));
  await pass(60_000);
  await begun;
  fetch.mockClear();
  const all = Promise.allSettled(judges.map((judge) => judge.batch(rows(4))));
  await pass(60_000);
  expect(fetch.mock.calls.length).toBeLessThanOrEqual(5);
  await pass(120_000);
  await all;
});

it("tokensPerMinute counts reported usage", async () => {
  // Each answer has 400 tokens, more than its request suggested.
  const { judge, seen } = answering({ tokensPerMinute: 4_000 }, {}, { input: 300, output: 100 });
  const all = judge.batch(rows(40));
  await pass(300_000);
  expect(await all).toHaveLength(40);
  const later = seen.filter((at) => at > (seen[0] as number) + 10_000);
  expect(mostInAMinute(later)).toBeGreaterThanOrEqual(8);
  expect(mostInAMinute(later)).toBeLessThanOrEqual(11);
});

const JUDGED =
  '{"choices":[{"message":{"role":"assistant","content":"{\\"reasoning\\":\\"Yes.\\",\\"score\\":true}"},"finish_reason":"stop"}]}';

/** A model with these answers. */
function judgeBy(answer: () => Response | Promise<Response>, settings: Settings = {}) {
  const seen: number[] = [];
  const fetch = async () => {
    seen.push(performance.now());
    return answer();
  };
  const given = { apiKey: "sk-x", fetch, maxRetries: 0, ...settings };
  const judge = initChatModel(`openai:gpt-${++models}`, given);
  return { seen, judge: createLLMAsJudge({ prompt: "{outputs}", judge }) };
}

it.each([
  [45, 44_000, 1, 47_000],
  // A fraction counts as a whole second, as in the engine.
  ["30.5", 30_500, 1, 33_000],
  // These are not seconds, and not dates of HTTP.
  ["-3", 100, 4, 100],
  ["30s", 100, 4, 100],
  ["2030-01-01", 100, 4, 100],
  // For example refused for the day: the others find out themselves.
  [72_000, 100, 4, 100],
])("after a 429 with Retry-After %s, all wait, if it is within a minute", async (seconds, ms, before, then) => {
  let isBusy = true;
  const { judge, seen } = judgeBy(() =>
    isBusy
      ? new Response("{}", { status: 429, headers: { "retry-after": String(seconds) } })
      : new Response(JUDGED),
  );
  const refused = judge({ outputs: "row" }).catch(({ code }) => code);
  await pass(10);
  expect(await refused).toBe("rate_limited");
  isBusy = false;
  const all = judge.batch(rows(3));
  await pass(ms);
  expect(seen).toHaveLength(before);
  await pass(then - ms);
  await all;
  expect(seen).toHaveLength(4);
});

it("a 503 with Retry-After only delays its own request", async () => {
  let count = 0;
  const { judge, seen } = judgeBy(() =>
    ++count === 2
      ? new Response("{}", { status: 503, headers: { "retry-after": "30" } })
      : new Response(JUDGED),
  );
  const all = judge.batch(rows(1)).then(() => Promise.allSettled(rows(20).map((row) => judge(row))));
  await pass(1_000);
  await all;
  expect(seen).toHaveLength(21);
});

it("answers shorter than maxTokens do not reserve as much", async () => {
  const headers = {
    "x-ratelimit-limit-tokens": "30000",
    "x-ratelimit-remaining-tokens": "29000",
    "x-ratelimit-reset-tokens": "1s",
  };
  const usage = '"usage":{"prompt_tokens":20,"completion_tokens":5}}';
  const answer = async () => {
    await new Promise((answered) => setTimeout(answered, 3_000));
    return new Response(`${JUDGED.slice(0, -1)},${usage}`, { headers });
  };
  const { judge, seen } = judgeBy(answer, { maxTokens: 16_000, maxConcurrency: 20 });
  const first = judge({ outputs: "row" });
  await pass(4_000);
  await first;
  const all = judge.batch(rows(20));
  await pass(4_000);
  expect(seen).toHaveLength(21);
  await all;
});

it("a bucket may hold less than its limit per minute", async () => {
  let left = 10;
  let filled = performance.now();
  let refused = 0;
  const { judge } = judgeBy(
    () => {
      const now = performance.now();
      left = Math.min(10, left + (now - filled) / 100);
      filled = now;
      const isRefused = left < 1;
      if (isRefused) refused++;
      else left--;
      const headers = {
        "x-ratelimit-limit-requests": "600",
        "x-ratelimit-remaining-requests": String(Math.floor(left)),
        "x-ratelimit-reset-requests": `${Math.round((10 - left) * 100)}ms`,
        ...(isRefused && { "retry-after": "1" }),
      };
      return new Response(isRefused ? "{}" : JUDGED, { status: isRefused ? 429 : 200, headers });
    },
    { maxRetries: 2, maxConcurrency: 50 },
  );
  const all = judge.batch(rows(200));
  await pass(60_000);
  expect(await all).toHaveLength(200);
  expect(refused).toBeLessThan(80);
});
