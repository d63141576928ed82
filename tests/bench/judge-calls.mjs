/**
 * To be run by hand: measures judge calls to a local server, 50 at a time, beside a loop of `fetch`:
 * `node judge-calls.mjs [calls [ms [rounds]]]`, where the server answers after so many milliseconds. Each
 * side runs in its own process, in turns.
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { environment as env } from "./packages.mjs";

const script = fileURLToPath(new URL("judge-calls-run.mjs", import.meta.url));
const [calls = 100_000, latencyMs = 0, rounds = 1] = process.argv.slice(2).map(Number);
console.log(
  "| | calls | µs a call | CPU, µs a call | peak of memory |\n| :--- | ---: | ---: | ---: | ---: |",
);
for (let round = 0; round < rounds; round++) {
  for (const side of ["fetch", "judge"]) {
    const { wall, cpu, peak } = JSON.parse(
      execFileSync(process.execPath, [script, side, calls, latencyMs], { env }),
    );
    console.log(
      `| ${side} | ${calls.toLocaleString("en")} | ${wall.toFixed(1)} | ${cpu.toFixed(1)} | ${Math.round(peak / 1e6)} MB |`,
    );
  }
}
