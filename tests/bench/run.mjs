/**
 * Measures the packed package beside the published reference packages, in one run, and prints a Markdown table.
 * `npm run bench`, or `npm run bench -- json` for the cases with "json" in their name.
 */
import { cases } from "./cases.mjs";
import { median } from "./measure.mjs";
import { startupCases } from "./startup.mjs";

const filter = (process.argv[2] ?? "").toLowerCase();
const { version, platform, arch } = process;

console.log(`Medians per call, Node ${version.slice(1)} on ${platform} ${arch}.\n`);
console.log("| case | ours | reference | ratio | aim | met |");
console.log("| :--- | ---: | ---: | ---: | ---: | :---: |");
for (const { name, aim, measure } of [...startupCases, ...cases]) {
  if (!name.toLowerCase().includes(filter)) continue;
  progress(`measuring ${name} …`);
  const times = await measure();
  progress("");
  const [ours, reference] = [median(times.ours), median(times.reference)];
  const ratio = reference / ours;
  const verdict = aim === undefined ? ["", ""] : [`${aim}×`, ratio >= aim ? "yes" : "no"];
  console.log(`| ${[name, time(ours), time(reference), `${number(ratio)}×`, ...verdict].join(" | ")} |`);
}

/** One line that is rewritten, and only where somebody is looking. */
function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}

function time(milliseconds) {
  if (milliseconds < 1) return `${number(milliseconds * 1_000)} µs`;
  return milliseconds < 1_000 ? `${number(milliseconds)} ms` : `${number(milliseconds / 1_000)} s`;
}

function number(value) {
  return value >= 100 ? Math.round(value).toLocaleString("en-US") : value.toPrecision(value >= 10 ? 3 : 2);
}
