import { basename, join } from "node:path";
import * as esbuild from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import { expected, expectedOfSubpaths } from "./expected.js";
import { run, tool } from "./harness.js";
import { installFixture } from "./install.js";

let folder: string;
beforeAll(() => {
  folder = installFixture("scripts", "node");
});

describe.each(["20", "22", "24"])("Node %s", (version) => {
  const node = async (...args: string[]) => {
    return JSON.parse(await run(tool(`node${version}/bin/node`), args, folder));
  };

  it("is the version that the name says", async () => {
    expect(await node("-p", "process.versions.node.split('.')[0]")).toBe(Number(version));
  });

  it.each([
    ["an ES module", "main.mjs"],
    ["CommonJS", "main.cjs"],
  ])("scores from %s", async (_, file) => {
    expect(await node(file)).toEqual(expected);
  });

  it.each(["subpaths.mjs", "subpaths.cjs"])("%s scores without the main entry point", async (file) => {
    expect(await node(file)).toEqual(expectedOfSubpaths);
  });

  it.each(["import", "require"])("%s neither reads nor compiles; 20 first uses load once", async (how) => {
    expect(await node("lazy.cjs", how)).toEqual({
      imported: { reads: 0, compilations: 0, instances: 0 },
      used: { reads: 1, compilations: 1, instances: 1 },
      matches: [7],
    });
  });
});

describe("Node, the slim entry point", () => {
  const node = async (...args: string[]) => JSON.parse(await run(process.execPath, args, folder));

  it.each([
    ["slim.mjs", "bytes"],
    ["slim.mjs", "module"],
    ["slim.mjs", "promise"],
    ["slim.cjs", "bytes"],
    ["slim.cjs", "module"],
  ])("%s scores when init() gets its %s", async (file, source) => {
    expect(await node(file, source)).toEqual(expected);
  });

  it("reports a missing init() or wrong bytes, and recovers", async () => {
    const { withoutInit, html, rejected, mended } = await node("slim-failing.mjs");
    const failed = { isOpenEvalsError: true, code: "load_failed" };
    expect(withoutInit).toEqual({ ...failed, message: expect.stringContaining("init(") });
    expect(html).toEqual({ ...failed, message: expect.stringMatching(/wasm/i) });
    expect(rejected).toEqual({ ...failed, message: expect.stringContaining("the disk is gone") });
    expect(mended).toEqual({ key: "levenshtein_distance", score: 0.5 });
  });
});

describe("Node, several entry points", () => {
  const node = async (...args: string[]) => JSON.parse(await run(process.execPath, args, folder));

  it.each([
    "import",
    "require",
  ])("%s: they share the engine and the error, also with the other format", async (how) => {
    expect(await node("shared.cjs", how)).toEqual({
      engines: 2,
      enginesOfBothFormats: 2,
      isOneError: true,
      error: ["invalid_config", true, true],
      subclass: [false, true],
      recognised: [true, true],
      notRecognised: [false, false, false],
    });
  });

  it.each([
    ["import", /judge|simulation|trajectory|retrieval/],
    ["require", /judge|simulation|trajectory|retrieval|prompts/],
  ])("%s: the first score loads no code of other evaluators, and both formats export the same", async (how, others) => {
    const { loaded, compared, ...printed } = await node("on-use.cjs", how);
    expect(printed).toEqual({ score: true, differing: [] });
    expect(loaded).toContain("/dist/evaluators/exact.cjs");
    expect(loaded.filter((file: string) => others.test(file))).toEqual([]);
    expect(compared).toBeGreaterThan(300);
  });

  it.each([
    ["before", "all", 0],
    ["after", "all", 0],
    ["before", "bytes", 3],
    ["before", "statistics", 3],
    ["never", "none", 4],
  ])("init() %s a subpath is loaded, with %s, says where the engine comes from; %i are found", async (when, what, reads) => {
    expect(await node("slim-and-subpath.mjs", when, what)).toEqual({
      scores: expectedOfSubpaths,
      meters: { reads, compilations: 4, instances: 4 },
    });
  });

  it("preload() loads once, for the evaluators that are called meanwhile and after it", async () => {
    const once = { reads: 1, compilations: 1, instances: 1 };
    const refused = {
      code: "invalid_config",
      message: 'The binary of preload is "score"; did you mean "scores"?',
    };
    const missing = {
      code: "load_failed",
      message:
        'preload("metrics") needs an import of openevals-wasm/text or openevals-wasm/retrieval, which locates openevals-metrics.wasm. Add it.',
    };
    const same = { nothing: true, refused, missing };
    expect(await node("preload.mjs", "scores")).toEqual({ ...same, loaded: once, used: once });
    // Compiled, but not started before a judge is called.
    const twice = { reads: 2, compilations: 2, instances: 1 };
    const ofJudges = await node("preload.mjs", "judges");
    expect(ofJudges).toEqual({ ...same, loaded: twice, used: twice });
  });

  it("the statistics are loaded when one is first used, and they alone", async () => {
    expect(await node("statistics.mjs")).toEqual({
      imported: { reads: 0, compilations: 0, instances: 0 },
      scored: { reads: 1, compilations: 1, instances: 1 },
      mean: 0.5,
      measured: { reads: 2, compilations: 2, instances: 2 },
      alone: { reads: 1, compilations: 1, instances: 1 },
    });
  });
});

describe("Node, a server bundled into one file", () => {
  it.each([
    ["esm", "server.mjs", undefined],
    ["cjs", "server.cjs", undefined],
    // With own conditions, esbuild does not add `module`.
    ["esm", "conditions.mjs", ["development"]],
  ] as const)("esbuild, %s, %s: scores with the binary left behind", async (format, name, conditions) => {
    const copy = installFixture("bundled", `node-bundle-${name}`);
    await esbuild.build({
      entryPoints: [join(copy, "server.js")],
      outfile: join(copy, "dist", name),
      bundle: true,
      platform: "node",
      format,
      ...(conditions && { conditions: [...conditions] }),
      logLevel: "silent", // for cjs esbuild warns of import.meta, which the package copes with
    });
    expect(JSON.parse(await run(process.execPath, [name], join(copy, "dist")))).toEqual(expected);
  });

  it("esbuild: it has only what it imports", async () => {
    const { metafile } = await esbuild.build({
      stdin: { contents: 'export { exactMatch } from "openevals-wasm"', resolveDir: folder },
      bundle: true,
      platform: "node",
      format: "esm",
      write: false,
      metafile: true,
      outfile: "server.mjs",
    });
    const parts = Object.entries(metafile.outputs["server.mjs"]!.inputs);
    const names = parts.filter(([, { bytesInOutput }]) => bytesInOutput).map(([name]) => basename(name));
    expect(names).toContain("openevals-wasm-base64.js");
    expect(names.filter((name) => /judge|agents|metrics|statistics|trajectory|prompts/.test(name))).toEqual(
      [],
    );
  });
});

describe.each(["20", "24"])("Node %s, with the package's files gone", (version) => {
  it.each(["import", "require"])("%s: names the file, and the next call tries again", async (how) => {
    // A separate copy: the script renames files of the installed package.
    const copy = installFixture("scripts", `node${version}-failing-${how}`);
    const printed = await run(tool(`node${version}/bin/node`), ["failing.cjs", how], copy);
    const { failed, retried } = JSON.parse(printed);
    expect(failed).toMatchObject({ isOpenEvalsError: true, code: "load_failed" });
    expect(failed.message).toMatch(/dist[\\/]openevals\.wasm/);
    expect(failed.message).toContain("ENOENT");
    expect(retried).toEqual({ key: "levenshtein_distance", score: 0.5 });
  });
});
