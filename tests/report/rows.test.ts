/** The rows of a report: searched, filtered, sorted, opened, in pages. */
import { describe, expect, it } from "vitest";
import { experimentOf, type RowData } from "./experiments.js";
import { card, experiment, head, names, open, opened, page, sortBy, status, usePages } from "./page.js";

usePages();

describe("the rows", () => {
  it("search words in any field", async () => {
    await open(experiment());
    expect(await names()).toEqual(["astana", "light", "moon", "river"]);
    for (const [words, found] of [
      ["KAZAKHSTAN capital", ["astana"]],
      ["friendly", ["astana"]],
      ["299,792", ["light"]],
      ["look_up", ["moon"]],
      ["provider_error", ["moon"]],
      ["out of turns", ["river"]],
      ["light kazakhstan", []],
      ["", ["astana", "light", "moon", "river"]],
    ] as const) {
      await page.getByLabel("Search").fill(words);
      expect(await names(), words).toEqual(found);
    }
  });

  it("show failures and errors, of all keys or of one", async () => {
    await open(experiment());
    await page.getByLabel("Show").selectOption("failing");
    expect(await names()).toEqual(["light", "moon"]);
    expect(await status()).toBe("2 of 4 rows");
    await page.getByLabel("Key").selectOption("close");
    expect(await names()).toEqual(["moon"]);
    await page.getByLabel("Show").selectOption("errors");
    expect(await names()).toEqual([]);
    await page.getByLabel("Key").selectOption("any key");
    expect(await names()).toEqual(["moon", "river"]);
    await page.getByRole("button", { name: "Reset" }).click();
    await expect.poll(names).toHaveLength(4);
  });

  it("show a range of scores", async () => {
    await open(experiment());
    expect(await page.getByRole("spinbutton", { name: "Score from" }).isDisabled()).toBe(true);
    await page.getByLabel("Key").selectOption("close");
    await page.getByRole("spinbutton", { name: "Score from" }).fill("0.5");
    expect(await names()).toEqual(["astana", "light"]);
    await page.getByLabel("to", { exact: true }).fill("0.9");
    expect(await names()).toEqual(["light"]);
  });

  it("show a value of the metadata, if a field has few", async () => {
    const told = Array.from({ length: 12 }, (_, i): RowData => {
      const metadata = {
        language: i < 3 ? "de" : "en",
        ticket: `T-${i}`,
        tier: "gold",
        tags: i % 2 ? [1] : [2],
      };
      return { id: `row-${i}`, metadata, scores: { exact: i % 2 === 0 } };
    });
    await open(experimentOf(told));
    const choice = page.locator("#metadata");
    expect(await choice.locator("option").allTextContents()).toEqual(["any", "language: de", "language: en"]);
    await choice.selectOption("language: de");
    await page.getByLabel("Show").selectOption("failing");
    expect(await names()).toEqual(["row-1"]);
    await page.getByRole("button", { name: "Reset" }).click();
    await expect.poll(names).toHaveLength(12);
    await opened("row-1").click();
    expect(
      await page.getByRole("list", { name: "Metadata" }).getByRole("listitem").allTextContents(),
    ).toEqual([...["language: de", "ticket: T-1", "tier: gold", "tags: 1"]]);
  });

  it("a card leads to its rows", async () => {
    await open(experiment());
    await card("exact").getByRole("button", { name: "2 failing" }).click();
    expect(await names()).toEqual(["light", "moon"]);
    expect(await page.getByLabel("Key").inputValue()).toBe("exact");
    await card("tone").getByRole("button", { name: "1 error" }).click();
    expect(await names()).toEqual(["moon"]);
  });

  it("sort by scores, with missing scores last, and by text", async () => {
    await open(experiment());
    await sortBy("close");
    expect(await names()).toEqual(["moon", "light", "astana", "river"]);
    expect(await head("close").getAttribute("aria-sort")).toBe("ascending");
    await sortBy("close");
    expect(await names()).toEqual(["astana", "light", "moon", "river"]);
    expect(await head("close").getAttribute("aria-sort")).toBe("descending");
    await sortBy("Time");
    expect(await names()).toEqual(["moon", "light", "astana", "river"]);
    expect(await head("close").getAttribute("aria-sort")).toBe(null);
    await sortBy("Inputs");
    expect(await names()).toEqual(["light", "moon", "river", "astana"]);
  });

  it("expand to show all details", async () => {
    await open(experiment());
    await opened("moon").click();
    expect(await opened("moon").getAttribute("aria-expanded")).toBe("true");
    const text = (await page.locator(".details").innerText()).replaceAll(/\s+/g, " ");
    expect(text).toContain('Outputs user When? assistant → look_up({"event":"moon"})');
    expect(text).toContain("Reference outputs 20 July 1969");
    expect(text).toContain(
      "tone OpenEvalsError (provider_error): The endpoint answered 503 Caused by TypeError: fetch failed " +
        "Caused by Error: ECONNRESET",
    );
    await opened("moon").click();
    expect(await page.locator(".details").count()).toBe(0);
    await opened("river").click();
    expect(await page.locator(".details").innerText()).toContain("Error: The agent ran out of turns");
  });

  it("mark what differs", async () => {
    await open(experiment());
    await opened("light").click();
    expect(await page.locator(".details mark").allTextContents()).toEqual(["54", "45"]);
  });

  it("mark all differences in texts and in JSON, but not the text in between", async () => {
    const outputs = { city: "Rome", degrees: 19, sources: ["a", "b"], unit: "celsius" };
    const reference = { unit: "kelvin", city: "Roma", degrees: 19, sources: ["a", "b"] };
    await open(
      experimentOf([
        { id: "json", outputs, reference },
        { id: "text", outputs: "a quick brown fox jumps", reference: "a brown fox soon jumps" },
        { id: "other", outputs: "Yes.", reference: "I do not know what to say to that" },
        { id: "accent", outputs: "the cafe\u0301 is open", reference: "the cafe is open" },
      ]),
    );
    for (const [row, marks] of [
      ["json", ["e", "celsius", "a", "kelvin"]],
      ["text", ["quick ", " soon"]],
      ["other", []],
      ["accent", ["e\u0301", "e"]],
    ] as const) {
      await opened(row).click();
      expect(await page.locator(".details mark").allTextContents(), row).toEqual(marks);
      await opened(row).click();
    }
  });

  it("truncate long values until `Show all` is clicked", async () => {
    const long = `${"word ".repeat(200_000)}end`;
    await open(experimentOf([{ id: "long", outputs: long, reference: `${long}!` }]));
    await opened("long").click();
    const outputs = page.locator(".panes section").nth(1);
    expect((await outputs.locator("pre").textContent())?.length).toBe(20_000);
    expect(await page.locator(".details mark").count()).toBe(0);
    await outputs.getByRole("button", { name: "Show all 1,000,003 characters" }).click();
    expect((await outputs.locator("pre").textContent())?.length).toBe(1_000_003);
    expect(await outputs.locator("pre").textContent()).toBe(long);
    await page.locator(".panes").getByRole("button").click();
    expect(await page.locator(".details mark").allTextContents()).toEqual(["!"]);
  });

  it("show results that are not applicable, and errors", async () => {
    await open(experiment());
    const cells = (name: string) => page.getByRole("row", { name }).getByRole("cell").allTextContents();
    expect((await cells("light")).slice(3)).toEqual(["false", "0.875", "n/a", "20 ms"]);
    expect((await cells("moon")).slice(3)).toEqual(["false", "0.250", "error", "3.0 ms"]);
    expect((await cells("river")).slice(1)).toEqual([
      "The agent ran out of turns",
      "",
      "–",
      "–",
      "–",
      "1 min 10 s",
    ]);
  });

  it("have a column for the reference, if there is one", async () => {
    await open(experiment());
    const heads = await page.locator(".rows th[scope=col]").allTextContents();
    expect(heads.slice(0, 5)).toEqual(["Row", "Inputs", "Outputs", "Reference", "exact"]);
    await sortBy("Reference");
    expect(await names()).toEqual(["moon", "light", "astana", "river"]);
    expect(await page.getByRole("row", { name: "light" }).getByRole("cell").nth(2).textContent()).toBe(
      "299,792.458 km/s",
    );
  });

  it("show a one-line summary of each value", async () => {
    const messages = [
      { role: "user", content: "Hello" },
      { role: "assistant", content: "Good\nmorning." },
    ];
    const data = [{ id: "a", inputs: { question: "When?" }, outputs: { messages }, durationMs: 0 }];
    await open(experimentOf(data));
    // Without durations there is no Time column.
    const cells = await page.getByRole("row", { name: "a" }).getByRole("cell").allTextContents();
    expect(cells).toEqual(["When?", "Good morning."]);
    expect(await page.getByRole("columnheader").allTextContents()).toEqual(["Row", "Inputs", "Outputs"]);
  });

  it("filter by failing with a lower-is-better key", async () => {
    const rude = experimentOf([
      { id: "rude", scores: { toxicity: true } },
      { id: "kind", scores: { toxicity: false } },
    ]);
    await open(rude, { lowerIsBetter: ["toxicity"] });
    await page.getByLabel("Show").selectOption("failing");
    expect(await names()).toEqual(["rude"]);
  });

  it("are paginated", async () => {
    await open(
      experimentOf(
        Array.from({ length: 250 }, (_, i): RowData => ({ id: `${i + 1}`, scores: { ok: i > 4 } })),
      ),
    );
    expect(await names()).toHaveLength(100);
    expect(await page.getByRole("button", { name: "Previous" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Next" }).click();
    expect((await names())[0]).toBe("101");
    expect(await page.getByRole("navigation").innerText()).toContain("101–200 of 250");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Rows");
    await page.getByRole("button", { name: "Next" }).click();
    expect(await names()).toHaveLength(50);
    expect(await page.getByRole("button", { name: "Next" }).isDisabled()).toBe(true);
    await page.getByLabel("Show").selectOption("failing");
    expect(await names()).toEqual(["1", "2", "3", "4", "5"]);
    expect(await page.getByRole("navigation").count()).toBe(0);
  });

  it("handle 10,000 rows", async () => {
    const many = Array.from(
      { length: 10_000 },
      (_, i): RowData => ({ id: `row ${i}`, scores: { share: i / 10_000 } }),
    );
    await open(experimentOf(many));
    await sortBy("share");
    await sortBy("share");
    expect((await names()).slice(0, 2)).toEqual(["row 9999", "row 9998"]);
    await page.getByLabel("Search").fill("row 4242");
    expect(await names()).toEqual(["row 4242"]);
  });
});
