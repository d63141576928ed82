/** The bench of RAG, in Chromium. */
import { expect, it } from "vitest";
import { modelServer } from "./model-server.js";
import { Site } from "./site.js";

const site = new Site();
const run = () => site.page.getByRole("button", { name: "Evaluate", exact: true }).click();
const problem = () => site.page.locator("form > .problem").textContent();
const panel = (name: string) => site.page.getByRole("region", { name, exact: true });
/** The score of each metric. */
const scores = () =>
  site.page.evaluate<Record<string, string>>(`
    Object.fromEntries(Array.from(document.querySelectorAll("[data-key]"), (line) =>
      [line.dataset.key, line.querySelector(".number").textContent]))`);

it("recorded answers show the scores, the claims in the answer, and the claims that each context supports", async () => {
  await site.open("rag");
  await expect.poll(scores).toEqual({
    faithfulness: "0.67", // 4 of 6 claims
    context_precision: "0.83", // (1/1 + 2/3) / 2
    context_recall: "1",
    context_entity_recall: "0.75", // without "30 minutes"
    context_relevance: "0.50",
    factual_correctness: "0.44", // of 2/6 and 2/3
  });
  const answer = panel("The answer");
  const marks = answer.locator(".answer mark");
  expect(
    await marks.evaluateAll((all: any[]) => all.map((one) => [one.className, one.firstChild.textContent])),
  ).toEqual([
    ["supported", "The first half hour is free, and each hour after that is 3 francs."],
    ["unsupported", "You get a helmet at any station for 5 francs a day."],
    ["supported", "Return the bike by 11 p.m., or you pay 20 francs."],
    ["unsupported", "Children ride for free."],
  ]);
  const heads = (name: string) => panel(name).locator(".findings .head > :last-child").allTextContents();
  expect(await heads("The claims")).toEqual([
    "✓ context 1",
    "✓ context 1",
    "✗ not supported",
    "✓ context 3",
    "✓ context 4",
    "✗ not supported",
  ]);
  expect(await heads("The contexts")).toEqual([
    "supports claims 1, 2",
    "supports no claim",
    "supports claim 4",
    "supports claim 5",
  ]);
});

it("recorded answers are about the examples only", async () => {
  await site.open("rag");
  await site.page.getByRole("button", { name: "In German" }).click();
  // Its answer names no months, so half of the reference is missing.
  await expect.poll(async () => (await scores()).factual_correctness).toBe("0.67");
  await site.page.getByLabel("Answer", { exact: true }).fill("Nein.");
  expect(await site.page.locator(".rag .outdated").count()).toBeGreaterThan(0);
  await run();
  await expect.poll(problem).toContain("The recorded answers are about the examples only.");
});

it("a model over HTTP is asked, and a failure is not a score", async () => {
  const model = await modelServer();
  try {
    await site.open("rag", {
      inputs: "Open?",
      contexts: "<script>alert(1)</script>",
      outputs: "<b>Yes</b>",
      reference: "",
      judge: "provider",
      provider: "openai-compatible",
      model: "small",
      address: model.url,
      retries: "0",
    });
    const known: Record<string, unknown> = {
      index: 0,
      claims: ["It is <i>open</i>."],
      reason: "r",
      contexts: [0],
      sentences: [],
      verdict: 1,
    };
    model.reply = ({ schema }) => {
      const fields = Object.keys((schema as any).properties.answers.items.properties);
      return { answers: [Object.fromEntries(fields.map((field) => [field, known[field]]))] };
    };
    await run();
    await expect
      .poll(scores)
      .toMatchObject({ faithfulness: "1", context_relevance: "1", context_recall: "–" });
    expect(await panel("The answer").locator("mark").last().textContent()).toContain("<b>Yes</b>");
    expect(await site.page.locator(".rag b, .rag i:not(.measure i), .rag script").count()).toBe(0);
    model.reply = () => ({ answers: "none" });
    await run();
    await expect.poll(() => panel("Scores").locator(".problem").textContent()).toContain("answers");
  } finally {
    site.elsewhere = [];
    await model.close();
  }
});
