/** The rewards that tau2-bench computes for runs in a domain of our own, which `cases.py` has written. */
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { gunzipSync } from "node:zlib";
import {
  createTauReward,
  type ReplayTool,
  replay,
  type TauBasis,
  type TauExpectedAction,
} from "openevals-wasm/agents";
import { describe, expect, test } from "vitest";
import { errorOf } from "../../api/error-of.ts";

/** Actions, criteria and messages have the names of tau2-bench. */
interface Action extends TauExpectedAction {
  requestor: "assistant" | "user";
}

interface Verdict {
  reward: number;
  reward_breakdown: Record<string, number>;
}

interface Case extends Verdict {
  evaluation_criteria: {
    actions: Action[] | null;
    communicate_info: string[] | null;
    reward_basis: string[];
  } | null;
  termination_reason: string;
  messages: any[];
  /** The verdict after numbers such as 1.0 are replaced with 1, if it differs. */
  in_javascript?: Verdict;
}

const { cases }: { cases: Case[] } = JSON.parse(
  gunzipSync(readFileSync(new URL("cases.json.gz", import.meta.url))).toString("utf8"),
);

/** The state of the tools below, which `cases.py` has in Python. */
interface State {
  shop: { orders: Record<string, Record<string, unknown>>; notes: unknown[]; pings: number };
  phone: { on: unknown };
}

const initialState: State = {
  shop: {
    orders: { a7: { status: "open", total: 9.5 }, a8: { status: "open", total: 1200 } },
    notes: [],
    pings: 0,
  },
  phone: { on: false },
};

/** A tool that refuses other callers, and arguments that a function in Python would refuse. */
const tool =
  (
    caller: string,
    required: string[],
    optional: string[],
    run: (args: any, state: State) => void,
  ): ReplayTool<State> =>
  (args, state, role) => {
    const names = Object.keys(args);
    const fits = required.every((name) => names.includes(name));
    if (role !== caller || !fits || names.some((name) => ![...required, ...optional].includes(name)))
      throw new Error("there is no such tool");
    run(args, state);
  };

function orderIn({ shop }: State, id: unknown) {
  const order = typeof id === "string" ? shop.orders[id] : undefined;
  if (!order) throw new Error(`there is no order ${id}`);
  return order;
}

const run = replay<State>({
  initialState,
  tools: {
    find: tool("assistant", ["order"], ["fields"], ({ order }, state) => void orderIn(state, order)),
    change: tool("assistant", ["order", "field", "value"], [], ({ order, field, value }, state) => {
      if (typeof field !== "string") throw new Error("fields have names");
      orderIn(state, order)[field] = value;
    }),
    note: tool("assistant", ["text"], [], ({ text }, { shop }) => void shop.notes.push(text)),
    close: tool("assistant", ["order"], ["reason"], ({ order, reason = null }, state) => {
      state.shop.notes.push(reason);
      orderIn(state, order).status = "closed";
    }),
    escalate: tool("assistant", ["reason"], [], () => {
      throw new Error("nobody is there");
    }),
    ping: tool("assistant", [], [], (_args, { shop }) => void shop.pings++),
    switch: tool("user", ["on"], [], ({ on }, { phone }) => {
      phone.on = on;
    }),
  },
});

const stateAfter = async (messages: any[]) => (await run(messages)).state;

/** The state that the task demands: tau2-bench compares none without a list of actions. */
async function demandedState(actions: Action[] | null | undefined): Promise<State | undefined> {
  if (!actions) return undefined;
  const calls = actions.map(({ requestor, name, arguments: args }) => ({
    role: requestor,
    content: "",
    tool_calls: [{ name, args }],
  }));
  return calls.length ? stateAfter(calls) : initialState;
}

async function rowOf({ evaluation_criteria: criteria, termination_reason, messages }: Case) {
  const state = await demandedState(criteria?.actions);
  return {
    outputs: { messages, state: await stateAfter(messages), terminationReason: termination_reason },
    referenceOutputs: {
      ...(state && { state }),
      actions: criteria?.actions,
      communicate: criteria?.communicate_info,
    },
  };
}

const basisOf = ({ evaluation_criteria: criteria }: Case) =>
  (criteria?.reward_basis ?? []).map((part) => part.toLowerCase() as TauBasis);

const demandsEmptyText = ({ evaluation_criteria: criteria }: Case) =>
  criteria?.communicate_info?.includes("") ?? false;

/** Our result, and its verdict in the form of tau2-bench, where a part without a demand counts as met. */
async function scored(one: Case) {
  const basis = basisOf(one);
  const result = await createTauReward({ basis })(await rowOf(one));
  const isEarly = !["user_stop", "agent_stop"].includes(one.termination_reason);
  // tau2-bench lists no parts of a run that ended early or of a task without criteria, and no state without actions.
  const { evaluation_criteria: criteria } = one;
  const parts = isEarly || !criteria ? [] : basis.filter((part) => part !== "db" || criteria.actions);
  const breakdown = parts.map((part) => [part.toUpperCase(), Number(result.metadata?.[part] ?? true)]);
  const verdict: Verdict = { reward: result.score ?? 1, reward_breakdown: Object.fromEntries(breakdown) };
  return { one, result, verdict };
}

describe("createTauReward beside tau2-bench", async () => {
  const all = await Promise.all(
    cases.filter((one) => basisOf(one).length && !demandsEmptyText(one)).map(scored),
  );

  test("has the same rewards and parts", () => {
    expect([all.length, cases.length]).toEqual([672, 800]);
    const differing = all.filter(({ one, verdict }) => {
      const { reward, reward_breakdown } = one.in_javascript ?? one;
      return !isDeepStrictEqual(verdict, { reward, reward_breakdown });
    });
    expect(differing).toEqual([]);
  });

  test("numbers in states are equal however they are written", () => {
    const converted = all.filter(({ one }) => one.in_javascript);
    expect(converted).not.toEqual([]);
    for (const { one, verdict } of converted)
      expect([one.reward_breakdown.DB, verdict.reward_breakdown.DB]).toEqual([0, 1]);
  });

  test("a task without a demand is not applicable", () => {
    const missing = all.filter(({ result }) => result.score === null);
    expect(missing).not.toEqual([]);
    for (const { one, result } of missing) expect([one.reward, result.applicable]).toEqual([1, false]);
  });

  test("empty texts, an empty basis and parts that need more than a run are refused", async () => {
    const demanding = cases.filter(demandsEmptyText);
    expect(demanding).not.toEqual([]);
    for (const one of demanding)
      expect(await errorOf(createTauReward()(await rowOf(one)))).toMatchObject({ code: "invalid_input" });
    for (const basis of [[], ["env_assertion"], ["nl_assertion"]])
      expect(() => createTauReward({ basis: basis as TauBasis[] })).toThrow(/basis/);
  });
});
