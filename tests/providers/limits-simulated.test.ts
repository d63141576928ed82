/** Rate limits in a simulated clock, compared with a plain loop that retries until it succeeds. */
import { createLLMAsJudge, initChatModel } from "openevals-wasm";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { seeded } from "../random.ts";

const JUDGED =
  '{"choices":[{"message":{"role":"assistant","content":"{\\"reasoning\\":\\"Yes.\\",\\"score\\":true}"},"finish_reason":"stop"}]}';

/** A server that counts its refusals. */
type Server = { fetch: () => Promise<Response>; refused: () => number };

/** A server that answers after a second, unless it says otherwise. */
function serving(
  decide: () => { status: number; headers?: Record<string, string> },
  latencyMs = () => 1_000,
): Server {
  let refused = 0;
  const fetch = async () => {
    const { status, headers = {} } = decide();
    if (status !== 200) refused++;
    await new Promise((answered) => setTimeout(answered, latencyMs()));
    return new Response(status === 200 ? JUDGED : "{}", { status, headers });
  };
  return { fetch, refused: () => refused };
}

/** Allows 60 requests in each minute, and reports the limit in headers, or with `Retry-After` alone. */
function sixtyAMinute(reports: "headers" | "retry-after"): Server {
  let begun = Number.NEGATIVE_INFINITY;
  let left = 0;
  return serving(() => {
    const now = performance.now();
    if (now >= begun + 60_000) [begun, left] = [now, 60];
    const status = left > 0 ? 200 : 429;
    if (status === 200) left--;
    const reset = Math.ceil((begun + 60_000 - now) / 1_000);
    const headers: Record<string, string> =
      reports === "retry-after"
        ? { "retry-after": String(reset) }
        : {
            "x-ratelimit-limit-requests": "60",
            "x-ratelimit-remaining-requests": String(left),
            "x-ratelimit-reset-requests": `${reset}s`,
          };
    return { status, headers: status === 429 || reports === "headers" ? headers : {} };
  });
}

/** Always reports that nothing is left, and refuses nothing. */
const exhausted = (reset: string) => () =>
  serving(() => ({
    status: 200,
    headers: {
      "x-ratelimit-limit-requests": "10",
      "x-ratelimit-remaining-requests": "0",
      "x-ratelimit-reset-requests": reset,
    },
  }));

/** Serves ten requests at a time, and refuses the others without a header. */
function tenAtATime(refusal: number): Server {
  let served: number[] = [];
  return serving(() => {
    const now = performance.now();
    served = served.filter((until) => until > now);
    if (served.length >= 10) return { status: refusal };
    served.push(now + 1_000);
    return { status: 200 };
  });
}

function everyTwentiethRefused(): Server {
  let count = 0;
  return serving(() => ({ status: ++count % 20 ? 200 : 429 }));
}

const STYLES = ["seconds", "duration", "moment", "retry-after"] as const;

/** A server with a random limit. */
interface Design {
  kind: "window" | "bucket";
  capacity: number;
  /** How long a window lasts, or an empty bucket takes to be full. */
  periodMs: number;
  style: (typeof STYLES)[number];
  latencyMs: [least: number, most: number];
  seed: number;
}

function designOf(seed: number): Design {
  const random = seeded(seed);
  const among = (least: number, most: number) => Math.round(least + random() * (most - least));
  const latency = among(100, 2_000);
  return {
    kind: random() < 0.5 ? "window" : "bucket",
    capacity: among(2, 80),
    periodMs: among(2_000, 60_000),
    style: STYLES[among(0, 3)] ?? "seconds",
    latencyMs: [latency, among(latency, 3_000)],
    seed,
  };
}

/** Keeps to a limit, and reports it truthfully. */
function limiting({ kind, capacity, periodMs, style, latencyMs: [least, most], seed }: Design): Server {
  const random = seeded(seed + 1_000);
  let [left, at] = [capacity, performance.now()];
  const decide = () => {
    const now = performance.now();
    if (kind === "bucket") {
      left = Math.min(capacity, left + ((now - at) * capacity) / periodMs);
      at = now;
    } else if (now >= at + periodMs) [left, at] = [capacity, now];
    const status = left >= 1 ? 200 : 429;
    if (status === 200) left--;
    const untilOne = kind === "bucket" ? ((1 - left) * periodMs) / capacity : at + periodMs - now;
    const untilFull = kind === "bucket" ? ((capacity - left) * periodMs) / capacity : untilOne;
    const reset = {
      seconds: String(Math.ceil(untilFull / 1_000)),
      duration: `${Math.floor(untilFull / 60_000)}m${((untilFull % 60_000) / 1_000).toFixed(3)}s`,
      moment: new Date(Date.now() + untilFull).toISOString(),
      "retry-after": undefined,
    }[style];
    const headers = {
      ...(reset !== undefined && {
        "x-ratelimit-limit-requests": String(capacity),
        "x-ratelimit-remaining-requests": String(Math.floor(left)),
        "x-ratelimit-reset-requests": reset,
      }),
      ...(status === 429 && { "retry-after": String(Math.max(1, Math.ceil(untilOne / 1_000))) }),
    };
    return { status, headers };
  };
  return serving(decide, () => least + random() * (most - least));
}

// Code that is loaded on use comes from files, which take no time on the simulated clock.
beforeAll(async () => {
  await judgeAt(serving(() => ({ status: 200 })))({ outputs: "row" });
});
beforeEach(() => {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance", "Date"],
  });
});
afterEach(() => {
  vi.useRealTimers();
});

let models = 0;
const judgeAt = ({ fetch }: Server) =>
  createLLMAsJudge({
    prompt: "{outputs}",
    judge: initChatModel(`openai:gpt-simulated-${++models}`, {
      apiKey: "sk-x",
      fetch,
      maxConcurrency: 20,
      maxRetries: 3,
    }),
  });

/** How many seconds of the simulated clock some work takes. */
async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  let ended: number | undefined;
  const done = work().then(() => {
    ended = performance.now();
  });
  for (let left = 600; left > 0 && ended === undefined; left--) {
    await vi.advanceTimersByTimeAsync(1_000);
    await new Promise((flushed) => setImmediate(flushed));
  }
  await done;
  return ((ended as unknown as number) - begun) / 1_000;
}

const judged = (server: Server, count: number) => {
  const judge = judgeAt(server);
  return Promise.allSettled(Array.from({ length: count }, (_, row) => judge({ outputs: `row ${row}` })));
};

/** Twenty at a time, each as often as it takes, with the pauses that users write. */
async function plainLoop({ fetch }: Server, count: number): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next++ < count) {
      for (let pause = 500; ; pause = Math.min(2 * pause, 8_000)) {
        const response = await fetch();
        if (response.ok) break;
        const asked = Number(response.headers.get("retry-after")) * 1_000;
        await new Promise((waited) => setTimeout(waited, asked || pause));
      }
    }
  };
  await Promise.all(Array.from({ length: 20 }, work));
}

/** Answers this number of rows, and compares the time and the refusals with those of a plain loop. */
async function expectNotSlower(start: () => Server, count: number): Promise<void> {
  const [ours, plain] = [start(), start()];
  const results: PromiseSettledResult<unknown>[] = [];
  const seconds = await secondsOf(async () => results.push(...(await judged(ours, count))));
  const plainSeconds = await secondsOf(() => plainLoop(plain, count));
  expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
  expect(seconds).toBeLessThanOrEqual(1.25 * plainSeconds + 2);
  // Pauses have jitter, so the counts differ from run to run where requests are refused without a header.
  expect(ours.refused()).toBeLessThanOrEqual(plain.refused() + 10);
}

it.each<[string, () => Server, number]>([
  ["a window of a minute, in headers", () => sixtyAMinute("headers"), 150],
  ["a window of a minute, in Retry-After", () => sixtyAMinute("retry-after"), 150],
  ["one refusal in twenty, by chance", everyTwentiethRefused, 300],
  ["ten at a time, and no headers", () => tenAtATime(429), 100],
  ["ten at a time, by an overloaded server", () => tenAtATime(529), 100],
  ["headers that always report 0 for a second", exhausted("1s"), 100],
  ["headers that always report 0 for 50 seconds", exhausted("50s"), 100],
  ["headers that always report 0 for six minutes", exhausted("6m0s"), 100],
])("is not slower than a plain loop: %s", async (_, start, count) => expectNotSlower(start, count));

it.each(
  Array.from({ length: 54 }, (_, seed) => designOf(seed)),
)("is not slower than a plain loop at a $kind of $capacity in $periodMs ms ($style, seed $seed)", async (design) =>
  expectNotSlower(() => limiting(design), Math.min(150, 2 * design.capacity + 20)));

it("keeps to a window of a minute without a refusal", async () => {
  const server = sixtyAMinute("headers");
  // 60 in each of the first two minutes, and the other 30 at the beginning of the third.
  const seconds = await secondsOf(() => judged(server, 150));
  expect(server.refused()).toBe(0);
  expect(seconds).toBeGreaterThanOrEqual(120);
  expect(seconds).toBeLessThanOrEqual(126);
});

it.each([429, 503, 529])("fewer requests are in flight at a server that refuses with %i", async (status) => {
  // Serves five requests at a time.
  let inFlight = 0;
  const most: number[] = [];
  const server = serving(() => ({ status: inFlight > 5 ? status : 200 }));
  const fetch = async () => {
    most.push(++inFlight);
    const response = await server.fetch();
    inFlight--;
    return response;
  };
  await secondsOf(() => judged({ ...server, fetch }, 200));
  expect(Math.max(...most)).toBe(20);
  // At the end, each round of answers raises the number by half, until one in five is refused again.
  expect(Math.max(...most.slice(-50, -20))).toBeLessThanOrEqual(12);
});

it("two models have separate limits", async () => {
  const servers = [sixtyAMinute("headers"), sixtyAMinute("headers")];
  const seconds = await secondsOf(() => Promise.all(servers.map((server) => judged(server, 60))));
  // Three rounds of twenty each, side by side.
  expect(seconds).toBeLessThanOrEqual(4);
});

it("a limit of the day that is used up is reported by each request at once", async () => {
  const headers = {
    "x-ratelimit-limit-requests-day": "1000",
    "x-ratelimit-remaining-requests-day": "0",
    "x-ratelimit-reset-requests-day": "72000",
    "retry-after": "72000",
  };
  const server = serving(() => ({ status: 429, headers }));
  // Two rounds of twenty.
  expect(await secondsOf(() => judged(server, 40))).toBeLessThanOrEqual(3);
  expect(server.refused()).toBe(40);
});

it("a limit that is not enforced holds requests back for a minute at most", async () => {
  let left = 100;
  const server = serving(() => ({
    status: 200,
    headers: {
      "x-ratelimit-limit-requests": "100",
      "x-ratelimit-remaining-requests": String(Math.max(0, --left)),
      "x-ratelimit-reset-requests": "5m0s",
    },
  }));
  // 200 in rounds of twenty are 10 s. After the first 100, one waits for a minute, and the others follow its answer.
  expect(await secondsOf(() => judged(server, 200))).toBeLessThanOrEqual(75);
});
