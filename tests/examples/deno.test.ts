import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tool } from "../runtimes/harness.js";
import { install, runProgram } from "./harness.js";

it("compares two systems, and asks for no permission", async () => {
  const { folder } = await install("deno");
  const audit = join(folder, "permissions.jsonl");
  const said = await runProgram(tool(".bin/deno"), ["run", "main.ts"], folder, {
    DENO_AUDIT_PERMISSIONS: audit,
  });
  expect(said).toMatch(/^old-\S+ {2}8 rows/m);
  expect(said).toMatch(/^new-\S+ {2}8 rows/m);
  // Seven of the eight are better, which is hardly chance.
  expect(said).toMatch(/^chrf .*0\.0/m);
  expect(await readFile(audit, "utf8")).toBe("");
});
