import fc from "fast-check";
import { createEmbeddingSimilarityEvaluator } from "openevals-wasm";
import { test } from "vitest";
import { compare, type Difference } from "./compare.ts";
import { openevals } from "./reference.ts";

interface Case {
  algorithm: "cosine" | "dot_product";
  outputs: unknown;
  referenceOutputs: unknown;
  vectors: [number[], number[]];
}

// Products of eighths can be exactly between two hundredths, like 0.125, which tests the rounding.
const eighths = fc.integer({ min: -16, max: 16 }).map((n) => n / 8);
const hundredths = fc.integer({ min: -300, max: 300 }).map((n) => n / 100);
const doubles = fc.double({ min: -1, max: 1, noNaN: true });
const large = fc.double({ min: -1e30, max: 1e30, noNaN: true });
const odd = fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY);

const sameLength = fc
  .tuple(
    fc.oneof(...[eighths, eighths, hundredths, doubles, large].map((number) => fc.constant(number))),
    fc.integer({ min: 1, max: 20 }),
  )
  .chain(([number, length]) => {
    const vector = fc.array(number, { minLength: length, maxLength: length });
    return fc.tuple(vector, fc.oneof({ weight: 4, arbitrary: vector }, fc.constant(undefined)));
  })
  .map(([a, b]): [number[], number[]] => [a, b ?? a.map((x) => x * 2)]); // the latter are parallel
const ragged = fc.tuple(fc.array(eighths, { maxLength: 3 }), fc.array(eighths, { maxLength: 3 }));
const broken = fc.tuple(
  fc.array(fc.oneof(eighths, odd), { minLength: 2, maxLength: 2 }),
  fc.constant<number[]>([1, 2]),
);

const texts = fc.constantFrom<unknown>("", "yes", "no", { a: 1 }, ["x"], 7, true);
const cases: fc.Arbitrary<Case> = fc.record({
  algorithm: fc.constantFrom("cosine", "dot_product"),
  outputs: texts,
  referenceOutputs: texts,
  vectors: fc.oneof(
    { weight: 20, arbitrary: sameLength },
    { weight: 1, arbitrary: ragged },
    { weight: 1, arbitrary: broken },
  ),
});

const isZero = (vector: number[]) => vector.every((x) => x === 0);
/** The squares of the smallest doubles are zero, or have lost most digits. */
const isTiny = (vector: number[]) => !isZero(vector) && vector.every((x) => Math.abs(x) < 1e-140);
const differences: Difference<Case>[] = [
  {
    name: "vectors of different lengths are refused (reference: NaN, or a number from the common part)",
    isListed: ({ vectors: [a, b] }) => a.length !== b.length,
    instead: "refused",
  },
  {
    name: "numbers that are not finite are refused (reference: NaN)",
    isListed: ({ vectors }) => vectors.flat().some((x) => !Number.isFinite(x)),
    instead: "refused",
  },
  {
    name: "empty vectors are refused (reference: 0 or NaN)",
    isListed: ({ vectors: [a, b] }) => a.length + b.length === 0,
    instead: "refused",
  },
  {
    name: "a vector of length zero has no direction: refused with cosine (reference: NaN)",
    isListed: ({ algorithm, vectors }) => algorithm === "cosine" && vectors.some(isZero),
    instead: "refused",
  },
  {
    name: "a vector so short that the squares of its parts get lost has a direction (reference: NaN, or another)",
    isListed: ({ algorithm, vectors: [a, b] }) =>
      algorithm === "cosine" && a.length === b.length && !isZero(a) && !isZero(b) && (isTiny(a) || isTiny(b)),
    instead: ({ vectors, ...input }) => {
      const longer = (vector: number[]) => {
        const largest = Math.max(...vector.map(Math.abs));
        return vector.map((x) => x / largest);
      };
      return { ...input, vectors: [longer(vectors[0]), longer(vectors[1])] };
    },
  },
];

/** Returns the first vector for the first text, then the second, and checks the requested texts. */
function embedder({ outputs, referenceOutputs, vectors }: Omit<Case, "algorithm">) {
  const wanted = [outputs, referenceOutputs].map((value) =>
    typeof value === "string" ? value : JSON.stringify(value),
  );
  let asked = 0;
  return {
    embedQuery: async (text: string): Promise<number[]> => {
      if (text !== wanted[asked]) throw new Error(`asked for ${text}, not ${wanted[asked]}`);
      return vectors[asked++] ?? [];
    },
  };
}

type TheirEmbeddings = Parameters<typeof openevals.createEmbeddingSimilarityEvaluator>[0]["embeddings"];

test("embedding similarity agrees with the reference", async () => {
  await compare({
    name: "embedding similarity",
    cases,
    ours: ({ algorithm, ...input }) => {
      const evaluate = createEmbeddingSimilarityEvaluator({ algorithm, embeddings: embedder(input) });
      return evaluate({ outputs: input.outputs, referenceOutputs: input.referenceOutputs });
    },
    reference: async ({ algorithm, ...input }) => {
      const embeddings = embedder(input) as unknown as TheirEmbeddings;
      return [await openevals.createEmbeddingSimilarityEvaluator({ algorithm, embeddings })(input)];
    },
    differences,
    outcome: (result) => {
      const { score } = result as { score: number };
      return Math.abs(score) === 1 ? "one" : Math.abs(score) < 1 ? "fraction" : "more than one";
    },
    often: ["fraction", "more than one"],
  });
});
