import { spawnSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { repository } from "./harness.js";
import { installFixture } from "./install.js";

let fixture: string;
let folder: string;
let files: string[];
beforeAll(async () => {
  fixture = installFixture("scripts", "tarball");
  folder = join(fixture, "node_modules/openevals-wasm");
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  files = paths.map((path) => path.slice(folder.length + 1).replaceAll("\\", "/")).sort();
});
const text = (file: string) => readFile(join(folder, file), "utf8");

describe("The tarball", () => {
  it("brings no dependencies", async () => {
    expect(await readdir(join(fixture, "node_modules")).then((names) => names.filter(isPublic))).toEqual([
      "openevals-wasm",
    ]);
    const manifest = JSON.parse(await text("package.json"));
    expect(manifest.dependencies ?? {}).toEqual({});
    expect(manifest.scripts?.postinstall).toBeUndefined();
  });

  it("holds README, changelog, licences, manifest, guide, skill and dist, a manifest for each subpath, and nothing else", () => {
    const others = /^dist\/|^docs\/[\w-]+\.md$|^((code|vitest|interop)\/)?[\w-]+\/package\.json$/;
    expect(files.filter((file) => !others.test(file))).toEqual([
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "THIRD-PARTY-NOTICES.txt",
      "package.json",
      "skills/openevals-wasm/SKILL.md",
    ]);
    const kinds = /^dist\/[\w/.-]+\.([cm]?js|d\.c?ts|wasm)$/;
    expect(files.filter((file) => file.startsWith("dist/") && !kinds.test(file))).toEqual([]);
  });

  it("has a README without links and chapters that lead nowhere", async () => {
    const readme = await text("README.md");
    expect(readme).toContain("## Coming from OpenEvals");
    expect(readme).not.toMatch(
      /\]\((?!https?:|#|CHANGELOG\.md|docs\/)|<img|## Working on it|\bwww\/guide|npm start/,
    );
  });

  it("holds five binaries, without code that writes floating-point numbers", async () => {
    const binaries = files.filter((file) => file.endsWith(".wasm"));
    expect(binaries).toEqual([
      "dist/openevals-agents.wasm",
      "dist/openevals-judges.wasm",
      "dist/openevals-metrics.wasm",
      "dist/openevals-statistics.wasm",
      "dist/openevals.wasm",
    ]);
    // A panic message with a number, such as that of `f64::clamp`, adds 10 KB to a binary.
    for (const file of binaries)
      expect([file, (await text(file)).includes("flt2dec")]).toEqual([file, false]);
  });

  it("has the guide, whose links lead to files of the guide", async () => {
    const chapters = files.filter((file) => file.startsWith("docs/"));
    expect(chapters).toContain("docs/README.md");
    expect(chapters).toContain("docs/getting-started.md");
    const broken = await Promise.all(
      chapters.map(async (file) => {
        const links = (await text(file)).matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g);
        return Array.from(links, ([link, target]) =>
          files.includes(`docs/${target}`) ? [] : [file, link],
        ).flat();
      }),
    );
    expect(broken.flat()).toEqual([]);
    // Examples are only on the site.
    const { homepage } = JSON.parse(await text("package.json"));
    expect(await text("docs/vitest-and-jest.md")).toContain(`[vitest](${homepage}guide/example-vitest.html)`);
  });

  it.each([
    ["module", 'import { exactMatch } from "openevals-wasm";'],
    ["commonjs", 'const { exactMatch } = require("openevals-wasm");'],
  ])("shows an uncaught error in short lines, in a %s", (type, load) => {
    const script = `${load} exactMatch({ outputs: 1 });`;
    const options = { cwd: fixture, encoding: "utf8" } as const;
    const { stderr } = spawnSync(process.execPath, [`--input-type=${type}`, "-e", script], options);
    const lines = stderr.split("\n");
    expect(lines).toContainEqual(expect.stringMatching(/^OpenEvalsError: exactMatch needs referenceOutputs/));
    expect(lines.filter((line) => line.length > 1000)).toEqual([]);
  });

  it("prevents bundlers from following imports of optional packages", async () => {
    const ignored = "/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */";
    const programs = files.filter((file) => /\.c?js$/.test(file));
    const imports = await Promise.all(
      programs.map(async (file) =>
        Array.from((await text(file)).matchAll(/\bimport\((?!["'`])[^)]*\)/g), ([found]) => ({
          file,
          found,
        })),
      ),
    );
    const found = imports.flat();
    expect(found.length).toBeGreaterThan(1);
    expect(found.filter(({ found }) => !found.startsWith(`import(${ignored} `))).toEqual([]);
  });

  it("names no path of the machine that built it", async () => {
    for (const file of files) {
      const content = await readFile(join(folder, file), "latin1");
      for (const path of [homedir(), repository]) expect(content.includes(`${path}/`), file).toBe(false);
    }
  });
});

/** npm keeps a list of the installed packages beside them. */
const isPublic = (name: string) => !name.startsWith(".");
