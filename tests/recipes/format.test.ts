/** The texts that `run` takes: those that `evaluate` makes of messages. */
import {
  CheckCriteriaEvaluator,
  formatConversation,
  formatFullHistory,
  GuidanceEvaluator,
  PreferenceAdherenceEvaluator,
  type RecipeMessage,
  ToolUsageEvaluator,
} from "openevals-wasm/recipes";
import { describe, expect, it } from "vitest";
import { errorOf } from "../api/error-of.ts";
import { block, recorded } from "./asked.ts";

const MESSAGES: RecipeMessage[] = [
  { role: "system", content: "Be kind." },
  { role: "developer", content: "The user likes\nshort answers." },
  { role: "user", content: "Hi!" },
  { role: "assistant", content: "Hello." },
  { role: "user", content: [{ type: "input_text", text: "How warm is it in Oslo?" }] },
  { type: "function_call", call_id: "c1", name: "search", arguments: '{"q":"Oslo"}' },
  { type: "function_call_output", call_id: "c1", output: "4 °C" },
  { role: "assistant", content: "4 °C." },
];

const FULL = `[1] system
| Be kind.

[2] developer
| The user likes
| short answers.

[3] user
| Hi!

[4] assistant
| Hello.

[5] user
| How warm is it in Oslo?

[6] assistant
-> call of search (c1)
| {"q":"Oslo"}

[7] tool (result of c1)
| 4 °C

[8] assistant
| 4 °C.`;

describe("formatConversation", () => {
  it("writes messages of any form as models read them", async () => {
    expect(await formatConversation(MESSAGES)).toBe(FULL);
    expect(await formatConversation([])).toBe("(no messages)");
  });

  it("names the value that is not a message", async () => {
    const error = await errorOf(formatConversation([{}]));
    expect(error.code).toBe("invalid_input");
    expect(error.message).toMatch(/^messages\[0\] is \{\}/);
    expect((await errorOf(formatConversation("Hi" as never))).code).toBe("invalid_input");
  });
});

describe("formatFullHistory", () => {
  it("leaves out the parts that the options name", async () => {
    expect(await formatFullHistory(MESSAGES)).toBe(FULL);
    const user = FULL.slice(0, FULL.indexOf("\n\n[6]"));
    expect(await formatFullHistory(MESSAGES, { onlyUptoLastUser: true })).toBe(user);
    expect(await formatFullHistory(MESSAGES, { removeLastAssistant: true })).toBe(
      FULL.slice(0, FULL.indexOf("\n\n[8]")),
    );
    expect(await formatFullHistory(MESSAGES.slice(0, 4), { removeSystemMessages: true })).toBe(
      "[1] developer\n| The user likes\n| short answers.\n\n[2] user\n| Hi!\n\n[3] assistant\n| Hello.",
    );
  });

  it("has options that are true or false", async () => {
    const error = await errorOf(formatFullHistory(MESSAGES, { onlyUptoLastUser: 1 as never }));
    expect(error.message).toMatch(/^onlyUptoLastUser is 1; it has to be true or false/);
    const unknown = await errorOf(formatFullHistory(MESSAGES, { onlyUpToLastUser: true } as never));
    expect(unknown.message).toMatch(/^formatFullHistory has no option "onlyUpToLastUser"/);
  });

  it("makes the texts that evaluate asks about", async () => {
    const { model, asked } = recorded(({ fields }) => {
      if (fields.includes("preferences")) {
        return { preferences: [{ start_line: 4, end_line: 5, preference: "p" }] };
      }
      if (fields.includes("tool_evaluations")) {
        return { tool_evaluations: [{ tool_name: "search", reasoning: "r", probability: 1 }] };
      }
      if (fields.includes("determination")) {
        return { reasoning: "r", adherence_probability: 50, determination: "adhered" };
      }
      if (fields.includes("probability")) return { reasoning: "r", probability: 1 };
      if (fields.includes("score")) return { reasoning: "r", score: 1 };
      const texts = { capabilities_analysis: "a", sufficient_capabilities: "b", in_scope_reasoning: "c" };
      return { ...texts, is_in_scope_probability: 1 };
    });
    const tools = [{ type: "function", name: "search" }];
    await new PreferenceAdherenceEvaluator({ model }).evaluate(MESSAGES);
    await new GuidanceEvaluator({ model, capabilityManifest: "m" }).evaluate(MESSAGES);
    await new ToolUsageEvaluator({ model }).evaluate(MESSAGES, tools);
    const withoutDeveloper = MESSAGES.filter(({ role }) => role !== "developer");
    await new CheckCriteriaEvaluator({ model, criteria: ["c"] }).evaluate(MESSAGES);
    const read = asked.map(({ prompt }) => block("conversation", prompt));
    const beginning = await formatFullHistory(MESSAGES, { onlyUptoLastUser: true });
    const numbered = beginning.split("\n").map((line, number) => `${number}→${line}`);
    expect(numbered.slice(4, 6)).toEqual(["4→| The user likes", "5→| short answers."]);
    const full = await formatFullHistory(MESSAGES);
    expect(read).toEqual([
      numbered.join("\n"),
      full,
      await formatFullHistory(MESSAGES, { removeSystemMessages: true, onlyUptoLastUser: true }),
      full,
      beginning,
      await formatFullHistory(withoutDeveloper, { removeSystemMessages: true, removeLastAssistant: true }),
    ]);
  });
});
