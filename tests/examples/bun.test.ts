import { expect, it } from "vitest";
import { tool } from "../runtimes/harness.js";
import { install, runProgram } from "./harness.js";

const test = (folder: string) => runProgram(tool(".bin/bun"), ["test"], folder);

it("bun:test has the matchers", async () => {
  const { folder } = await install("bun");
  expect(await test(folder)).toContain("2 pass");
});

it("a test that fails says which key", async () => {
  const changes: Record<string, [string, string]> = { "extract.test.ts": ["total: 1250", "total: 1251"] };
  const { folder } = await install("bun", { as: "bun-failing", changes });
  await expect(test(folder)).rejects.toThrow("outputs.total is 1250 instead of 1251");
});
