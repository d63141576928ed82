/**
 * Runs simulations and prints their tables: `node simulations/run.mjs [name ...] [--runs N] [--seed N]`.
 *
 * Each file in `claims/` exports `claim`, the sentence that it checks; `chapter`, where the guide makes it; and
 * `designs`, an object with a function for each design. The function simulates one run with the random generator that it
 * is given. It returns whether the event happened (a false alarm, an interval that held the truth), or `undefined` if the
 * run says nothing, since there is no interval; or an object of these, by name, if one run answers several questions.
 * `promise(design)` is what the guide promises: `{ atLeast }`, `{ atMost }`, both or nothing; with several questions, the
 * name is in front: `name, design`. `runs` is the number of runs if the command line does not say, or a function of the design. The table counts the
 * runs that said something. A promise is broken where a share is farther from it than chance explains (see `promises.mjs`).
 */

import { readdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { outcomesOf } from "./outcomes.mjs";
import { isKept } from "./promises.mjs";
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
  const { claim, chapter, designs, promise, runs } = await import(`./claims/${name}.mjs`);
  console.log(`\n${name}: ${claim} (${chapter})\n`);
  const width = 24 + Math.max(...Object.keys(designs).map((design) => design.length));
  console.log(`${"design".padEnd(width)}  promised      simulated  ± (95 %)   runs`);
  for (const [design, simulate] of Object.entries(designs)) {
    const random = new Random(`${values.seed} ${name} ${design}`);
    const tallies = new Map();
    const count = Number(values.runs ?? (typeof runs === "function" ? runs(design) : runs));
    for (let run = 0; run < count; run++)
      for (const [row, happened] of Object.entries(outcomesOf(design, await simulate(random)))) {
        const tally = tallies.get(row) ?? { events: 0, told: 0 };
        tallies.set(row, tally);
        if (happened !== undefined) tally.told++;
        if (happened) tally.events++;
      }
    for (const [row, { events, told }] of tallies) {
      const share = events / told;
      const error = 1.96 * Math.sqrt(Math.max(share * (1 - share), 1 / told) / told);
      const promised = promise(row);
      const kept = isKept(events, told, promised);
      if (!kept) broken++;
      const shares = told ? [percent(share), percent(error)] : ["-", "-"];
      const cells = [said(promised).padEnd(12), shares[0].padStart(9), shares[1].padStart(8)];
      const end = `${String(told).padStart(5)}${kept ? "" : "  not kept"}`;
      console.log(`${row.padEnd(width)}  ${cells.join("  ")}  ${end}`);
    }
  }
}
console.log(
  `\n${broken ? `${broken} designs do not keep what is promised.` : "All designs keep what is promised."}`,
);
if (broken) process.exitCode = 1;

function said({ atLeast, atMost }) {
  if (atLeast === undefined && atMost === undefined) return "nothing";
  if (atMost === undefined) return `≥ ${percent(atLeast)}`;
  return atLeast === undefined ? `≤ ${percent(atMost)}` : `${atLeast * 100}–${percent(atMost)}`;
}

function percent(share) {
  return `${(share * 100).toFixed(1)} %`;
}
