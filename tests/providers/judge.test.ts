/** A verdict and its question at each provider. `src/judge/tests/apis.rs` has the options of judges, at each API. */
import { createLLMAsJudge, initChatModel } from "openevals-wasm";
import { describe, expect, it } from "vitest";
import { conversationOf } from "./conversation.js";
import { ask, PROMPT, PROVIDERS, providerNamed, ROW, tokensOf, YES } from "./judges.js";
import { sharedServer } from "./shared-server.js";

const question =
  "Is it right?\nQuestion: What is the capital of Kazakhstan?\nAnswer: Astana\nReference: Astana";

describe.each(PROVIDERS)("a judge at $name", (provider) => {
  const server = sharedServer(() => provider.start());

  it("returns score, comment and metadata", async () => {
    server.script.push(provider.says(YES));
    const result = await ask(provider, server);
    expect(result).toEqual({
      key: "score",
      score: true,
      comment: "Both name Astana.",
      metadata: {
        model: provider.model.slice(provider.model.indexOf(":") + 1),
        usage: tokensOf(provider),
        latencyMs: expect.any(Number),
        attempts: 1,
        promptHash: expect.any(String),
      },
    });
    expect(result.metadata.latencyMs).toBeGreaterThan(0);
  });

  it("sends the rendered prompt as a user message, and asks for a boolean with reasoning", async () => {
    server.script.push(provider.says(YES));
    await ask(provider, server);
    const { messages, schema } = conversationOf(server.requests[0].body);
    expect(messages).toEqual([{ role: "user", content: question }]);
    const { type, properties, required, additionalProperties } = schema;
    expect({ type, required, additionalProperties }).toEqual({
      type: "object",
      required: ["reasoning", "score"], // in this order: the model is to think before it decides
      additionalProperties: false,
    });
    expect(properties.reasoning.type).toBe("string");
    expect(properties.score.type).toBe("boolean");
    // Neither a temperature nor a limit, except for Anthropic, which requires one that leaves room for thinking.
    const text = JSON.stringify(server.requests[0].body);
    expect(text).not.toMatch(/"temperature"|max_completion_tokens|maxOutputTokens|maxTokens|num_predict/);
    if (["Anthropic", "Foundry", "Vertex, Claude"].includes(provider.name))
      expect(server.requests[0].body.max_tokens).toBeGreaterThanOrEqual(4096);
    else expect(text).not.toContain("max_tokens");
  });

  it("sends custom headers", async () => {
    server.script.push(provider.says(YES));
    await ask(provider, server, {}, { headers: { "X-Team": "evals" } });
    expect(server.requests[0].headers["x-team"]).toBe("evals");
  });

  it("uses the given fetch", async () => {
    server.script.push(provider.says(YES));
    const urls: string[] = [];
    const spy: typeof fetch = (input, init) => {
      urls.push(input instanceof Request ? input.url : String(input));
      return fetch(input, init);
    };
    await ask(provider, server, {}, { fetch: spy });
    expect(urls).toEqual([server.url + server.requests[0].path]);
  });

  it("sends many requests concurrently", async () => {
    for (let i = 0; i < 20; i++) server.script.push(provider.says(YES));
    const chat = initChatModel(provider.model, provider.options(server));
    const judge = createLLMAsJudge({ prompt: PROMPT, judge: chat });
    const results = await Promise.all(Array.from({ length: 20 }, () => judge(ROW)));
    expect(results.map(({ score }) => score)).toEqual(new Array(20).fill(true));
    expect(server.requests).toHaveLength(20);
  });
});

describe("a judge's options", () => {
  const provider = providerNamed("OpenAI");
  const server = sharedServer(() => provider.start());

  it("reports under the feedback key", async () => {
    server.script.push(provider.says(YES));
    expect((await ask(provider, server, { feedbackKey: "correctness" })).key).toBe("correctness");
  });

  it("a false verdict is a score, not an error", async () => {
    server.script.push(provider.says('{"reasoning": "Almaty was the capital until 1997.", "score": false}'));
    expect(await ask(provider, server)).toMatchObject({
      score: false,
      comment: "Almaty was the capital until 1997.",
    });
  });

  it.each([0, 0.7, 1])("continuous: %d", async (score) => {
    server.script.push(provider.says(JSON.stringify({ reasoning: "Partly.", score })));
    expect((await ask(provider, server, { continuous: true })).score).toBe(score);
    expect(conversationOf(server.requests[0].body).schema.properties.score.type).toBe("number");
  });

  it("choices", async () => {
    server.script.push(provider.says('{"reasoning": "Half of it.", "score": 0.5}'));
    expect((await ask(provider, server, { choices: [0, 0.5, 1] })).score).toBe(0.5);
    expect(conversationOf(server.requests[0].body).schema.properties.score.enum).toEqual([0, 0.5, 1]);
  });

  it("useReasoning: false asks for the score alone and gives no comment", async () => {
    server.script.push(provider.says('{"score": true}'));
    const result = await ask(provider, server, { useReasoning: false });
    expect(result.score).toBe(true);
    expect(result.comment).toBeUndefined();
    expect(conversationOf(server.requests[0].body).schema.required).toEqual(["score"]);
    expect(Object.keys(conversationOf(server.requests[0].body).schema.properties)).toEqual(["score"]);
  });

  it("puts the system message first, and the few-shot examples at the end of the user message", async () => {
    server.script.push(provider.says(YES));
    await ask(provider, server, {
      system: "You are strict.",
      fewShotExamples: [
        { inputs: "1 + 1?", outputs: "2", reasoning: "It is.", score: 1 },
        { inputs: { question: "2 + 2?" }, outputs: "5", score: 0 },
      ],
    });
    const { messages } = conversationOf(server.requests[0].body);
    expect(messages.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(messages[0].content).toBe("You are strict.");
    expect(messages[1].content.startsWith(question)).toBe(true);
    const examples = messages[1].content.slice(question.length);
    for (const part of ["1 + 1?", "It is.", "2 + 2?", "5"]) expect(examples).toContain(part);
    expect(examples.indexOf("1 + 1?")).toBeLessThan(examples.indexOf("2 + 2?"));
  });

  it("fills in further variables, as JSON unless they are text", async () => {
    server.script.push(provider.says(YES));
    const judge = createLLMAsJudge({
      prompt: "{inputs} {context} {{literal}}",
      judge: initChatModel(provider.model, provider.options(server)),
    });
    await judge({ inputs: { question: "Où ? 🗺️" }, outputs: "", context: ["a", 1] });
    expect(conversationOf(server.requests[0].body).messages[0].content).toBe(
      '{"question":"Où ? 🗺️"} ["a",1] {literal}',
    );
  });

  it("a custom schema returns the raw object", async () => {
    const outputSchema = {
      title: "review",
      type: "object",
      properties: {
        tone: { type: "string", enum: ["kind", "curt"] },
        marks: {
          type: "array",
          items: {
            type: "object",
            properties: { part: { type: "string" }, points: { type: "integer" } },
            required: ["part", "points"],
            additionalProperties: false,
          },
        },
      },
      required: ["tone", "marks"],
      additionalProperties: false,
    };
    const review = { tone: "kind", marks: [{ part: "facts", points: 3 }] };
    server.script.push(provider.says(JSON.stringify(review)));
    expect(await ask(provider, server, { outputSchema })).toEqual(review);
    expect(conversationOf(server.requests[0].body).schema.properties.tone.enum).toEqual(["kind", "curt"]);
  });
});
