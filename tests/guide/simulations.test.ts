import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { outcomesOf } from "../simulations/outcomes.mjs";
import { isKept } from "../simulations/promises.mjs";
import { Random } from "../simulations/random.mjs";

interface Promised {
  atLeast?: number;
  atMost?: number;
}

interface Simulation {
  claim: string;
  chapter: string;
  runs: number | ((design: string) => number);
  promise: (design: string) => Promised;
  designs: Record<string, (random: Random) => unknown>;
}

const claims = new URL("../simulations/claims/", import.meta.url);
const guide = new URL("../../www/guide/", import.meta.url);

// They only compute, some of them for ten seconds of a processor.
it.for(readdirSync(claims))("the simulation %s runs, and names a place in the guide", {
  timeout: 600_000,
}, async (file) => {
  const simulation: Simulation = await import(pathToFileURL(fileURLToPath(new URL(file, claims))).href);
  const { claim, chapter, runs, promise, designs } = simulation;
  expect(claim).toMatch(/\.$/);

  const comma = chapter.indexOf(", ");
  const [page, heading] = [chapter.slice(0, comma), chapter.slice(comma + 2)];
  expect(existsSync(new URL(page, guide)), `${page} is in the guide`).toBe(true);
  const headings = readFileSync(new URL(page, guide), "utf8").match(/^#+ .*$/gm) ?? [];
  expect(headings.map((line) => line.replace(/^#+ /, ""))).toContain(heading);

  expect(Object.keys(designs).length).toBeGreaterThan(0);
  // All designs of a claim are made alike; the first and the last show whether it still runs.
  const all = Object.entries(designs);
  for (const [design, simulate] of [...all.slice(0, 1), ...all.slice(-1)]) {
    expect(Number.isInteger(typeof runs === "function" ? runs(design) : runs), design).toBe(true);
    for (const [row, outcome] of Object.entries(outcomesOf(design, await simulate(new Random(design))))) {
      expect([true, false, undefined], row).toContain(outcome);
      for (const probability of Object.values(promise(row)))
        expect(probability > 0 && probability < 1, row).toBe(true);
    }
  }
});

it("a simulation breaks a promise where chance does not explain it", () => {
  const atMost = { atMost: 0.05 };
  // Of 150 runs, 14 or more have a probability of 1.9 %, and 18 or more of 0.05 % (scipy.stats.binom.sf).
  expect([isKept(7, 150, atMost), isKept(14, 150, atMost), isKept(18, 150, atMost)]).toEqual([
    true,
    true,
    false,
  ]);
  expect(isKept(100, 1_000, atMost)).toBe(false);
  const atLeast = { atLeast: 0.95 };
  expect([isKept(940, 1_000, atLeast), isKept(920, 1_000, atLeast)]).toEqual([true, false]);
  expect([isKept(0, 0, atLeast), isKept(5, 10, {})]).toEqual([true, true]);
});
