/** The checks of `npm run release`, with planted mistakes. */

import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiChanges, apiProblems } from "../../xtask/release/api.mjs";
import { differences } from "../../xtask/release/rebuild.mjs";
import { sbom } from "../../xtask/release/sbom.mjs";
import { tarballProblems } from "../../xtask/release/tarball.mjs";
import { rangeOf, versionProblems } from "../../xtask/release/version.mjs";

const ours = fileURLToPath(new URL("../node_modules/openevals-wasm/", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "release-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A copy of the packed package, for mistakes. */
const planted = join(folder, "planted");
beforeAll(() => cpSync(ours, planted, { recursive: true }));

/** Writes a folder of files. */
function written(name: string, files: Record<string, string>): string {
  const place = join(folder, name);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place, file)), { recursive: true });
    writeFileSync(join(place, file), text);
  }
  return place;
}

function edit(file: string, change: (text: string) => string): void {
  const before = readFileSync(file, "utf8");
  const after = change(before);
  expect(after).not.toBe(before);
  writeFileSync(file, after);
}

const editManifest = (of: string, change: object) =>
  edit(join(of, "package.json"), (text) => JSON.stringify({ ...JSON.parse(text), ...change }));

describe("the tarball", () => {
  it("of this package may be published, and not with planted mistakes", () => {
    expect(tarballProblems(ours)).toEqual([]);
    editManifest(planted, {
      dependencies: { "left-pad": "1.3.0" },
      peerDependencies: { zod: "4" },
      scripts: { postinstall: "node x.js" },
      main: "./dist/none.cjs",
    });
    appendFileSync(join(planted, "dist/text.js"), "\n// /home/alice/openevals-wasm/src/text.ts");
    writeFileSync(join(planted, "dist/text.js.map"), "{}");
    rmSync(join(planted, "THIRD-PARTY-NOTICES.txt"));
    expect(tarballProblems(planted)).toEqual([
      "THIRD-PARTY-NOTICES.txt is missing.",
      expect.stringMatching(/^dist\/text\.js\.map is not part of the package/),
      "It depends on left-pad; it may have no runtime dependencies.",
      "The peer dependency zod is not optional.",
      "It has the script postinstall, which npm would run on installation.",
      "package.json names ./dist/none.cjs, which is missing.",
      "dist/text.js contains a path of a build machine: /home/alice",
    ]);
  });

  it.each([
    "/Users/bob/work/a.ts",
    "C:\\Users\\bob\\a.ts",
    "/root/.cargo/registry/src/index/serde/lib.rs",
    `${fileURLToPath(new URL("../..", import.meta.url))}src/lib.rs`,
  ])("has no path such as %s, also in binaries", (path) => {
    const place = written("paths", { "package.json": "{}", "dist/openevals.wasm": `\0asm ${path} \0` });
    expect(tarballProblems(place)).toContainEqual(
      expect.stringContaining("dist/openevals.wasm contains a path of a build machine"),
    );
  });
});

describe("the public types", () => {
  const BEFORE = `
    interface Inner { name: string }
    /** Options. */
    export interface Options { rows?: number; inner?: Inner }
    export interface Result { score: number; comment?: string }
    export type Mode = "a" | "b";
    export function run(options: Options): Result;
    export declare class Failure extends Error { constructor(code: Mode); #secret; code: Mode; show(): void }
    export {};`;

  const CASES: [string, (text: string) => string, RegExp[]][] = [
    ["nothing", (text) => text.replace("Options.", "The options."), []],
    [
      "an option that is optional",
      (text) => text.replace("rows?: number;", "rows?: number; seed?: number;"),
      [],
    ],
    ["an option that takes more", (text) => text.replace("rows?: number", "rows?: number | string"), []],
    ["another function", (text) => `${text}\nexport function more(): void;`, []],
    [
      "a function that is gone",
      (text) => text.replace("export function run", "declare function run"),
      [/run is gone/],
    ],
    [
      "an option that has to be given",
      (text) => text.replace("inner?: Inner", "inner: Inner"),
      [/run: .* does not fit/],
    ],
    ["an option that is gone", (text) => text.replace("rows?: number;", ""), [/Options: it has lost rows/]],
    [
      "a result that may be missing",
      (text) => text.replace("score: number", "score: number | null"),
      [/run: .* does not fit/],
    ],
    ["a value more in a result", (text) => text.replace('"a" | "b"', '"a" | "b" | "c"'), [/Failure: code: /]],
    ["a class with more", (text) => text.replace("show(): void", "show(): void; hide(): void"), []],
    ["a class with less", (text) => text.replace("show(): void", ""), [/Failure: it has lost show/]],
    [
      "a constructor that needs more",
      (text) => text.replace("constructor(code: Mode)", "constructor(code: Mode, place: string)"),
      [/Failure: its constructor needs more/],
    ],
    [
      "an inner type with more to give",
      (text) => text.replace("{ name: string }", "{ name: string; size: number }"),
      [/run: /],
    ],
  ];

  /** A package whose entry points are the cases. */
  function packageOf(name: string, typesOf: (change: (text: string) => string) => string): string {
    const files = CASES.map(([, change], index) => [`${index}.d.ts`, typesOf(change)]);
    const entries = CASES.map((_, index) => [`./${index}`, { default: { types: `./${index}.d.ts` } }]);
    const manifest = JSON.stringify({ exports: Object.fromEntries(entries) });
    return written(name, { ...Object.fromEntries(files), "package.json": manifest });
  }

  it("break where code may not compile any more, and not where there is more", () => {
    const changes = apiChanges(
      packageOf("before", () => BEFORE),
      packageOf("after", (change) => change(BEFORE)),
    );
    const problems = apiProblems(changes, "1.2.3", "1.3.0");
    for (const [index, [name, , expected]] of CASES.entries()) {
      const own = problems.filter((problem) => problem.includes(`openevals-wasm/${index} `));
      expect(own, name).toHaveLength(expected.length);
      for (const one of expected) expect(own, name).toContainEqual(expect.stringMatching(one));
    }
    expect(apiProblems(changes, "1.2.3", "2.0.0")).toEqual([]);
  });

  it("of this package break only where a change is planted", () => {
    edit(join(planted, "dist/experiments/optimization/types.d.ts"), (text) =>
      text.replace("onTry?:", "onTry:"),
    );
    editManifest(planted, {
      exports: {
        ...JSON.parse(readFileSync(join(ours, "package.json"), "utf8")).exports,
        "./otel": undefined,
      },
    });
    const { removed, changed, added } = apiChanges(ours, planted);
    expect(removed[0]).toBe("openevals-wasm/otel");
    expect(removed.every((name) => name.startsWith("openevals-wasm/otel"))).toBe(true);
    expect(changed).toEqual([
      expect.stringMatching(/^openevals-wasm\/optimization optimize: .* does not fit/),
    ]);
    expect(added).toEqual([]);
    expect(apiProblems({ removed, changed, added }, "0.1.0", "0.1.1")[0]).toMatch(
      /^A breaking change needs a new major version, and 0\.1\.1 follows 0\.1\.0: openevals-wasm\/otel is gone\.$/,
    );
  });

  it("may change as the version says", () => {
    expect(rangeOf("1.2.3", "1.2.4")).toBe("patch");
    expect(rangeOf("1.2.3", "1.3.0")).toBe("features");
    expect(rangeOf("1.2.3", "2.0.0")).toBe("breaking");
    expect(rangeOf("0.1.0", "0.1.1")).toBe("features");
    expect(rangeOf("0.1.0", "0.2.0")).toBe("breaking");
    const changes = { removed: [], changed: [], added: ["openevals-wasm more"], extended: [] };
    expect(apiProblems(changes, "1.2.3", "1.2.4")[0]).toContain("raise the minor version");
    expect(apiProblems(changes, "1.2.3", "1.3.0")).toEqual([]);
  });
});

it("the version needs a section of the changelog, and comes after the last", () => {
  const changelog = "# Changelog\n\n## Unreleased\n\n## 1.2.0\n\n- Something new.\n\n## 1.1.0\n\n- More.\n";
  expect(versionProblems({ version: "1.2.0", last: "1.1.0", changelog })).toEqual([]);
  expect(versionProblems({ version: "1.3.0", last: "1.2.0", changelog })).toEqual([
    "CHANGELOG.md says nothing about 1.3.0.",
  ]);
  const unreleased = changelog.replace("Unreleased\n", "Unreleased\n\n- Not yet.\n");
  expect(versionProblems({ version: "1.2.0", last: "1.2.0", changelog: unreleased })).toEqual([
    "The version 1.2.0 does not come after 1.2.0, which is published.",
    "CHANGELOG.md has unreleased changes: rename their section to 1.2.0.",
  ]);
  expect(versionProblems({ version: "1.10.0", last: "1.9.0", changelog })).toHaveLength(1);
  expect(versionProblems({ version: "next", changelog })).toHaveLength(1);
});

it("the bill of materials has the crates of the lock file, with their licences and digests", () => {
  const manifest = { name: "openevals-wasm", version: "1.2.3", description: "Evaluators", license: "MIT" };
  const lock = readFileSync(new URL("../../Cargo.lock", import.meta.url), "utf8");
  const [, version, checksum] = /name = "serde"\nversion = "(.+)"\n.*\nchecksum = "(\w+)"/.exec(lock)!;
  const crate = { name: "serde", version: version!, license: "MIT OR Apache-2.0" };
  const { metadata, components, dependencies } = sbom(manifest, [crate]);
  expect(metadata.component.purl).toBe("pkg:npm/openevals-wasm@1.2.3");
  expect(components).toEqual([
    {
      type: "library",
      "bom-ref": `pkg:cargo/serde@${version}`,
      name: "serde",
      version,
      licenses: [{ expression: "MIT OR Apache-2.0" }],
      purl: `pkg:cargo/serde@${version}`,
      hashes: [{ alg: "SHA-256", content: checksum }],
    },
  ]);
  expect(dependencies[0]).toEqual({
    ref: "pkg:npm/openevals-wasm@1.2.3",
    dependsOn: [`pkg:cargo/serde@${version}`],
  });
});

it("the bill of materials is valid CycloneDX 1.6, and not with planted mistakes", async () => {
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
  const problemsOf = async (change?: (bill: any) => void) => {
    const bill: any = sbom(JSON.parse(readFileSync(join(ours, "package.json"), "utf8")));
    expect(bill.components.length).toBeGreaterThan(1);
    change?.(bill);
    const problems = await validator.validate(JSON.stringify(bill));
    return problems === null ? [] : (problems as any[]).map(({ instancePath }) => instancePath);
  };
  expect(await problemsOf()).toEqual([]);
  expect(await problemsOf(({ components: [first] }) => (first.type = "crate"))).toContain(
    "/components/0/type",
  );
  expect(await problemsOf(({ components: [first] }) => delete first.name)).toContain("/components/0");
  expect(
    await problemsOf(({ components: [first] }) => (first.hashes = [{ alg: "SHA-256", content: "x" }])),
  ).toContain("/components/0/hashes/0/content");
  expect(
    await problemsOf(({ metadata }) => (metadata.component.licenses = [{ license: { id: "Own" } }])),
  ).toContain("/metadata/component/licenses/0/license/id");
  expect(await problemsOf((bill) => (bill.made = "today"))).toContain("");
});

it("two builds are the same only if all of their files are", () => {
  const [one, other] = ["one", "other"].map((name) => join(folder, name)) as [string, string];
  for (const place of [one, other]) {
    mkdirSync(place);
    writeFileSync(join(place, "same.js"), "1");
  }
  expect(differences(one, other)).toEqual([]);
  writeFileSync(join(one, "only.js"), "1");
  writeFileSync(join(other, "same.js"), "2");
  expect(differences(one, other).map((problem) => problem.split(" ")[0])).toEqual(["only.js", "same.js"]);
});
