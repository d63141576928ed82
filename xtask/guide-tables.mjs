/**
 * Generates the tables of the guide and the README from code: the text between `<!-- table: NAME -->` and
 * `<!-- /table -->`. `npm run build` writes them, and `npm test` fails if one is out of date.
 */

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { autoevalsRows } from "./autoevals-table.mjs";
import { badges } from "./badges.mjs";
import { binaryNames } from "./binaries.mjs";
import { providers } from "./provider-table.mjs";
import { path, TaskError } from "./run.mjs";
import { RUNTIMES } from "./runtimes.mjs";
import { figuresOf } from "./site/figures.mjs";
import { measureSizes } from "./sizes.mjs";

const TABLES = {
  autoevals: autoevalsTable,
  badges: badgesPicture,
  "engine-files": engineFiles,
  pitch,
  prompts,
  providers,
  runtimes,
  "runtimes-in-short": runtimesInShort,
  "measured-sizes": measuredSizes,
  "measured-start": measuredStart,
  "measured-references": measuredReferences,
  "measured-interval": measuredInterval,
};

/** Brings all tables up to date. */
export async function writeGuideTables() {
  for (const { file, text, updated } of await pagesWithTables())
    if (updated !== text) writeFileSync(file, updated);
}

/** Fails if a table is out of date. */
export async function checkGuideTables() {
  const outdated = (await pagesWithTables()).filter(({ text, updated }) => text !== updated);
  if (!outdated.length) return;
  const files = outdated.map(({ file }) => file).join(", ");
  throw new TaskError(`Tables are not up to date in ${files}: run \`npm run build\` and commit them.`);
}

async function pagesWithTables() {
  const chapters = readdirSync(path("www/guide")).filter((name) => name.endsWith(".md"));
  const files = [path("README.md"), ...chapters.map((name) => path("www/guide", name))];
  return Promise.all(
    files.map(async (file) => {
      const text = readFileSync(file, "utf8");
      let updated = text;
      for (const [whole, name] of text.matchAll(/<!-- table: ([\w-]+) -->[\s\S]*?<!-- \/table -->/g)) {
        if (!TABLES[name]) throw new TaskError(`${file} has an unknown table "${name}".`);
        const table = await TABLES[name]();
        updated = updated.replace(whole, () => `<!-- table: ${name} -->\n${table}\n<!-- /table -->`);
      }
      return { file, text, updated };
    }),
  );
}

const row = (...cells) => `|${cells.map((cell) => (cell ? ` ${cell} ` : " ")).join("|")}|`;
const table = (heads, rows) =>
  [row(...heads), row(...heads.map(() => "---")), ...rows.map((cells) => row(...cells))].join("\n");

/** The picture of the badges, with their text for readers who do not see it. */
async function badgesPicture() {
  const text = badges().map((badge) => badge.join(" "));
  return `![${text.join(" · ")}](www/pictures/badges.svg)`;
}

async function autoevalsTable() {
  return table(["`autoevals`", "what it does", "for new code"], await autoevalsRows());
}

/** A comparison with the original package, with our figures as the build measures them. */
async function pitch() {
  const sizes = Object.fromEntries((await measureSizes()).map((size) => [size.what, size]));
  const { start } = figuresOf();
  const kilobytes = (what) => `${Math.round(sizes[what].gzip / 1000)} KB`;
  const unpacked = `${(sizes["package, unpacked"].raw / 1e6).toFixed(1)} MB`;
  const scored = `${kilobytes("exactMatch")} and ${kilobytes("openevals.wasm")} of WebAssembly`;
  const judged = `${kilobytes("createLLMAsJudge")} and ${kilobytes("openevals-judges.wasm")}`;
  return table(
    ["", "openevals 0.2.2", "openevals-wasm"],
    [
      ["installed", "28 packages, 94 MB", `1 package, ${unpacked}`],
      [
        "in a bundle",
        "cannot be bundled for a browser or a Worker",
        `gzipped, \`exactMatch\`: ${scored}; a judge: ${judged}; a check: ${kilobytes("contains")}`,
      ],
      ["import to first result (Node 20)", `${start.referenceMs} ms`, `${start.oursMs} ms`],
      [
        "a judge's broken answer",
        "a score of `undefined`",
        "an error that says what was wrong, with the answer",
      ],
      ["a mismatch", "`false`", "`false`, and where and why"],
    ],
  );
}

/** The parts of the package that need each file of the engine. */
const NEEDED_BY = {
  openevals: "exact match, Levenshtein, embedding similarity, JSON match, trajectories, graphs",
  "openevals-judges": "judges, recipes, `openevals-wasm/rag`, simulated users, `initChatModel`, `jsonSchema`",
  "openevals-agents": "`openevals-wasm/agents`",
  "openevals-metrics": "`openevals-wasm/text`, `openevals-wasm/retrieval`",
  "openevals-statistics":
    "the statistics of `openevals-wasm/evaluation` and `openevals-wasm/judges`; the drift alarm of `openevals-wasm/otel`",
};

async function engineFiles() {
  const sizes = new Map((await measureSizes()).map(({ what, gzip }) => [what, gzip]));
  return table(
    ["file", "gzipped", "needed by"],
    [
      ["none", "", "checks (except `jsonSchema`, and `validJson` with a schema), prompts"],
      ...binaryNames.map((name) => [
        `\`${name}.wasm\``,
        `${Math.round(sizes.get(`${name}.wasm`) / 1000)} KB`,
        NEEDED_BY[name],
      ]),
    ],
  );
}

function measuredSizes() {
  const { exactMatch, engine, check } = figuresOf().sizes;
  return table(
    ["gzipped", ""],
    [
      ["`exactMatch` in a bundle", `${exactMatch} KB`],
      ["`openevals.wasm`, which it loads on first use", `${engine} KB`],
      ["`contains`, a check, in a bundle", `${check} KB`],
    ],
  );
}

function measuredStart() {
  const { oursMs, referenceMs, rounds, node } = figuresOf().start;
  return table(
    ["median", "openevals-wasm", "openevals 0.2.2"],
    [[`${rounds} new processes of Node ${node}`, `${oursMs} ms`, `${referenceMs} ms`]],
  );
}

function measuredReferences() {
  const { references } = figuresOf();
  return table(
    ["families of metrics", "figures compared"],
    [[String(references.metrics), references.figures.toLocaleString("en")]],
  );
}

function measuredInterval() {
  const { rows, runs, held } = figuresOf().interval;
  return table(
    ["rows", "experiments", "intervals with the true rate"],
    [
      [
        String(rows),
        runs.toLocaleString("en"),
        `${held.toLocaleString("en")}, ${((held / runs) * 100).toFixed(1)} %`,
      ],
    ],
  );
}

/** The modules of the prompts, with their subjects. */
const SUBJECTS = {
  quality: "Quality",
  rag: "Retrieval",
  safety: "Safety",
  security: "Security",
  trajectory: "Trajectories",
  conversation: "Conversations",
  image: "Images",
  voice: "Voice",
};

/** The prebuilt prompts: variables from their texts, questions and meanings from their documentation. */
async function prompts() {
  const texts = await import(pathToFileURL(path("pkg/dist/prompts.js")).href);
  const rows = Object.entries(SUBJECTS).flatMap(([module, subject]) => {
    const source = readFileSync(path(`pkg-template/src/models/prompts/${module}.ts`), "utf8");
    const constants = Array.from(source.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport const (\w+)/g));
    return [
      [`**${subject}**`, "", "", ""],
      ...constants.map(([, comment, name]) => {
        const [question, rest] = sentences(comment);
        return [`\`${name}\``, variablesOf(texts[name]), question, meaningOfTrue(rest)];
      }),
    ];
  });
  const made = rows.filter(([, variables]) => variables).length;
  const exported = Object.keys(texts).filter((name) => /_PROMPT(_|$)/.test(name)).length;
  if (made !== exported)
    throw new TaskError(`Of ${exported} prompts, ${made} are in the modules of SUBJECTS.`);
  return table(["prompt", "variables", "asks", "`true` means"], rows);
}

/** The first sentence of a documentation comment, and the rest. */
function sentences(comment) {
  const [first = "", second = ""] = comment
    .replaceAll(/^ *\* ?/gm, "")
    .split(/\n\n/)
    .map((paragraph) => paragraph.replaceAll("\n", " ").trim());
  return [first.replace(/\.$/, ""), second];
}

function meaningOfTrue(text) {
  const [, meaning] = /`true`: (.*?)(?:; as a number.*|\.)$/.exec(text) ?? [];
  // Prompts that return a name instead of a score document the schema that they need.
  return meaning ?? "no score but a name: needs an `outputSchema`";
}

function variablesOf(prompt) {
  const optional = new Set(Array.from(prompt.matchAll(/<(\w+) optional>/g), ([, name]) => name));
  const names = new Set(Array.from(prompt.matchAll(/\{(\w+)\}/g), ([, name]) => name));
  return Array.from(names, (name) => `\`${name}\`${optional.has(name) ? " (optional)" : ""}`).join(", ");
}

/** The supported runtimes, with their first versions and the tested ones. */
function runtimes() {
  return table(
    ["where", "since", "tested with", "how the engine is loaded"],
    RUNTIMES.map(({ where, since, by, packages, tested, loading }) => [
      where,
      since,
      tested ?? [by, versionsOf(packages)].filter(Boolean).join(" "),
      loading,
    ]),
  );
}

function runtimesInShort() {
  return table(
    ["where", "since"],
    RUNTIMES.map(({ where, since }) => [where, since]),
  );
}

/** The installed versions of the tests' packages. */
function versionsOf(packages) {
  const installed = ["tests/package.json", "tests/frameworks/package.json"].map((file) =>
    Object.entries(JSON.parse(readFileSync(path(file), "utf8")).devDependencies),
  );
  const versions = packages.flatMap((name) => {
    const found = installed.flat().filter(([installed]) => installed === name);
    if (!found.length) throw new TaskError(`The tests install no ${name}.`);
    return found.map(([, version]) => version.replace(/^npm:.*@/, ""));
  });
  return Array.from(new Set(versions)).join(", ");
}
