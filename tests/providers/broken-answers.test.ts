/** Answers that do not fit the requested form. */
import { describe, expect, it } from "vitest";
import { conversationOf } from "./conversation.js";
import { ask, errorOf, PROVIDERS, tokensOf, YES } from "./judges.js";
import { sharedServer } from "./shared-server.js";

const CHOICES = { choices: [0, 0.5, 1] };
const CONTINUOUS = { continuous: true };

describe.each(PROVIDERS)("a broken answer from $name", (provider) => {
  const server = sharedServer(() => provider.start());

  it.each([
    ["prose around the JSON", `Here is my verdict:\n\n${YES}\n\nI hope this helps!`, {}, true],
    ["braces in the prose", `The set {1, 2} is fine. ${YES} And {3} too.`, {}, true],
    ["a code fence", `\`\`\`json\n${YES}\n\`\`\``, {}, true],
    ["a boolean as text", '{"reasoning": "Both name Astana.", "score": "true"}', {}, true],
    ["a number as text", '{"reasoning": "Both name Astana.", "score": "0.75"}', CONTINUOUS, 0.75],
    ["a choice as text", '{"reasoning": "Both name Astana.", "score": "0.5"}', CHOICES, 0.5],
    ["braces in the reason", '{"reasoning": "} or \\" or {", "score": true}', {}, true],
  ])("%s is understood without asking again", async (_, text, options, score) => {
    server.script.push(provider.says(text));
    const result = await ask(provider, server, options);
    expect(result.score).toBe(score);
    expect(result.metadata.attempts).toBe(1);
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ["no JSON at all", "I think that it is right.", {}, "I think that it is right."],
    ["an empty answer", "", {}, ""],
    ["a missing score", '{"reasoning": "Both name Astana."}', {}, "score"],
    ["a score that is null", '{"reasoning": "Both name Astana.", "score": null}', {}, "null"],
    ["a score in words", '{"reasoning": "Both name Astana.", "score": "mostly"}', {}, "mostly"],
    ["a score above 1", '{"reasoning": "Both name Astana.", "score": 1.5}', CONTINUOUS, "1.5"],
    ["a score below 0", '{"reasoning": "Both name Astana.", "score": -0.1}', CONTINUOUS, "-0.1"],
    ["a percentage", '{"reasoning": "Both name Astana.", "score": 85}', CONTINUOUS, "85"],
    ["a score that is no choice", '{"reasoning": "Both name Astana.", "score": 0.3}', CHOICES, "0.3"],
    ["JSON that breaks off", '{"reasoning": "Both name Ast', {}, "Both name Ast"],
  ])("after %s the judge is asked once more, with the problem", async (_, text, options, mentioned) => {
    const score = "continuous" in options || "choices" in options ? 1 : true;
    server.script.push(provider.says(text), provider.says(JSON.stringify({ reasoning: "Better.", score })));
    const result = await ask(provider, server, options);
    expect(result).toMatchObject({ score, comment: "Better." });
    expect(result.metadata.attempts).toBe(2);
    expect(result.metadata.usage).toEqual(tokensOf(provider, 2));

    const [first, second] = server.requests.map(({ body }) => conversationOf(body).messages);
    expect(second.slice(0, first.length)).toEqual(first);
    expect(second.length).toBeGreaterThan(first.length);
    expect(second.at(-1).role).toBe("user");
    const added = second.slice(first.length).map(({ content }) => content);
    expect(added.join("\n")).toContain(mentioned);
  });

  it("a truncated answer is requested once more with a larger limit, even if it can be read", async () => {
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

  it("two broken answers are an error that contains the last one", async () => {
    server.script.push(provider.says("Yes."), provider.says("Yes, I said."));
    const error = await errorOf(ask(provider, server));
    expect(error).toMatchObject({ code: "invalid_judge_output", raw: "Yes, I said.", attempts: 2 });
    expect(server.requests).toHaveLength(2);
  });

  it("an answer that never fits a custom schema is an error, too", async () => {
    const outputSchema = {
      type: "object",
      properties: { tone: { type: "string" } },
      required: ["tone"],
      additionalProperties: false,
    };
    server.script.push(provider.says('{"mood": "kind"}'), provider.says('{"tone": 3}'));
    const error = await errorOf(ask(provider, server, { outputSchema }));
    expect(error).toMatchObject({ code: "invalid_judge_output", raw: '{"tone": 3}' });
  });
});
