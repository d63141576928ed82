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

  type Refused = [name: string, model: string, answer: object, settings: object, problem: string];
  const BESIDE = "the API reported an error with it";
  const endedWith = (reason: string) => `the API ended it with the reason "${reason}"`;

  it.each<Refused>([
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
    ...[
      { message: { content: yes }, finish_reason: "stop", error: { code: 502, message: "Gone" } },
      { message: { content: yes }, finish_reason: null, error: { code: 502, message: "Gone" } },
    ].map((choice): Refused => ["a failed choice", "openrouter:m", { choices: [choice] }, {}, BESIDE]),
    [
      "a body that is marked as an error",
      "mistralai:m",
      { object: "error", message: "Bad", choices: [choice(yes as string)] },
      {},
      BESIDE,
    ],
    ...[
      ["deepseek:m", "insufficient_system_resource"],
      ["vllm:m", "abort"],
      ["openai:m", "timeout"],
    ].map(([model = "", reason = ""]): Refused => {
      const choices = [{ message: { content: yes }, finish_reason: reason }];
      return [`the reason ${reason}`, model, { choices }, {}, endedWith(reason)];
    }),
    [
      "another status of the Responses API",
      "openai:m",
      { status: "weird", output: [{ type: "message", content: [{ type: "output_text", text: yes }] }] },
      { api: "responses" },
      endedWith("weird"),
    ],
    [
      "the reason load of Ollama",
      "ollama:m",
      { message: { content: yes }, done: true, done_reason: "load" },
      {},
      endedWith("load"),
    ],
    [
      "a malformed call of Gemini",
      "google-genai:m",
      { candidates: [{ content: { parts: [{ text: yes }] }, finishReason: "MALFORMED_FUNCTION_CALL" }] },
      {},
      endedWith("MALFORMED_FUNCTION_CALL"),
    ],
  ])("%s is not used", async (_, model, answer, settings, problem) => {
    expect(await errorOf(asked(model, answer, settings))).toMatchObject({
      code: "invalid_judge_output",
      message: expect.stringContaining(problem),
    });
  });

  it.each([
    "stop",
    "STOP",
    "COMPLETE",
    "eos",
    "eos_token",
    "stop_sequence",
    "end_turn",
    "tool_calls",
    "function_call",
    "",
    null,
  ])("the reason %j of a compatible server means a complete answer", async (finish_reason) => {
    const answer = { choices: [{ message: { content: yes }, finish_reason }] };
    expect(await asked("vllm:m", answer)).toMatchObject({ score: true, metadata: { attempts: 1 } });
    server.script.length = 0;
  });

  it("a second choice with the same text or none changes nothing", async () => {
    const choices = [choice(yes as string), choice(yes as string), choice(null)];
    expect(await asked("openai:m", { choices })).toMatchObject({ score: true });
    server.script.length = 0;
  });
});

describe("JSON beside text", () => {
  const YES = '{"reasoning": "It is.", "score": true}';

  /** Asks a judge that gives these answers in turn, the last one again and again. */
  const judged = (answers: string[], options = {}) => {
    const questions: unknown[] = [];
    const judge = ({ messages }: { messages: unknown }) => {
      questions.push(messages);
      return answers[Math.min(questions.length, answers.length) - 1];
    };
    const result = createLLMAsJudge({ prompt: "{outputs}", judge, ...options })({ outputs: "a" });
    return { result, questions };
  };

  it.each([
    `I need more information to judge. Format: ${YES}`,
    `For example ${YES} would be the format. I will not answer.`,
    `I am unable to see the image. ${YES}`,
    `Ich kann das nicht beurteilen. Beispiel:\n\`\`\`json\n${YES}\n\`\`\``,
    `Error: rate limit exceeded. Last cached: ${YES}`,
    `My answer would have been ${YES} if the text were English, but it is not, so it fails.`,
    `${YES}\n\nSorry, I’m unable to assess this content.`,
    `${YES} {"reasoning": "It is not.", "score": false}`,
  ])("is not a verdict: %s", async (answer) => {
    const { result, questions } = judged([answer]);
    expect(await errorOf(result)).toMatchObject({
      code: "invalid_judge_output",
      message: expect.stringContaining("there is text beside its JSON"),
    });
    expect(JSON.stringify(questions[1])).toContain("there is text beside its JSON");
    expect(questions).toHaveLength(2);
  });

  it("is not a verdict of a caller's schema, either", async () => {
    const outputSchema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
    const { result } = judged(['I will not grade this. The form is {"n": 0}.'], { outputSchema });
    expect(await errorOf(result)).toMatchObject({ code: "invalid_judge_output" });
  });

  it("is asked for alone", async () => {
    const { result, questions } = judged([`The agent cannot help with that. So: ${YES}`, YES]);
    expect(await result).toMatchObject({ score: true, comment: "It is." });
    expect(questions).toHaveLength(2);
  });

  it.each([
    `\`\`\`json\n${YES}\n\`\`\``,
    `<think>I cannot judge this. Or {"score": false}?</think>\n${YES}`,
    `<answer>${YES}</answer>`,
    `${YES}<|eot_id|>`,
    '{"reasoning": "...", "score": true}',
  ])("is not meant: %s", async (answer) => {
    const { result, questions } = judged([answer]);
    expect(await result).toMatchObject({ score: true });
    expect(questions).toHaveLength(1);
  });

  it("in a code fence is not a verdict with a placeholder as its reasoning", async () => {
    const { result } = judged(['```json\n{"reasoning":"<why>","score":true}\n```']);
    expect((await errorOf(result)).message).toContain("its reasoning is a placeholder");
  });
});

describe("a broken answer", () => {
  const openai = providerNamed("OpenAI");
  const server = sharedServer(() => openai.start());

  it("with the verdict in another form is understood without asking again", async () => {
    server.script.push(openai.says('```\n{"reasoning": "Both name Astana.", "score": "0.5"}\n```'));
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
