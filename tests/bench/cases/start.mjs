/**
 * The time of a fresh process, and its memory afterwards: `npm run bench -- start:`. Times count from the
 * first import; those of the command line are of the whole process. Floors are an empty module, or
 * `node -e 0`.
 */
import { fileURLToPath } from "node:url";
import { FOLDERS } from "../packages.mjs";

const JUDGE = `{ prompt: "{outputs}", judge: async () => ({ score: true, reasoning: "Same." }) }`;
// The reference asks clients only.
const CLIENT = `{ prompt: "{outputs}", model: "stub", judge: { chat: { completions: { create: async () => (
  { choices: [{ message: { content: '{"score":true,"reasoning":"Same."}' } }] }) } } } }`;

const TEXTS = {
  ours: 'outputs: "kitten", referenceOutputs: "sitting"',
  autoevals: 'output: "kitten", expected: "sitting"',
};
const OBJECTS = "outputs: { a: 1, b: 2 }, referenceOutputs: { b: 2, a: 1 }";

const side = (folder, name, exported, call) => ({
  folder,
  type: "module",
  before: "",
  timed: `const { ${exported} } = await import("${name}"); const result = await ${call};`,
});

const empty = {
  folder: FOLDERS.ours,
  type: "module",
  before: "",
  timed: `await import("data:text/javascript,"); const result = 0;`,
};

/** The first call, of ours and of the reference. */
const CALLS = {
  exactMatch: {
    ours: side(FOLDERS.ours, "openevals-wasm", "exactMatch", `exactMatch({ ${OBJECTS} })`),
    reference: side(FOLDERS.reference, "openevals", "exactMatch", `exactMatch({ ${OBJECTS} })`),
  },
  levenshteinDistance: {
    ours: side(
      FOLDERS.ours,
      "openevals-wasm",
      "levenshteinDistance",
      `levenshteinDistance({ ${TEXTS.ours} })`,
    ),
    reference: side(
      FOLDERS.reference,
      "openevals",
      "levenshteinDistance",
      `levenshteinDistance({ ${TEXTS.ours} })`,
    ),
  },
  judgement: {
    ours: side(
      FOLDERS.ours,
      "openevals-wasm",
      "createLLMAsJudge",
      `createLLMAsJudge(${JUDGE})({ outputs: "a" })`,
    ),
    reference: side(
      FOLDERS.reference,
      "openevals",
      "createLLMAsJudge",
      `createLLMAsJudge(${CLIENT})({ outputs: "a" })`,
    ),
  },
};

const autoevals = side(FOLDERS.autoevals, "autoevals", "Levenshtein", `Levenshtein({ ${TEXTS.autoevals} })`);

/** The program, and ten rows for it. */
const folder = fileURLToPath(new URL("../../data/", import.meta.url));
const cli = fileURLToPath(new URL("../../node_modules/openevals-wasm/dist/cli.cjs", import.meta.url));
const node = { folder, program: ["-e", "0"] };
const program = (...args) => ({ folder, program: [cli, ...args] });
const rows = fileURLToPath(new URL("ten-rows.jsonl", import.meta.url));

const here = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const page = (name, what) => ({ ours: { folder, measuring: [here("page.mjs"), name, what] } });
const worker = (name) => ({ folder, measuring: [here("worker.mjs"), name] });

/**
 * The time of a page in Chromium at 10 Mbit/s from its navigation to its first score, and the bytes that it
 * loads for it.
 */
const pages = [
  ["levenshteinDistance", "first levenshteinDistance", 220, 115_000],
  ["preloaded", "the same with preload()", 220],
  ["linked", 'the same with <link rel="preload">', 220],
  ["judge", "first judge with a function"],
].flatMap(([name, title, milliseconds, bytes]) => [
  {
    name: `start: page, ${title}`,
    ...(milliseconds && { aim: { below: milliseconds } }),
    isFresh: true,
    sides: page(name, "time"),
  },
  ...(name === "preloaded" || name === "linked"
    ? []
    : [
        {
          name: `start: page, bytes of ${title}`,
          ...(bytes && { aim: { below: bytes } }),
          measures: "bytes",
          isFresh: true,
          sides: page(name, "bytes"),
        },
      ]),
]);

/** The first request of a worker in workerd; the floor answers without a score. */
const workers = ["levenshteinDistance", "judge"].map((name) => ({
  name: `start: worker, first request with ${name}`,
  isFresh: true,
  sides: { ours: worker(name), floor: worker("empty") },
}));

export const starts = [
  ...Object.entries(CALLS).map(([name, sides]) => ({
    name: `start: import to first ${name}`,
    isFresh: true,
    ...(name === "exactMatch" && { aim: { overFloor: { times: 1.5, plus: 6 } } }),
    sides: { ...sides, floor: empty },
  })),
  {
    name: "start: import to first levenshteinDistance (beside autoevals)",
    isFresh: true,
    // Its score is a similarity, rounded otherwise.
    sides: { ours: rounded(CALLS.levenshteinDistance.ours), reference: rounded(autoevals) },
  },
  {
    name: "start: memory of the process after the first levenshteinDistance (beside autoevals)",
    measures: "memory",
    isFresh: true,
    sides: { ours: rounded(CALLS.levenshteinDistance.ours), reference: rounded(autoevals) },
  },
  ...Object.entries(CALLS).map(([name, sides]) => ({
    name: `start: memory of the process after the first ${name}`,
    measures: "memory",
    isFresh: true,
    sides: { ...sides, floor: empty },
  })),
  {
    name: "start: openevals-wasm --help",
    aim: { overFloor: { times: 1.5, plus: 0 } },
    isFresh: true,
    sides: { ours: program("--help"), floor: node },
  },
  {
    name: "start: openevals-wasm score, ten rows",
    isFresh: true,
    sides: { ours: program("score", rows, "--evaluator", "exact_match"), floor: node },
  },
  ...pages,
  ...workers,
];

/** The compared digits of scores that both round. */
function rounded({ timed, ...rest }) {
  return {
    ...rest,
    timed: `${timed.replace("const result", "const scored")} const result = Number(Number(scored.score ?? scored).toFixed(2));`,
  };
}
