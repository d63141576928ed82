/** Unreadable values are an `OpenEvalsError` everywhere in recipes. */
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
import { describe, expect, it } from "vitest";
import { errorOf } from "../api/error-of.ts";
import { all } from "./claims.ts";

const throwing = (field: string): any =>
  Object.defineProperty({ role: "user", content: "Hi" }, field, {
    enumerable: true,
    get() {
      throw new Error("boo");
    },
  });
function revoked(target: object): any {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}
const trap = (thrown: unknown): any =>
  new Proxy([], {
    get() {
      throw thrown;
    },
  });

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

const unreadable: [what: string, value: any][] = [
  ["a message with a getter that throws", [throwing("role"), ...MESSAGES]],
  ["a part with a getter that throws", [{ role: "user", content: [throwing("type")] }, ...MESSAGES]],
  ["a list that throws a number", trap(1)],
  ["a list that is revoked", revoked([])],
  ["a message that is revoked", [revoked({}), ...MESSAGES]],
];

describe.each(unreadable)("%s", (_, value) => {
  it.each(
    evaluators.map((evaluator) => [evaluator.evalName, evaluator] as const),
  )("for %s", async (_, it) => {
    expect((await errorOf(it.evaluate(value, []))).code).toBe("invalid_input");
  });

  it("for formatting, and all evaluations", async () => {
    expect((await errorOf(formatConversation(value))).code).toBe("invalid_input");
    expect((await errorOf(formatFullHistory(value))).code).toBe("invalid_input");
    const whole = evaluate({ messages: value, evaluations: ["guidance"] }).then(([output]) => {
      if (output?.error) throw output.error;
    });
    expect((await errorOf(whole)).code).toBe("invalid_input");
  });
});

describe("tools that cannot be read", () => {
  it.each([
    ["a list that is revoked", revoked([])],
    ["a list that throws", trap(new Error("boo"))],
    ["a tool that is revoked", [revoked({})]],
    ["a tool with a getter that throws", [throwing("function")]],
  ])("%s", async (_, tools) => {
    for (const evaluator of [new ToolUsageEvaluator({ model }), new GuidanceEvaluator({ model })]) {
      expect((await errorOf(evaluator.evaluate(MESSAGES, tools))).code).toBe("invalid_input");
    }
  });
});

it("texts that cannot be read", async () => {
  for (const input of [revoked({}), trap(1)]) {
    for (const evaluator of evaluators) {
      const run = evaluator.run(input);
      const ended = "next" in run ? all(run) : run;
      expect((await errorOf(ended)).code, evaluator.evalName).toBe("invalid_input");
    }
  }
});
