/** Answers that do not fit the requested form. `src/judge/tests/apis.rs` has all of them, at each API. */
import { createLLMAsJudge, initChatModel } from "openevals-wasm";
import { describe, expect, it } from "vitest";
import { conversationOf } from "./conversation.js";
import { ask, errorOf, PROVIDERS, providerNamed, tokensOf, YES } from "./judges.js";
import { startLoopback } from "./servers/loopback.js";
import { sharedServer } from "./shared-server.js";

describe.each(PROVIDERS)("a broken answer from $name", (provider) => {
  const server = sharedServer(() => provider.start());

  it("is followed by one more question, with the problem", async () => {
    const text = "I think that it is right.";
    server.script.push(provider.says(text), provider.says('{"reasoning": "Better.", "score": true}'));
    const result = await ask(provider, server);
    expect(result).toMatchObject({ score: true, comment: "Better." });
    expect(result.metadata.attempts).toBe(2);
    expect(result.metadata.usage).toEqual(tokensOf(provider, 2));

    const [first, second] = server.requests.map(({ body }) => conversationOf(body).messages);
    expect(second.slice(0, first.length)).toEqual(first);
    expect(second.length).toBeGreaterThan(first.length);
    expect(second.at(-1).role).toBe("user");
    const added = second.slice(first.length).map(({ content }) => content);
    expect(added.join("\n")).toContain(text);
  });

  it("that is truncated is requested once more with a larger limit, even if it can be read", async () => {
    server.script.push(provider.isCutOff('{"reasoning": "Both na'), provider.says(YES));
    const result = await ask(provider, server);
    expect(result.score).toBe(true);
    expect(result.metadata.attempts).toBe(2);
    const [first, second] = server.requests.map(({ body }) => body);
    expect(conversationOf(second)).toEqual(conversationOf(first));
    expect(JSON.stringify(second)).toMatch(
      /(max_\w*tokens|maxOutputTokens|maxTokens|num_predict)":(16|32)000/,
    );
  });
});

describe("an answer that is not finished, or not the only one", () => {
  const server = sharedServer(() => startLoopback(() => undefined));
  const [yes, no] = [true, false].map((score) => JSON.stringify({ reasoning: "Sure.", score }));
  const choice = (content: string | null) => ({ message: { content }, finish_reason: "stop" });
  const asked = (model: string, answer: object, settings = {}) => {
    server.script.push({ body: JSON.stringify(answer) }, { body: JSON.stringify(answer) });
    const judge = initChatModel(model, { baseURL: server.url, apiKey: "k", maxRetries: 0, ...settings });
    return createLLMAsJudge({ prompt: "{outputs}", judge })({ outputs: "a" });
  };

  it.each<[string, string, object, object, string]>([
    [
      "a message of the Responses API",
      "openai:m",
      {
        status: "completed",
        output: [{ type: "message", status: "incomplete", content: [{ type: "output_text", text: yes }] }],
      },
      { api: "responses" },
      "it was cut off",
    ],
    ["of Ollama", "ollama:m", { message: { content: yes }, done: false }, {}, "it was cut off"],
    [
      "two choices",
      "openai:m",
      { choices: [choice(yes as string), choice(no as string)] },
      {},
      "the API sent several answers, and they differ",
    ],
  ])("%s is not used", async (_, model, answer, settings, problem) => {
    expect(await errorOf(asked(model, answer, settings))).toMatchObject({
      code: "invalid_judge_output",
      message: expect.stringContaining(problem),
    });
  });

  it("a second choice with the same text or none changes nothing", async () => {
    const choices = [choice(yes as string), choice(yes as string), choice(null)];
    expect(await asked("openai:m", { choices })).toMatchObject({ score: true });
    server.script.length = 0;
  });
});

describe("an answer that declines to judge", () => {
  const judged = (answer: string, options = {}) => {
    const questions: unknown[] = [];
    const judge = (request: { messages: unknown }) => {
      questions.push(request.messages);
      return answer;
    };
    return {
      result: createLLMAsJudge({ prompt: "{outputs}", judge, ...options })({ outputs: "a" }),
      questions,
    };
  };

  it.each([
    ['I cannot judge this answer. The format would be {"reasoning": "...", "score": true}.', "a placeholder"],
    ['(Schema: {"reasoning":"<why>","score":true})', "a placeholder"],
    ['The schema is {"reasoning":"","score":true}.', "a placeholder"],
    ['{"reasoning":"It is.","score":true}\n\nSorry, I’m unable to assess this content.', "declines to judge"],
    ['As an AI, I can’t help with that. {"score":true}', "declines to judge"],
  ])("%s", async (answer, problem) => {
    const { result, questions } = judged(answer);
    expect(await errorOf(result)).toMatchObject({
      code: "invalid_judge_output",
      message: expect.stringMatching(
        /the text around its JSON declines to judge|its reasoning is a placeholder/,
      ),
    });
    expect(JSON.stringify(questions[1])).toContain(problem === "a placeholder" ? "cannot be used" : problem);
    expect(questions).toHaveLength(2);
  });

  it("is no verdict of a caller's schema, either", async () => {
    const outputSchema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
    const { result } = judged('I will not grade this. The form is {"n": 0}.', { outputSchema });
    expect(await errorOf(result)).toMatchObject({ code: "invalid_judge_output" });
  });

  it.each([
    'Here is my verdict:\n```json\n{"reasoning": "The agent cannot help.", "score": true}\n```',
    'The agent cannot help with that. {"reasoning": "So it refuses.", "score": true}',
    'I cannot find a mistake. {"reasoning": "All is right.", "score": true}',
    '{"reasoning": "...", "score": true}',
  ])("is not meant: %s", async (answer) => {
    const { result, questions } = judged(answer);
    expect(await result).toMatchObject({ score: true });
    expect(questions).toHaveLength(1);
  });
});

describe("a broken answer", () => {
  const openai = providerNamed("OpenAI");
  const server = sharedServer(() => openai.start());

  it("with the verdict in another form is understood without asking again", async () => {
    server.script.push(openai.says('So: {"reasoning": "Both name Astana.", "score": "0.5"}'));
    const result = await ask(openai, server, { choices: [0, 0.5, 1] });
    expect(result).toMatchObject({ score: 0.5, metadata: { attempts: 1 } });
    expect(server.requests).toHaveLength(1);
  });

  it("twice is an error that contains the last one", async () => {
    server.script.push(openai.says("Yes."), openai.says("Yes, I said."));
    const error = await errorOf(ask(openai, server));
    expect(error).toMatchObject({ code: "invalid_judge_output", raw: "Yes, I said.", attempts: 2 });
    expect(server.requests).toHaveLength(2);
  });

  it("that never fits a custom schema is an error, too", async () => {
    const outputSchema = {
      type: "object",
      properties: { tone: { type: "string" } },
      required: ["tone"],
      additionalProperties: false,
    };
    server.script.push(openai.says('{"mood": "kind"}'), openai.says('{"tone": 3}'));
    const error = await errorOf(ask(openai, server, { outputSchema }));
    expect(error).toMatchObject({ code: "invalid_judge_output", raw: '{"tone": 3}' });
  });
});
