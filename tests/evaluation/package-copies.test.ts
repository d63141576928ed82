/** Judges of another copy of the package than the experiment or the prompt: `require()` beside `import`, and another version. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { __version__, createLLMAsJudge } from "openevals-wasm";
import { guard } from "openevals-wasm/checks";
import { type EvaluateOptions, evaluate } from "openevals-wasm/evaluation";
import { afterEach, describe, expect, it, vi } from "vitest";
import { copyPackage } from "../package.js";
import { BatchServer } from "../providers/servers/batches.js";
import { APIS } from "./batch-apis.js";
import { temporaryFolder } from "./folder.js";

const required: typeof import("openevals-wasm") = createRequire(import.meta.url)("openevals-wasm");
const folder = temporaryFolder();

type MakeJudge = typeof createLLMAsJudge;

/** A judge of a copy that notes each question, and gives its number as the reasoning. */
function judgeOf(make: MakeJudge, asked: string[]) {
  return make({
    prompt: "{outputs}",
    feedbackKey: "ok",
    cacheKey: "1",
    judge: ({ messages }) => ({ reasoning: `${asked.push(messages[0]?.content)}`, score: true }),
  });
}

const run = (make: MakeJudge, asked: string[], judges: EvaluateOptions["judges"]) =>
  evaluate(undefined, {
    data: [{ outputs: "a" }, { outputs: "b" }],
    evaluators: [judgeOf(make, asked)],
    judges,
  });

describe("a judge of another copy", () => {
  it("is another copy", () => expect(required.createLLMAsJudge).not.toBe(createLLMAsJudge));

  it("shares the cache", async () => {
    const asked: string[] = [];
    const cache = new Map<string, string>();
    const first = await run(required.createLLMAsJudge, asked, { cache });
    expect([asked, cache.size]).toEqual([["a", "b"], 2]);
    for (const make of [createLLMAsJudge, required.createLLMAsJudge]) {
      const again = await run(make, asked, { cache, cacheMode: "replay" });
      expect(again.rows.map(({ evaluationResults }) => evaluationResults[0]?.comment)).toEqual(
        first.rows.map(({ evaluationResults }) => evaluationResults[0]?.comment),
      );
    }
    expect(asked).toHaveLength(2);
  });

  it("asks nothing in a replay without an answer", async () => {
    const asked: string[] = [];
    const { rows } = await run(required.createLLMAsJudge, asked, { cache: new Map(), cacheMode: "replay" });
    expect(rows.map(({ errors }) => errors[0]?.error.code)).toEqual(["cache_miss", "cache_miss"]);
    expect(asked).toEqual([]);
  });

  it("asks nothing in an estimate", async () => {
    const asked: string[] = [];
    const { questions } = await evaluate(undefined, {
      data: [{ outputs: "a" }, { outputs: "b" }],
      evaluators: [judgeOf(required.createLLMAsJudge, asked)],
      estimate: true,
    });
    expect([questions, asked]).toEqual([{ low: 2, high: 2 }, []]);
  });

  it("has its tokens counted with an outputSchema", async () => {
    const usage = { inputTokens: 3, outputTokens: 4 };
    const model = {
      specificationVersion: "v3",
      provider: "test",
      modelId: "m",
      doGenerate: async () => ({
        content: [{ type: "text", text: '{"tone":"kind"}' }],
        finishReason: { unified: "stop" },
        usage: { inputTokens: { total: 3 }, outputTokens: { total: 4 } },
        warnings: [],
      }),
    };
    const judge = required.createLLMAsJudge({
      prompt: "{outputs}",
      judge: model as never,
      outputSchema: { type: "object", properties: { tone: { type: "string" } }, required: ["tone"] },
    });
    const experiment = await evaluate(undefined, { data: [{ outputs: "a" }], evaluators: [judge] });
    expect(experiment.usage).toEqual(usage);
  });

  it("gets the signal of the experiment", async () => {
    const stop = new AbortController();
    const judge = required.createLLMAsJudge({
      prompt: "{outputs}",
      judge: ({ signal }) =>
        new Promise((_, reject) => {
          signal?.addEventListener("abort", () => reject(new Error("ended")));
          stop.abort("enough");
        }),
    });
    const { stopped } = await evaluate(undefined, {
      data: [{ outputs: "a" }],
      evaluators: [judge],
      signal: stop.signal,
    });
    expect(stopped?.message).toContain("enough");
  });
});

describe("batches", () => {
  let server: BatchServer;
  afterEach(async () => {
    vi.unstubAllEnvs();
    await server.down();
  });

  it("have the questions of judges of another copy", async () => {
    const { face, says, env, model } = APIS.openai;
    server = await BatchServer.start(face, {
      answer: (body) => says('{"reasoning":"Yes.","score":true}', body),
    });
    for (const [name, value] of Object.entries(env(server.url))) vi.stubEnv(name, value);
    const { aggregates } = await evaluate(undefined, {
      data: [{ outputs: "a" }, { outputs: "b" }],
      evaluators: [required.createLLMAsJudge({ prompt: "{outputs}", model, feedbackKey: "ok" })],
      judges: { mode: "batch", batch: { pollMs: 5 } },
    });
    expect(aggregates.ok).toMatchObject({ mean: 1, count: 2 });
    expect([server.submitted, server.singles]).toEqual([2, 0]);
  });
});

/** Requires an entry point of another copy of the package, with another text in its code. */
function requireChanged(folder: string, entry: string, text: string, other: string) {
  copyPackage(folder);
  const dist = join(folder, "node_modules/openevals-wasm/dist");
  for (const name of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
    if (!/\.c?js$/.test(name)) continue;
    const code = readFileSync(join(dist, name), "utf8");
    if (code.includes(text)) writeFileSync(join(dist, name), code.replaceAll(text, other));
  }
  return createRequire(join(folder, "a.cjs"))(entry);
}

describe("true is bad", () => {
  const withPrompts = temporaryFolder();

  it("in a required prompt of another version, for an imported judge", async () => {
    const [text, other] = ["You are a moderator", "You are the moderator"] as const;
    const prompts = requireChanged(withPrompts, "openevals-wasm/prompts", text, other);
    expect(prompts.TOXICITY_PROMPT).toContain(other);
    const toxic = createLLMAsJudge({ prompt: prompts.TOXICITY_PROMPT, judge: () => ({ score: true }) });
    expect((await guard("You fool.", [toxic], { inputs: "Hi" })).ok).toBe(false);
  });

  it("in an imported prompt, for a required judge", () => {
    // In a process that has not loaded the judge's own copy of the prompts, since that has the same texts.
    const code = `
      import { createRequire } from "node:module";
      import { CONCISENESS_PROMPT, TOXICITY_PROMPT } from "openevals-wasm/prompts";
      const { createLLMAsJudge } = createRequire(import.meta.url)("openevals-wasm/llm");
      for (const prompt of [TOXICITY_PROMPT, CONCISENESS_PROMPT])
        console.log(createLLMAsJudge({ prompt, judge: () => ({ score: true }) }).scale.direction);
    `;
    const cwd = import.meta.dirname;
    const args = ["--input-type=module", "--eval", code];
    expect(execFileSync(process.execPath, args, { cwd, encoding: "utf8" })).toBe("lower\nhigher\n");
  });
});

it("a judge of another version is an error where the experiment answers in its place", async () => {
  const other: typeof import("openevals-wasm") = requireChanged(
    folder,
    "openevals-wasm",
    `"${__version__}"`,
    '"9.9.9"',
  );
  expect(other.__version__).toBe("9.9.9");
  const asked: string[] = [];
  const { rows } = await run(other.createLLMAsJudge, asked, { cache: new Map() });
  expect(rows[0]?.errors[0]?.error).toMatchObject({
    code: "invalid_config",
    message:
      `The judge belongs to version 9.9.9 of openevals-wasm, and the experiment to version ${__version__}. Caches, ` +
      "batches and estimates need the same version, so install only one.",
  });
  expect(asked).toEqual([]);
  const { aggregates } = await run(other.createLLMAsJudge, asked, {});
  expect(aggregates.ok).toMatchObject({ mean: 1, count: 2 });
});
