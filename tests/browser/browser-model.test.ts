/**
 * `createBrowserModel()`, in Chromium, against a stand-in of the Prompt API: no browser of the tests has a model.
 */
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { serve } from "../../xtask/www.mjs";
import { openChromium } from "../runtimes/harness.js";
import { Site } from "./site.js";

const standIn = await readFile(new URL("./language-model.js", import.meta.url), "utf8");
const dist = dirname(fileURLToPath(new URL("../node_modules/openevals-wasm/dist/index.js", import.meta.url)));

describe("in an application", () => {
  let server: Awaited<ReturnType<typeof serve>>;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    server = await serve({ folder: dist });
    browser = await openChromium();
    page = await browser.newPage();
    await page.route("**/page.html", (route) =>
      route.fulfill({ contentType: "text/html", body: "<!doctype html>" }),
    );
    await page.goto(`${server.url}page.html`);
    await page.evaluate("import('/index.js').then((it) => { Object.assign(globalThis, it); })");
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });
  beforeEach(async () => {
    await page.evaluate(standIn);
  });

  /** The score with these options, or the code of the error, with the questions. */
  const judged = (code: string) =>
    page.evaluate<any>(`(async () => {
      const outcome = await (async () => { ${code} })().catch((error) => ({
        code: OpenEvalsError.isInstance(error) ? error.code : String(error), message: error.message, cause: error.cause?.name,
      }));
      const shown = (_, value) => value instanceof Blob ? { type: value.type, size: value.size }
        : value instanceof ArrayBuffer ? { bytes: value.byteLength } : value;
      return JSON.parse(JSON.stringify({ outcome, ...script }, shown));
    })()`);
  const polite = (options = "", params = '{ outputs: "Gladly." }', more = "") =>
    `return await createLLMAsJudge({ prompt: "Is {outputs} polite?", judge: createBrowserModel(${options}), ${more} })(${params});`;

  it("is asked with the schema, in its own session, which is destroyed", async () => {
    const { outcome, prompts, created, open } = await judged(
      `script.answers = [{ reasoning: "It is.", score: true }, { reasoning: "Mostly.", score: 0.8 }];
       const judge = createBrowserModel({ languages: ["en"], samplingMode: "most-predictable" });
       const options = { prompt: "Is {outputs} polite?", system: "You judge manners.", judge };
       return [await createLLMAsJudge(options)({ outputs: "Gladly." }),
               await createLLMAsJudge({ ...options, continuous: true })({ outputs: "Yes." })];`,
    );
    expect(outcome).toMatchObject([
      { key: "score", score: true, comment: "It is." },
      { score: 0.8, comment: "Mostly." },
    ]);
    expect(prompts[0].messages).toEqual([
      { role: "system", content: [{ type: "text", value: "You judge manners." }] },
      { role: "user", content: [{ type: "text", value: "Is Gladly. polite?" }] },
    ]);
    expect(prompts[0].responseConstraint).toMatchObject({ properties: { score: { type: "boolean" } } });
    expect(prompts[1].responseConstraint).toMatchObject({ properties: { score: { type: "number" } } });
    expect({ created, open }).toEqual({ created: 2, open: 0 });
  });

  it("is asked again after an answer that cannot be used", async () => {
    const { outcome, prompts } = await judged(
      `script.answers = ["I think so", '{"reasoning": "Yes.", "score": true}']; ${polite()}`,
    );
    expect(outcome).toMatchObject({ score: true, metadata: { attempts: 2 } });
    expect(prompts[1].messages.map(({ role }: { role: string }) => role)).toEqual([
      "user",
      "assistant",
      "user",
    ]);
  });

  it("sees pictures, but no documents, and hears where the browser does", async () => {
    const png = '{ mime_type: "image/png", data: "iVBORw0KGgo=" }';
    const seen = await judged(
      `script.answers = [{ reasoning: "", score: true }]; ${polite("", `{ outputs: "this", attachments: ${png} }`)}`,
    );
    expect(seen.outcome).toMatchObject({ score: true });
    expect(seen.prompts[0].messages[0].content[1]).toEqual({
      type: "image",
      value: { type: "image/png", size: 8 },
    });
    for (const [attachment, code] of [
      ['{ mime_type: "application/pdf", data: "JVBERi0=" }', "invalid_input"],
      ['"https://example.org/a.png"', "invalid_input"],
      ['{ mime_type: "audio/wav", data: "UklGRg==" }', "model_unavailable"],
    ])
      expect((await judged(polite("", `{ outputs: "this", attachments: ${attachment} }`))).outcome.code).toBe(
        code,
      );
  });

  it.each([
    ["QuotaExceededError", "invalid_input"],
    ["NotReadableError", "refused"],
    ["NotAllowedError", "model_unavailable"],
    ["NotSupportedError", "invalid_input"],
    ["SyntaxError", "invalid_judge_output"],
    ["UnknownError", "provider_error"],
    ["InvalidStateError", "provider_error"],
  ])("%s is %s", async (error, code) => {
    const { outcome, open } = await judged(
      `script.answers = [{ error: "${error}", message: "so" }]; ${polite()}`,
    );
    expect(outcome).toEqual({ code, message: expect.stringMatching(/: so\.$/), cause: error });
    expect(open).toBe(0);
  });

  it("is no score where there is none, or it has to be downloaded first", async () => {
    for (const [availability, code] of [
      ["unavailable", "model_unavailable"],
      ["downloadable", "model_downloading"],
      ["downloading", "model_downloading"],
    ])
      expect((await judged(`script.availability = "${availability}"; ${polite()}`)).outcome.code).toBe(code);
    await page.evaluate(
      "delete globalThis.LanguageModel; Object.defineProperty(globalThis, 'LanguageModel', { value: undefined, configurable: true })",
    );
    const { outcome } = await judged(polite());
    expect(outcome).toMatchObject({
      code: "model_unavailable",
      message: expect.stringContaining("no LanguageModel"),
    });
  });

  it("is downloaded where that is allowed, and reports the progress", async () => {
    const { outcome } = await judged(
      `script.availability = "downloading"; script.answers = [{ reasoning: "", score: true }];
       const shares = [];
       const judge = createBrowserModel({ onDownload: (share) => { shares.push(share); throw new Error("not the browser's business"); } });
       await createLLMAsJudge({ prompt: "{outputs}", judge })({ outputs: "a" });
       return shares;`,
    );
    expect(outcome).toEqual([0.5, 1]);
    // Playwright's evaluations count as user actions.
    await page.evaluate('Object.defineProperty(navigator, "userActivation", { value: { isActive: false } })');
    const click = `script.availability = "downloadable"; ${polite("{ onDownload() {} }")}`;
    expect((await judged(click)).outcome).toMatchObject({
      code: "model_unavailable",
      cause: "NotAllowedError",
    });
  });

  it("ends when the time is over, or the caller wants it to", async () => {
    const over = await judged(`script.answers = ["never"]; ${polite("{ timeoutMs: 20 }")}`);
    expect(over.outcome).toMatchObject({
      code: "timeout",
      message: "The browser's model gave no answer in 20 ms.",
    });
    const aborted = await judged(
      `script.answers = ["never"]; const { signal } = globalThis.aborter = new AbortController();
       const work = (async () => { ${polite("{ signal }")} })();
       work.catch(() => {});
       while (!script.prompts.length) await new Promise((next) => setTimeout(next));
       aborter.abort("enough");
       return await work;`,
    );
    expect(aborted.outcome.code).toBe("aborted");
    expect((await judged(polite('{ signal: AbortSignal.abort("no") }'))).outcome.code).toBe("aborted");
    expect(over.open + aborted.open).toBe(0);
  });

  it.each(["availability", "create", "prompt"])("ends also where %s() never does", async (method) => {
    const owner =
      method === "prompt" ? "(await LanguageModel.create()).constructor.prototype" : "LanguageModel";
    const begun = `let begin; const begun = new Promise((resolve) => { begin = resolve; });
      ${owner}.${method} = () => { begin(); return new Promise(() => {}); };`;
    const over = await judged(`${begun} ${polite("{ timeoutMs: 20 }")}`);
    expect(over.outcome.code).toBe("timeout");
    await page.evaluate(standIn);
    const { outcome } = await judged(
      `${begun} const { signal } = globalThis.aborter = new AbortController();
       const work = (async () => { ${polite("{ signal }")} })();
       work.catch(() => {});
       await begun;
       aborter.abort("enough");
       return await work;`,
    );
    expect(outcome.code).toBe("aborted");
  });

  it("destroys a session that comes too late", async () => {
    const { outcome, open } = await judged(
      `const create = LanguageModel.create;
       let come;
       const late = new Promise((resolve) => { come = resolve; });
       LanguageModel.create = (options) => late.then(() => create.call(LanguageModel, { ...options, signal: undefined }));
       const outcome = await (async () => { ${polite("{ timeoutMs: 20 }")} })().catch((error) => error);
       come();
       await new Promise((next) => setTimeout(next));
       throw outcome;`,
    );
    expect({ code: outcome.code, open }).toEqual({ code: "timeout", open: 0 });
  });

  it("options are checked when it is made", async () => {
    for (const options of [
      '{ language: "en" }',
      '{ languages: "en" }',
      "{ timeoutMs: 0 }",
      "{ onDownload: 1 }",
    ])
      expect((await judged(`createBrowserModel(${options})`)).outcome.code).toBe("invalid_config");
  });

  it("ignores errors of ending a session", async () => {
    const { outcome } = await judged(
      `const left = [];
       addEventListener("unhandledrejection", ({ reason }) => left.push(reason));
       const create = LanguageModel.create;
       LanguageModel.create = async (options) => Object.assign(await create.call(LanguageModel, options), {
         destroy: async () => { throw "not destroyed"; },
       });
       script.answers = [{ reasoning: "It is.", score: true }];
       const judge = createBrowserModel();
       const { score } = await createLLMAsJudge({ prompt: "Is {outputs} polite?", judge })({ outputs: "Gladly." });
       await new Promise((resolve) => setTimeout(resolve));
       return { score, left };`,
    );
    expect(outcome).toEqual({ score: true, left: [] });
  });

  it("simulates users, too, without a schema", async () => {
    const { outcome, prompts } = await judged(
      `script.answers = ["Where is my parcel?"];
       const user = createLLMSimulatedUser({ system: "You are in a hurry.", client: createBrowserModel() });
       return await user({ trajectory: [{ role: "assistant", content: "How can I help?" }], turnCounter: 1 });`,
    );
    expect(outcome).toMatchObject({ role: "user", content: "Where is my parcel?" });
    expect(prompts[0].responseConstraint).toBeUndefined();
  });
});

describe("in the playground", () => {
  const site = new Site();

  it("judges where it is there", async () => {
    await site.open("texts", {}, {});
    await site.context.addInitScript(standIn);
    await site.page.goto("about:blank");
    await site.page.goto(
      site.link("judge", { prompt: "Is {outputs} polite?", outputs: "Gladly.", judge: "browser" }),
    );
    await site.page.evaluate('script.answers = [{ reasoning: "It is.", score: true }]');
    await site.page.getByRole("button", { name: "Judge", exact: true }).click();
    await site.page.locator(".outcome > .verdict", { hasText: "✓ true" }).waitFor();
    expect(await site.page.locator(".code-block code").last().textContent()).toContain(
      "judge: createBrowserModel(),",
    );
  });
});
