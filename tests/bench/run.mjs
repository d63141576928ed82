/**
 * Measures the packed package beside the published reference packages, and prints a Markdown table. `npm run bench`, or
 * `npm run bench -- json` for the cases with "json" in their name.
 */
import { availableParallelism, loadavg } from "node:os";
import { cases } from "./cases/index.mjs";
import { race } from "./race.mjs";
import { HEAD, row } from "./table.mjs";

const filter = (process.argv[2] ?? "").toLowerCase();
const chosen = cases.filter(({ name }) => name.toLowerCase().includes(filter));
if (!chosen.length) throw new Error(`No case has "${filter}" in its name.`);

const { version, platform, arch } = process;
console.log(`Medians per call, each side in a process of its own: Node ${version.slice(1)} on ${platform} ${arch},
${availableParallelism()} processors, ${loadavg()[0].toFixed(1)} busy before (the quieter, the better).

The ratio is reference / ours, round by round; where ours is beside itself, how many times as long it takes. Floors are
how many times as long ours takes as the least that has to be done: JSON.stringify of both sides, fastest-levenshtein, a
stub's answer read.
`);
console.log(HEAD);
const verdicts = [];
for (const one of chosen) {
  const missing = one.missing?.();
  if (missing) {
    console.error(`${one.name} is left out: ${missing}.`);
    continue;
  }
  progress(`measuring ${one.name} …`);
  try {
    const { text, met } = row(one, await race(one));
    progress("");
    console.log(text);
    verdicts.push(met);
  } catch (error) {
    progress("");
    console.error(`${one.name}: ${error.message}`);
    process.exitCode = 1;
  }
}
const count = (verdict) => verdicts.filter((met) => met === verdict).length;
console.log(`\nAims: ${count(true)} met, ${count(false)} missed.`);

/** One line that is rewritten, only on a terminal. */
function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}
