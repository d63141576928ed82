/** The bench of recipes, in Chromium. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Model, modelServer } from "./model-server.js";
import { Site } from "./site.js";

const site = new Site();
const run = () => site.page.getByRole("button", { name: "Evaluate", exact: true }).click();
const state = () => site.page.locator("form > .hint").textContent();
const problem = () => site.page.locator("form > .problem").textContent();
/** The score of each evaluation. */
const scores = () =>
  site.page.evaluate<Record<string, string>>(`
    Object.fromEntries(Array.from(document.querySelectorAll("[data-recipe]"), (card) =>
      [card.dataset.recipe, card.querySelector(".bar").lastChild.textContent]))`);

describe("recorded answers", () => {
  it("show all five evaluations, the claims in the answer, and their citations", async () => {
    await site.open("recipes");
    await expect.poll(state).toMatch(/^5 of 5 evaluations/);
    expect(await scores()).toEqual({
      // Two of four claims.
      claim_verification: "50",
      // (97 + 85 + 2) / 3.
      check_criteria: "61",
      preference_adherence: "95",
      tool_usage: "100",
      guidance: "92",
    });
    const marks = site.page.locator(".answer mark");
    expect(await marks.evaluateAll((all: any[]) => all.map(({ className }) => className))).toEqual([
      "supported",
      "unsupported",
      "unsupported",
    ]);
    expect(await marks.nth(2).textContent()).toContain("Guided tours are free on Sundays.");
    expect(await site.page.locator("[data-recipe=claim_verification] blockquote").allTextContents()).toEqual([
      "source 3The Harbor Museum is open from Tuesday to Sunday, 10:00 to 17:00.\nOn Thursdays it stays open until 20:00.",
      "source 3Tickets: 18 francs, students 12 francs.",
    ]);
  });

  it("are about the example only", async () => {
    await site.open("recipes", {
      conversation: '[{"role": "assistant", "content": "Hi"}]',
      use: "tool_usage",
    });
    await run();
    await expect.poll(problem).toContain("The recorded answers are about the example only.");
    await site.page.getByLabel("Conversation").fill("{}");
    await run();
    await expect
      .poll(() => site.page.locator(".editor .problem").first().textContent())
      .toBe("This has to be a list.");
  });
});

describe("a model over HTTP", () => {
  let model: Model;
  beforeEach(async () => {
    model = await modelServer();
  });
  afterEach(() => {
    site.elsewhere = [];
    return model.close();
  });

  const open = (content: string) =>
    site.open("recipes", {
      conversation: JSON.stringify([
        { role: "user", content: "Hello?" },
        { role: "assistant", content },
      ]),
      criteria: "It greets",
      use: "check_criteria",
      judge: "provider",
      provider: "openai-compatible",
      model: "small",
      address: model.url,
      retries: "0",
    });

  it("is asked, and a failure is not a score", async () => {
    model.answers.push(model.content({ reasoning: "<b>It does.</b>", probability: 0.8 }), {
      status: 400,
      body: {},
    });
    await open("<script>alert(1)</script>");
    await run();
    await expect.poll(scores).toEqual({ check_criteria: "80" });
    expect(await site.page.locator("[data-recipe] b, .answer script").count()).toBe(0);
    expect(model.requests[0]?.body).toContain("It greets");
    await run();
    await expect.poll(scores).toEqual({ check_criteria: "failed" });
    site.problems = [];
  });

  it("can be stopped", async () => {
    model.answers.push("never");
    await open("Hello.");
    await run();
    await expect.poll(() => model.requests.length).toBe(1);
    await site.page.getByRole("button", { name: "Stop" }).click();
    await expect.poll(scores).toEqual({ check_criteria: "failed" });
    await site.page.getByRole("button", { name: "Evaluate", exact: true }).isEnabled();
  });
});
