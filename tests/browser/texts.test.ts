/** The bench of texts and data, in Chromium. */
import { describe, expect, it } from "vitest";
import { Site } from "./site.js";

const site = new Site();

const open = (state: Record<string, string> = {}) => site.open("texts", state);

/** The scores of the page, as { key: score }. Read at once, since the page may change at any time. */
const scores = () =>
  site.page.evaluate<Record<string, string>>(`
    Object.fromEntries(Array.from(document.querySelectorAll(".score"), (line) =>
      [line.dataset.key, line.querySelector(".number, .verdict").textContent]))`);

const type = (name: "Output" | "Reference", text: string) => field(name).fill(text);
const field = (name: "Output" | "Reference") => site.page.getByLabel(name, { exact: true });
const shows = (expected: Record<string, string>) => expect.poll(scores).toMatchObject(expected);
const textOf = (selector: string) => site.page.locator(selector).first().textContent();
const problemOf = (name: "Output" | "Reference") =>
  site.page.locator(".editor", { hasText: name }).locator(".problem").textContent();
const difference = () => site.page.locator(".difference");

describe("text", () => {
  it("scores the example, draws the difference, and shows the size of the engine", async () => {
    await open();
    // "s" for "z", "a" for "á", and two digits: 4 of 51 characters.
    await shows({ levenshtein_distance: "0.92", exact_match: "✗ false" });
    expect(await difference().locator("del").allTextContents()).toEqual(["áz", "5"]);
    expect(await difference().locator("ins").allTextContents()).toEqual(["as", "5"]);
    expect(await textOf("[data-key=exact_match] .comment")).toMatch(/^outputs is "Las Meninas .* instead of/);
    await expect
      .poll(() => textOf("#engine"))
      .toMatch(/^Engine: [1-9]\d* KB of WebAssembly, ready in \d+ ms$/);
  });

  it("scores again while the user types", async () => {
    await open();
    await type("Output", "kitten");
    await type("Reference", "sitting");
    // k → s, e → i, and a g: 3 edits in 7 characters.
    await shows({ levenshtein_distance: "0.57", exact_match: "✗ false" });
    expect(await textOf("[data-key=levenshtein_distance] .comment")).toBe("3 edits apart");
    await field("Output").press("End");
    await site.page.keyboard.press("Backspace");
    await site.page.keyboard.press("Backspace");
    await site.page.keyboard.type("ing");
    // "kitting": only the first letter.
    await shows({ levenshtein_distance: "0.86", exact_match: "✗ false" });
    await type("Output", "sitting");
    await shows({ levenshtein_distance: "1", exact_match: "✓ true" });
    expect(await difference().textContent()).toBe("Nothing: both are the same.");
  });

  it("one wrong letter in 2,000 is not shown as 1", async () => {
    await open({ mode: "text", outputs: `${"a".repeat(1999)}b`, reference: "a".repeat(2000) });
    await shows({ levenshtein_distance: "0.99", exact_match: "✗ false" });
  });

  it("has more metrics where they are asked for", async () => {
    await open({ mode: "text", outputs: "The cat sat on mat", reference: "The cat sat on the mat" });
    await shows({ exact_match: "✗ false" });
    expect(await site.page.locator("[data-key=rougeL]").count()).toBe(0);
    await site.page.getByText("More metrics").click();
    // Of 6 words, 5 are there in order; one was deleted.
    await shows({ rougeL: "0.91", word_error_rate: "0.17", squad_exact_match: "1" });
    await expect.poll(() => site.page.url()).toContain("more=");
    expect(await textOf(".code-block code")).toContain('from "openevals-wasm/text";');
  });

  it("announces the scores to screen readers in a pause", async () => {
    await open({ mode: "text", outputs: "", reference: "" });
    await expect.poll(() => textOf("[aria-live]")).toBe("Exact match true, Levenshtein similarity 1");
  });

  it("texts stay texts: markup, the other direction, halves of characters", async () => {
    await open({
      mode: "text",
      outputs: "<img src=x onerror=alert(1)> שלום",
      reference: "<script>alert(1)</script> שלום",
    });
    await shows({ exact_match: "✗ false" });
    expect(await difference().locator("img, script").count()).toBe(0);
    expect(await difference().locator("ins").first().textContent()).toContain("img src=x onerror");
    await site.page.evaluate(`{
      const field = document.querySelector("textarea");
      field.value = "\\ud800 a";
      field.dispatchEvent(new Event("input"));
    }`);
    await type("Reference", "\ufffd a");
    // A lone surrogate is not the character that stands for it.
    await shows({ exact_match: "✗ false", levenshtein_distance: "0.67" });
  });
});

describe("JSON", () => {
  const json = { mode: "json", outputs: '{"a": 1, "b": [2]}', reference: '{"b": [2], "a": 3, "c": null}' };

  it("scores each key, on average, and all together, and shows both values of those that differ", async () => {
    await open(json);
    await shows({
      exact_match: "✗ false",
      "json_match:a": "0",
      "json_match:b": "1",
      "json_match:c": "0",
      "json_match:average": "0.33",
      "json_match:all": "0",
    });
    expect(await difference().locator(".differs").allTextContents()).toEqual([
      "a: 3 1",
      "c: null missing in the output",
    ]);
    expect(await textOf(".code-block code")).toContain('createJsonMatchEvaluator({ aggregator: "average" })');
    await site.page.getByLabel("Leave out keys").fill("a, c");
    await shows({ "json_match:average": "1" });
    expect(await textOf(".code-block code")).toContain('excludeKeys: ["a", "c"]');
  });

  it("the order of keys does not count", async () => {
    await open({ ...json, reference: '{"b": [2.0], "a": 1}' });
    await shows({ exact_match: "✓ true", "json_match:all": "1" });
    expect(await difference().locator(".differs").count()).toBe(0);
  });

  it("lists are compared as is chosen", async () => {
    await open({ mode: "json", outputs: '[{"a": 1}, {"a": 2}]', reference: '[{"a": 2}, {"a": 1}]' });
    await shows({ "json_match:all": "1" });
    await site.page.getByLabel("Lists").selectOption("ordered");
    await shows({ "json_match:all": "0" });
  });

  it("reports the error in the JSON with its place, and recovers", async () => {
    await open(json);
    await shows({ exact_match: "✗ false", "json_match:a": "0" });
    for (const [text, problem] of [
      ['{\n  "a": 3,\n  "b" [2]\n}', "Line 3, column 7: expected a colon, found [."],
      ["", "Line 1, column 1: expected a value, found the end of the text."],
      ['{"a": 1,}', "Line 1, column 9: expected a key in double quotes, found }."],
      ["[1, 2", "Line 1, column 6: expected a comma or ], found the end of the text."],
      ['{"a": "b', "Line 1, column 7: this string has no closing quote."],
      ["{'a': 1}", "Line 1, column 2: expected a key in double quotes or }, found 'a'."],
      ['["a\\d"]', "Line 1, column 4: JSON has no such escape."],
      ["[1,\n NaN]", "Line 2, column 2: expected a value, found NaN."],
      ['{"😀": 1} 2', "Line 1, column 10: expected the end of the text, found 2."],
    ] as const) {
      await type("Output", text);
      await expect.poll(() => problemOf("Output")).toBe(problem);
    }
    expect(await field("Output").getAttribute("aria-invalid")).toBe("true");
    expect(await textOf(".scores-panel small")).toBe("waiting for JSON in both fields");
    await type("Output", '{\n  "a": 3,\n  "b": [2],\n  "c": null\n}');
    await shows({ exact_match: "✓ true", "json_match:a": "1", "json_match:b": "1", "json_match:c": "1" });
    expect(await problemOf("Output")).toBe("");
  });

  it("a list against an object is explained by the package, and does not hide the exact match", async () => {
    await open({ ...json, reference: "[]" });
    await shows({ exact_match: "✗ false" });
    await expect.poll(() => textOf(".scores-panel .problem")).toMatch(/list/);
    await type("Reference", '{"a": 1, "b": [2]}');
    await shows({ exact_match: "✓ true", "json_match:a": "1", "json_match:b": "1" });
    expect(await textOf(".scores-panel .problem")).toBe("");
  });

  it("a key with markup stays text, and depth is no trouble", async () => {
    const markup = '{"<img src=x onerror=alert(1)>": 1}';
    await open({ ...json, outputs: markup, reference: markup });
    await shows({ exact_match: "✓ true", "json_match:<img src=x onerror=alert(1)>": "1" });
    expect(await site.page.locator("main img").count()).toBe(0);
    await type("Output", "[".repeat(5000) + "]".repeat(5000));
    await expect.poll(() => textOf(".scores-panel .problem")).not.toBe("");
  });
});

describe("the link", () => {
  it("contains the typed text, and opens the same page", async () => {
    await open();
    await site.page.getByLabel("JSON", { exact: true }).check();
    await type("Output", '{"city": "Zürich & Bern 🏔️", "sum": "1+1"}');
    await type("Reference", '{"city": "Zürich & Bern 🏔️", "sum": "2"}');
    await site.page.getByLabel("Lists").selectOption("subset");
    await shows({ exact_match: "✗ false", "json_match:average": "0.50" });
    await expect.poll(() => site.page.url()).toContain("lists=subset");

    const url = site.page.url();
    site.page = await site.newPage();
    await site.page.goto(url);
    await shows({ exact_match: "✗ false", "json_match:average": "0.50" });
    expect(await field("Output").inputValue()).toContain("Zürich & Bern 🏔️");
    expect(await site.page.getByLabel("JSON", { exact: true }).isChecked()).toBe(true);
  });

  it("is copied by the button", async () => {
    await site.open(
      "texts",
      { mode: "text", outputs: "a", reference: "b" },
      { permissions: ["clipboard-read", "clipboard-write"] },
    );
    await shows({ exact_match: "✗ false" });
    await site.page.getByRole("button", { name: "Copy link" }).click();
    await site.page.getByRole("button", { name: "Copied" }).waitFor();
    const copied = await site.page.evaluate<string>("navigator.clipboard.readText()");
    expect(copied).toBe(site.link("texts", { mode: "text", outputs: "a", reference: "b" }));
  });

  it("with nonsense in it shows the examples", async () => {
    await site.open("constructor", { mode: "toString", lists: "best" });
    await expect.poll(() => textOf("[data-mode=strict] .verdict")).toBe("✗ false");
    await site.open("texts", { mode: "toString", lists: "best" });
    await shows({ levenshtein_distance: "0.92", exact_match: "✗ false" });
  });

  it("of another bench is followed, and the typed text is kept", async () => {
    await open();
    await type("Output", "kept");
    await site.page.getByRole("link", { name: "Trajectories" }).click();
    await site.page.getByText("matches the call of the reference").first().waitFor({ state: "attached" });
    await site.page.getByRole("link", { name: "Texts and data" }).click();
    await expect.poll(() => field("Output").inputValue()).toBe("kept");
  });
});

it("works with the keyboard alone", async () => {
  await open({ mode: "text", outputs: "", reference: "" });
  await shows({ levenshtein_distance: "1", exact_match: "✓ true" });
  await site.page.getByLabel("Text", { exact: true }).focus();
  await site.page.keyboard.press("ArrowRight");
  await expect.poll(() => site.page.getByLabel("JSON", { exact: true }).isChecked()).toBe(true);
  await site.page.keyboard.press("Tab"); // Lists
  await site.page.keyboard.press("Tab"); // Leave out keys
  await site.page.keyboard.press("Tab"); // Output
  await site.page.keyboard.press("Control+a");
  await site.page.keyboard.type("[]");
  await site.page.keyboard.press("Tab"); // Reference
  await site.page.keyboard.press("Control+a");
  await site.page.keyboard.type('{"a":1}');
  await shows({ exact_match: "✗ false" });
});
