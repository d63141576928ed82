import fc from "fast-check";
import { createTrajectoryMatchEvaluator } from "openevals-wasm";
import { test } from "vitest";
import { compare, inGroups } from "./compare.ts";
import { arrangements } from "./json-match.pairing.ts";
import { openevals } from "./reference.ts";
import { type ArgsMode, type Message, pairs, render, toolNames } from "./trajectory.cases.ts";
import {
  type Case,
  callsOf,
  differences,
  type Matcher,
  type Override,
  type Question,
} from "./trajectory.differences.ts";

type Args = Record<string, unknown> | null;
type Match = (output: Args, reference: Args) => boolean | Promise<boolean>;

const matchers: Record<Matcher, Match> = {
  sameQuery: (a, b) => String(a?.q).toLowerCase() === String(b?.q).toLowerCase(),
  sameQueryLater: async (a, b) => matchers.sameQuery(a, b),
  atMost: (a, b) => Number(a?.n ?? 0) <= Number(b?.n ?? 0),
  never: () => false,
};

const argsMode = fc.constantFrom<ArgsMode>("exact", "ignore", "subset", "superset");
const override: fc.Arbitrary<Override> = fc.oneof(
  argsMode,
  fc.subarray(["q", "n", "place", "place.city", "place.zip.0", "missing"]),
  fc.record({ matcher: fc.constantFrom(...(Object.keys(matchers) as Matcher[])) }),
);
const overrides = fc
  .array(fc.tuple(fc.constantFrom(...toolNames, "constructor"), override), { maxLength: 2 })
  .map((entries) => Object.fromEntries(entries));

const cases: fc.Arbitrary<Case> = fc
  .tuple(
    pairs,
    fc.record(
      { mode: fc.constantFrom("strict", "unordered", "subset", "superset"), argsMode, overrides },
      { requiredKeys: ["mode", "argsMode"] },
    ),
  )
  .map(([pair, options]) => ({ ...options, ...pair }));

function optionsOf({ mode, argsMode: toolArgsMatchMode, overrides: list }: Case, swap = false) {
  const entries = Object.entries(list ?? {}).map(([name, each]) => [name, overrideOf(each, swap)] as const);
  return {
    trajectoryMatchMode: mode,
    toolArgsMatchMode: swap ? mirrored(toolArgsMatchMode) : toolArgsMatchMode,
    ...(list && { toolArgsMatchOverrides: Object.fromEntries(entries) }),
  };
}

function overrideOf(each: Override, swap: boolean): ArgsMode | string[] | Match {
  if (typeof each === "string") return swap ? mirrored(each) : each;
  if (Array.isArray(each)) return each;
  const match = matchers[each.matcher];
  return swap ? (a, b) => match(b, a) : match;
}

function mirrored(mode: ArgsMode): ArgsMode {
  return mode === "subset" ? "superset" : mode === "superset" ? "subset" : mode;
}

function paramsOf({ outputs, referenceOutputs }: Case) {
  return { outputs: render(outputs), referenceOutputs: render(referenceOutputs) };
}

async function ours(input: Case) {
  const evaluate = createTrajectoryMatchEvaluator(optionsOf(input));
  const result = await evaluate(paramsOf(input));
  if ((result.comment === undefined) !== result.score)
    throw new Error(`score ${result.score}, but ${result.comment}`);
  return result;
}

async function reference(question: Question): Promise<unknown[]> {
  if (!question.anyOrder) return [await ask(question)];
  let answer: { score: number | boolean } | undefined;
  for (const messages of orders(question.outputs.messages, question.mode === "strict")) {
    answer = await ask({ ...question, outputs: { ...question.outputs, messages } });
    if (answer.score === true) break;
  }
  return [answer];
}

async function ask(input: Question) {
  const key = `trajectory_${input.mode}_match`;
  const asked = input.swapped ? oneSided(input) : input;
  const evaluate = openevals.createTrajectoryMatchEvaluator(
    optionsOf(asked, input.swapped && asked.mode === "subset") as Options,
  );
  const result = await evaluate(paramsOf(asked));
  return { ...result, key };
}
type Options = Parameters<typeof openevals.createTrajectoryMatchEvaluator>[0];

/** The same number of calls on both sides: they match unordered if the outputs are a superset. */
function oneSided(input: Question): Question {
  const equallyMany = callsOf(input.outputs).length === callsOf(input.referenceOutputs).length;
  return input.mode === "unordered" && equallyMany ? { ...input, mode: "superset" } : input;
}

/**
 * The same messages with their calls in every order: in strict mode within each message, otherwise overall.
 */
function orders(messages: Message[], strict: boolean): Message[][] {
  if (!strict) {
    const all = messages.flatMap((message) => message.calls ?? []);
    return arrangements(all).map((calls) => [{ role: "assistant", content: "", calls }]);
  }
  return messages.reduce<Message[][]>(
    (done, message) => {
      const variants = message.calls
        ? arrangements(message.calls).map((calls) => ({ ...message, calls }))
        : [message];
      return done.flatMap((before) => variants.map((variant) => [...before, variant]));
    },
    [[]],
  );
}

test("trajectory match agrees with the reference", async () => {
  await compare<Question>({
    name: "trajectory match",
    cases,
    ours,
    batch: (inputs) =>
      inGroups(
        inputs,
        ({ mode, argsMode: args, overrides: list }) => [mode, args, list],
        (group) => {
          return createTrajectoryMatchEvaluator(optionsOf(group[0] as Case)).batch(group.map(paramsOf));
        },
      ),
    reference,
    differences,
    outcome: (result) => String((result as { score: boolean }).score),
    often: ["true", "false"],
  });
});
