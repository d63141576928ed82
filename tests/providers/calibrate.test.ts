/**
 * calibrate() and improve() with judges of several providers: recorded once, and replayed without a network.
 */

import { createLLMAsJudge, initChatModel } from "openevals-wasm";
import { evaluate } from "openevals-wasm/evaluation";
import { calibrate, correctRate, improve } from "openevals-wasm/judges";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { conversationOf } from "./conversation.js";
import { type Provider, providerNamed, tokensOf } from "./judges.js";
import type { Answer, Json, Loopback, Recorded } from "./servers/loopback.js";

const PROMPT = "Is this answer polite?\n<answer>{outputs}</answer>";
const RULE = `${PROMPT}\nSaying please is polite.`;

/** The prompt of a judge, and the answer in it. */
function asked(body: Json) {
  const { content } = conversationOf(body).messages.at(-1)!;
  return { content, answer: /<answer>(.*)<\/answer>/s.exec(content)?.[1] ?? "" };
}

/** Makes a server answer this many times as the function determines. */
function answers(server: Loopback, { says }: Provider, times: number, reply: (body: Json) => object) {
  for (let time = 0; time < times; time++) {
    server.script.push(((request: Recorded) => {
      const answer = says(JSON.stringify(reply(request.body)));
      return typeof answer === "function" ? answer(request) : answer;
    }) as Answer);
  }
}

describe.each(["OpenAI", "Anthropic", "Google"])("a judge at %s", (name) => {
  const provider = providerNamed(name);
  let server: Loopback;
  beforeEach(async () => {
    server = await provider.start();
  });
  afterEach(() => server.close());

  // It finds 40 of 50 positive rows, and 15 of 50 negative ones: a sensitivity of 0.8, and a specificity of
  // 0.7.
  const labelled = Array.from({ length: 100 }, (_, row) => ({ outputs: `answer ${row}`, human: row < 50 }));
  const isCalledTrue = (row: number) => (row < 50 ? row % 5 !== 0 : row % 10 < 3);
  const verdictOf = (body: Json) => {
    const row = Number(/answer (\d+)/.exec(asked(body).answer)?.[1]);
    return { reasoning: `It is row ${row}.`, score: isCalledTrue(row) };
  };

  it("has its true sensitivity and specificity, and its rate is corrected by them", async () => {
    const polite = createLLMAsJudge({
      prompt: PROMPT,
      judge: initChatModel(provider.model, provider.options(server)),
      feedbackKey: "polite",
    });
    const cache = new Map<string, string>();
    const options = { data: labelled, label: "human", maxConcurrency: 10 };
    answers(server, provider, 100, verdictOf);
    const report = await calibrate(polite, { ...options, judges: { cache, cacheMode: "record" } });
    expect(report).toMatchObject({
      key: "polite",
      count: 100,
      sensitivity: { value: 0.8 },
      specificity: { value: 0.7 },
      verdicts: { truePositives: 40, falseNegatives: 10, falsePositives: 15, trueNegatives: 35 },
    });
    expect(report.disagreements).toHaveLength(25);
    expect(report.disagreements[0]!.comment).toMatch(/^It is row \d+\.$/);
    expect(server.requests).toHaveLength(100);

    // With a true rate of 0.3 in 100 rows, its rate is 0.45.
    answers(server, provider, 100, (body) => {
      const row = Number(/answer (\d+)/.exec(asked(body).answer)?.[1]);
      return { reasoning: "", score: row < 30 ? row % 5 !== 0 : row % 10 < 3 };
    });
    const { aggregates } = await evaluate(undefined, {
      data: labelled.map(({ outputs }) => ({ outputs: `new ${outputs}` })),
      evaluators: [polite],
      calibration: { polite: report },
      maxConcurrency: 10,
      progress: false,
    });
    const { mean, corrected } = aggregates["polite"]!;
    expect(mean).toBeCloseTo(0.45, 12);
    expect(corrected!.value).toBeCloseTo(0.3, 12);
    expect(corrected!.interval!.low).toBeLessThan(0.3);
    expect(corrected!.interval!.high).toBeGreaterThan(0.3);
    const direct = await correctRate({ positives: 45, count: 100, calibration: report });
    expect(corrected!.interval!.high).toBeCloseTo(direct.interval!.high, 12);

    await server.close();
    expect(await calibrate(polite, { ...options, judges: { cache, cacheMode: "replay" } })).toEqual(report);
  });
});

it("a better prompt is found with requests, and again from the cache", async () => {
  const [judged, proposed] = [providerNamed("OpenAI"), providerNamed("Anthropic")];
  const servers = [await judged.start(), await proposed.start()] as const;
  const sentences = ["Thanks, it is", "It is", "No, it is not", "Please wait for"];
  const data = Array.from({ length: 80 }, (_, row) => {
    const outputs = `${sentences[row % 4]} ${row}`;
    return { outputs, human: /thanks|please/i.test(outputs) };
  });
  answers(servers[0], judged, 160, (body) => {
    const { content, answer } = asked(body);
    const score = /thanks/i.test(answer) || (/Saying please/.test(content) && /please/i.test(answer));
    return { reasoning: "By the words.", score };
  });
  answers(servers[1], proposed, 1, (body) => {
    const { content } = asked(body);
    const [, disagreements = ""] = /<disagreements>(.*)<\/disagreements>/s.exec(content) ?? [];
    expect(JSON.parse(disagreements)[0]).toMatchObject({
      verdict: false,
      label: true,
      comment: "By the words.",
    });
    return { reasoning: "What people call polite says please.", prompt: RULE };
  });
  const cache = new Map<string, string>();
  const make = (prompt: string) =>
    createLLMAsJudge({ prompt, judge: initChatModel(judged.model, judged.options(servers[0])) });
  const model = initChatModel(proposed.model, proposed.options(servers[1]));
  const run = (cacheMode: "record" | "replay") =>
    improve(
      make,
      { data, label: "human", maxConcurrency: 8, judges: { cache, cacheMode } },
      { prompt: PROMPT, model },
    );
  const found = await run("record");
  expect(found).toMatchObject({
    prompt: RULE,
    kept: true,
    after: { accuracy: { value: 1 } },
    tries: [{ outcome: "kept", reasoning: "What people call polite says please." }],
  });
  const { inputTokens, outputTokens } = tokensOf(judged);
  expect(found.used.judges).toMatchObject({
    inputTokens: 160 * inputTokens,
    outputTokens: 160 * outputTokens,
  });
  expect(found.used.proposals).toMatchObject(tokensOf(proposed));
  await Promise.all(servers.map((server) => server.close()));
  expect(await run("replay")).toEqual(found);
});
