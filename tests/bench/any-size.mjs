/**
 * To be run by hand: measures experiments of several sizes, each in its own process:
 * `node any-size.mjs [rows …]`. A file of rows in, three evaluators, a file of rows out.
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { environment as env } from "./packages.mjs";

const script = fileURLToPath(new URL("any-size-run.mjs", import.meta.url));
const sizes = process.argv.slice(2).map(Number);
console.log(
  "| rows | sink | µs a row | CPU, µs a row | peak of memory |\n| ---: | :--- | ---: | ---: | ---: |",
);
for (const rows of sizes.length ? sizes : [10_000, 100_000, 1_000_000]) {
  for (const sink of ["none", "file"]) {
    const { wall, cpu, peak } = JSON.parse(execFileSync(process.execPath, [script, rows, sink], { env }));
    console.log(
      `| ${rows.toLocaleString("en")} | ${sink} | ${wall.toFixed(1)} | ${cpu.toFixed(1)} | ${Math.round(peak / 1e6)} MB |`,
    );
  }
}
