/** The manifest and the declarations of the tarball, as tools that check packages see them. */
import { readFile } from "node:fs/promises";
import { type Analysis, checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { describe, expect, it } from "vitest";
import { tool } from "./harness.js";
import { tarball } from "./install.js";

describe("The tarball", () => {
  it("satisfies publint", async () => {
    const { buffer } = new Uint8Array(await readFile(tarball));
    const { messages } = await publint({ pack: { tarball: buffer as ArrayBuffer }, strict: true });
    // Conditions of exports would choose whole entry points; this replaces one file, also for Metro.
    expect(messages.filter(({ code }) => code !== "USE_EXPORTS_OR_IMPORTS_BROWSER")).toEqual([]);
  });

  it("satisfies Are The Types Wrong", async () => {
    const pkg = createPackageFromTarballData(new Uint8Array(await readFile(tarball)));
    // Its own search through all files takes a third of the time.
    const files = pkg.listFiles();
    const folders = new Set(
      files.flatMap((file) => Array.from(file.matchAll(/\//g), ({ index }) => file.slice(0, index))),
    );
    pkg.directoryExists = (path) => folders.has(path.replace(/\/$/, ""));
    // The binaries have no types to be wrong.
    const excludeEntrypoints = [/\.wasm$/];
    const { problems, entrypoints } = (await checkPackage(pkg, { excludeEntrypoints })) as Analysis;
    expect(problems).toEqual([]);
    const { exports } = JSON.parse(await readFile(tool("openevals-wasm/package.json"), "utf8"));
    const entries = Object.keys(exports).filter((name) => exports[name].require);
    expect(entries).toContain("./slim");
    expect(Object.keys(entrypoints)).toEqual(expect.arrayContaining(entries));
  });
});
