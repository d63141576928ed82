/** The cases of a fresh process: work that is slow only once. Their sides are separate scripts. */
import { FOLDERS } from "../packages.mjs";

const SAME = "outputs: { a: 1, b: 2 }, referenceOutputs: { b: 2, a: 1 }"; // takes the engine: other texts
const LISTS = `
  const list = () => Array.from({ length: 800_000 }, (_, i) => [i % 7, "x"]);
  const [outputs, referenceOutputs] = [list(), list()];
  referenceOutputs[799_999] = [0, "y"];`;

const load = (type, name) => (type === "module" ? `await import("${name}")` : `require("${name}")`);

function startup(folder, type, name) {
  return {
    folder,
    type,
    before: "",
    timed: `const { exactMatch } = ${load(type, name)}; const result = await exactMatch({ ${SAME} });`,
  };
}

function lists(folder, name) {
  return {
    folder,
    type: "module",
    before: `const { exactMatch } = await import("${name}"); ${LISTS}`,
    timed: "const result = await exactMatch({ outputs, referenceOutputs });",
  };
}

/** From nothing to the first result. */
export const startups = Object.entries({ module: "ES module", commonjs: "CommonJS" }).map(
  ([type, title]) => ({
    name: `import to first result, ${title}`,
    aim: { ratio: 30 },
    isFresh: true,
    sides: {
      ours: startup(FOLDERS.ours, type, "openevals-wasm"),
      reference: startup(FOLDERS.reference, type, "openevals"),
    },
  }),
);

export const startupBesideAutoevals = {
  name: "start: import to first exactMatch (beside autoevals)",
  aim: { ratio: 12 },
  isFresh: true,
  sides: {
    ours: startup(FOLDERS.ours, "module", "openevals-wasm"),
    reference: {
      ...startup(FOLDERS.autoevals, "module", "autoevals"),
      // It knows one order of keys only.
      timed: `const { ExactMatch } = ${load("module", "autoevals")};
        const result = await ExactMatch({ output: { a: 1, b: 2 }, expected: { a: 1, b: 2 } });`,
    },
  },
};

export const hugeLists = {
  name: "exactMatch, 6.4 MB of JSON in a fresh process",
  aim: { below: 500 },
  isFresh: true,
  sides: {
    ours: lists(FOLDERS.ours, "openevals-wasm"),
    reference: lists(FOLDERS.reference, "openevals"),
    floor: {
      folder: FOLDERS.ours,
      type: "module",
      before: LISTS,
      timed: "const result = JSON.stringify(outputs) === JSON.stringify(referenceOutputs);",
    },
  },
};
