/** The figures of the home page and of "How we measure", from the files that the build and `npm run figures` write. */

import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { path, TaskError } from "../run.mjs";

/** All figures. */
export const figuresOf = () => ({
  sizes: sizes(),
  references: references(),
  ...JSON.parse(readFileSync(path("www/home/figures.json"), "utf8")),
});

/** The compressed sizes in `SIZES.md`, in whole KB, by the names of the rows. */
function sizes() {
  const rows = readFileSync(path("SIZES.md"), "utf8").matchAll(/^\| (\S+?)[ ,].*\| *([\d.]+) \|$/gm);
  const found = Object.fromEntries(Array.from(rows, ([, name, gzip]) => [name, Math.round(Number(gzip))]));
  const of = (name) => found[name] ?? fail(`SIZES.md has no row "${name}".`);
  return { exactMatch: of("exactMatch"), engine: of("openevals.wasm"), check: of("contains") };
}

/**
 * The figures that the tests compare with reference implementations in Python: each file of the metrics has
 * rows of texts with the figures of the reference.
 */
function references() {
  const folder = path("tests/parity/python/cases");
  let figures = 0;
  let metrics = 0;
  for (const name of readdirSync(folder)) {
    const { fields, rows } = JSON.parse(gunzipSync(readFileSync(`${folder}/${name}`)).toString("utf8"));
    if (!fields || !rows) continue;
    figures += fields.length * rows.length;
    metrics++;
  }
  return { figures, metrics };
}

function fail(message) {
  throw new TaskError(message);
}
