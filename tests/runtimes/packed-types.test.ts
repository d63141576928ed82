/** The manifest and the declarations of the tarball, as tools that check packages see them. */
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publint } from "publint";
import { describe, expect, it } from "vitest";
import { run, tool } from "./harness.js";
import { tarball } from "./install.js";

describe("The tarball", () => {
  it("satisfies publint", async () => {
    const { buffer } = new Uint8Array(await readFile(tarball));
    const { messages } = await publint({ pack: { tarball: buffer as ArrayBuffer }, strict: true });
    // Conditions of exports would choose whole entry points; this replaces one file, also for Metro.
    expect(messages.filter(({ code }) => code !== "USE_EXPORTS_OR_IMPORTS_BROWSER")).toEqual([]);
  });

  it("satisfies Are The Types Wrong", async () => {
    // The binaries have no types to be wrong.
    const binaries = ["", "-judges", "-agents", "-metrics", "-statistics"].map(
      (name) => `openevals${name}.wasm`,
    );
    const options = ["--profile", "strict", "--exclude-entrypoints", ...binaries, "--no-emoji"];
    const printed = await run(tool(".bin/attw"), [tarball, ...options], tmpdir());
    // It looked at every entry point; with a finding, it would have failed.
    const { exports } = JSON.parse(await readFile(tool("openevals-wasm/package.json"), "utf8"));
    const entries = Object.keys(exports).filter((name) => exports[name].require);
    expect(entries).toContain("./slim");
    for (const entry of entries) expect(printed).toContain(`"${join("openevals-wasm", entry)}"`);
  });
});
