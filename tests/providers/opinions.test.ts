/** Several opinions: samples of a judge, and juries of models. */
import { createJsonMatchEvaluator, createLLMAsJudge, initChatModel } from "openevals-wasm";
import { createJury } from "openevals-wasm/judges";
import { beforeEach, describe, expect, it, vi } from "vitest";
import {
  AT_ONCE,
  ask,
  DISTINCT,
  errorOf,
  PROMPT,
  type Provider,
  providerNamed,
  ROW,
  tokensOf,
  YES,
} from "./judges.js";
import type { Loopback } from "./servers/loopback.js";
import { sharedServer } from "./shared-server.js";

const NO = '{"reasoning": "It is Almaty.", "score": false}';

describe.each(DISTINCT)("samples at $name", (provider) => {
  const server = sharedServer(() => provider.start());

  it("repeat the same request; tokens and requests are summed", async () => {
    server.script.push(provider.says(YES), provider.says(NO), provider.says(YES));
    const { score, comment, metadata } = await ask(provider, server, { samples: 3 });
    expect([score, comment]).toEqual([true, "Both name Astana."]);
    expect(metadata).toMatchObject({
      model: provider.model.slice(provider.model.indexOf(":") + 1),
      usage: tokensOf(provider, 3),
      attempts: 3,
      confidence: 2 / 3,
    });
    expect(metadata.votes?.map((vote) => vote.score).sort()).toEqual([false, true, true]);
    const [first, ...others] = server.requests.map(({ text }) => text);
    expect(others).toEqual([first, first]);
  });

  it("that fail do not vote", async () => {
    server.script.push(provider.says(YES), provider.failure(400, "No."), provider.says(YES));
    const { score, metadata } = await ask(provider, server, { samples: 3 }, { maxRetries: 0 });
    expect([score, metadata.confidence, metadata.votes?.filter(({ error }) => error).length]).toEqual([
      true,
      1,
      1,
    ]);
    server.script.push(provider.says(YES), provider.failure(400, "No."), provider.failure(400, "No."));
    const error = await errorOf(ask(provider, server, { samples: 3 }, { maxRetries: 0 }));
    expect(error).toMatchObject({ code: "provider_error", status: 400 });
    expect(error.message).toMatch(
      /^1 of 3 samples returned a score, but the quorum is 2\. sample \d, sample \d: /,
    );
  });
});

describe("with an OpenAI server", () => {
  const openai = providerNamed("OpenAI");
  let server: Loopback;
  beforeEach(async () => {
    server = await openai.start();
    vi.stubEnv("OPENAI_BASE_URL", `${server.url}/v1`);
    vi.stubEnv("OPENAI_API_KEY", openai.options(server).apiKey);
    return async () => {
      vi.unstubAllEnvs();
      await server.close();
    };
  });

  it("a sample that is asked again is one sample", async () => {
    server.script.push(openai.says("Well."), openai.says(NO), openai.says(NO), openai.says(YES));
    const { score, metadata } = await ask(openai, server, { samples: 3 });
    expect([score, metadata.attempts, metadata.votes?.length]).toEqual([false, 4, 3]);
  });

  it("samples respect the limits of their model", async () => {
    let now = 0;
    let most = 0;
    const answer = openai.says(YES) as (request: unknown) => never;
    server.script.push(
      ...Array.from({ length: 20 }, () => async (request: unknown) => {
        most = Math.max(most, ++now);
        await new Promise(setImmediate);
        now--;
        return answer(request);
      }),
    );
    const { metadata } = await ask(openai, server, { samples: 20, temperature: 1 }, { maxConcurrency: 4 });
    expect(metadata.votes).toHaveLength(20);
    expect(most).toBeLessThanOrEqual(4);
  });

  it("a temperature reaches a model by name, one from initChatModel, and the judge of a rubric", async () => {
    const judge = initChatModel(openai.model, { temperature: 0.2 });
    const prompt = PROMPT;
    const verdict = '{"city": {"reasoning": "The same.", "score": true}}';
    server.script.push(...[YES, YES, YES, YES, verdict].map((text) => openai.says(text)));
    await createLLMAsJudge({ prompt, model: openai.model, temperature: 0.7 })(ROW);
    await createLLMAsJudge({ prompt, judge, temperature: 0 })(ROW);
    await createLLMAsJudge({ prompt, judge })(ROW);
    await createLLMAsJudge({ prompt, model: openai.model })(ROW);
    const rubric = { city: "The same place?" };
    await createJsonMatchEvaluator({ rubric, model: openai.model, temperature: 1.5 })({
      outputs: { city: "Paris" },
      referenceOutputs: { city: "Paris, France" },
    });
    expect(server.requests.map(({ body }) => body.temperature)).toEqual([0.7, 0, 0.2, undefined, 1.5]);
  });

  it("a temperature reaches a model that was first asked without one", async () => {
    const judge = initChatModel(openai.model);
    server.script.push(openai.says(YES), openai.says(YES));
    await createLLMAsJudge({ prompt: PROMPT, judge })(ROW);
    await createLLMAsJudge({ prompt: PROMPT, judge, temperature: 0 })(ROW);
    expect(server.requests.map(({ body }) => body.temperature)).toEqual([undefined, 0]);
  });
});

describe("a jury of models", () => {
  const members = ["OpenAI", "Anthropic", "Google", "Ollama"].map(providerNamed);
  let servers: Loopback[];
  beforeEach(async () => {
    servers = await Promise.all(members.map((provider) => provider.start()));
    return () => Promise.all(servers.map((server) => server.close()));
  });
  const says = (...texts: (string | undefined)[]) =>
    texts.forEach((text, index) => {
      if (text) servers[index]?.script.push((members[index] as Provider).says(text));
    });
  const judgeOf = (index: number, settings = {}) => {
    const { model, options } = members[index] as Provider;
    const judge = initChatModel(model, { ...options(servers[index] as Loopback), ...settings });
    return createLLMAsJudge({ prompt: PROMPT, feedbackKey: members[index]?.name, judge });
  };

  it("reports each member's verdict, and sums their usage", async () => {
    says(YES, NO, YES, YES);
    const { score, comment, metadata } = await createJury({
      judges: [0, 1, 2, 3].map((index) => judgeOf(index)),
    })(ROW);
    expect([score, metadata.agreement]).toEqual([true, 0.75]);
    expect(metadata.models).toEqual(members.map(({ model }) => model.slice(model.indexOf(":") + 1)));
    expect(metadata.usage).toMatchObject({ inputTokens: 480, outputTokens: 120 });
    expect(metadata.votes.map((vote) => [vote.name, vote.score])).toEqual([
      ["OpenAI", true],
      ["Anthropic", false],
      ["Google", true],
      ["Ollama", true],
    ]);
    expect(comment).toBe(
      [
        "OpenAI (true): Both name Astana.",
        "Anthropic (false): It is Almaty.",
        "Google (true): Both name Astana.",
        "Ollama (true): Both name Astana.",
      ].join("\n"),
    );
  });

  it("tolerates a member that is down, and one that hangs until its signal ends it", async () => {
    says(undefined, undefined, YES, YES);
    servers[0]?.script.push({ ...members[0]!.failure(503, "Down."), headers: AT_ONCE });
    servers[1]?.script.push({ fault: "stall" });
    const controller = new AbortController();
    const judges = [
      judgeOf(0, { maxRetries: 0 }),
      judgeOf(1, { signal: controller.signal }),
      judgeOf(2),
      judgeOf(3),
    ];
    const verdict = createJury({ judges, quorum: 2 })(ROW);
    await expect.poll(() => servers[1]?.requests.length, { interval: 1 }).toBe(1);
    controller.abort();
    const { score, metadata } = await verdict;
    expect(score).toBe(true);
    expect(metadata.votes.map(({ error }) => error?.code)).toEqual([
      "provider_error",
      "aborted",
      undefined,
      undefined,
    ]);
  });

  it("fails with the members' errors if too few are left", async () => {
    says(YES);
    for (const [index, server] of servers.entries()) {
      if (index === 0) continue;
      server.script.push({ ...members[index]!.failure(401, "Who are you?") });
    }
    const judges = [0, 1, 2, 3].map((index) => judgeOf(index, { maxRetries: 0 }));
    const error = await errorOf(createJury({ judges })(ROW));
    expect(error).toMatchObject({ code: "provider_error", status: 401 });
    expect(error.message).toMatch(
      /^1 of 4 judges returned a score, but the quorum is 3\. Anthropic: .*; Google: .*; Ollama: /,
    );
    expect((error.cause as AggregateError).errors.map(({ status }) => status)).toEqual([401, 401, 401]);
  });
});
