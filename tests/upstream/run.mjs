/**
 * Runs upstream's suites with models that have one opinion each, and compares the failures with the known
 * differences.
 */

import { readFileSync } from "node:fs";
import { path } from "../../xtask/run.mjs";
import { OPINIONS, startModel } from "./model.mjs";

/** The expectations: the commits that they are for, and the tests that fail, with the reason of each. */
export const EXPECTED = JSON.parse(readFileSync(path("tests/upstream/expected.json"), "utf8"));

/** Runs the suites of a language, and answers the problem of each test by its name. */
export async function runLanguage(language, checkouts) {
  const { prepare, runSuites } = await import(`./${language}.mjs`);
  await prepare(checkouts, Object.keys(EXPECTED.skipped[language] ?? {}));
  const model = await startModel();
  const problems = new Map();
  try {
    for (const opinion of OPINIONS) {
      model.setOpinion(opinion);
      const failed = [...problems].filter(([, problem]) => problem).map(([name]) => name);
      if (problems.size && !failed.length) break;
      for (const { name, problem } of await runSuites(model.env, failed)) {
        if (!problems.has(name) || !problem) problems.set(name, problem);
      }
    }
  } finally {
    await model.close();
  }
  return problems;
}

/** The differences from the expectations: new failures, and tests that are listed but pass, or are gone. */
export function compare(language, problems) {
  const known = EXPECTED[language];
  const failed = [...problems].filter(([, problem]) => problem).map(([name]) => name);
  return {
    passed: problems.size - failed.length,
    reasons: failed.map((name) => known[name]).filter(Boolean),
    unknown: failed.filter((name) => !(name in known)),
    outdated: Object.keys(known).filter((name) => !problems.get(name)),
  };
}
