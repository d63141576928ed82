/** Guards between a source and its reader: backpressure, cancellation, and cost. */
import { streamText } from "ai";
import { MockLanguageModelV4, simulateReadableStream } from "ai/test";
import { OpenEvalsError } from "openevals-wasm";
import { contains, guard } from "openevals-wasm/checks";
import { describe, expect, test } from "vitest";
import { errorOf } from "./error-of.ts";
import { counting, forbids, iterableOf, keys, streamOf, textOf, tick } from "./guarded.ts";

describe("the source and the reader", () => {
  test("nothing is read before it is requested, and no more than that", async () => {
    const { stream, seen } = counting(["a", "b", "c"]);
    const reader = guard(stream, [forbids("x")]).answer.getReader();
    await tick();
    expect(seen.pulled).toBe(0);
    await reader.read();
    await tick();
    expect(seen.pulled).toBe(1);
  });

  test("cancelling the reader cancels the source, and the result says that the answer was not checked", async () => {
    for (const pulls of [0, 1]) {
      const { stream, seen } = counting(["a", "b", "c"]);
      const guarded = guard(stream, [forbids("x"), () => expect.unreachable()], { wholeText: "report" });
      const reader = guarded.answer.getReader();
      for (let pull = 0; pull < pulls; pull++) await reader.read();
      await reader.cancel("enough");
      expect(seen).toEqual({ pulled: pulls, cancelled: "enough", cancels: 1 });
      expect(await guarded.ok).toBe(false);
      expect(await guarded.failures).toMatchObject([
        { key: "answer", error: { code: "aborted", cause: "enough" } },
      ]);
    }
  });

  test("the reader can cancel while the source hangs, or during a check", async () => {
    const { stream, seen } = counting<string>([], "hang");
    const hanging = guard(stream, [forbids("x")]);
    const reader = hanging.answer.getReader();
    const read = reader.read();
    await tick();
    await reader.cancel();
    expect([(await read).done, seen.cancels, await hanging.ok]).toEqual([true, 1, false]);

    const slow = () => new Promise<number>(() => {});
    const checked = guard(streamOf(["x"]), [slow]);
    const other = checked.answer.getReader();
    const rest = other.read();
    await tick();
    await other.cancel();
    expect([(await rest).done, keys(await checked.failures)]).toEqual([true, ["answer"]]);
  });

  test("leaving a loop returns the iterator", async () => {
    let isReturned = false;
    async function* source() {
      try {
        yield "a";
        yield "b";
      } finally {
        isReturned = true;
      }
    }
    const guarded = guard(source(), [forbids("x")]);
    for await (const _ of guarded.answer) break;
    expect([isReturned, await guarded.ok]).toEqual([true, false]);
    isReturned = false;
    await textOf(guard(source(), [forbids("a")]).answer);
    expect(isReturned).toBe(true);
  });

  test("an error of the source is an error of the stream", async () => {
    const error = new Error("connection lost");
    async function* source() {
      yield "a";
      throw error;
    }
    for (const answer of [source(), counting(["a"], error).stream]) {
      const guarded = guard(answer, [forbids("x")]);
      const reader = guarded.answer.getReader();
      expect((await reader.read()).value).toBe("a");
      await expect(reader.read()).rejects.toBe(error);
      expect(await guarded.failures).toMatchObject([
        { key: "answer", comment: "answer failed: connection lost", error: { cause: error } },
      ]);
      expect(await guarded.ok).toBe(false);
    }
  });

  test("a source without cancellation is fine", async () => {
    const stream = new ReadableStream<string>({
      start: (controller) => controller.enqueue("secret"),
      cancel: () => Promise.reject(new Error("no")),
    });
    const guarded = guard(stream, [forbids("secret")]);
    expect([await textOf(guarded.answer), await guarded.ok]).toEqual(["", false]);
    const endless = {
      [Symbol.asyncIterator]: () => ({ next: async () => ({ done: false, value: "secret" }) }),
    };
    expect(await textOf(guard(endless as AsyncIterable<string>, [forbids("secret")]).answer)).toBe("");
    await tick();
  });

  test("an invalid chunk is an error, and cancels the source", async () => {
    for (const chunk of [7, { type: "text-delta", text: "a" }, [1]]) {
      const { stream, seen } = counting<unknown>(["a", chunk]);
      const guarded = guard(stream as ReadableStream<string>, [forbids("x")]);
      const error = await errorOf(textOf(guarded.answer));
      expect(error.code).toBe("invalid_input");
      expect(error.message).toContain("a guarded stream has to consist of strings or bytes");
      expect([await guarded.ok, seen.cancels]).toEqual([false, 1]);
    }
  });

  test("a locked stream is an error", () => {
    const stream = streamOf(["a"]);
    stream.getReader();
    expect(() => guard(stream, [forbids("x")])).toThrow(OpenEvalsError);
  });

  test("an ignored result is not an unhandled rejection", async () => {
    const { answer } = guard(counting(["a"], new Error("lost")).stream, [forbids("x")]);
    await answer.getReader().read();
    guard(counting(["a"], new Error("lost")).stream, [forbids("x")]);
    await tick();
  });

  test("onFail may fail, or still run when the reader leaves", async () => {
    const failing = guard(streamOf(["secret"]), [forbids("secret")], {
      onFail: () => Promise.reject(new Error("oh")),
    });
    expect([await textOf(failing.answer), keys(await failing.failures)]).toEqual(["", ["forbids", "onFail"]]);
    let answer = (_: string) => {};
    const slow = guard(streamOf(["secret"]), [forbids("secret")], {
      onFail: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    const reader = slow.answer.getReader();
    const read = reader.read();
    await tick();
    await reader.cancel();
    answer("too late");
    await tick();
    expect([(await read).done, keys(await slow.failures)]).toEqual([true, ["answer"]]);
  });
});

test("1 MB in small pieces, and in one", async () => {
  const piece = "All work and no play makes Jack a dull boy. ";
  const pieces = Array(Math.ceil(1e6 / piece.length)).fill(piece);
  // A watch that keeps no text, so that only the guard's own work takes time.
  const check = Object.assign(() => true, { key: "c", watch: () => (): Seen => 3 });
  for (const chunks of [pieces, [pieces.join("")], pieces.join("").slice(0, 1e5).split("")]) {
    const guarded = guard(iterableOf(chunks), [check]);
    expect(await textOf(guarded.answer)).toBe(chunks.join(""));
    expect(await guarded.ok).toBe(true);
  }
}, 20_000);

test("a hundred at the same time", async () => {
  const check = forbids("secret");
  const found = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      const text = index % 2 ? `${index} secret` : `${index} open`;
      const guarded = guard(iterableOf(text.split("")), [check]);
      return [await textOf(guarded.answer), await guarded.ok];
    }),
  );
  expect(found).toEqual(
    Array.from({ length: 100 }, (_, i) => (i % 2 ? [`${i} `, false] : [`${i} open`, true])),
  );
});

describe("streamText of the AI SDK, as the guide reads it", () => {
  type Part = { type: string; text?: string; error?: unknown };
  async function* textsOf(parts: AsyncIterable<Part>) {
    for await (const { type, text, error } of parts) {
      if (type === "error") throw error;
      if (type === "text-delta" && text) yield text;
    }
  }
  const usage = { inputTokens: {}, outputTokens: {} } as never;

  test("a model that fails fails the answer", async () => {
    const parts = [
      { type: "text-start", id: "0" },
      { type: "text-delta", id: "0", delta: "Half " },
      { type: "error", error: new Error("overloaded") },
      { type: "finish", finishReason: { unified: "error", raw: undefined }, usage },
    ] as const;
    const model = new MockLanguageModelV4({
      doStream: async () => ({ stream: simulateReadableStream({ chunks: [...parts] }) }),
    });
    const { fullStream } = streamText({ model, prompt: "Hi", onError: () => {} });
    const { answer, failures } = guard(textsOf(fullStream), [contains("secret", { negate: true })]);
    await expect(textOf(answer)).rejects.toThrow("overloaded");
    expect(await failures).toMatchObject([{ key: "answer" }]);
  });

  test("an answer that is cut ends the call", async () => {
    const call = new AbortController();
    let aborted: ((reason: unknown) => void) | undefined;
    const ended = new Promise((resolve) => {
      aborted = resolve;
    });
    let words = 0;
    const model = new MockLanguageModelV4({
      doStream: async ({ abortSignal }) => ({
        stream: new ReadableStream({
          start(controller) {
            controller.enqueue({ type: "text-start", id: "0" });
            abortSignal?.addEventListener("abort", () => aborted?.(words));
          },
          async pull(controller) {
            await new Promise((resolve) => setImmediate(resolve));
            if (abortSignal?.aborted) controller.error(abortSignal.reason);
            else controller.enqueue({ type: "text-delta", id: "0", delta: `w${++words} ` });
          },
        }),
      }),
    });
    const { fullStream } = streamText({ model, prompt: "Hi", abortSignal: call.signal, onError: () => {} });
    const { answer, failures } = guard(textsOf(fullStream), [contains("w6", { negate: true })]);
    failures.then(() => call.abort());
    expect(await textOf(answer)).toBe("w1 w2 w3 w4 w5 ");
    // The model would go on without end.
    expect(await ended).toBeGreaterThanOrEqual(6);
  });
});
