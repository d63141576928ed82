import { readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { expected, expectedOfSubpaths } from "./expected.js";
import { run, tool } from "./harness.js";
import { installFixture } from "./install.js";

const binaries = ["", "-judges", "-metrics", "-statistics"].map(
  (name) => `node_modules/openevals-wasm/dist/openevals${name}.wasm`,
);

describe("Deno", () => {
  let folder: string;
  beforeAll(() => {
    folder = installFixture("scripts", "deno");
  });
  const deno = async (args: string[], env = {}) => run(tool(".bin/deno"), ["run", ...args], folder, env);

  it.each(["main.mjs", "main.cjs"])("%s scores with permission to read", async (file) => {
    expect(JSON.parse(await deno(["--no-prompt", "--allow-read", file]))).toEqual(expected);
  });

  it.each(["subpaths.mjs", "subpaths.cjs"])("%s scores without the main entry point", async (file) => {
    expect(JSON.parse(await deno(["--no-prompt", "--allow-read", file]))).toEqual(expectedOfSubpaths);
  });

  it("scores with no permission at all, and asks for none", async () => {
    // With a terminal Deno would stop and ask, so not even an attempt may be made. Deno keeps a log of attempts.
    const audit = join(folder, "permissions.jsonl");
    const env = { DENO_AUDIT_PERMISSIONS: audit };
    expect(JSON.parse(await deno(["--no-prompt", "main.mjs"], env))).toEqual(expected);
    expect(await readFile(audit, "utf8")).toBe("");
  });

  it("keeps the log of attempts that the test before relies on", async () => {
    const audit = join(folder, "permissions-of-a-reader.jsonl");
    const read = `Deno.readTextFile("package.json").catch(() => 0).then(() => console.log("done"))`;
    await run(tool(".bin/deno"), ["eval", read], folder, { DENO_AUDIT_PERMISSIONS: audit });
    expect(await readFile(audit, "utf8")).toContain("package.json");
  });
});

describe("Bun", () => {
  let folder: string;
  beforeAll(() => {
    folder = installFixture("scripts", "bun");
  });
  const bun = async (file: string) => JSON.parse(await run(tool(".bin/bun"), [file], folder));

  it.each(["main.mjs", "main.cjs"])("%s scores", async (file) => {
    expect(await bun(file)).toEqual(expected);
  });

  it.each(["subpaths.mjs", "subpaths.cjs"])("%s scores without the main entry point", async (file) => {
    expect(await bun(file)).toEqual(expectedOfSubpaths);
  });

  it.each([
    ["main.mjs", expected],
    ["main.cjs", expected],
    ["subpaths.mjs", expectedOfSubpaths],
    ["subpaths.cjs", expectedOfSubpaths],
  ])("%s scores from the embedded copies without the files", async (file, wanted) => {
    const files = binaries.map((binary) => join(folder, binary));
    for (const binary of files) await rename(binary, `${binary}.away`);
    try {
      expect(await bun(file)).toEqual(wanted);
    } finally {
      for (const binary of files) await rename(`${binary}.away`, binary);
    }
  });
});
