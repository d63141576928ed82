/** The pages of the examples look alike: each folder has the same stylesheet, since each is copied alone. */
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, it } from "vitest";
import { filesBelow } from "../../xtask/run.mjs";
import { repository } from "../runtimes/harness.js";

const examples = join(repository, "www/examples");
const files = filesBelow(examples).filter((file) => file.endsWith("/style.css"));

it("all have the same", () => {
  expect(files.map((file) => relative(examples, file).split("/")[0])).toEqual([
    "browser",
    "next",
    "sveltekit",
    "vite-worker",
  ]);
  const [first, ...others] = files.map((file) => readFileSync(file, "utf8"));
  for (const other of others) expect(other).toBe(first);
});
