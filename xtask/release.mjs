/**
 * `npm run release -- --dry-run` checks that the package can be published, and reports everything that
 * forbids it. Without `--dry-run` it then tags the commit; the workflow `release.yml` publishes tags. For
 * trying, `--skip-tests` and `--skip-rebuild` leave out the slow parts, and `--against FILE` compares the
 * types with another tarball than the last published one.
 */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { addresses, checkAddresses } from "./addresses.mjs";
import { build, packageVersion } from "./build.mjs";
import { pack } from "./pack.mjs";
import { lastPublished, unpacked } from "./release/published.mjs";
import { rebuildProblems } from "./release/rebuild.mjs";
import { sbom } from "./release/sbom.mjs";
import { tarballProblems, tarballSizes } from "./release/tarball.mjs";
import { versionProblems } from "./release/version.mjs";
import { main, path, run, runBeside, say, TaskError } from "./run.mjs";
import { setUpTests } from "./setup.mjs";

const OPTIONS = {
  "dry-run": { type: "boolean" },
  "skip-tests": { type: "boolean" },
  "skip-rebuild": { type: "boolean" },
  against: { type: "string" },
};

const git = (...args) => run("git", args, { quiet: true }).trimEnd();
const manifestIn = (folder) => JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));

/**
 * The reasons against releasing the commit. It has to have all changes, and no other commit may have the tag.
 */
function commitProblems(tag) {
  const changed = git("status", "--porcelain");
  const tagged = git("tag", "--list", tag) && git("rev-list", "-n", "1", tag);
  return [
    ...(changed ? [`The working tree has changes:\n${changed}`] : []),
    ...(tagged && tagged !== git("rev-parse", "HEAD") ? [`The tag ${tag} is on another commit.`] : []),
  ];
}

async function addressProblems() {
  try {
    checkAddresses(addresses());
    return [];
  } catch (error) {
    return [error.message];
  }
}

async function testProblems() {
  try {
    await runBeside("npm", ["test"]);
    return [];
  } catch (error) {
    return [error.message];
  }
}

/** Compares the public types with those of the last release. */
async function typeProblems(last, now) {
  const { apiChanges, apiProblems } = await import("./release/api.mjs");
  const changes = apiChanges(last, now);
  writeFileSync(path("target/release-check/api-changes.json"), `${JSON.stringify(changes, null, 2)}\n`);
  for (const [kind, list] of Object.entries(changes)) say(`${list.length} exports ${kind}`);
  return apiProblems(changes, manifestIn(last).version, manifestIn(now).version);
}

await main(import.meta.url, async () => {
  const { values } = parseArgs({ options: OPTIONS });
  if (!values["dry-run"] && (values["skip-tests"] || values["skip-rebuild"]))
    throw new TaskError("Checks can be skipped only with --dry-run.");
  const tag = `v${packageVersion()}`;
  const problems = [...(await addressProblems()), ...commitProblems(tag)];
  await build();
  await setUpTests();
  await pack();
  mkdirSync(path("target/release-check"), { recursive: true });
  const tarball = path("target/pack/openevals-wasm.tgz");
  const now = unpacked(tarball, "now");
  const manifest = manifestIn(now);
  say("Inspecting the tarball");
  problems.push(...tarballProblems(now));
  const last = values.against ? unpacked(resolve(values.against), "last") : lastPublished(manifest.name);
  const changelog = readFileSync(path("pkg-template/CHANGELOG.md"), "utf8");
  const lastVersion = last && manifestIn(last).version;
  problems.push(...versionProblems({ version: manifest.version, last: lastVersion, changelog }));
  say(
    last
      ? `Comparing the types with ${lastVersion}`
      : "No version is published, so there are no types to compare with",
  );
  if (last) problems.push(...(await typeProblems(last, now)));
  writeFileSync(path("target/release-check/sbom.cdx.json"), `${JSON.stringify(sbom(manifest), null, 2)}\n`);
  if (!values["skip-rebuild"]) {
    say("Building a second time");
    problems.push(...(await rebuildProblems()));
  }
  if (!values["skip-tests"]) {
    say("Running all tests");
    problems.push(...(await testProblems()));
  }
  const { files, packed, unpacked: size } = tarballSizes(now, tarball);
  console.log(
    `${tag}: ${files} files, ${(packed / 1e6).toFixed(2)} MB packed, ${(size / 1e6).toFixed(2)} MB unpacked`,
  );
  if (problems.length) {
    const list = problems.map((problem) => `- ${problem}`).join("\n");
    throw new TaskError(`${tag} cannot be released:\n${list}`);
  }
  if (values["dry-run"]) return console.log(`${tag} can be released.`);
  git("tag", "--annotate", tag, "--message", tag);
  console.log(`Tagged ${tag}. Publish it with: git push origin main ${tag}`);
});
