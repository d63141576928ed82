/**
 * Runs simulations and prints their tables: `node simulations/run.mjs [name ...] [--runs N] [--seed N]`.
 *
 * Each file in `claims/` exports `claim`, the sentence that it checks; `chapter`, where the guide makes it; and
 * `designs`, an object with a function for each design. The function simulates one run with the random generator that it
 * is given, and returns whether the event happened (a false alarm, an interval that held the truth), or `undefined` if the
 * run says nothing, since there is no interval. `nominal` is the probability that is promised, and `isHeld(share, design)`
 * says whether a share keeps the promise; it is less where the guide says that less is promised. `isKnown(design)`, if there
 * is one, is true of designs for which the guide says that the promise does not hold. `runs` is the number of
 * runs if the command line does not say. The table counts the runs that said something.
 */

import { readdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { Random } from "./random.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: "string" }, seed: { type: "string", default: "1" } },
});
const files = readdirSync(new URL("claims/", import.meta.url)).filter((file) => file.endsWith(".mjs"));
const known = files.map((file) => file.replace(".mjs", "")).sort();
const unknown = positionals.find((name) => !known.includes(name));
if (unknown) {
  console.error(`There is no simulation "${unknown}". There are: ${known.join(", ")}.`);
  process.exit(2);
}

let broken = 0;
for (const name of positionals.length ? positionals : known) {
  const { claim, chapter, designs, isHeld, isKnown, nominal, runs } = await import(`./claims/${name}.mjs`);
  const count = Number(values.runs ?? runs);
  console.log(`\n${name}: ${claim} (${chapter})\n`);
  const width = Math.max(...Object.keys(designs).map((design) => design.length));
  console.log(`${"design".padEnd(width)}  promised  simulated  ± (95 %)   runs`);
  for (const [design, simulate] of Object.entries(designs)) {
    const random = new Random(`${values.seed} ${name} ${design}`);
    let [events, told] = [0, 0];
    for (let run = 0; run < count; run++) {
      const happened = await simulate(random);
      if (happened !== undefined) told++;
      if (happened) events++;
    }
    const share = events / told;
    const error = 1.96 * Math.sqrt(Math.max(share * (1 - share), 1 / told) / told);
    // Of a few runs that say something, a share means nothing.
    const isKept = told < count / 20 || isHeld(share, design);
    const isExcluded = isKnown?.(design) ?? false;
    if (!isKept && !isExcluded) broken++;
    const shares = told ? [percent(share), percent(error)] : ["-", "-"];
    const cells = [percent(nominal).padStart(8), shares[0].padStart(9), shares[1].padStart(8)];
    console.log(
      `${design.padEnd(width)}  ${cells.join("  ")}  ${String(told).padStart(5)}${isKept ? "" : isExcluded ? "  not kept, as the guide says" : "  not kept"}`,
    );
  }
}
console.log(
  `\n${broken ? `${broken} designs do not keep what is promised.` : "All designs keep what is promised."}`,
);
if (broken) process.exitCode = 1;

function percent(share) {
  return `${(share * 100).toFixed(1)} %`;
}
