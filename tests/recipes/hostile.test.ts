/** Unreadable values are an `OpenEvalsError` everywhere in recipes. */
import * as recipes from "openevals-wasm/recipes";
import {
  CheckCriteriaEvaluator,
  ClaimVerificationEvaluator,
  evaluate,
  formatConversation,
  formatFullHistory,
  GuidanceEvaluator,
  PreferenceAdherenceEvaluator,
  ToolUsageEvaluator,
} from "openevals-wasm/recipes";
import { describe } from "vitest";
import { type HostileCalls, testExports, testRefusals, UNREADABLE } from "../hostile-values.ts";
import { all } from "./claims.ts";

const model = () => ({});
const MESSAGES = [
  { role: "user", content: "Hi" },
  { role: "assistant", content: "Hello" },
];
const evaluators = [
  new CheckCriteriaEvaluator({ model, criteria: ["It is polite"] }),
  new ClaimVerificationEvaluator({ model }),
  new GuidanceEvaluator({ model }),
  new PreferenceAdherenceEvaluator({ model }),
  new ToolUsageEvaluator({ model }),
];

const byName = (call: (evaluator: (typeof evaluators)[number], value: any) => unknown): HostileCalls =>
  Object.fromEntries(evaluators.map((one) => [one.evalName, (value: any) => call(one, value)]));
const next = () => formatConversation(MESSAGES).then((text) => [{ key: "text", score: text }]);

describe.each<[what: string, within: (value: any) => any]>([
  ["as messages", (value) => value],
  ["as a message", (value) => [value, ...MESSAGES]],
  ["as a part", (value) => [{ role: "user", content: [value] }, ...MESSAGES]],
])("values that cannot be read, %s", (_, within) =>
  testRefusals(
    {
      ...byName((evaluator, value) => evaluator.evaluate(within(value), [])),
      formatConversation: (value) => formatConversation(within(value)),
      formatFullHistory: (value) => formatFullHistory(within(value)),
      evaluate: async (value) => {
        const [output] = await evaluate({ messages: within(value), evaluations: ["guidance"] });
        if (output?.error) throw output.error;
      },
    },
    UNREADABLE,
    ["invalid_input"],
    next,
  ));

describe.each<[what: string, within: (value: any) => any]>([
  ["as tools", (value) => value],
  ["as a tool", (value) => [value]],
])("values that cannot be read, %s", (_, within) => {
  const calls = byName((evaluator, value) => evaluator.evaluate(MESSAGES, within(value)));
  const { tool_usage, guidance } = calls as Record<string, (value: any) => unknown>;
  testRefusals({ tool_usage, guidance } as HostileCalls, UNREADABLE, ["invalid_input"], next);
});

describe("values that cannot be read, as texts", () =>
  testRefusals(
    byName((evaluator, value) => {
      const run = evaluator.run(value);
      return "next" in run ? all(run) : run;
    }),
    UNREADABLE,
    ["invalid_input"],
    next,
  ));

describe("every function and class, with hostile arguments", () => testExports(recipes, next));
