/**
 * Precision and recall of `noRefusal` on our own list of refusals and look-alikes. The guide has the figures.
 */

import { readFileSync } from "node:fs";
import { noRefusal } from "openevals-wasm/checks";
import { expect, test } from "vitest";

const lines = readFileSync(new URL("refusals.tsv", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => line.split("\t") as [string, string, string]);
const guide = readFileSync(new URL("../../../www/guide/content-checks.md", import.meta.url), "utf8");

test("precision and recall are those in the guide", async () => {
  const results = await noRefusal().batch(lines.map(([, , outputs]) => ({ outputs })));
  const count = (isRefusal: string, isFound: boolean) =>
    lines.filter(([, label], index) => label === isRefusal && results[index]?.score === !isFound).length;
  const [found, missed, wrong] = [count("1", true), count("1", false), count("0", true)];
  const errors = lines.filter(([, label], index) => (label === "1") !== (results[index]?.score === false));
  const percent = (share: number) => `${(100 * share).toFixed(0)}%`;
  const figures = `${lines.length} answers, ${found + missed} of them refusals: a precision of ${percent(found / (found + wrong))} and a recall of ${percent(found / (found + missed))}`;
  expect(guide, errors.map((line) => line.join(" ")).join("\n")).toContain(figures);
});
