/** Answers that do not fit the requested form. `src/judge/tests/apis.rs` has all of them, at each API. */
import { describe, expect, it } from "vitest";
import { conversationOf } from "./conversation.js";
import { ask, errorOf, PROVIDERS, providerNamed, tokensOf, YES } from "./judges.js";
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
