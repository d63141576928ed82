/**
 * Runs the test suites of OpenEvals and AgentEvals against this package, and lists the tests that fail with
 * their reasons: `npm run upstream` for both languages, `npm run upstream -- python` for one. Clones the
 * suites unless `--openevals PATH` and `--agentevals PATH` are given. Exits with 1 if a test fails that
 * `tests/upstream/expected.json` does not list, or if a listed one passes.
 */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { compare, EXPECTED, runLanguage } from "../tests/upstream/run.mjs";
import { build } from "./build.mjs";
import { pack } from "./pack.mjs";
import { main, path, run, say, TaskError } from "./run.mjs";
import { installPackages, setUpBuild } from "./setup.mjs";

const LANGUAGES = ["javascript", "python"];

/** The commit of a checkout; `undefined` for other folders. */
function commitOf(folder) {
  try {
    return execFileSync("git", ["-C", folder, "rev-parse", "HEAD"], {
      encoding: "utf8",
      stdio: "pipe",
    }).trim();
  } catch {
    return undefined;
  }
}

/** The folder of a repository: an existing checkout, or a clone at the pinned commit. */
function checkout(name, existing) {
  const { repository, commit } = EXPECTED.repositories[name];
  if (existing) {
    const folder = resolve(existing);
    if (!existsSync(`${folder}/js/src`))
      throw new TaskError(`--${name} ${existing} is not a checkout of ${repository}: it has no js/src.`);
    const own = commitOf(folder);
    if (own !== commit)
      say(`${name} is at ${own ?? "an unknown commit"}; expected.json was written for ${commit}`);
    return folder;
  }
  const folder = path("target/upstream/checkouts", name);
  if (commitOf(folder) !== commit) {
    say(`Cloning ${repository}`);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    run("git", ["clone", "--quiet", "--no-checkout", "--filter=blob:none", repository, folder]);
    run("git", ["-C", folder, "checkout", "--quiet", commit]);
  }
  return folder;
}

/** Reports the results of a language. Returns whether they are as expected. */
function report(language, problems) {
  const { passed, reasons, unknown, outdated } = compare(language, problems);
  console.log(`\n${language}: ${passed} of ${problems.size} tests pass`);
  for (const [reason, sentence] of Object.entries(EXPECTED.reasons)) {
    const count = reasons.filter((one) => one === reason).length;
    if (count) console.log(`  ${String(count).padStart(3)} ${reason}: ${sentence}`);
  }
  for (const [name, reason] of Object.entries(EXPECTED.skipped[language] ?? {}))
    console.log(`  not run: ${name}: ${EXPECTED.reasons[reason]}`);
  for (const name of unknown)
    console.log(
      `  NEW FAILURE: ${name}\n    ${problems.get(name).trim().split("\n").slice(0, 5).join("\n    ")}`,
    );
  for (const name of outdated)
    console.log(`  ${problems.has(name) ? "PASSES NOW" : "IS GONE"}: ${name}; take it out of expected.json`);
  return !unknown.length && !outdated.length;
}

await main(import.meta.url, async () => {
  const options = { openevals: { type: "string" }, agentevals: { type: "string" } };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const unknown = positionals.find((language) => !LANGUAGES.includes(language));
  if (unknown) throw new TaskError(`Unknown language ${unknown}; use ${LANGUAGES.join(" or ")}.`);
  const names = Object.keys(EXPECTED.repositories);
  const checkouts = Object.fromEntries(names.map((name) => [name, checkout(name, values[name])]));
  await setUpBuild();
  await installPackages("tests", "the test tools");
  await build();
  await pack();
  // The place where the suites resolve their imports.
  mkdirSync(path("target/upstream"), { recursive: true });
  rmSync(path("target/upstream/node_modules"), { force: true });
  symlinkSync(path("tests/node_modules"), path("target/upstream/node_modules"));
  for (const language of positionals.length ? positionals : LANGUAGES) {
    say(`Running the ${language} suites`);
    if (!report(language, await runLanguage(language, checkouts))) process.exitCode = 1;
  }
});
