import fc from "fast-check";
import { graphTrajectoryStrictMatch } from "openevals-wasm";
import { test } from "vitest";
import { compare } from "./compare.ts";
import { graphTrajectoryStrictMatch as reference } from "./reference.ts";
import { type Mutation, mutations } from "./values.ts";

interface Graph {
  results: Record<string, unknown>[];
  steps: string[][];
}
interface Case {
  outputs: Graph;
  referenceOutputs: Graph;
}

const node = fc.constantFrom(
  "__start__",
  "__interrupt__",
  "agent",
  "tools",
  "Agent",
  "",
  "é",
  "e\u0301",
  "\ud83d",
  "a:b",
);
const results = fc.array(fc.record({ answer: fc.integer() }), { maxLength: 2 });
const steps = fc.array(fc.array(node, { maxLength: 4 }), { maxLength: 4 });

/** The same steps after single edits. */
function changed(original: string[][], edits: Mutation[]): string[][] {
  return edits.reduce((current, { edit, at }) => {
    const index = at % (current.length + 1);
    const step = current[index];
    if (edit === "reorderKeys" || edit === "zeroSign") return current; // keeps them equal
    if (step === undefined) return current.concat([[]]);
    if (edit === "drop") return current.toSpliced(index, 1);
    if (edit === "reverse") return current.with(index, [...step].reverse());
    if (edit === "add") return current.with(index, [...step, "agent"]);
    return current.with(
      index,
      step.map((name, i) => (i === at % step.length ? `${name}!` : name)),
    );
  }, original);
}

const cases: fc.Arbitrary<Case> = fc
  .tuple(steps, mutations, results, results)
  .map(([original, edits, a, b]) => ({
    outputs: { results: a, steps: original },
    referenceOutputs: { results: b, steps: changed(original, edits) },
  }));

test("graph strict match agrees with the reference", async () => {
  await compare({
    name: "graph strict match",
    cases,
    ours: (input) => graphTrajectoryStrictMatch(input),
    batch: (inputs) => graphTrajectoryStrictMatch.batch(inputs),
    reference: async (input) => [await reference(input)],
    differences: [],
    outcome: (result) => String((result as { score: boolean }).score),
    often: ["true", "false"],
  });
});
