/** An engine that has failed makes room for a fresh one, of the module that is compiled already: also where nothing can be. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { trappingModule } from "../engine/trapping-module.js";
import { answerOfWorker, edgeWith } from "./edge-hosts.js";
import { openChromium, serveFolder, visit } from "./harness.js";
import { installFixture } from "./install.js";

const outcome = {
  before: false,
  failed: "engine_failed",
  waiting: "engine_failed",
  after: false,
  fromModule: true,
};

async function installTrapping(as: string): Promise<string> {
  const folder = installFixture("bundled", as);
  const { bytes } = await trappingModule("openevals");
  const file = join(folder, "node_modules/openevals-wasm/dist/openevals.wasm");
  await rm(file);
  await writeFile(file, bytes);
  return folder;
}

it("Chromium", async () => {
  const browser = await openChromium();
  const server = await serveFolder(await installTrapping("fresh-chromium"));
  try {
    const { scores, after } = await visit(browser, `${server.url}failing-engine.html`);
    expect(scores).toEqual(outcome);
    expect(after.filter((request) => request.includes(".wasm"))).toHaveLength(1);
  } finally {
    server.close();
    await browser.close();
  }
});

it("workerd", async () => {
  const { answer } = await answerOfWorker(await installTrapping("fresh-workerd"), "failing-engine-worker.js");
  expect(answer).toEqual(outcome);
});

it("Edge runtime", async () => {
  const { vm } = await edgeWith(await installTrapping("fresh-edge"), "failing-engine.js");
  expect(JSON.parse(await vm.evaluate("score().then(JSON.stringify)"))).toEqual(outcome);
});
