/** `run --watch --view`: the page shows rows as they finish, and new runs after a change. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { program } from "../cli/program.js";
import { projectOf } from "../cli/project.js";
import { names, page, usePages } from "./page.js";

usePages();

/** An application whose answers the test gives. */
const waiting: ServerResponse[] = [];
let isOver = false;
const server = createServer((_, response) => {
  if (isOver) response.end("");
  else waiting.push(response);
});
await once(server.listen(0, "127.0.0.1"), "listening");
const { port } = server.address() as AddressInfo;

async function answer(text: string): Promise<void> {
  await expect.poll(() => waiting.length, { timeout: 10_000 }).toBeGreaterThan(0);
  waiting.shift()!.end(text);
}

const EVAL = (name: string, more = "") => `
  import { exactMatch } from "openevals-wasm";
  export default {
    name: "${name}",
    data: ["a", "b", "c"].map((id) => ({ id, inputs: id, referenceOutputs: id })),
    target: async (id) => (await fetch("http://127.0.0.1:${port}/" + id)).text(),
    evaluators: [exactMatch],
    maxConcurrency: 1,
    ${more}
  };
`;

let child: ReturnType<typeof spawn>;
let said: string;
/** Starts it where no browser can be opened. */
async function watch(folder: string, ...args: string[]): Promise<void> {
  said = "";
  child = spawn(process.execPath, [program, "run", "--watch", ...args], { cwd: folder, env: { PATH: "" } });
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding("utf8").on("data", (text) => {
      said += text;
    });
}
const address = () => /http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}\//.exec(said)?.[0];
const heading = () => page.getByRole("heading", { level: 1 }).textContent();

afterEach(async () => {
  await page.goto("about:blank");
  const closed = once(child, "close");
  child.kill("SIGINT");
  isOver = true;
  for (const response of waiting.splice(0)) response.end("");
  expect(await closed).toEqual([0, null]);
  isOver = false;
});

it.each([
  ["without a file", ""],
  ["with a sink of its own", 'output: { sink: "rows.jsonl", resume: true },'],
])("shows an experiment %s while it runs", { timeout: 60_000 }, async (_, more) => {
  const folder = await projectOf({ "a.mjs": EVAL("first", more) });
  await watch(folder, "a.mjs", "--view");
  await answer("a");
  await expect.poll(address, { timeout: 10_000 }).toBeDefined();
  await page.goto(address()!);
  await expect.poll(names, { timeout: 10_000 }).toEqual(["a"]);
  await answer("wrong");
  await expect.poll(names, { timeout: 10_000 }).toEqual(["a", "b"]);
  await expect.poll(heading).toBe("1 of 2 rows fails");
  await answer("c");
  await expect.poll(heading, { timeout: 10_000 }).toBe("1 of 3 rows fails");
  await expect.poll(() => said, { timeout: 10_000 }).toContain("Waiting for changes.");
  expect(said).toContain("The browser could not be opened; open the address yourself.");

  // The same page shows the next run.
  await writeFile(join(folder, "a.mjs"), EVAL("second"));
  await answer("a");
  await expect.poll(names, { timeout: 10_000 }).toEqual(["a"]);
  for (const id of ["b", "c"]) await answer(id);
  await expect.poll(heading, { timeout: 10_000 }).toBe("All 3 rows pass");
  expect(await page.title()).toMatch(/^All 3 rows pass · second-/);
});
