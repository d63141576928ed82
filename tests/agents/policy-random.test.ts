/** 20,000 random policies and trajectories, beside an interpreter that reads the rules one call at a time. */

import {
  createToolPolicy,
  type Message,
  type ToolPolicyMetadata,
  type ToolPolicyOptions,
} from "openevals-wasm/agents";
import { expect, test } from "vitest";
import { randomFrom } from "../random.ts";
import { assistant, call, result, says, user } from "./messages.ts";

/** A call as the interpreter sees it. */
interface Seen {
  name: string;
  args: number;
  step: number;
  failed: boolean;
  isAnswered: boolean;
  place: string;
  mayAsk: boolean;
}

const TOOLS = ["a", "b", "db.read", "db.write", "ab"];
const PATTERNS = ["a", "b", "db.*", "*", "*b", "a*", "*.*", "db.read", "none"];

/** Patterns as regular expressions, unlike in the engine. */
const fits = (pattern: string, name: string): boolean =>
  new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("*", ".*")}$`).test(name);

/** The places that break each rule, in the order of the rules; `missing` if a call is. */
function interpreted(options: ToolPolicyOptions, calls: readonly Seen[]): string[] {
  const broken: string[] = [];
  const rule = (name: string, breaks: (seen: Seen, earlier: Seen[], later: Seen[]) => boolean) => {
    const places = calls.filter((seen, at) => breaks(seen, calls.slice(0, at), calls.slice(at + 1)));
    if (places.length) broken.push([name, ...places.map(({ place }) => place)].join(" "));
  };
  const { allow, maxCalls = {}, maxSteps, maxRepeats, confirm = [] } = options;
  if (allow) rule("allow", ({ name }) => allow.every((pattern) => !fits(pattern, name)));
  for (const pattern of options.deny ?? []) rule("deny", ({ name }) => fits(pattern, name));
  for (const [first, then] of options.before ?? []) {
    rule("before", ({ name, step }) => {
      if (fits(first, name) || !fits(then, name)) return false;
      return !calls.some((other) => other.step < step && !other.failed && fits(first, other.name));
    });
  }
  for (const [first, then] of options.after ?? []) {
    rule("after", ({ name, step }) => {
      if (fits(then, name) || !fits(first, name)) return false;
      return !calls.some((other) => other.step > step && !other.failed && fits(then, other.name));
    });
  }
  for (const pattern of options.required ?? []) {
    if (!calls.some(({ name, failed }) => !failed && fits(pattern, name))) broken.push("required missing");
  }
  for (const [pattern, most] of Object.entries(maxCalls)) {
    rule("maxCalls", (seen, earlier) => {
      return fits(pattern, seen.name) && earlier.filter(({ name }) => fits(pattern, name)).length >= most;
    });
  }
  if (maxSteps !== undefined) {
    rule(
      "maxSteps",
      ({ step }) => new Set(calls.map((one) => one.step).filter((one) => one < step)).size >= maxSteps,
    );
  }
  if (maxRepeats !== undefined) {
    rule("maxRepeats", ({ name, args }, earlier) => {
      return earlier.filter((one) => one.name === name && one.args === args).length >= maxRepeats;
    });
  }
  // Calls with an even argument are confirmed, if there was a chance to ask.
  for (const pattern of confirm)
    rule("confirm", ({ name, args, mayAsk }) => fits(pattern, name) && !(mayAsk && args % 2 === 0));
  if (options.onUnknownTool === "deny") {
    const pairs = [...(options.before ?? []), ...(options.after ?? [])].flat();
    const named = [allow, options.deny, pairs, options.required, Object.keys(maxCalls), confirm].flatMap(
      (of) => of ?? [],
    );
    rule("onUnknownTool", ({ name }) => named.every((pattern) => !fits(pattern, name)));
  }
  return broken;
}

const random = randomFrom(20_000);
const some = <T>(most: number, make: () => T): T[] => Array.from({ length: random(most + 1) }, make);
const pattern = (): string => PATTERNS[random(PATTERNS.length)] as string;
const pair = () => [pattern(), pattern()] as const;
const maybe = <T>(make: () => T): T | undefined => (random(3) === 0 ? make() : undefined);

const policy = (): ToolPolicyOptions => ({
  allow: maybe(() => some(4, pattern)),
  deny: maybe(() => some(2, pattern)),
  before: maybe(() => some(2, pair)),
  after: maybe(() => some(2, pair)),
  required: maybe(() => some(2, pattern)),
  maxCalls: maybe(() => Object.fromEntries(some(2, () => [pattern(), random(4)]))),
  maxSteps: random(5),
  maxRepeats: maybe(() => 1 + random(2)),
  confirm: maybe(() => some(2, pattern)),
  isConfirmed: ({ outputs }) => outputs.args.n % 2 === 0,
  onUnknownTool: random(2) ? "deny" : "allow",
});

function trajectory() {
  const messages: Message[] = [user()];
  const calls: Seen[] = [];
  let [step, hasAsked, mayAsk] = [0, false, false];
  for (let turn = random(7); turn > 0; turn--) {
    const kind = random(5);
    if (kind === 0) {
      mayAsk ||= hasAsked;
      messages.push(user());
    } else if (kind === 1) {
      hasAsked = true;
      messages.push(says());
    } else {
      step++;
      const made = Array.from({ length: 1 + random(3) }, (_, position) => {
        const [name, args, id] = [TOOLS[random(TOOLS.length)] as string, random(3), `${step}.${position}`];
        const place = `${messages.length}.${position}`;
        calls.push({ name, args, step, failed: false, isAnswered: false, place, mayAsk });
        return call(name, { n: args }, id);
      });
      messages.push(assistant(...made));
      made.forEach(({ id }, position) => {
        if (random(4) === 0) return;
        const failed = random(4) === 0;
        const seen = calls.at(position - made.length) as Seen;
        [seen.failed, seen.isAnswered] = [failed, true];
        messages.push(result(id as string, "x", failed ? { status: "error" } : {}));
      });
    }
  }
  // In a record with results, a call without one may still be running.
  if (calls.some(({ isAnswered }) => isAnswered))
    for (const seen of calls) seen.failed ||= !seen.isAnswered && seen.step < step;
  return { messages, calls };
}

const inShort = ({ broken }: ToolPolicyMetadata): string[] =>
  broken.map(({ rule, calls }) =>
    [
      rule,
      ...(rule === "required" ? ["missing"] : calls.map(({ message, call }) => `${message}.${call}`)),
    ].join(" "),
  );

test("20,000 random trajectories and policies agree with an interpreter", async () => {
  let kept = 0;
  for (let round = 0; round < 4_000; round++) {
    const options = policy();
    const rows = Array.from({ length: 5 }, trajectory);
    const results = await createToolPolicy(options).batch(
      rows.map(({ messages }) => ({ outputs: messages })),
    );
    rows.forEach(({ messages, calls }, row) => {
      const { score, metadata } = results[row] as (typeof results)[number];
      const expected = interpreted(options, calls);
      const found = inShort(metadata as ToolPolicyMetadata);
      if (JSON.stringify(found) !== JSON.stringify(expected))
        expect({ options, messages, found }).toEqual({ found: expected });
      expect(score).toBe(expected.length === 0);
      kept += Number(score);
    });
  }
  // Both verdicts are frequent, so neither is a constant.
  expect(kept).toBeGreaterThan(2_000);
  expect(kept).toBeLessThan(18_000);
});

test("live checks agree with the evaluator, at each call", async () => {
  for (let round = 0; round < 300; round++) {
    const options = policy();
    const checked = createToolPolicy(options);
    const { messages, calls } = trajectory();
    for (const { place } of calls) {
      const [message = 0, position = 0] = place.split(".").map(Number);
      const asked = (messages[message] as any).tool_calls[position];
      // The calls of its message are there, too; their results are not.
      const history = messages.slice(0, message + 1);
      const { broken: live } = await checked.check(asked, history);
      const made = [...history, result(asked.id, "x")];
      const { broken } = (await checked({ outputs: made })).metadata as ToolPolicyMetadata;
      const inWhole = broken.filter(({ rule, calls }) => {
        return rule !== "after" && calls.some((one) => `${one.message}.${one.call}` === place);
      });
      expect(live.map(({ rule, tools }) => [rule, tools])).toEqual(
        inWhole.map(({ rule, tools }) => [rule, tools]),
      );
    }
  }
});
