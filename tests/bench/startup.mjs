/** From nothing to the first result: a fresh process imports the package and scores once. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { race } from "./measure.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
// Keys in another order, so that the answer needs the engine.
const score = "exactMatch({ outputs: { a: 1, b: 2 }, referenceOutputs: { b: 2, a: 1 } })";
const print = "process.stdout.write(String(performance.now() - start))";

const ROUNDS = 9;

function startup(type, script) {
  const ours = () => startupTime(here("."), type, script("openevals-wasm"));
  const reference = () => startupTime(here("../parity"), type, script("openevals"));
  return () => race({ ours, reference }, ROUNDS);
}

export const startupCases = [
  {
    name: "import to first result, ES module",
    aim: 20,
    measure: startup(
      "module",
      (name) => `
      const start = performance.now();
      const { exactMatch } = await import("${name}");
      await ${score};
      ${print};`,
    ),
  },
  {
    name: "import to first result, CommonJS",
    aim: 20,
    measure: startup(
      "commonjs",
      (name) => `
      const start = performance.now();
      const { exactMatch } = require("${name}");
      ${score}.then(() => { ${print}; });`,
    ),
  },
];

/** Milliseconds that the script measured inside a process of its own. */
async function startupTime(cwd, type, script) {
  const { stdout } = await promisify(execFile)(process.execPath, [`--input-type=${type}`, "--eval", script], {
    cwd,
  });
  return Number(stdout);
}
