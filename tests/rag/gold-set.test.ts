/** The labelled claims, and `npm run gold`, with the labels in place of a model. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { rows } from "../../xtask/start/claims.mjs";

const script = fileURLToPath(new URL("../../xtask/gold.mjs", import.meta.url));
const gold = (...args: string[]) => promisify(execFile)(process.execPath, [script, ...args]);

it("has 20 rows in each language, and each kind in all languages", () => {
  const data: any[] = rows();
  const count = (field: string) =>
    data.reduce((counts, { metadata }) => {
      counts[metadata[field]] = (counts[metadata[field]] ?? 0) + 1;
      return counts;
    }, {});
  expect(count("language")).toEqual({ en: 20, de: 20, ja: 20 });
  expect(Object.values(count("kind"))).toEqual(Array(10).fill(6));
  const claims = data.flatMap(({ metadata }) => metadata.claims.map(({ claim }: any) => claim));
  expect(new Set(claims).size).toBe(claims.length);
});

it("prints how often verdicts agree with the labels", { timeout: 120_000 }, async () => {
  const { stdout } = await gold("--labels");
  expect(stdout).toMatch(/^Accuracy\s+100\.0%/m);
  expect(stdout).toContain(
    "122 claims of 60 rows, which are the clusters. The rows and their labels are our own.",
  );
});

it("needs a model", async () => {
  await expect(gold()).rejects.toThrow("Usage: npm run gold -- --model openai:gpt-5.4");
});
