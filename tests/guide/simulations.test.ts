import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { Random } from "../simulations/random.mjs";

interface Simulation {
  claim: string;
  chapter: string;
  nominal: number;
  runs: number;
  isHeld: (share: number, design: string) => boolean;
  designs: Record<string, (random: Random) => unknown>;
}

const claims = new URL("../simulations/claims/", import.meta.url);
const guide = new URL("../../www/guide/", import.meta.url);

// The drift alarm looks at 10,000 rows in each run.
it.for(readdirSync(claims))("the simulation %s runs, and names a place in the guide", {
  timeout: 120_000,
}, async (file) => {
  const simulation: Simulation = await import(pathToFileURL(fileURLToPath(new URL(file, claims))).href);
  const { claim, chapter, nominal, runs, isHeld, designs } = simulation;
  expect(claim).toMatch(/\.$/);
  expect(nominal > 0 && nominal < 1 && Number.isInteger(runs)).toBe(true);

  const comma = chapter.indexOf(", ");
  const [page, heading] = [chapter.slice(0, comma), chapter.slice(comma + 2)];
  expect(existsSync(new URL(page, guide)), `${page} is in the guide`).toBe(true);
  const headings = readFileSync(new URL(page, guide), "utf8").match(/^#+ .*$/gm) ?? [];
  expect(headings.map((line) => line.replace(/^#+ /, ""))).toContain(heading);

  expect(Object.keys(designs).length).toBeGreaterThan(0);
  // All designs of a claim are made alike; the first and the last show whether it still runs.
  const all = Object.entries(designs);
  for (const [design, simulate] of [...all.slice(0, 1), ...all.slice(-1)]) {
    expect([true, false, undefined], design).toContain(await simulate(new Random(design)));
    expect(typeof isHeld(nominal, design)).toBe("boolean");
  }
});
