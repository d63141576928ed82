/**
 * Conversations of `gold-set/`, with the expected results of each evaluation: whether it is applicable, the
 * band that the score is in, and how many questions it takes.
 *
 * The answers of the model are scripted, unless an environment variable names a model to ask instead:
 * `GOLD_SET_MODEL=openai:gpt-5.4 npx vitest run --project recipes gold-set`. The questions are not counted then.
 */
import { evaluate } from "openevals-wasm/recipes";
import { expect, it } from "vitest";
import { recorded } from "./asked.ts";
import { conversations, expectations } from "./gold-set.ts";
import { scripted } from "./gold-set-scripts.ts";

const MODEL = process.env["GOLD_SET_MODEL"];

it.each(conversations)(
  "%s",
  { timeout: MODEL ? 600_000 : 20_000 },
  async (_, { messages, tools, expected }) => {
    const entries = expectations(expected);
    const models = entries.map(([name, { script }]) => recorded(scripted(name, script)));
    const configs = entries.map(([name, { config }], index) => [
      name,
      { ...config, model: MODEL ?? models[index]?.model },
    ]);
    const outputs = await evaluate({
      messages,
      tools,
      evaluations: entries.map(([name]) => name),
      evaluationConfigs: Object.fromEntries(configs),
      maxConcurrency: 4,
    });
    entries.forEach(([evalName, { applicable, score: [from, to] = [0, 0], calls }], index) => {
      const output = outputs[index];
      const shown = `${evalName}: ${JSON.stringify(output, null, 1)}`;
      expect(output, shown).toMatchObject({ evalName, applicable });
      expect(output, shown).not.toHaveProperty("error");
      // The score of a result that is not applicable has no meaning.
      if (applicable) expect(output?.score, shown).toBeGreaterThanOrEqual(from);
      if (applicable) expect(output?.score, shown).toBeLessThanOrEqual(to);
      if (!MODEL) expect(models[index]?.asked.length, shown).toBe(calls);
    });
  },
);

it("has every evaluation with and without a score, and both forms of messages", () => {
  const seen = conversations.flatMap(([, { expected }]) =>
    Object.entries(expected).map(([name, { applicable }]) => `${name} ${applicable}`),
  );
  expect(new Set(seen).size).toBe(10);
  const isItem = ({ type }: { type?: string }) => type !== undefined;
  const items = conversations.filter(([, { messages }]) => messages.some(isItem)).length;
  expect(Math.min(items, conversations.length - items)).toBeGreaterThan(5);
});
