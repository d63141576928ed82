import fc from "fast-check";
import { levenshteinDistance } from "openevals-wasm";
import { test } from "vitest";
import { compare } from "./compare.ts";
import { openevals } from "./reference.ts";
import { leaves, mutate, mutations, values } from "./values.ts";

interface Case {
  outputs: unknown;
  referenceOutputs: unknown;
}

const ASCII = [..."abc xyz"];
const BMP = [..."aé例語", "\u0301", "\u200d"];
const ASTRAL = ["a", "\u{1f600}", "\u{1f601}", "\u{1f469}\u200d\u{1f4bb}"];
const SURROGATES = ["a", "\ud83d", "\ude00", "\u{1f600}"]; // lone halves, and the character that they make up
const alphabets = fc.constantFrom(ASCII, BMP, ASTRAL, SURROGATES, [...ASCII, ...BMP, ...ASTRAL]);

type Patch = [at: number, drop: number, insert: number[]];
const patches = fc.array(fc.tuple(fc.nat(200), fc.nat(3), fc.array(fc.nat(20), { maxLength: 3 })), {
  maxLength: 5,
}) as fc.Arbitrary<Patch[]>;

/** A text, and the same text after a few edits at UTF-16 positions, which may split a character. */
function pairs(maxLength: number): fc.Arbitrary<Case> {
  const letters = fc.array(fc.nat(20), { maxLength, size: "max" });
  return fc.tuple(alphabets, letters, patches).map(([alphabet, indexes, edits]) => {
    const spell = (list: number[]) => list.map((index) => alphabet[index % alphabet.length]).join("");
    const outputs = spell(indexes);
    const referenceOutputs = edits.reduce((text, [at, drop, insert]) => {
      const start = at % (text.length + 1);
      return text.slice(0, start) + spell(insert) + text.slice(start + drop);
    }, outputs);
    return { outputs, referenceOutputs };
  });
}

/** Unrelated texts. */
const strangers = fc.record({
  outputs: fc.string({ unit: "binary", maxLength: 40 }),
  referenceOutputs: fc.string({ unit: "binary", maxLength: 40 }),
});
/** Values other than strings are compared as their JSON text. */
const data = fc
  .tuple(values(leaves), mutations)
  .map(([outputs, steps]) => ({ outputs, referenceOutputs: mutate(outputs, steps) }));

const family = {
  ours: (input: Case) => levenshteinDistance(input),
  batch: (inputs: Case[]) => levenshteinDistance.batch(inputs),
  reference: async (input: Case) => [await openevals.levenshteinDistance(input)],
  differences: [],
  outcome: (result: unknown) => {
    const { score } = result as { score: number };
    return score === 1 ? "equal" : score === 0 ? "nothing in common" : "between";
  },
};

test("levenshtein agrees with the reference on short texts and on data", async () => {
  await compare({
    ...family,
    name: "levenshtein",
    cases: fc.oneof({ weight: 4, arbitrary: pairs(90) }, strangers, data),
    often: ["equal", "between"],
  });
});

test("levenshtein agrees with the reference on longer texts", async () => {
  // Lengths around the 64-bit words of the bit-parallel algorithm.
  await compare({ ...family, name: "levenshtein, longer", cases: pairs(400), often: ["between"], runs: 300 });
});
