/** Makes the generated parts of the home page: its proofs, and a report. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { path } from "../run.mjs";
import { figuresOf } from "./figures.mjs";

const whole = (count) => count.toLocaleString("en");
const percent = (share) => `${(share * 100).toFixed(1)}%`;

/** The proofs, as items of a list. Each links to how it is measured. */
export function proofs() {
  const { sizes, start, references, interval } = figuresOf();
  const items = [
    {
      title: "Size",
      figure: `${sizes.exactMatch + sizes.engine} KB`,
      text: `<code>exactMatch</code> in a bundle: ${sizes.exactMatch} KB of JavaScript and ${sizes.engine} KB of WebAssembly, gzipped. A check takes ${sizes.check} KB. There are no dependencies.`,
    },
    {
      title: "Start",
      figure: `${start.oursMs} ms`,
      text: `From import to the first result in a new process of Node. <code>openevals</code> takes ${start.referenceMs} ms on the same machine.`,
    },
    {
      title: "Correctness",
      figure: whole(references.figures),
      text: `figures of ${references.metrics} families of text metrics equal those of their Python reference implementations, to 12 decimals.`,
    },
    {
      title: "Statistics",
      figure: percent(interval.held / interval.runs),
      text: `of the 95% intervals held the true rate, in ${whole(interval.runs)} simulated experiments of ${interval.rows} rows.`,
    },
  ];
  return items
    .map(
      ({ title, figure, text }) =>
        `<li><h3>${title}</h3><p class="figure">${figure}</p><p>${text}</p><a href="guide/how-we-measure.html#${title.toLowerCase()}">How ${title.toLowerCase()} is measured</a></li>`,
    )
    .join("\n          ");
}

/** Writes `report.html`: two models that answer the same questions. Returns a summary of it, in a few sentences. */
export async function writeHomeReport(pkg, out) {
  const load = (file) => import(pathToFileURL(join(pkg, "dist", file)).href);
  const [{ exactMatch, levenshteinDistance }, { evaluate, renderReport }, { tokenF1 }] = await Promise.all(
    ["index.js", "evaluation.js", "text.js"].map(load),
  );
  const lines = readFileSync(path("www/home/answers.jsonl"), "utf8").trim().split("\n");
  const rows = lines.map((line) => JSON.parse(line));
  const run = (model) =>
    evaluate(undefined, {
      data: rows.map(({ id, question, expected, ...answers }) => ({
        id,
        inputs: question,
        outputs: answers[model],
        referenceOutputs: expected,
      })),
      evaluators: [exactMatch, levenshteinDistance, tokenF1],
      experimentPrefix: `${model}-model`,
    });
  const [small, large] = [await run("small"), await run("large")];
  writeFileSync(join(out, "report.html"), await renderReport(large, { compareWith: small }));
  const rate = ({ aggregates }) => percent(aggregates.exact_match.mean);
  return `Two models answer the same ${rows.length} questions. Exact match goes from ${rate(small)} to ${rate(large)}. The report shows each row, and whether the change is more than chance.`;
}
