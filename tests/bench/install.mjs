/**
 * What an installation costs: `npm run bench -- install` installs each package into an empty folder, and prints how long
 * that takes, what it weighs, and how long a program takes to print its help.
 */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { environment as env } from "./packages.mjs";
import { median } from "./table.mjs";

const run = promisify(execFile);

const tarball = fileURLToPath(new URL("../../target/pack/openevals-wasm.tgz", import.meta.url));

/** What users of each package install. */
const PACKAGES = [
  { name: "openevals-wasm", wanted: [tarball], program: "openevals-wasm" },
  { name: "autoevals 0.3.0", wanted: ["autoevals@0.3.0"] },
  { name: "openevals 0.2.2", wanted: ["openevals@0.2.2", "@langchain/core"] },
  { name: "promptfoo 0.123.1", wanted: ["promptfoo@0.123.1"], program: "promptfoo" },
];

/** How often a program prints its help; the first time may write caches. */
const ROUNDS = 6;

console.log(`Node ${process.version.slice(1)}, ${availableParallelism()} processors. npm has downloaded what it needs before.

| package | packages | files | MB | install | --help |
| :--- | ---: | ---: | ---: | ---: | ---: |`);
for (const one of PACKAGES) console.log(await row(one));

async function row({ name, wanted, program }) {
  const folder = await mkdtemp(join(tmpdir(), "openevals-install-"));
  const installed = join(folder, "node_modules");
  // The scripts of packages would download more.
  const install = ["install", ...wanted, "--ignore-scripts", "--no-audit", "--no-fund"];
  const npm = () => run("npm", install, { cwd: folder, env, shell: process.platform === "win32" });
  try {
    await writeFile(join(folder, "package.json"), "{}");
    await npm();
    await rm(installed, { recursive: true });
    await rm(join(folder, "package-lock.json"));
    const seconds = (await timed(npm)) / 1_000;
    const { files, bytes, packages } = await weight(installed);
    const help = program ? await helpOf(join(installed, ".bin", program)) : "";
    const cells = [name, packages, files, (bytes / 1e6).toFixed(1), `${seconds.toFixed(1)} s`, help];
    return `| ${cells.join(" | ")} |`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The median time of a process that prints the help. */
async function helpOf(program) {
  const times = [];
  try {
    for (let round = 0; round < ROUNDS; round++)
      times.push(await timed(() => run(process.execPath, [program, "--help"], { env })));
  } catch {
    return "needs another Node";
  }
  return `${median(times.slice(1)).toFixed(0)} ms`;
}

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function weight(folder) {
  const total = { files: 0, bytes: 0, packages: 0 };
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const { name, parentPath } of entries.filter((entry) => entry.isFile())) {
    total.files++;
    total.bytes += (await stat(join(parentPath, name))).size;
    if (name === "package.json" && /node_modules\/(@[^/]+\/)?[^/]+$/.test(parentPath)) total.packages++;
  }
  return total;
}
