/** The timing of retries: as the server says, otherwise after a pause. All providers wait concurrently. */
import { describe, expect, it } from "vitest";
import { readRetryAfter } from "../../pkg-template/src/core/input/retry-after.js";
import { retryAfterMs } from "../../pkg-template/src/models/chat/limits/headers.js";
import { ask, errorOf, PROVIDERS, type Provider, YES } from "./judges.js";
import retryAfter from "./retry-after.json";
import type { Loopback, Step } from "./servers/loopback.js";

/** The pause of a provider after a refusal with these headers, and whether it got a score. */
async function pauseOf(provider: Provider, refusal: (provider: Provider) => Step) {
  const server = await provider.start();
  try {
    const times: number[] = [];
    server.script.push(
      () => {
        times.push(performance.now());
        return refusal(provider);
      },
      (request) => {
        times.push(performance.now());
        const says = provider.says(YES);
        return typeof says === "function" ? says(request) : says;
      },
    );
    const { score, metadata } = await ask(provider, server);
    const [first = 0, second = 0] = times;
    return { name: provider.name, score, attempts: metadata.attempts, ms: second - first };
  } finally {
    await server.close();
  }
}

const pausesOf = (refusal: (provider: Provider) => Step) =>
  Promise.all(PROVIDERS.map((provider) => pauseOf(provider, refusal)));

/** A refusal with these headers. */
const refusing = (status: number, headers: Record<string, string>) => (provider: Provider) => ({
  ...provider.failure(status, "Not so fast"),
  headers,
});

/** The engine's tests read the same cases (`src/chat/retry.rs`). */
it.each(retryAfter)("Retry-After: $header is $seconds s", ({ header, seconds }) => {
  expect(readRetryAfter(header)).toBe(seconds === null ? undefined : seconds * 1000);
});

it.each(retryAfter)("retry-after-ms: $header holds back for $seconds ms", ({ header, seconds }) => {
  expect(retryAfterMs(new Headers({ "retry-after-ms": header }))).toBe(seconds ?? undefined);
});

/** Timers may fire slightly early. */
const EARLY = 20;

describe("the pause before a retry", () => {
  it("is the number of seconds in Retry-After", async () => {
    for (const { ms, ...rest } of await pausesOf(refusing(429, { "retry-after": "1" }))) {
      expect({ ...rest, late: ms >= 1000 - EARLY }).toEqual({
        name: rest.name,
        score: true,
        attempts: 2,
        late: true,
      });
    }
  });

  it("lasts until the date in Retry-After", async () => {
    const date = new Date(Math.ceil(Date.now() / 1000) * 1000 + 1000);
    const headers = { "retry-after": date.toUTCString() };
    for (const { name, score } of await pausesOf(refusing(503, headers))) {
      expect({ name, score, early: Date.now() < date.getTime() - EARLY }).toEqual({
        name,
        score: true,
        early: false,
      });
    }
  });

  it.each<[string, (provider: Provider) => Step]>([
    ["the server does not say", refusing(429, {})],
    ["the connection is reset", () => ({ fault: "reset" })],
    ["the connection is reset in the body", () => ({ fault: "reset in the body" })],
  ])("is a part of a second if %s", async (_, refusal) => {
    for (const { ms, ...rest } of await pausesOf(refusal)) {
      expect({ ...rest, waits: ms >= 375 - EARLY }).toEqual({
        name: rest.name,
        score: true,
        attempts: 2,
        waits: true,
      });
    }
  });

  it("is skipped if it would end after timeoutMs", async () => {
    const outcomes = PROVIDERS.map(async (provider) => {
      const server: Loopback = await provider.start();
      try {
        server.script.push({ ...provider.failure(429, "Not so fast"), headers: { "retry-after": "60" } });
        const error = await errorOf(ask(provider, server, {}, { timeoutMs: 5_000 }));
        return { code: error.code, status: error.status, attempts: error.attempts };
      } finally {
        await server.close();
      }
    });
    for (const outcome of await Promise.all(outcomes)) {
      expect(outcome).toEqual({ code: "rate_limited", status: 429, attempts: 1 });
    }
  });
});
