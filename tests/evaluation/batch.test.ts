import { EventEmitter, once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createLLMAsJudge, initChatModel, type LLMAsJudgeOptions } from "openevals-wasm";
import { type EvaluateOptions, evaluate, type Progress, type RowEvaluator } from "openevals-wasm/evaluation";
import { CheckCriteriaEvaluator } from "openevals-wasm/recipes";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { BatchServer, type Script } from "../providers/servers/batches.js";
import type { Json } from "../providers/servers/loopback.js";
import { APIS, type Api, KEY } from "./batch-apis.js";
import { temporaryFolder } from "./folder.js";

const folder = temporaryFolder();

let server: BatchServer;
let api: Api;

/** Starts a server whose model approves of answers that contain "good". */
async function start(name: keyof typeof APIS, script: Partial<Script> = {}) {
  api = APIS[name];
  const { face, says, asked } = api;
  const answer = (body: Json) => {
    const score = asked(body).includes("good");
    return says(JSON.stringify({ reasoning: `It is ${score}.`, score }), body);
  };
  server = await BatchServer.start(face, { answer, ...script });
  for (const [variable, value] of Object.entries(api.env(server.url))) vi.stubEnv(variable, value);
}
beforeEach(() => {
  for (const variable of ["OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "GOOGLE_GEMINI_BASE_URL"])
    vi.stubEnv(variable, undefined);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server.down();
});

const judge = (options: Partial<LLMAsJudgeOptions> = {}) =>
  createLLMAsJudge({ prompt: "Is {outputs} right?", model: api.model, ...options });

const DATA = ["good", "bad", "good again"].map((outputs) => ({ outputs }));
const run = (evaluators: RowEvaluator[], options: Partial<EvaluateOptions> = {}) =>
  evaluate(undefined, { data: DATA, evaluators, ...options });
const inBatches = (evaluators: RowEvaluator[], { judges, ...options }: Partial<EvaluateOptions> = {}) =>
  run(evaluators, {
    judges: { mode: "batch", ...judges, batch: { pollMs: 5, ...judges?.batch } },
    ...options,
  });

/** Expects warnings. */
function silenced() {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  onTestFinished(() => warn.mockRestore());
  return warn;
}

/** The number of submitted batches. */
const batches = () => server.count(api.submits);

describe.each(["openai", "anthropic", "google"] as const)("batches of %s", (name) => {
  it("give the same results as direct requests, with all rows, repetitions and evaluators in one batch", async () => {
    await start(name);
    const evaluators = () => [
      judge({ feedbackKey: "first" }),
      judge({ feedbackKey: "second", prompt: "Is {outputs} polite?", system: "You judge." }),
    ];
    const options = { numRepetitions: 2 };
    const direct = await run(evaluators(), options);
    expect(server.singles).toBe(12);
    server.singles = 0;

    const progress: Progress[] = [];
    const onProgress = (now: Progress) => progress.push(now);
    const batched = await inBatches(evaluators(), { ...options, onProgress });
    expect(batched.aggregates).toEqual(direct.aggregates);
    expect(batched.usage).toEqual(direct.usage);
    expect([batches(), server.submitted, server.singles]).toEqual([1, 12, 0]);
    for (const [index, row] of batched.rows.entries()) {
      const other = direct.rows[index];
      expect(row.example).toEqual({ ...other?.example, id: expect.any(String) });
      const results = other?.evaluationResults.map((result) => ({
        ...result,
        metadata: { ...result.metadata, batched: true, latencyMs: expect.any(Number) },
      }));
      expect(row.evaluationResults).toEqual(results);
    }
    expect(progress.at(-1)?.batch).toEqual({ asked: 12, submitted: 12, answered: 12 });
    expect(progress.some(({ done, batch }) => done === 0 && batch?.submitted === 12)).toBe(true);
  });

  it("with lost, refused and expired requests: these rows fail, without scores", async () => {
    await start(name, {
      fate: (body) => {
        const asked = api.asked(body);
        if (asked.includes("lost")) return "lost";
        if (asked.includes("late")) return "expired";
        return asked.includes("refused") ? { status: 400, message: `Not with ${KEY}` } : undefined;
      },
    });
    const data = ["good", "lost", "late", "refused", "good too"].map((outputs) => ({ outputs }));
    const { rows, aggregates } = await inBatches([judge()], { data });
    expect(rows.map(({ evaluationResults: [result] }) => result?.score)).toEqual([
      true,
      undefined,
      undefined,
      undefined,
      true,
    ]);
    expect(aggregates.score).toMatchObject({ mean: 1, count: 2, errors: 3 });
    const [, lost, late, refused] = rows.map(({ errors: [failure] }) => failure?.error);
    expect(lost).toMatchObject({
      code: "provider_error",
      message: expect.stringMatching(
        /^The batch \S+ of \S+ has no answer to this question: its results have 4 of 5 answers\. Run/,
      ),
    });
    // Gemini reports that in its own words, with the status of a timeout.
    if (name === "google")
      expect(late).toMatchObject({ code: "provider_error", message: expect.stringMatching(/504/) });
    else expect(late).toMatchObject({ code: "timeout", message: expect.stringMatching(/expired before/) });
    expect(refused?.code).toBe("provider_error");
    expect(refused?.message).toMatch(/answered with HTTP status 400: Not with \[redacted\]/);
    expect(JSON.stringify(rows)).not.toContain(KEY);
  });

  it("are followed by one with the requests to retry", async () => {
    let asked = 0;
    await start(name);
    const { answer } = server.script;
    server.script.answer = (body) => {
      asked++;
      const isFirst =
        JSON.stringify(body).includes("bad") && !JSON.stringify(body).includes("This answer cannot");
      return isFirst ? api.says("I would rather not say.", body) : answer(body);
    };
    const { rows } = await inBatches([judge()]);
    expect(rows.map(({ evaluationResults: [result] }) => result?.metadata?.attempts)).toEqual([1, 2, 1]);
    expect([batches(), asked, server.singles]).toEqual([2, 4, 0]);
  });

  it("are split at the size limit", async () => {
    await start(name);
    const { aggregates } = await inBatches([judge()], {
      numRepetitions: 2,
      judges: { batch: { maxRequests: 4 } },
    });
    expect(aggregates.score).toMatchObject({ count: 6 });
    expect(server.batches.map(({ entries }) => entries.length).sort()).toEqual([2, 4]);
  });

  it("survive an outage of the server", async () => {
    await start(name);
    server.isHeld = true;
    const running = inBatches([judge()]);
    await vi.waitFor(() => expect(server.count(/^GET/)).toBeGreaterThan(2));
    await server.down();
    server.release();
    await server.up();
    const { aggregates } = await running;
    expect(aggregates.score).toMatchObject({ count: 3, errors: 0 });
    expect(batches()).toBe(1);
  });

  it("are not submitted twice if the response gets lost", async () => {
    await start(name);
    let drops = 1;
    server.onRequest = ({ method, path }) =>
      api.submits.test(`${method} ${path}`) && drops-- > 0 ? "drop after" : undefined;
    const { aggregates } = await inBatches([judge()]);
    expect(aggregates.score).toMatchObject({ count: 3, errors: 0 });
    expect([batches(), server.submitted]).toEqual([1, 3]);
  });

  it("are cancelled with the experiment", async () => {
    await start(name);
    server.isHeld = true;
    const stop = new AbortController();
    const stateFile = join(folder, `cancelled-${name}.json`);
    const running = inBatches([judge()], { signal: stop.signal, judges: { batch: { stateFile } } });
    await vi.waitFor(() => expect(server.count(/^GET/)).toBeGreaterThan(1));
    const state = readFileSync(stateFile, "utf8");
    stop.abort();
    const { stopped, rows } = await running;
    expect(stopped).toMatchObject({ code: "aborted" });
    expect(rows).toEqual([]);
    expect(server.count(/^POST .*cancel$/)).toBe(1);
    expect(server.batches[0]?.end).toBe("cancelled");
    expect(existsSync(stateFile)).toBe(false);
    // As after a process that was killed before it forgot the batch.
    writeFileSync(stateFile, state);
    server.isHeld = false;
    const again = await inBatches([judge()], { judges: { batch: { stateFile } } });
    expect(again.aggregates["score"]).toMatchObject({ count: 3, errors: 0 });
    expect(existsSync(stateFile)).toBe(false);
  });

  it("that cannot be cancelled are named in a warning and the error", async () => {
    await start(name);
    server.isHeld = true;
    server.onRequest = ({ path }) => (path.endsWith("cancel") ? "drop before" : undefined);
    const warn = silenced();
    const stop = new AbortController();
    const running = inBatches([judge()], {
      signal: stop.signal,
      judges: { batch: { maxRequests: 2 } },
    });
    await vi.waitFor(() => expect(server.count(/^GET/)).toBeGreaterThan(2));
    stop.abort();
    const { stopped } = await running;
    expect(stopped).toMatchObject({
      code: "aborted",
      message: expect.stringMatching(/could not be cancelled.*money: /),
    });
    expect(warn).toHaveBeenCalledTimes(1);
    for (const { id } of server.batches) expect(warn.mock.calls[0]?.[0]).toContain(id);
    for (const { id } of server.batches) expect(stopped?.message).toContain(id);
    const { rows } = await inBatches([judge()], { judges: { batch: { timeLimitMs: 300 } } });
    expect(rows[0]?.errors[0]?.error.message).toContain("batch.timeLimitMs), and could not be cancelled.");
  });

  it("that may have been created are named in the error soon, and found by another run", async () => {
    await start(name);
    const warn = silenced();
    const stateFile = join(folder, `hanging, ${name}.json`);
    const stopped = async (options: object, batchCount: number) => {
      const stop = new AbortController();
      const running = inBatches([judge()], { signal: stop.signal, judges: { batch: options } });
      await vi.waitFor(() => expect(server.batches).toHaveLength(batchCount));
      const began = performance.now();
      stop.abort();
      const { stopped } = await running;
      // A cancellation may take 10 seconds.
      expect(performance.now() - began).toBeLessThan(8000);
      expect(stopped?.code).toBe("aborted");
      return stopped?.message;
    };
    server.onRequest = ({ method, path }) => (api.submits.test(`${method} ${path}`) ? "hang" : undefined);
    expect(await stopped({ stateFile }, 1)).toMatch(
      /may be one that costs money: at \S+ \(\S+Z, openevals-\S+\)\. Cancel .*, or run the experiment again, which continues it\.$/,
    );
    expect(await stopped({}, 2)).toMatch(/may be one that costs money: .*\)\. Cancel it at the provider\.$/);
    expect(warn).toHaveBeenCalledTimes(2);
    expect(existsSync(stateFile)).toBe(true);
    server.batches.pop();
    server.onRequest = () => undefined;
    const { aggregates } = await inBatches([judge()], { judges: { batch: { stateFile } } });
    expect(aggregates["score"]).toMatchObject({ count: 3, errors: 0 });
    expect([batches(), existsSync(stateFile)]).toEqual([2, false]);
  });

  it.each(["expired", "cancelled"] as const)("report what to do if the whole batch is %s", async (end) => {
    await start(name, { end });
    const { rows } = await inBatches([judge()]);
    for (const { errors, evaluationResults } of rows) {
      expect(evaluationResults).toEqual([]);
      const code = end === "expired" ? "timeout" : "provider_error";
      expect(errors[0]?.error).toMatchObject({ code, message: expect.stringMatching(`${end} before`) });
    }
  });

  it("are abandoned after a time limit", async () => {
    await start(name);
    server.isHeld = true;
    const { rows } = await inBatches([judge()], { judges: { batch: { timeLimitMs: 300 } } });
    expect(rows[0]?.errors[0]?.error).toMatchObject({
      code: "timeout",
      message: expect.stringMatching(/not done after 300 ms \(batch\.timeLimitMs\), and was cancelled/),
    });
    expect(server.batches[0]?.end).toBe("cancelled");
  });

  it.each([
    ["key", "sk-another-secret"],
    ["key of a function", () => "sk-another-secret"],
  ])("are rejected with a wrong %s, which messages do not show", async (_, apiKey) => {
    await start(name);
    const model = initChatModel(api.model, { apiKey });
    const { rows } = await inBatches([judge({ model: undefined, judge: model })]);
    const error = rows[0]?.errors[0]?.error;
    expect(error?.code).toBe("provider_error");
    expect(error?.message).toMatch(/^POST http\S+ was answered with HTTP status 40[01]: .*(key|Key)/);
    expect(JSON.stringify(rows)).not.toContain("sk-another-secret");
  });

  it("use a key from a function, which is called for each request", async () => {
    await start(name);
    for (const variable of ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY"])
      vi.stubEnv(variable, undefined);
    let asked = 0;
    const model = initChatModel(api.model, {
      apiKey: () => {
        asked++;
        return KEY;
      },
    });
    const { aggregates } = await inBatches([judge({ model: undefined, judge: model })]);
    expect([batches(), server.submitted, server.singles]).toEqual([1, 3, 0]);
    expect(asked).toBeGreaterThan(1);
    expect(aggregates.score?.count).toBe(3);
  });
});

describe("judges in batches", () => {
  beforeEach(() => start("openai"));

  it("can be mixed with direct requests, and are marked", async () => {
    const own = createLLMAsJudge({
      prompt: "{outputs}",
      feedbackKey: "own",
      judge: () => ({ score: true, reasoning: "" }),
    });
    const { rows } = await inBatches([judge(), own]);
    expect(rows[0]?.evaluationResults.map(({ key, metadata }) => [key, metadata?.batched])).toEqual([
      ["score", true],
      ["own", undefined],
    ]);
    expect([batches(), server.submitted, server.singles]).toEqual([1, 3, 0]);
  });

  it("share batches by model", async () => {
    const models = ["openai:gpt-5.4", "openai:gpt-5.5"];
    const { aggregates } = await inBatches(models.map((model) => judge({ model, feedbackKey: model })));
    expect(Object.values(aggregates).map(({ count }) => count)).toEqual([3, 3]);
    expect(server.batches.map(({ entries }) => entries.length)).toEqual([3, 3]);
  });

  it("with several requests in sequence use a batch for each round", async () => {
    const criteria = ["Is it good?", "Is it short?"];
    const questions = new CheckCriteriaEvaluator({ model: api.model, criteria });
    server.script.answer = (body) => {
      const properties = body.response_format.json_schema.schema.properties;
      const answer = Object.keys(properties).map((name) => [
        name,
        properties[name].type === "string" ? "so" : 1,
      ]);
      return api.says(JSON.stringify(Object.fromEntries(answer)), body);
    };
    const data = ["a", "b"].map((text) => ({ inputs: text, outputs: `${text}!` }));
    const { rows } = await inBatches([questions], { data });
    expect(rows.map(({ errors }) => errors)).toEqual([[], []]);
    expect(server.batches.map(({ entries }) => entries.length)).toEqual([2, 2]);
    expect(server.singles).toBe(0);
  });

  it("share the answer of a cached request instead of repeating it", async () => {
    const cache = new Map<string, string>();
    const data = [...DATA, ...DATA];
    const first = await inBatches([judge()], { data, judges: { cache } });
    expect(first.aggregates.score).toMatchObject({ count: 6, errors: 0 });
    expect([batches(), server.submitted]).toEqual([1, 3]);
    const again = await inBatches([judge()], { data, judges: { cache } });
    expect(again.aggregates).toEqual(first.aggregates);
    expect(again.rows[0]?.evaluationResults[0]?.metadata).toMatchObject({ cached: true, attempts: 0 });
    expect([batches(), server.submitted, server.singles]).toEqual([1, 3, 0]);
  });

  it("do not occupy concurrency slots while they wait", async () => {
    let [inside, most] = [0, 0];
    const target = async (input: string) => {
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside--;
      return input;
    };
    const data = DATA.map(({ outputs }) => ({ inputs: outputs }));
    const { aggregates } = await evaluate(target, {
      data,
      evaluators: [judge()],
      maxConcurrency: 2,
      judges: { mode: "batch", batch: { pollMs: 5 } },
    });
    expect(aggregates.score).toMatchObject({ count: 3 });
    expect([most, batches()]).toEqual([2, 1]);
  });

  it("retry temporary failures in the next batch", async () => {
    server.script.fate = (_body, n) => (n < 2 ? { status: 500, message: "Overloaded" } : undefined);
    const { aggregates } = await inBatches([judge()]);
    expect(aggregates.score).toMatchObject({ count: 3, errors: 0 });
    expect([batches(), server.submitted]).toEqual([2, 5]);
  });

  it("fail with their batch, with its reason", async () => {
    server.script.answer = () => ({ body: "{}" });
    const model = initChatModel(api.model, { params: { custom: "\u2028" } });
    const { rows } = await inBatches([judge({ model: undefined, judge: model })]);
    expect(rows[0]?.errors[0]?.error.message).toMatch(
      /answered with HTTP status 400: Unrecognized request argument/,
    );
    server.script.end = "failed";
    const { rows: failed } = await inBatches([judge()]);
    expect(failed[0]?.errors[0]?.error).toMatchObject({
      code: "provider_error",
      message: expect.stringMatching(
        /^The batch batch_\d of openai failed: the provider reported no reason\. Fix the cause/,
      ),
    });
  });

  it("show their progress on a terminal", async () => {
    vi.stubEnv("TERM", "xterm");
    const { isTTY } = process.stderr;
    const lines: string[] = [];
    const write = vi
      .spyOn(process.stderr, "write")
      .mockImplementation((line) => lines.push(String(line)) > 0);
    process.stderr.isTTY = true;
    try {
      await inBatches([judge()], { data: [...DATA, { outputs: "late" }] });
    } finally {
      process.stderr.isTTY = isTTY;
      write.mockRestore();
    }
    expect(lines.join("")).toMatch(/0\/4 rows · [04]\/4 answered in batches/);
  });

  it("are not submitted if the data cannot be read", async () => {
    async function* data() {
      yield { outputs: "good" };
      throw new Error("no more");
    }
    const error = await inBatches([judge()], { data: data() }).catch((error) => error);
    expect(error).toMatchObject({ code: "callback_failed", message: expect.stringMatching(/no more/) });
    expect(batches()).toBe(0);
  });

  it("are not submitted if a row fails", async () => {
    const sink = async ({ example }: { example: { inputs?: unknown } }) => {
      if (example.inputs === "full") throw new Error("no space left");
    };
    const evaluator = async (row: { inputs: string }) =>
      row.inputs === "full" ? { key: "score", score: true } : judge()(row);
    const data = ["good", "full"].map((text) => ({ inputs: text, outputs: text }));
    const error = await inBatches([evaluator], { data, output: { sink } }).catch((error) => error);
    expect(error.message).toMatch(/no space left/);
    expect(batches()).toBe(0);
  });

  it("invalid options are errors", async () => {
    const stateFile = join(folder, "other.json");
    writeFileSync(stateFile, "[]");
    const refused: [object, RegExp][] = [
      [{ mode: "later" }, /mode is "later"; it has to be "direct" or "batch"/],
      [{ batch: { pollMs: 5 } }, /judges\.batch applies only to judges\.mode "batch"/],
      [{ mode: "batch", batch: { pollMs: 0 } }, /pollMs is 0/],
      [{ mode: "batch", batch: { every: 5 } }, /evaluate\.judges\.batch has no option "every"/],
      [{ mode: "batch", batch: { stateFile } }, /other\.json is not a state file/],
    ];
    for (const [options, message] of refused) {
      const error = await run([judge()], { judges: options }).catch((error) => error);
      expect(error).toMatchObject({ code: "invalid_config", message: expect.stringMatching(message) });
    }
  });
});

describe("the batches of OpenAI", () => {
  it("upload their questions once, and delete them after their end", async () => {
    await start("openai");
    let drops = 2;
    server.onRequest = ({ method, path }) =>
      api.submits.test(`${method} ${path}`) && drops-- > 0 ? "drop before" : undefined;
    const { aggregates } = await inBatches([judge()]);
    expect(aggregates.score).toMatchObject({ count: 3, errors: 0 });
    expect([batches(), server.uploads]).toEqual([3, 1]);
    expect([...server.files.keys()]).toEqual(["file-out-batch_0"]);
  });

  it("delete their questions if they are refused for good, aborted, or too late", async () => {
    await start("openai");
    const deletions = () => server.count(/^DELETE \/v1\/files\//);
    server.onRequest = ({ method, path }) => {
      // A batch of a file that does not exist is refused.
      if (api.submits.test(`${method} ${path}`)) server.files.clear();
      return undefined;
    };
    expect((await inBatches([judge()])).aggregates.score).toMatchObject({ errors: 3 });
    expect([server.uploads, deletions()]).toEqual([1, 1]);

    server.onRequest = () => undefined;
    server.isHeld = true;
    const stop = new AbortController();
    const onProgress = ({ batch }: Progress) => batch?.submitted === 3 && stop.abort();
    const { stopped } = await inBatches([judge()], { onProgress, signal: stop.signal });
    expect([stopped?.code, server.uploads, server.files.size]).toEqual(["aborted", 2, 0]);
    expect(deletions()).toBe(2);

    const late = await inBatches([judge()], { judges: { batch: { timeLimitMs: 1000 } } });
    expect(late.rows[0]?.errors[0]?.error.code).toBe("timeout");
    expect([server.uploads, server.files.size]).toEqual([3, 0]);
  });

  it("are answered if their questions cannot be deleted", async () => {
    await start("openai");
    server.onRequest = ({ method }) => (method === "DELETE" ? "drop before" : undefined);
    expect((await inBatches([judge()])).aggregates.score).toMatchObject({ count: 3, errors: 0 });
  });
});

describe("the batches of Gemini", () => {
  it("respect the size limit of a request", async () => {
    await start("google");
    const data = [1, 2, 3].map((n) => ({ outputs: `good ${n} ${"x".repeat(8_000_000)}` }));
    const { aggregates } = await inBatches([judge()], { data });
    expect(aggregates.score).toMatchObject({ count: 3, errors: 0 });
    expect(server.batches.map(({ entries }) => entries.length).sort()).toEqual([1, 2]);
  });
});

it("an evaluator that returns before its second answer holds up no row", async () => {
  await start("openai");
  server.isHeld = true;
  const release = (question: string) => {
    for (const batch of server.batches)
      if (JSON.stringify(batch.entries).includes(question)) batch.end = "completed";
  };
  const [one, other] = [judge(), judge({ prompt: "Is {outputs} polite?" })];
  const progress = new EventEmitter();
  let polls = 0;
  const onProgress = ({ batch }: Progress) => {
    if (batch?.submitted === 4 && batch.answered === 0) release("Is good and busy right?");
    // The status comes before the answer, which the judge has some polls later.
    if (batch?.answered === 3 && ++polls === 5) progress.emit("answered");
  };
  const answered = once(progress, "answered");
  const evaluator = async (row: { outputs: string }) => {
    if (row.outputs === "good and last") return one(row);
    if (row.outputs === "good and busy") {
      const result = await one(row);
      release("Is good right?");
      // While it runs, the first row has returned, and gets its second answer.
      await answered;
      release("Is good and last right?");
      return result;
    }
    const result = await Promise.race([one(row), other(row)]);
    release("Is good polite?");
    return result;
  };
  const data = ["good", "good and busy", "good and last"].map((outputs) => ({ outputs }));
  const judges: EvaluateOptions["judges"] = { batch: { maxRequests: 1 } };
  const { rows } = await inBatches([evaluator], { data, judges, onProgress, maxConcurrency: 1 });
  expect(rows.map(({ evaluationResults: [result] }) => result?.score)).toEqual([true, true, true]);
});

it("questions that are withdrawn at once are not sent", async () => {
  await start("openai");
  const evaluator = async ({ outputs }: { outputs: number }) => {
    const stop = new AbortController();
    const model = initChatModel(api.model, { signal: stop.signal });
    const asked = judge({ model: undefined, judge: model })({ outputs: "good" });
    // Withdrawn in each row after another number of steps.
    for (let step = 0; step < outputs; step++) await undefined;
    stop.abort();
    return asked;
  };
  const data = Array.from({ length: 60 }, (_, outputs) => ({ outputs }));
  const { aggregates } = await inBatches([evaluator], { data });
  expect(Object.values(aggregates)[0]).toMatchObject({ count: 0, errors: 60 });
  expect(batches()).toBe(0);
});

it("a failure of onProgress between rows ends the experiment", async () => {
  await start("openai");
  const onProgress = ({ batch }: Progress) => {
    if (batch?.submitted) throw new Error("no terminal");
  };
  await expect(inBatches([judge()], { onProgress })).rejects.toMatchObject({
    code: "callback_failed",
    message: "onProgress failed: no terminal",
    experiment: { rows: [{}, {}, {}] },
  });
});
