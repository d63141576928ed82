/** Where the package leads: its README with pictures and badges, its manifest, and the address in the help of the program. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { addresses, checkAddresses } from "../../xtask/addresses.mjs";
import { publishedReadme } from "../../xtask/readme.mjs";
import { manifest, runProgram } from "../cli/program.js";

const repository = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(repository, file), "utf8");
const installed = join(import.meta.dirname, "../node_modules/openevals-wasm");

const OURS = {
  repository: { type: "git", url: "git+https://github.com/acme/evals.git" },
  homepage: "https://acme.test/evals/",
  bugs: { url: "https://github.com/acme/evals/issues" },
};

/** The targets of links and pictures. */
const targetsIn = (markdown: string): string[] =>
  Array.from(markdown.matchAll(/(?:\]\(|src=")([^)"\s]+)[)"]/g), ([, target = ""]) => target);

describe("the README", () => {
  it("shows a terminal and a report above the fold, and both are there", () => {
    const [fold = ""] = read("README.md").split("\n## ");
    const pictures = targetsIn(fold).filter((target) => /\.(?:svg|png)$/.test(target));
    expect(pictures).toEqual([
      "www/pictures/badges.svg",
      "www/pictures/terminal.svg",
      "www/pictures/report.png",
    ]);
    expect(pictures.filter((file) => !existsSync(join(repository, file)))).toEqual([]);
    const first = read("README.md").split("\n").slice(0, 40).join("\n");
    for (const lead of ["intervals", "resume", "edge", "Errors that help", "openevals-wasm init"])
      expect(first).toContain(lead);
  });

  it("has badges with the figures of SIZES.md", () => {
    const gzipped = (name: string) => {
      const [, size] = new RegExp(`^\\| ${name}\\b.*\\| +([\\d.]+) \\|$`, "m").exec(read("SIZES.md")) ?? [];
      return Math.round(Number(size) * 10) / 10;
    };
    const [contains, exact, engine] = ["contains", "exactMatch", "openevals\\.wasm"].map(gzipped);
    const figures = [`${contains?.toFixed(1)} KB`, `${exact?.toFixed(1)} KB + ${engine?.toFixed(1)} KB wasm`];
    const svg = read("www/pictures/badges.svg");
    expect(Array.from(svg.matchAll(/<text[^>]*>([^<]+)</g), ([, text]) => text)).toEqual([
      ...["dependencies", String(Object.keys(manifest.dependencies ?? {}).length)],
      ...["contains", figures[0], "exactMatch", figures[1]],
      ...["node", manifest.engines.node.replace(">=", "≥ ")],
    ]);
    expect(read("README.md")).toContain(`contains ${figures[0]} · exactMatch ${figures[1]} · node`);
  });

  it("leads to files of the package while the repository is a placeholder", () => {
    const targets = targetsIn(readFileSync(join(installed, "README.md"), "utf8"));
    const local = targets
      .filter((target) => !/^(?:https?:|#)/.test(target))
      .map((target) => target.replace(/#.*/, ""));
    expect(local).toContain("docs/getting-started.md");
    expect(local.filter((target) => !existsSync(join(installed, target)))).toEqual([]);
  });

  it("leads to files of the repository once it has one", () => {
    const readme = publishedReadme(OURS);
    const own = targetsIn(readme).filter((target) => target.startsWith("https://github.com/acme/evals/"));
    const places = own.map((target) => /evals\/(blob|raw)\/HEAD\/([^#]+)/.exec(target)?.slice(1) ?? []);
    expect(places).toContainEqual(["raw", "www/pictures/report.png"]);
    expect(places).toContainEqual(["blob", "www/guide/getting-started.md"]);
    expect(places.filter(([, file = "?"]) => !existsSync(join(repository, file)))).toEqual([]);
    const others = targetsIn(readme).filter((target) => !/^https?:/.test(target));
    expect(others.filter((target) => !existsSync(join(installed, target)))).toEqual([]);
  });
});

describe("the addresses of the package", () => {
  it("is in its manifest as in the one of the workspace", () => {
    const { homepage, bugs, repository } = manifest;
    expect({ homepage, bugs, repository }).toEqual(addresses());
  });

  it("ends --help", async () => {
    for (const args of [["--help"], ["init", "--help"]]) {
      const { code, stdout } = await runProgram(repository, args);
      expect(code).toBe(0);
      expect(stdout.trimEnd().split("\n").at(-1)).toBe(
        `The guide is in docs/ of the package, and at ${manifest.homepage}guide/`,
      );
    }
  });

  it.each<[string, object, string]>([
    [
      "a placeholder",
      { homepage: "https://example.com/openevals-wasm/" },
      '"homepage" of package.json is the placeholder https://example.com/openevals-wasm/; set the address of the project before a release.',
    ],
    [
      "a placeholder of a repository",
      { repository: { type: "git", url: "git+https://example.com/openevals-wasm.git" } },
      '"repository" of package.json is the placeholder https://example.com/openevals-wasm.git; set the address of the project before a release.',
    ],
    [
      "nothing",
      { bugs: undefined },
      'package.json has no address in "bugs"; set one that begins with https://.',
    ],
  ])("may not be %s in a release", (_name, fields, message) => {
    expect(() => checkAddresses({ ...OURS, ...fields })).toThrow(message);
  });

  it("may be any other address", () => {
    expect(checkAddresses(OURS)).toBeUndefined();
  });
});
