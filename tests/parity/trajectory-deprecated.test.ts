import fc from "fast-check";
import * as wasm from "openevals-wasm";
import { test } from "vitest";
import { compare, type Difference } from "./compare.ts";
import { agentevals } from "./reference.ts";
import { pairs, render } from "./trajectory.cases.ts";
import { type Case, callsOf, differences, type Question } from "./trajectory.differences.ts";
import { some } from "./values.ts";

const functions = {
  strict: "trajectoryStrictMatch",
  unordered: "trajectoryUnorderedMatch",
  subset: "trajectorySubset",
  superset: "trajectorySuperset",
} as const;

const cases: fc.Arbitrary<Case> = fc
  .record({
    pair: pairs,
    mode: fc.constantFrom("strict", "strict", "unordered", "subset", "superset"),
    exact: fc.boolean(),
  })
  .map(({ pair, mode, exact }) => {
    // Only the strict function compares arguments, and only on request.
    return { ...pair, mode, argsMode: mode === "strict" && exact ? "exact" : "ignore" };
  });

/** The differences of the match evaluator that can occur here, and one of agentevals itself. */
const inAgentEvals: Difference<Question>[] = [
  ...differences.filter(({ name }) => !/subset|optimally|inherited/.test(name)),
  {
    name: "an array is not the object with the same indexes",
    isListed: ({ argsMode, outputs, referenceOutputs }) => {
      const args = [...callsOf(outputs), ...callsOf(referenceOutputs)].map((call) => call.args);
      return argsMode === "exact" && args.some((each) => some(each, Array.isArray));
    },
    instead: (input) => ({
      ...input,
      outputs: marked(input.outputs),
      referenceOutputs: marked(input.referenceOutputs),
    }),
  },
];

/** Every array in the arguments begins with a mark, which no object has at index 0. */
function marked(trajectory: Case["outputs"]): Case["outputs"] {
  const mark = (value: unknown): unknown => {
    if (Array.isArray(value)) return ["array", ...value.map(mark)];
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mark(inner)]));
  };
  const messages = trajectory.messages.map((message) => {
    const calls = message.calls?.map((call) => ({ ...call, args: mark(call.args) }));
    return calls ? { ...message, calls } : message;
  });
  return { ...trajectory, messages };
}

function call(library: Pick<typeof agentevals, (typeof functions)[keyof typeof functions]>, input: Case) {
  return library[functions[input.mode]](paramsOf(input));
}

function paramsOf({ argsMode, outputs, referenceOutputs }: Case) {
  const toolCallArgsExactMatch = argsMode === "exact";
  return { outputs: render(outputs), referenceOutputs: render(referenceOutputs), toolCallArgsExactMatch };
}

test("the deprecated trajectory functions agree with agentevals", async () => {
  await compare<Question>({
    name: "deprecated trajectory functions",
    cases,
    ours: (input) => call(wasm, input),
    reference: async (input) => [await call(agentevals, input)],
    differences: inAgentEvals,
    outcome: (result) => String((result as { score: boolean }).score),
    often: ["true", "false"],
  });
});
