/** "In your application": the code of each bench runs as pasted, and returns the results of the page. */
import { execFile } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recorded as recordedRag } from "../../www/playground/benches/rag/recorded.js";
import { recorded } from "../../www/playground/benches/recipes/recorded.js";
import { linkPackage } from "../package.js";
import { repository } from "../runtimes/harness.js";
import { type Model, modelServer } from "./model-server.js";
import { Site } from "./site.js";

const site = new Site();
const folder = `${repository}/target/fixtures/pasted`;
let model: Model;

beforeAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  linkPackage(folder);
  model = await modelServer();
});
afterAll(() => model?.close());

const block = () => site.page.locator(".code-block[aria-label='In your application'] code");
const codeNow = async () => (await block().textContent()) ?? "";

/** Runs code in its own process, and returns its output. Its models are the one on loopback. */
async function run(code: string): Promise<string> {
  writeFileSync(`${folder}/pasted.mjs`, code);
  const env = { PATH: process.env.PATH, OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: model.url };
  rmSync(`${folder}/report.html`, { force: true });
  const { stdout } = await promisify(execFile)(process.execPath, ["pasted.mjs"], { cwd: folder, env });
  return stdout;
}

/** Clicks each example, and calls `check` with its code when the bench has scored it. */
async function forEachExample(
  scored: () => Promise<unknown>,
  check: (code: string, name: string) => Promise<void>,
) {
  const buttons = site.page.locator("#examples button");
  for (const button of await buttons.all()) {
    await button.click();
    const before = await codeNow();
    await scored();
    await check((await codeNow()) || before, await button.innerText());
  }
}

/** The comments with the result of a call. */
const promised = (code: string) =>
  Array.from(code.matchAll(/^\/\/ score: ([^;\n]+)/gm), ([, score]) => score);
const returned = (printed: string) =>
  Array.from(printed.matchAll(/\bscore: ([^,\n}]+?)\s*[,\n}]/g), ([, score]) => score);

describe("the code runs as pasted", () => {
  it("of trajectories and graphs", async () => {
    await site.open("trajectories");
    await expect.poll(codeNow).toContain("// score: ");
    await forEachExample(
      () => expect.poll(codeNow).toContain("// score: "),
      async (code, name) => expect(returned(await run(code)), name).toEqual(promised(code)),
    );
  });

  it("of a tool policy", async () => {
    await site.open("trajectories");
    await site.page.getByRole("button", { name: "A tool policy" }).click();
    await expect.poll(codeNow).toContain("createToolPolicy");
    const code = await codeNow();
    expect(returned(await run(code))).toEqual(promised(code));
    expect(promised(code)).toEqual(["false", "false"]);
  });

  it("of texts and data", async () => {
    await site.open("texts");
    await forEachExample(
      () => expect.poll(codeNow).toMatch(/\/\/ score: .*\n.*\n\/\/ score: /),
      async (code, name) => {
        const scores = new Set(returned(await run(code)));
        for (const score of promised(code)) expect(scores, name).toContain(score);
      },
    );
    await site.open("texts", { mode: "text", outputs: 'a `b` ${c} "d" \\ \u2028', reference: "a", more: "" });
    await expect.poll(codeNow).toContain("openevals-wasm/text");
    expect(await run(await codeNow())).toMatch(/bleu \d/);
  });

  it("of judges by a rule, with each kind of score", async () => {
    await site.open("judge");
    const verdict = () => site.page.locator(".outcome > .verdict, .outcome .number").innerText();
    await forEachExample(
      () => expect.poll(verdict).not.toBe(""),
      async (code, name) => {
        const [score] = returned(await run(code));
        expect(await verdict(), name).toContain(score);
      },
    );
    await site.open("judge", {
      prompt: "Is {class} `so` \\ ${x}?",
      class: 'a "b"',
      judge: "rule",
      rule: "equals",
      text: 'a "b"',
    });
    await expect.poll(codeNow).toContain("params.class.trim()");
    expect(returned(await run(await codeNow()))).toEqual(["true"]);
  });

  it("of judges with files", async () => {
    await site.open("judge", {
      prompt: "What is {attachments}? {outputs}",
      outputs: "A dot.",
      judge: "rule",
      rule: "contains",
      text: "dot",
    });
    const buffer = Buffer.from("iVBORw0KGgo=", "base64");
    await site.page
      .locator("input[type=file]")
      .setInputFiles({ name: "a b.png", mimeType: "image/png", buffer });
    await expect.poll(codeNow).toContain('readFileSync("a b.png", "base64")');
    writeFileSync(`${folder}/a b.png`, buffer);
    expect(returned(await run(await codeNow()))).toEqual(["true"]);
  });

  it("of judges that ask a model", async () => {
    const provider = { outputs: "Gladly.", prompt: "Is {outputs} polite?", judge: "provider" };
    for (const more of [
      { provider: "openai", model: "gpt-5.4" },
      { provider: "openai", model: "gpt-5.4", retries: "0", kind: "continuous" },
      { provider: "openai-compatible", model: "small", address: model.url },
    ]) {
      await site.open("judge", { ...provider, ...more });
      await expect.poll(codeNow).toContain(more.model);
      model.answers.push(model.content({ reasoning: "It is warm.", score: "kind" in more ? 0.8 : true }));
      expect(returned(await run(await codeNow()))).toEqual(["kind" in more ? "0.8" : "true"]);
    }
  });

  it("of datasets, and the report is written", async () => {
    await site.open("dataset");
    const aggregates = () => site.page.locator(".score .number").allInnerTexts();
    await forEachExample(
      () => expect.poll(async () => (await aggregates()).join()).toMatch(/^[\d.]+%,[\d.]+$/),
      async (code, name) => {
        expect(await run(code), name).toContain("exact_match: ");
        expect(readFileSync(`${folder}/report.html`, "utf8")).toContain("<title>");
      },
    );
  });

  it("of recipes, with the same scores", async () => {
    model.reply = (question) => recorded(question as never) as object;
    await site.open("recipes");
    await expect.poll(() => site.page.locator(".score-line .entry").count()).toBe(5);
    const printed = await run(await codeNow());
    const scores = Object.fromEntries(
      Array.from(printed.matchAll(/^(\w+) (\d+)/gm), ([, name, score]) => [name, score]),
    );
    const shown = await site.page.evaluate(`
      Object.fromEntries(Array.from(document.querySelectorAll("[data-recipe]"), (card) =>
        [card.dataset.recipe, card.querySelector(".bar").lastChild.textContent]))`);
    expect(scores).toEqual(shown);
  });

  it("of RAG, with the same scores", async () => {
    model.reply = (question) => recordedRag(question as never) as object;
    await site.open("rag");
    const shown = () => site.page.locator("[data-key] .number").allInnerTexts();
    await expect.poll(async () => (await shown()).join()).toMatch(/^0\.\d/);
    const printed = await run(await codeNow());
    const scores = Array.from(printed.matchAll(/^\w+ ([\d.]+)/gm), ([, score]) => Number(score));
    expect(scores.map((score) => score.toFixed(2))).toEqual(
      (await shown()).map((score) => Number(score).toFixed(2)),
    );
  });
});

it("addresses are strings and `type` is a key, in colours", async () => {
  const reference = '{"type": "http://localhost/a // b"}';
  await site.open("texts", { mode: "json", outputs: '{"type": 1}', reference });
  await site.page.locator("[data-key=exact_match] .verdict").waitFor();
  await site.page.locator(".code-block").scrollIntoViewIfNeeded();
  await expect.poll(() => block().locator(".t-keyword").allInnerTexts()).toContain("import");
  expect(await block().locator(".t-keyword").allInnerTexts()).not.toContain("type");
  expect((await block().locator(".t-string-expression, .t-string").allInnerTexts()).join("")).toContain(
    "http://localhost/a // b",
  );
  expect((await block().locator(".t-comment").allInnerTexts()).join("")).not.toContain("localhost");
});
