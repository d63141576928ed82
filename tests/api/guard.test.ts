/** Guards of texts and streams: released text, held back text, and the final result. */
import fc from "fast-check";
import { createLLMAsJudge, OpenEvalsError } from "openevals-wasm";
import {
  allOf,
  anyOf,
  firstFailing,
  type GuardFailure,
  type GuardOptions,
  guard,
  startsWith,
} from "openevals-wasm/checks";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { errorOf } from "./error-of.ts";
import {
  bytes,
  bytesTextOf,
  chunksOf,
  counting,
  endsWith,
  forbids,
  iterableOf,
  keys,
  streamOf,
  textOf,
  tick,
} from "./guarded.ts";
import { neverAnswers } from "./never-answers.ts";

describe("a text", () => {
  test("that passes is the answer", async () => {
    for (const text of ["Fine.", "", "🦉\ud800"])
      expect(await guard(text, [forbids("secret")])).toEqual({ ok: true, answer: text, failures: [] });
    expect((await guard(Promise.resolve("Fine."), [forbids("secret")])).answer).toBe("Fine.");
  });

  test("that fails is replaced or withheld", async () => {
    const failures = [
      { key: "forbids", comment: "has secret" },
      { key: "ends_well", comment: "scored false" },
    ];
    const checks = [forbids("secret"), () => true, endsWith(".")];
    expect(await guard("A secret", checks)).toEqual({ ok: false, answer: "", failures });
    expect(await guard("A secret", checks, { onFail: "Sorry." })).toEqual({
      ok: false,
      answer: "Sorry.",
      failures,
    });
    const onFail = async (found: readonly GuardFailure[], sent: string) => `${keys(found)} [${sent}]`;
    expect(await guard("A secret", checks, { onFail })).toEqual({
      ok: false,
      answer: "forbids,ends_well []",
      failures,
    });
  });

  test("scores pass at 1; metadata of judges is kept", async () => {
    const judge = createLLMAsJudge({
      prompt: "{outputs}",
      judge: () => ({ score: 0.9, reasoning: "Hm." }),
      continuous: true,
    });
    const { ok, failures } = await guard("x", [judge, () => 1, () => 0.999]);
    expect(ok).toBe(false);
    expect(failures).toMatchObject(
      [
        { key: "score", comment: "Hm.", metadata: { attempts: 1 } },
        { key: "checks[2]", comment: "scored 0.999" },
      ].map((failure, i) => (i ? { comment: failure.comment } : failure)),
    );
  });

  test("a check that throws, returns an invalid result or times out does not pass", async () => {
    const cause = new Error("broken");
    const broken = () => {
      throw cause;
    };
    const limited = () => Promise.reject(new OpenEvalsError("rate_limited", "Slow down."));
    const nonsense = (() => "good") as unknown as () => number;
    const slow = () => new Promise<number>(() => {});
    const { ok, answer, failures } = await guard("x", [broken, limited, nonsense, slow], { timeoutMs: 5 });
    expect([ok, answer]).toEqual([false, ""]);
    expect(failures).toMatchObject([
      { key: "broken", comment: "broken failed: broken", error: { code: "callback_failed", cause } },
      { key: "limited", comment: "limited: Slow down.", error: { code: "rate_limited" } },
      { key: "nonsense", error: { code: "invalid_input" } },
      { key: "slow", comment: "slow took longer than 5 ms.", error: { code: "timeout" } },
    ]);
    for (const { error } of failures) expect(OpenEvalsError.isInstance(error)).toBe(true);
  });

  test("a check that fails after its timeout is ignored", async () => {
    let reject = (_: Error) => {};
    const late = () =>
      new Promise<number>((_, fail) => {
        reject = fail;
      });
    expect((await guard("x", [late], { timeoutMs: 1 })).failures[0]?.error?.code).toBe("timeout");
    reject(new Error("late"));
    await tick();
  });

  test("a failing onFail withholds the text", async () => {
    for (const onFail of [() => Promise.reject(new Error("oh")), (() => 1) as unknown as () => string]) {
      const { ok, answer, failures } = await guard("x", [() => false], { onFail });
      expect([ok, answer]).toEqual([false, ""]);
      expect(failures.at(-1)).toMatchObject({ key: "onFail", error: { code: "callback_failed" } });
    }
  });

  test("a rejected promise is passed on", async () => {
    const error = new Error("no model");
    await expect(guard(Promise.reject(error), [() => true])).rejects.toBe(error);
  });

  test.each<[string, unknown]>([
    ["a number", 7],
    ["null", null],
    ["nothing", undefined],
    ["a list", ["a"]],
    ["a response", new Response("x")],
    ["a promise of a stream", Promise.resolve(streamOf(["a"]))],
  ])("%s is no answer", async (_, answer) => {
    const error = await errorOf(guard(answer as string, [() => true]));
    expect(error.code).toBe("invalid_input");
    expect(error.message).toContain("guard takes a text, a promise of one, or a stream");
  });

  test("invalid options are errors", async () => {
    const wrong: [readonly unknown[], object, string][] = [
      [[], {}, "checks is []"],
      [["contains"], {}, 'checks is ["contains"]'],
      [[() => true], { timeoutMs: 0 }, "timeoutMs is 0"],
      [[() => true], { timeoutMs: 1e12 }, "a number of milliseconds above 0, up to 2147483647"],
      [[() => true], { onFail: 1 }, "onFail is 1"],
      [[() => true], { wholeText: "hide" }, 'wholeText is "hide"'],
      [[() => true], { timeout: 1 }, 'guard has no option "timeout"'],
    ];
    for (const [checks, options, message] of wrong) {
      const error = await errorOf(guard("x", checks as [], options));
      expect(error.code).toBe("invalid_config");
      expect(error.message).toContain(message);
      const { stream, seen } = counting(["x"]);
      expect(() => guard(stream, checks as [], options)).toThrow(message);
      expect([stream.locked, seen.pulled]).toEqual([false, 0]);
    }
  });
});

describe("a stream", () => {
  test("that passes is released as it arrives, with the same type of chunks", async () => {
    const texts = guard(streamOf(["One ", "two ", "three."]), [forbids("secret")]);
    expect(await chunksOf(texts.answer)).toEqual(["One ", "two ", "three."]);
    expect([await texts.ok, await texts.failures]).toEqual([true, []]);

    const iterated = guard(iterableOf(["One ", "two"]), [forbids("secret")]);
    expect(iterated.answer).toBeInstanceOf(ReadableStream);
    expect(await chunksOf(iterated.answer)).toEqual(["One ", "two"]);

    const raw = guard(new Response("One, ünd 🦉").body!, [forbids("secret")]);
    const found = await new Response(raw.answer).text();
    expect([found, await raw.ok]).toEqual(["One, ünd 🦉", true]);
  });

  test("empty pieces and empty streams", async () => {
    expect(await chunksOf(guard(streamOf(["", "a", "", ""]), [forbids("x")]).answer)).toEqual(["a"]);
    const empty = guard(streamOf<string>([]), [forbids("x")]);
    expect([await chunksOf(empty.answer), await empty.ok]).toEqual([[], true]);
    const failing = guard(streamOf<string>([]), [endsWith(".")], { onFail: "Nothing." });
    expect([await chunksOf(failing.answer), await failing.ok]).toEqual([["Nothing."], false]);
    const ofBytes = guard(new ReadableStream({ type: "bytes", start: (it) => it.close() }), [endsWith(".")], {
      onFail: "Nothing.",
    });
    expect(await bytesTextOf(ofBytes.answer)).toBe("Nothing.");
  });

  test("is cut at the first check that fails early, and nothing of the finding leaks", async () => {
    const { stream, seen } = counting(["It is a s", "ec", "ret", "!", "more"]);
    const guarded = guard(stream, [forbids("secret"), forbids("other")], { onFail: "[cut]" });
    expect(await chunksOf(guarded.answer)).toEqual(["It is a ", "[cut]"]);
    expect(await guarded.ok).toBe(false);
    expect(await guarded.failures).toEqual([{ key: "forbids", comment: "has secret" }]);
    expect(seen).toEqual({ pulled: 3, cancelled: "has secret", cancels: 1 });
  });

  test("onFail gets the text released so far", async () => {
    const onFail = (failures: readonly GuardFailure[], sent: string) => `<${keys(failures)}|${sent}>`;
    const guarded = guard(iterableOf(["abc", "d", "secret"]), [forbids("secret")], { onFail });
    expect(await textOf(guarded.answer)).toBe("abcd<forbids|abcd>");
    const atOnce = guard(iterableOf(["secret"]), [forbids("secret")], { onFail });
    expect(await textOf(atOnce.answer)).toBe("<forbids|>");
  });

  const sent = "Grüße, 🦉! ";
  const secret = "geh€im🔑";

  test("for any split into texts or bytes, clean text arrives whole and no finding leaks", async () => {
    const texts = (text: string, at: number) => [text.slice(0, at), text.slice(at)];
    const raw = (text: string, at: number) => [bytes.encode(text).slice(0, at), bytes.encode(text).slice(at)];
    const clean = `${sent}\ufeffgeh€i🔑 und geh€im.`;
    for (let at = 0; at <= bytes.encode(clean).length; at++) {
      const options: GuardOptions = { onFail: "[cut]" };
      const ofTexts = guard(streamOf(texts(clean, at)), [forbids(secret)], options);
      expect(await textOf(ofTexts.answer)).toBe(clean);
      const ofBytes = guard(streamOf(raw(clean, at)), [forbids(secret)], options);
      expect(await bytesTextOf(ofBytes.answer)).toBe(clean);
      expect([await ofTexts.ok, await ofBytes.ok]).toEqual([true, true]);
    }
    const failing = `${sent}${secret}${sent}`;
    for (let at = 0; at <= bytes.encode(failing).length; at++) {
      for (const found of [
        await textOf(guard(streamOf(texts(failing, at)), [forbids(secret)]).answer),
        await bytesTextOf(guard(streamOf(raw(failing, at)), [forbids(secret)]).answer),
      ])
        expect(sent.startsWith(found)).toBe(true);
    }
    const single = [...bytes.encode(failing)].map((byte) => new Uint8Array([byte]));
    expect(await bytesTextOf(guard(streamOf(single), [forbids(secret)]).answer)).toBe(sent);
    expect(await textOf(guard(streamOf(failing.split("")), [forbids(secret)]).answer)).toBe(sent);
  });

  test("a byte order mark, which readers drop, hides nothing", async () => {
    const marked = [new Uint8Array([0xef]), new Uint8Array([0xbb, 0xbf]), bytes.encode("bad")];
    const startsBadly = startsWith("bad", { negate: true });
    const guarded = guard(streamOf(marked), [startsBadly], { onFail: "[cut]" });
    expect(await bytesTextOf(guarded.answer)).toBe("[cut]");
    const passed = guard(streamOf([...marked, bytes.encode("ly")]), [forbids("x")]);
    expect(await bytesTextOf(passed.answer)).toBe("badly");
  });

  test("property: the output is a prefix without findings, or all of a clean text", async () => {
    const answer = fc.string({ unit: fc.constantFrom("a", "b", "é", "🦉"), maxLength: 24 });
    const forbidden = fc.string({ unit: fc.constantFrom("a", "b", "🦉"), minLength: 1, maxLength: 4 });
    const cuts = fc.array(fc.nat(100), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(answer, forbidden, cuts, fc.boolean(), async (text, forbidden, cuts, isBytes) => {
        const all = isBytes ? bytes.encode(text) : text;
        const ends = [0, ...cuts.map((cut) => cut % (all.length + 1)).sort((a, b) => a - b), all.length];
        const chunks = ends.slice(1).map((end, i) => all.slice(ends[i], end));
        const guarded = guard(streamOf(chunks as Uint8Array[]), [forbids(forbidden)]);
        const found = isBytes
          ? await bytesTextOf(guarded.answer)
          : await textOf(guarded.answer as unknown as AsyncIterable<string>);
        const isClean = !text.includes(forbidden);
        expect(await guarded.ok).toBe(isClean);
        // Nothing of the first match was released.
        const clean = isClean ? text : text.slice(0, text.indexOf(forbidden));
        expect(isClean ? found === text : clean.startsWith(found)).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  test("lone surrogates are passed on in texts", async () => {
    const lone = ["a\ud83e", "b", "\udd89\ud800"];
    expect(await textOf(guard(streamOf(lone), [forbids("x")]).answer)).toBe(lone.join(""));
    const cutShort = guard(streamOf([bytes.encode("a🦉").slice(0, 3)]), [forbids("x")]);
    expect(await bytesTextOf(cutShort.answer)).toBe("a\ufffd");
  });

  test("texts and bytes can be mixed", async () => {
    const mixed = guard(
      streamOf<string | Uint8Array>(["a", bytes.encode("é"), "b"]) as ReadableStream<string>,
      [forbids("x")],
    );
    expect(await chunksOf(mixed.answer)).toEqual(["a", bytes.encode("é"), "b"]);
  });
});

describe("checks of the whole text", () => {
  const chunks = ["One ", "two", "."];

  test("hold everything back, so that it arrives in one piece", async () => {
    const guarded = guard(streamOf(chunks), [endsWith("."), forbids("secret")]);
    expect(await chunksOf(guarded.answer)).toEqual(["One two."]);
    const failing = guard(streamOf(chunks), [endsWith("?"), forbids("secret")], { onFail: "Sorry." });
    expect(await chunksOf(failing.answer)).toEqual(["Sorry."]);
    expect(keys(await failing.failures)).toEqual(["ends_well"]);
  });

  test("only report with wholeText: report, while others still cut, and are not awaited", async () => {
    let tell = (_: boolean) => {};
    const judge = () =>
      new Promise<boolean>((resolve) => {
        tell = resolve;
      });
    const guarded = guard(streamOf(chunks), [judge, forbids("secret")], {
      wholeText: "report",
      onFail: "no",
    });
    expect(await chunksOf(guarded.answer)).toEqual(chunks);
    let isKnown = false;
    guarded.ok.then(() => {
      isKnown = true;
    });
    await tick();
    expect(isKnown).toBe(false);
    tell(false);
    expect(await guarded.failures).toEqual([{ key: "judge", comment: "scored false" }]);

    const cut = guard(streamOf(["a ", "secret"]), [judge, forbids("secret")], {
      wholeText: "report",
      onFail: "[no]",
    });
    expect(await chunksOf(cut.answer)).toEqual(["a ", "[no]"]);
    expect(keys(await cut.failures)).toEqual(["forbids"]);
  });

  test("a check that can fail early also checks the whole before the last part is released", async () => {
    const check = Object.assign(endsWith("."), { watch: () => (): Seen => 1 });
    for (const wholeText of ["hold", "report"] as const) {
      const guarded = guard(streamOf(["ab", "c!"]), [check], { wholeText, onFail: "[no]" });
      expect(await chunksOf(guarded.answer)).toEqual(["a", "bc", "[no]"]);
      expect(keys(await guarded.failures)).toEqual(["ends_well"]);
    }
  });

  test("timeouts", async () => {
    const slow = () => new Promise<number>(() => {});
    const guarded = guard(streamOf(["x"]), [slow], { timeoutMs: 5, onFail: "Late." });
    expect(await textOf(guarded.answer)).toBe("Late.");
    expect(await guarded.failures).toMatchObject([{ key: "slow", error: { code: "timeout" } }]);
    const reported = guard(streamOf(["x"]), [slow], { timeoutMs: 5, wholeText: "report" });
    expect(await textOf(reported.answer)).toBe("x");
    expect(await reported.ok).toBe(false);
  });

  test("timeouts end the requests of judges", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { model, asked } = neverAnswers();
    const judge = createLLMAsJudge({ prompt: "{outputs}", judge: model });
    const guarded = guard("x", [judge, allOf([judge, judge])], { timeoutMs: 60_000 });
    await vi.waitFor(() => expect(asked).toHaveLength(3), { interval: 1 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await guarded).failures.map(({ error }) => error?.code)).toEqual(["timeout", "timeout"]);
    expect(asked.map(({ aborted }) => aborted)).toEqual([true, true, true]);
  });
});

describe("keys of the environment", () => {
  const KEY = "9f8e7d6c5b4a39281706f5e4d3c2b1a0";
  const fail = (): never => {
    throw new Error(`401 for ${KEY}`, { cause: new Error(KEY) });
  };

  test.each<[string, () => Promise<GuardFailure[]>]>([
    ["a check", async () => (await guard("x", [fail])).failures],
    ["onFail", async () => (await guard("x", [() => false], { onFail: fail })).failures],
    [
      "a watch",
      async () => {
        const watching = Object.assign(() => true, { key: "mine", watch: () => fail });
        const { answer, failures } = guard(streamOf(["a"]), [watching as never]);
        await textOf(answer);
        return failures;
      },
    ],
    [
      "a source",
      async () => {
        const { stream } = counting(["a"], new Error(`401 for ${KEY}`));
        const { answer, failures } = guard(stream, [() => true]);
        // The reader of the stream gets the error itself.
        await expect(textOf(answer)).rejects.toThrow(KEY);
        return failures;
      },
    ],
  ])("are not in the failure of %s", async (_, failuresOf) => {
    vi.stubEnv("MY_MODEL_API_KEY", KEY);
    onTestFinished(() => vi.unstubAllEnvs());
    const { comment, error } = (await failuresOf()).at(-1)!;
    expect(comment).toContain("401 for [redacted]");
    expect(`${error?.message} ${error?.cause} ${(error?.cause as Error).cause}`).not.toContain(KEY);
  });

  test("are not in what onFail quotes", async () => {
    vi.stubEnv("MY_MODEL_API_KEY", KEY);
    onTestFinished(() => vi.unstubAllEnvs());
    const onFail = (failures: readonly GuardFailure[]) => failures.map(({ comment }) => comment).join();
    expect((await guard("x", [fail], { onFail })).answer).toBe("fail failed: 401 for [redacted]");
  });
});

describe("a watch", () => {
  const watching = (watch: () => (piece: string) => Seen) =>
    Object.assign(() => true, { key: "mine", watch });

  test("that throws cuts the stream", async () => {
    const error = new Error("broken");
    const broken = watching(() => (piece) => {
      if (piece === "b") throw error;
      return 0;
    });
    const guarded = guard(streamOf(["a", "b", "c"]), [broken]);
    expect(await textOf(guarded.answer)).toBe("a");
    expect(await guarded.failures).toMatchObject([
      { key: "mine", error: { code: "callback_failed", cause: error } },
    ]);
    const atOnce = watching(() => {
      throw error;
    });
    const { stream, seen } = counting(["a"]);
    const none = guard(stream, [atOnce], { onFail: "no" });
    expect([await textOf(none.answer), await none.ok, seen.cancels]).toEqual(["no", false, 1]);
  });

  test.each([[-5], [Number.NaN], [1e9], [0.5]])("that holds back %s is fine", async (held) => {
    expect(await textOf(guard(streamOf(["ab", "🦉"]), [watching(() => () => held)]).answer)).toBe("ab🦉");
  });

  test("never releases half a character", async () => {
    const one = watching(() => () => 1);
    const guarded = guard(streamOf([bytes.encode("🦉"), bytes.encode("🦉")]), [one]);
    expect(await bytesTextOf(guarded.answer)).toBe("🦉🦉");
  });

  test("of combinations: the first of allOf, the last of anyOf", async () => {
    const run = async (check: Parameters<typeof guard>[1][number], text: string) => {
      const guarded = guard(streamOf(text.split("")), [check], { onFail: "!" });
      return [await textOf(guarded.answer), (await guarded.failures)[0]?.comment];
    };
    const both = [forbids("xyz"), forbids("abc")];
    expect(await run(allOf(both), "1abc2xyz3")).toEqual(["1!", "forbids: has abc"]);
    expect(await run(firstFailing(both), "1abc2xyz3")).toEqual(["1!", "forbids: has abc"]);
    expect(await run(anyOf(both), "1abc2xyz3")).toEqual(["1abc2!", "forbids: has xyz\nforbids: has abc"]);
    expect(await run(anyOf(both), "1abc2")).toEqual(["1abc2", undefined]);
    expect(await run(allOf([...both, endsWith("3")]), "123")).toEqual(["123", undefined]);
    const late = guard(streamOf(["1", "2"]), [allOf([...both, endsWith("3")])], { onFail: "!" });
    expect(await chunksOf(late.answer)).toEqual(["!"]);
    const cut = guard(counting(["1", "abc", "2"]).stream, [allOf([...both, endsWith("3")])]);
    expect(await chunksOf(cut.answer)).toEqual([]);
    expect((await cut.failures)[0]?.comment).toBe("forbids: has abc");
  });
});
