import type { Example } from "../../bench.js";

const csv = `question,answer_small,answer_large,expected
What is the capital of Switzerland?,Zurich,Bern,Bern
Who wrote Frankenstein?,Mary Shelley,Mary Shelley,Mary Shelley
How many legs has a spider?,8,8,8
Which element has the symbol Fe?,iron,Iron,Iron
When did the Berlin Wall fall?,1990,1989,1989
What is the boiling point of water at sea level?,100 C,100 °C,100 °C
Which planet is the largest?,Jupiter,Jupiter,Jupiter
Who painted Las Meninas?,Diego Velasquez,Diego Velázquez,Diego Velázquez
What is the square root of 144?,12,12,12
Which sea is the saltiest?,the Red Sea,Dead Sea,Dead Sea
Which language has the most native speakers?,English,Mandarin Chinese,Mandarin Chinese
"What does ""CPU"" stand for?",Central Processing Unit,Central processing unit,Central processing unit
`;

const extracted = [
  [
    "Invoice 17, 80 francs, due on May 3",
    { number: 17, total: 80, due: "05-03" },
    { number: 17, total: 80, due: "05-03" },
  ],
  ["Invoice 18: 120.50, paid", { number: 18, total: 120.5 }, { number: 18, total: 120.5, paid: true }],
  [
    "No. 19 for 99 francs, due on June 30",
    { number: 19, total: 99, due: "06-03" },
    { number: 19, total: 99, due: "06-30" },
  ],
  ["Invoice 20, 15 francs", { number: 20, total: 15, items: [] }, { number: 20, total: 15 }],
]
  .map(([text, output, reference]) => JSON.stringify({ text, output, reference }))
  .join("\n");

export const EXAMPLES: Example[] = [
  {
    name: "Questions and answers",
    state: {
      data: csv,
      inputs: "question",
      outputs: "answer_small",
      reference: "expected",
      use: "exact,levenshtein",
    },
  },
  {
    name: "Extracted data",
    state: { data: extracted, inputs: "text", outputs: "output", reference: "reference", use: "exact,json" },
  },
  { name: "10,000 rows", state: { sample: "10000", use: "exact,levenshtein" } },
];

const WORDS = "amber birch cedar delta ember fjord grove harbor islet juniper kelp lagoon".split(" ");

/** Rows that are made up, and always the same. */
export function sampleOf(count: number): string {
  let seed = 7;
  const word = () => {
    seed = (seed * 48271) % 2147483647;
    return WORDS[seed % WORDS.length] as string;
  };
  const lines = Array.from({ length: count }, (_, index) => {
    const expected = Array.from({ length: 6 }, word);
    const answer = expected.map((it) => (seed % 5 === 0 ? word() : it));
    return `Which way is number ${index + 1}?,${answer.join(" ")},${expected.join(" ")}`;
  });
  return `question,answer,expected\n${lines.join("\n")}\n`;
}
