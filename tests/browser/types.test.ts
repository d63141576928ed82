/** The sources of the site fit the types of the package. */
import { expect, it } from "vitest";
import { repository, run } from "../runtimes/harness.js";

it("the site compiles", async () => {
  const compiler = `${repository}/node_modules/typescript/bin/tsc`;
  expect(await run(process.execPath, [compiler, "--project", "www"], repository)).toBe("");
});
