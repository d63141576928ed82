/**
 * Its cache is written by `node tests/examples/record-verdicts.mjs`: the questions change with the prompt and
 * the schema.
 */
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { freePort, install, runProgram, runScript } from "./harness.js";

/** Records every request of `fetch`, in all processes of Vitest. */
const watching = (file: string): NodeJS.ProcessEnv => ({
  NODE_OPTIONS: `--import=${join(import.meta.dirname, "watch-requests.mjs")}`,
  REQUESTS: file,
});

const requestsIn = (file: string) => readFile(file, "utf8").catch(() => "");

it.each([{ CI: "1" }, {}])("passes without a key, and asks no one, with %j", async (env) => {
  const { folder } = await install("vitest");
  const requests = join(folder, "requests.txt");
  await rm(requests, { force: true });
  const said = await runScript(folder, ["test"], { ...env, ...watching(requests) });
  expect(said).toContain("2 passed");
  expect(said).toMatch(/^correct +75\.0%/m);
  expect(await requestsIn(requests)).toBe("");
});

it("where an answer has changed, the judge would be asked, and CI says so instead", async () => {
  const { folder } = await install("vitest", {
    as: "vitest-changed",
    changes: { "src/faq.ts": ["within 3 working days", "as soon as possible"] },
  });
  const requests = join(folder, "requests.txt");
  await rm(requests, { force: true });
  const env = { CI: "1", OPENAI_API_KEY: "sk-of-the-test", ...watching(requests) };
  await expect(runScript(folder, ["test"], env)).rejects.toThrow(/cache_miss[\s\S]*1 failed \| 1 passed/);
  expect(await requestsIn(requests)).toBe("");
});

it("a request would have been noticed", async () => {
  const { folder } = await install("vitest");
  const requests = join(folder, "noticed.txt");
  const url = `http://127.0.0.1:${await freePort()}`;
  await runProgram("node", ["-e", `fetch("${url}").catch(() => 0)`], folder, watching(requests));
  expect(await requestsIn(requests)).toContain(`GET ${url}/`);
});

it("has exactly the used answers in its cache", async () => {
  const { folder } = await install("vitest");
  expect(await readdir(join(folder, "evals/cache"))).toHaveLength(4);
});
