/** Experiments that run at the same time with one cache. */
import { createLLMAsJudge } from "openevals-wasm";
import { type Cache, directoryCache, type EvaluateOptions, evaluate } from "openevals-wasm/evaluation";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "./folder.js";

const folder = temporaryFolder();

/** Resolves once it is opened. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** Runs an experiment of one row, whose judge is this function. `started` is called beside it. */
const run = (
  cache: Cache,
  judge: () => unknown,
  started = () => {},
  options: Partial<EvaluateOptions> = {},
) =>
  evaluate(undefined, {
    data: [{ outputs: "a" }],
    evaluators: [
      createLLMAsJudge({ prompt: "Is {outputs} right?", judge, cacheKey: "j" }),
      () => {
        started();
        return { key: "started", score: true };
      },
    ],
    progress: false,
    maxConcurrency: 4,
    ...options,
    judges: { cache, ...options.judges },
  });

/** A judge that answers once it may, and when it was asked. */
function heldJudge(answer: () => unknown) {
  const [asked, mayAnswer] = [gate(), gate()];
  const judge = async () => {
    asked.open();
    await mayAnswer.opened;
    return answer();
  };
  return { judge, asked: asked.opened, release: mayAnswer.open };
}

const YES = { reasoning: "Yes.", score: true };
const NO = { reasoning: "No.", score: false };
const resultOf = ({ rows }: Awaited<ReturnType<typeof run>>) =>
  rows[0]?.evaluationResults.find(({ key }) => key === "score");

describe("a question of two experiments at the same time", () => {
  it.each<[string, () => [Cache, Cache]]>([
    [
      "a Map",
      () => {
        const cache = new Map();
        return [cache, cache];
      },
    ],
    ["a directory", () => [directoryCache(`${folder}/one`), directoryCache(`${folder}/one`)]],
  ])("is asked once, with %s as cache", async (_, caches) => {
    const [one, other] = caches();
    const { judge, asked, release } = heldJudge(() => YES);
    const first = run(one, judge);
    await asked;
    const second = run(other, () => NO, release);
    expect(resultOf(await first)).toMatchObject({ score: true, comment: "Yes." });
    expect(resultOf(await second)).toMatchObject({
      score: true,
      comment: "Yes.",
      metadata: { cached: true },
    });
  });

  it("is asked by the second if the first fails", async () => {
    const cache = new Map();
    const { judge, asked, release } = heldJudge(() => {
      throw new Error("It is busy.");
    });
    const first = run(cache, judge);
    await asked;
    const second = run(cache, () => NO, release);
    expect((await first).rows[0]?.errors[0]?.error.message).toContain("It is busy.");
    expect(resultOf(await second)).toMatchObject({ score: false, comment: "No." });
  });

  it("is asked by the second if the first is stopped", async () => {
    const cache = new Map();
    const asked = gate();
    const stopping = new AbortController();
    const first = run(
      cache,
      () => {
        asked.open();
        return new Promise(() => {});
      },
      undefined,
      { signal: stopping.signal },
    );
    await asked.opened;
    const second = run(
      cache,
      () => NO,
      () => stopping.abort(),
    );
    expect((await first).stopped?.code).toBe("aborted");
    expect(resultOf(await second)).toMatchObject({ score: false, comment: "No." });
  });

  it("does not hold a second one that is stopped", async () => {
    const cache = new Map();
    const { judge, asked, release } = heldJudge(() => YES);
    const first = run(cache, judge);
    await asked;
    const stopping = new AbortController();
    const second = run(
      cache,
      () => NO,
      () => stopping.abort(),
      { signal: stopping.signal },
    );
    expect((await second).stopped?.code).toBe("aborted");
    release();
    expect(resultOf(await first)).toMatchObject({ score: true });
  });

  it("is asked by both if they record", async () => {
    const cache = new Map();
    const { judge, asked, release } = heldJudge(() => YES);
    const record = { judges: { cacheMode: "record" as const } };
    const first = run(cache, judge, undefined, record);
    await asked;
    const second = run(cache, () => NO, release, record);
    expect(resultOf(await first)).toMatchObject({ score: true });
    expect(resultOf(await second)).toMatchObject({ score: false });
  });
});
