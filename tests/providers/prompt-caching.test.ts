/** Anthropic's prompt caching, with a server that counts tokens as the API does. */
import { createLLMAsJudge, initChatModel, type LLMAsJudgeOptions } from "openevals-wasm";
import { evaluate } from "openevals-wasm/evaluation";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answer, startAnthropic } from "./servers/anthropic.js";
import type { Json, Loopback, Recorded, Step } from "./servers/loopback.js";
import { completion, startOpenAI } from "./servers/openai.js";

const KEY = "sk-secret-of-the-test";
/** Shorter prefixes are not cached. */
const LEAST = 1024;

let server: Loopback;
afterEach(() => server.close());

const tokensIn = (text: string): number => Math.ceil(text.length / 4);

/** The content of a request in order, with its cache marks. */
function blocksOf({ system = [], messages }: Json): { text: string; cache_control?: Json }[] {
  const blocks = (content: Json) =>
    typeof content === "string" ? [{ type: "text", text: content }] : content;
  return [...blocks(system), ...messages.flatMap(({ content }: Json) => blocks(content))];
}

/** The cache hit as in the API: the longest prefix that ends with a mark and was seen before. */
function counting(): (request: Recorded) => Step {
  const kept = new Set<string>();
  return ({ body }) => {
    const said = blocksOf(body);
    let [prefix, read, written] = ["", 0, 0];
    for (const { text, cache_control: mark } of said) {
      prefix += text;
      const tokens = tokensIn(prefix);
      if (!mark || tokens < LEAST) continue;
      if (kept.has(prefix)) [read, written] = [tokens, 0];
      else written = tokens - read;
      kept.add(prefix);
    }
    const all = tokensIn(said.map(({ text }) => text).join(""));
    const step = answer([{ type: "text", text: '{"reasoning":"So.","score":true}' }]) as { body: string };
    const usage = {
      input_tokens: all - read - written,
      cache_creation_input_tokens: written,
      cache_read_input_tokens: read,
      output_tokens: 30,
    };
    return { ...step, body: JSON.stringify({ ...JSON.parse(step.body), usage }) };
  };
}

const RULES = "A rule of the rubric. ".repeat(300);
const PROMPT = `${RULES}\n\n<answer>\n{outputs}\n</answer>`;
const MODEL = "anthropic:claude-sonnet-4-5";

const judge = (options: Partial<LLMAsJudgeOptions>) =>
  createLLMAsJudge({
    prompt: PROMPT,
    judge: initChatModel(MODEL, { baseURL: server.url, apiKey: KEY }),
    ...options,
  });

describe("the start of a prompt", () => {
  beforeEach(async () => {
    server = await startAnthropic(KEY);
    const count = counting();
    server.script.push(count, count, count, count);
  });

  it("is cached and counted", async () => {
    const evaluator = judge({ promptCaching: "5m", system: "You judge." });
    const usages = [];
    for (const outputs of ["a", "b", "c"]) usages.push((await evaluator({ outputs })).metadata.usage);
    const [first, ...others] = usages;
    const beginning = tokensIn(`You judge.${PROMPT.split("{")[0]?.trimEnd()}`);
    const { inputTokens = 0 } = first ?? {};
    expect(first).toEqual({ inputTokens, outputTokens: 30, cacheWriteTokens: beginning });
    expect(inputTokens).toBeGreaterThan(beginning);
    for (const usage of others)
      expect(usage).toEqual({ inputTokens, outputTokens: 30, cachedInputTokens: beginning });

    const [{ body }] = server.requests as [Recorded];
    expect(body.system).toEqual([{ type: "text", text: "You judge." }]);
    expect(body.messages).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: `${RULES}\n\n<answer>`, cache_control: { type: "ephemeral" } },
          { type: "text", text: "\na\n</answer>" },
        ],
      },
    ]);
  });

  it("is cached for an hour on request, also if only the system message is constant", async () => {
    await judge({ promptCaching: "1h", prompt: "{outputs}", system: RULES })({ outputs: "a" });
    const [{ body }] = server.requests as [Recorded];
    const mark = { type: "ephemeral", ttl: "1h" };
    expect(body.system).toEqual([{ type: "text", text: RULES, cache_control: mark }]);
    expect(body.messages).toEqual([{ role: "user", content: "a" }]);
  });

  it("is not cached by default, nor if it is short", async () => {
    const usual = await judge({})({ outputs: "a" });
    expect(JSON.stringify(server.requests)).not.toContain("cache_control");
    const short = judge({ prompt: "Is {outputs} right?", promptCaching: "5m" });
    for (const outputs of ["a", "a"]) {
      expect((await short({ outputs })).metadata.usage).toEqual({ inputTokens: 3, outputTokens: 30 });
    }
    expect(usual.metadata.usage?.cachedInputTokens).toBeUndefined();
  });

  it("is marked only before text that is not blank, also with an experiment's cache", async () => {
    await judge({ prompt: "{outputs}", promptCaching: "5m" })({ outputs: "a" });
    await judge({ prompt: "Say yes.{outputs}", promptCaching: "5m" })({ outputs: " " });
    expect(server.requests.map(({ body }) => body.messages[0].content)).toEqual(["a", "Say yes. "]);
    const cache = new Map();
    await evaluate(undefined, {
      data: [{ outputs: "a" }],
      evaluators: [judge({ promptCaching: "5m" })],
      judges: { cache },
    });
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('"cache_control":{"type":"ephemeral"}');
  });

  it("can be marked manually in messages", async () => {
    const text = { type: "text", text: RULES, cache_control: { type: "ephemeral", ttl: "1h" } };
    const messages = [{ role: "user", content: [text, { type: "text", text: "Is it right?" }] }];
    await judge({ prompt: () => messages })({ outputs: "a" });
    expect(server.requests[0]?.body.messages).toEqual(messages);
  });
});

describe("judges of other providers", () => {
  it("get the same requests as without it", async () => {
    server = await startOpenAI(KEY);
    const model = initChatModel("openai:gpt-5.4", { baseURL: `${server.url}/v1`, apiKey: KEY });
    const attachments = "https://example.com/a.png";
    for (const promptCaching of [undefined, "5m"] as const) {
      server.script.push(completion('{"reasoning":"So.","score":true}'));
      await judge({ judge: model, promptCaching, system: "You judge." })({ outputs: "a", attachments });
    }
    const [without, marked] = server.requests.map(({ body }) => body);
    expect(marked).toEqual(without);
    let asked: Json;
    const own = (request: Json) => {
      asked = request.messages;
      return { score: true, reasoning: "" };
    };
    await judge({ judge: own, promptCaching: "5m" })({ outputs: "a" });
    expect(asked).toEqual([{ role: "user", content: PROMPT.replace("{outputs}", "a") }]);
  });

  it("invalid cache times are errors", () => {
    expect(() => judge({ judge: () => "", promptCaching: "1d" as never })).toThrow(/promptCaching is "1d"/);
  });
});
