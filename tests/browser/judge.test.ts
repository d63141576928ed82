/** The bench of judges, in Chromium. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Model, modelServer } from "./model-server.js";
import { Site } from "./site.js";

const site = new Site();
const text = (selector: string) => site.page.locator(selector).textContent();
const result = () => text("section[aria-label=Result]");
const judge = () => site.page.getByRole("button", { name: "Judge", exact: true }).click();
const fill = (name: string, value: string) => site.page.getByLabel(name, { exact: true }).fill(value);
const request = async () => String(await text("section[aria-label='The request'] code"));

const short = "Is {outputs} polite to {inputs}?";
const rule = {
  prompt: short,
  inputs: "me",
  outputs: "Gladly.",
  judge: "rule",
  rule: "contains",
  text: "Gladly",
};

describe("a rule", () => {
  it("judges by a custom prompt, and shows the question to the judge", async () => {
    await site.open("judge", rule);
    await expect.poll(request).toContain('"content": "Is Gladly. polite to me?"');
    expect(JSON.parse(await request()).schema.properties.score.type).toBe("boolean");
    await judge();
    await expect.poll(result).toContain("✓ true");
    expect(await result()).toContain("outputs contains “Gladly”: yes.");
    await fill("outputs", "No.");
    await judge();
    await expect.poll(result).toContain("✗ false");
  });

  it("gives numbers where they are asked for, and objects by a schema", async () => {
    await site.open("judge", { ...rule, kind: "choices", choices: "0, 0.5, 1" });
    await judge();
    await expect.poll(result).toMatch(/Result1outputs/);
    await site.page.getByLabel("0 to 1").check();
    await fill("What is looked for", "never");
    await judge();
    await expect.poll(result).toMatch(/Result0outputs/);
    await site.page.getByLabel("an object").check();
    await judge();
    // The rule knows nothing of this schema.
    await expect.poll(result).toContain("invalid_judge_output");
    await site.page.getByLabel("JSON schema of the answer").fill("{");
    await expect
      .poll(() => site.page.locator(".editor .problem").allTextContents())
      .toContain("Line 1, column 2: expected a key in double quotes or }, found the end of the text.");
  });

  it("prompts of the package bring their variables along; optional ones may be empty", async () => {
    await site.open("judge");
    await site.page.getByLabel("Prompt", { exact: true }).selectOption("HALLUCINATION_PROMPT");
    await expect
      .poll(() => site.page.locator(".variables label").allTextContents())
      .toEqual(["context (optional)", "inputs", "outputs", "reference_outputs (optional)"]);
    await expect.poll(request).not.toContain("<context>");
    await fill("context (optional)", "The shop opens at 9.");
    await expect.poll(request).toContain("The shop opens at 9.");
    await expect.poll(() => text(".code-block code >> nth=1")).toContain("prompt: HALLUCINATION_PROMPT");
    await fill("What the judge reads", "Only {other_thing}?");
    await expect.poll(() => site.page.locator(".variables label").allTextContents()).toEqual(["other_thing"]);
    await fill("What the judge reads", "An open { brace");
    await expect.poll(() => site.page.locator("form > .problem").textContent()).toMatch(/brace/);
  });

  it("attachments go along", async () => {
    await site.open("judge", { ...rule, prompt: "What is {attachments}? {outputs}" });
    const buffer = Buffer.from("iVBORw0KGgo=", "base64");
    await site.page
      .locator("input[type=file]")
      .setInputFiles({ name: "<b>.png", mimeType: "image/png", buffer });
    await expect.poll(request).toContain("data:image/png;base64,iVBORw0KGgo=");
    expect(await site.page.locator(".attached b").count()).toBe(0);
    await site.page.getByRole("button", { name: "Remove <b>.png" }).click();
    await expect.poll(request).not.toContain("image/png");
    await site.page.evaluate(`{
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["%PDF-"], "a.pdf", { type: "application/pdf" }));
      document.querySelector(".drop").dispatchEvent(new DragEvent("drop", { dataTransfer, cancelable: true }));
    }`);
    await expect.poll(request).toContain('"filename": "a.pdf"');
    await site.page
      .locator("input[type=file]")
      .setInputFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("a") });
    await expect.poll(() => text(".drop .problem")).toBe("a.txt is no picture, recording or PDF.");
  });

  it("the link holds all of it", async () => {
    await site.open("judge", rule);
    await site.page.getByLabel("0 to 1").check();
    await fill("inputs", "them & us");
    await expect.poll(() => site.page.url()).toMatch(/them\+%26\+us.*kind=continuous/);
    const url = site.page.url();
    site.page = await site.newPage();
    await site.page.goto(url);
    await expect.poll(request).toContain("Is Gladly. polite to them & us?");
    expect(JSON.parse(await request()).schema.properties.score.type).toBe("number");
  });
});

describe("a model over HTTP", () => {
  let model: Model;
  beforeEach(async () => {
    model = await modelServer();
  });
  afterEach(() => model.close());

  const open = (more: Record<string, string> = {}) =>
    site.open("judge", {
      prompt: short,
      inputs: "me",
      outputs: "Gladly.",
      judge: "provider",
      provider: "openai-compatible",
      model: "small",
      address: model.url,
      ...more,
    });

  it("gets exactly the shown text; its answer, tokens, time and requests are displayed", async () => {
    model.answers.push(model.content({ reasoning: "It is warm.", score: true }));
    await open();
    await fill("Key", "sk-secret-1234");
    await expect.poll(request).toContain("authorization: Bearer •••");
    const shown = (await request()).split("\n\n").slice(1).join("\n\n");
    await judge();
    await expect.poll(result).toContain("✓ true");
    expect(await result()).toContain("It is warm.");
    expect(await result()).toContain("tokens12 in, 7 out");
    expect(await result()).toContain("requests1");
    expect(model.requests).toHaveLength(1);
    expect(model.requests[0]?.headers.authorization).toBe("Bearer sk-secret-1234");
    expect(JSON.parse(model.requests[0]?.body ?? "")).toEqual(JSON.parse(shown));
    expect(site.page.url()).not.toContain("secret");
    expect(await site.page.locator("body").innerText()).not.toContain("secret");
    const kept =
      "JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie])";
    expect(await site.page.evaluate(kept)).toBe('[[],[],""]');
    site.elsewhere = [];
  });

  it("fails without a score, with each attempt told", async () => {
    const failure = { status: 500, body: { error: { message: "Out of <b>order</b>, sk-secret-1234" } } };
    model.answers.push(failure, failure);
    await open({ retries: "1" });
    await fill("Key", "sk-secret-1234");
    await judge();
    await expect.poll(result, { timeout: 10_000 }).toContain("provider_error");
    expect(await result()).toContain("No score: a failure is never one.");
    expect(await site.page.locator(".exchanges .verdict").allTextContents()).toEqual(["500", "500"]);
    expect(await site.page.locator(".outcome-panel b").count()).toBe(0);
    expect(await site.page.locator("body").innerHTML()).not.toContain("secret");
    site.elsewhere = [];
    site.problems = [];
  });

  it("can be stopped, and sends no request without a model or a key", async () => {
    model.answers.push("never");
    await open();
    await judge();
    await expect.poll(() => model.requests.length).toBe(1);
    await site.page.getByRole("button", { name: "Stop" }).click();
    await expect.poll(result).toContain("aborted");
    await fill("Model", "");
    await judge();
    await expect.poll(() => text("form > .problem")).toBe("Name a model first.");
    await site.page.getByLabel("Provider", { exact: true }).selectOption("anthropic");
    await judge();
    await expect.poll(() => text("form > .problem")).toBe("Enter a key first.");
    expect(model.requests).toHaveLength(1);
    site.elsewhere = [];
  });

  it("at another address than that of a key is not sent the key", async () => {
    await open();
    await fill("Key", "sk-secret-1234");
    await site.open("judge", {
      prompt: short,
      judge: "provider",
      provider: "openai-compatible",
      address: "https://example.org",
    });
    await expect.poll(() => site.page.getByLabel("Key", { exact: true }).inputValue()).toBe("");
    await open();
    await expect.poll(() => site.page.getByLabel("Key", { exact: true }).inputValue()).toBe("sk-secret-1234");
  });

  it("on this machine is asked without a key", async () => {
    model.answers.push(model.content({ reasoning: "No.", score: false }));
    await open({ judge: "local", server: "lmstudio" });
    expect(await site.page.getByLabel("Key", { exact: true }).count()).toBe(0);
    await judge();
    await expect.poll(result).toContain("✗ false");
    expect(model.requests[0]?.headers.authorization).toBeUndefined();
    site.elsewhere = [];
  });
});

it("works with the keyboard alone", async () => {
  await site.open("judge", rule);
  await site.page.getByLabel("outputs", { exact: true }).focus();
  await site.page.keyboard.press("Control+a");
  await site.page.keyboard.type("No.");
  await site.page.getByLabel("What is looked for").focus();
  await site.page.keyboard.press("Enter");
  await expect.poll(result).toContain("✗ false");
});
