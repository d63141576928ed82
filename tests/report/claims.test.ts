/** Claims with their verdicts, when a row is opened. */
import { describe, expect, it } from "vitest";
import { experimentOf } from "./experiments.js";
import { expectAccessible, open, opened, page, usePages } from "./page.js";

usePages();

const outputs = "It opens at nine. <b>Parking</b> is free.";

it("are listed with verdicts, contexts, reasons and sentences, and so are judged contexts", async () => {
  await open(
    experimentOf([
      {
        id: "shop",
        outputs,
        scores: {
          faithfulness: 0.5,
          factual_correctness: 1,
          claim_verification: 95,
          context_relevance: 0.5,
          other: 1,
        },
        told: {
          faithfulness: {
            claims: [
              {
                claim: "The shop opens at nine.",
                verdict: 1,
                reason: "r1",
                contexts: [0, 2],
                start: 0,
                end: 17,
              },
              {
                claim: "<b>Parking</b> is free.",
                verdict: 0,
                reason: "r2",
                contexts: [],
                start: 18,
                end: 41,
              },
            ],
          },
          factual_correctness: {
            referenceClaims: [{ claim: "It closes.", verdict: 1, reason: "r3", contexts: [0] }],
          },
          claim_verification: {
            claims: [{ claim: "It is open.", verifiedProbability: 95, proof: "p", sentence: "Open." }],
          },
          context_relevance: {
            contexts: [
              { id: "doc-7", verdict: 0, reason: "r4", sentences: [] },
              { verdict: 1, reason: "r5", sentences: [{ text: "We open at nine." }] },
            ],
          },
          other: {
            contexts: [{ verdict: 2, reason: "r6" }],
            claims: ["of another form", { claim: 1, verdict: 1 }, { claim: "no verdict" }, null],
          },
        },
      },
    ]),
  );
  await opened("shop").click();
  const items = page.locator(".results li");
  expect(
    await items.evaluateAll((all) =>
      all.map((item: any) => [...item.children].map((one: any) => one.textContent)),
    ),
  ).toEqual([
    ["Supported by context 1, 3", "r1", "It opens at nine."],
    ["<b>Parking</b> is free.", "Not supported", "r2", "<b>Parking</b> is free."],
    ["Supported by context 1", "r3"],
    ["95 % supported", "p", "Open."],
    ["Context 1: doc-7", "Not useful", "r4"],
    ["Useful", "r5", "We open at nine."],
  ]);
  expect(await items.locator("mark").allTextContents()).toEqual([
    "<b>Parking</b> is free.",
    "Context 1: doc-7",
  ]);
  expect(await page.getByText("Claims of the reference", { exact: true }).count()).toBe(1);
  await expectAccessible();
});

it("contexts have the text of the row, if it has as many", async () => {
  const judged = [
    { verdict: 1, reason: "r1" },
    { verdict: 0, reason: " " },
    { verdict: 0, reason: "r3" },
  ];
  const context = ["We open at nine.", "", { pageContent: "We sell bicycles." }];
  const told = { context_precision: { contexts: judged }, other: { contexts: judged.slice(1) } };
  const scores = { context_precision: 1, other: 0 };
  await open(experimentOf([{ id: "row", scores, told, metadata: { context } }]));
  await opened("row").click();
  const texts = await page
    .locator(".results li")
    .evaluateAll((all) => all.map((item: any) => [...item.children].map((one: any) => one.textContent)));
  expect(texts).toEqual([
    ["Useful", "r1", "We open at nine."],
    ["Context 2", "Not useful", "The context has no text."],
    ["Context 3", "Not useful", "r3", "We sell bicycles."],
    ["Context 1", "Not useful"],
    ["Context 2", "Not useful", "r3"],
  ]);
});

it("contexts in the metadata have a pane, with their ids, and are not in the list of metadata", async () => {
  const metadata = {
    topic: "hours",
    context: ["We open at nine.", { id: "doc-7", text: "<b>Free</b> parking" }],
  };
  await open(experimentOf([{ id: "row", scores: { ok: true }, metadata }]));
  await opened("row").click();
  const panes = await page.locator(".panes section").allInnerTexts();
  expect(panes.map((pane) => pane.split(/\s*\n\s*/))).toEqual([
    ["Inputs", "question row"],
    ["Contexts", "We open at nine.", "doc-7", "<b>Free</b> parking"],
    ["Outputs", "yes"],
  ]);
  expect(await page.getByRole("list", { name: "Metadata" }).innerText()).toBe("topic: hours");
  await expectAccessible();
});

it("a single context is one, and contexts in other fields have no pane", async () => {
  const told = { m: { contexts: [{ verdict: 1, reason: "r" }] } };
  await open(
    experimentOf([
      { id: "single", scores: { m: 1 }, told, metadata: { context: "Nine." } },
      { id: "inputs", inputs: { question: "?", context: ["Ten."] }, scores: { m: 1 }, told },
    ]),
  );
  for (const [id, text, panes] of [
    ["single", "Nine.", ["Inputs", "Contexts", "Outputs"]],
    ["inputs", "Ten.", ["Inputs", "Outputs"]],
  ] as const) {
    await opened(id).click();
    expect(await page.locator(".results li p").last().textContent()).toBe(text);
    expect(await page.locator(".panes h3").allTextContents()).toEqual(panes);
    await opened(id).click();
  }
});

it("contexts in the outputs are beside the claims", async () => {
  const claims = [{ claim: "It opens at nine.", verdict: 1, reason: "r", contexts: [1], start: 0, end: 17 }];
  const documents = [
    { id: "d1", text: "We sell bicycles." },
    { id: "d2", text: "We open at nine." },
  ];
  await open(
    experimentOf([
      {
        id: "row",
        outputs: { documents, answer: "It opens at nine." },
        scores: { faithfulness: 0.25 },
        told: { faithfulness: { claims } },
      },
    ]),
  );
  // The answer, without the documents.
  expect(await page.locator(".failures li p").allTextContents()).toContain("Output: It opens at nine.");
  await opened("row").click();
  const contexts = page.getByRole("list", { name: "Contexts" });
  expect(await contexts.locator("> li").allInnerTexts()).toEqual([
    expect.stringMatching(/^d1\s+We sell bicycles\.$/),
    expect.stringMatching(/^d2\s+We open at nine\.$/),
  ]);
  await page.getByRole("button", { name: "Data" }).click();
  expect(await contexts.count()).toBe(0);
  expect(await page.locator(".panes pre").nth(1).textContent()).toContain("We open at nine.");
});

it("a comparison has the contexts, comments and verdicts behind the earlier scores that differ", async () => {
  const run = (context: string[], verdicts: (0 | 1)[], score: number) =>
    experimentOf([
      {
        id: "row",
        scores: { context_precision: score, same: 1 },
        comments: { context_precision: `${score * 2} of 2`, same: "No change." },
        told: {
          context_precision: {
            contexts: verdicts.map((verdict, rank) => ({ verdict, reason: `r${rank}${verdict}` })),
          },
        },
        metadata: { topic: "hours", context },
      },
    ]);
  const panes = () => page.locator(".panes section").allInnerTexts();
  const earlier = page.locator(".results details", { hasText: "before" });
  await open(run(["Nine.", "Six."], [1, 1], 1), { compareWith: run(["Nine.", "Parking."], [1, 0], 0.5) });
  await opened("row").click();
  expect((await panes()).map((pane) => pane.split(/\s*\n\s*/))).toEqual([
    ["Inputs", "question row"],
    ["Contexts before", "Nine.", "Parking."],
    ["Contexts after", "Nine.", "Six."],
    ["Outputs before", "yes"],
    ["Outputs after", "yes"],
  ]);
  expect(await earlier.locator("summary").first().textContent()).toBe("Why it was 0.500 before");
  expect(await earlier.count()).toBe(1);
  await earlier.locator("summary").first().click();
  expect((await earlier.innerText()).split(/\s*\n\s*/)).toEqual([
    ...["Why it was 0.500 before", "1 of 2", "Contexts"],
    ...["Context 1", "Useful", "r01", "Nine."],
    ...["Context 2", "Not useful", "r10", "Parking.", "Metadata"],
  ]);
  await expectAccessible();
  // The same contexts are shown once, also below the earlier verdicts.
  await open(run(["Nine.", "Six."], [1, 1], 1), { compareWith: run(["Nine.", "Six."], [1, 0], 0.5) });
  await opened("row").click();
  expect((await panes())[1]).toMatch(/^Contexts\n/);
  await earlier.locator("summary").first().click();
  expect(await earlier.innerText()).toMatch(/Context 2\s+Not useful\s+r10\s+Six\./);
});

describe("are marked in the text", () => {
  const claim = (start: number, end: number, verdict: 0 | 1, claim = "c") => ({
    claim,
    verdict,
    reason: "r",
    contexts: [],
    start,
    end,
  });
  /** The marks of each pane: their kind, their element, and their claims. */
  const marks = () =>
    page.evaluate(`Array.from(document.querySelectorAll(".panes section"), (pane) =>
      [pane.querySelector("h3").textContent, ...Array.from(pane.querySelectorAll("mark"), (mark) =>
        [mark.className, mark.firstChild.textContent, mark.title].join("|"))])`);
  const show = async (row: Partial<Parameters<typeof experimentOf>[0][number]>) => {
    await open(experimentOf([{ id: "row", ...row }]));
    await opened("row").click();
    return marks();
  };

  it("of the answer and of the reference, for each metric", async () => {
    const reference = "Nine. Free \u{1f697} parking.";
    const row = {
      outputs,
      reference,
      scores: { faithfulness: 0.5, factual_correctness: 0.5, claim_verification: 50, exact_match: false },
      told: {
        // Two claims of one sentence: it is marked by the worse.
        faithfulness: { claims: [claim(0, 17, 1, "a"), claim(18, 41, 1, "b"), claim(18, 41, 0, "<i>")] },
        factual_correctness: { claims: [claim(0, 17, 1)], referenceClaims: [claim(6, 22, 0)] },
        claim_verification: {
          claims: [
            { claim: "v", verifiedProbability: 9, openDomainProbability: 80, startIndex: 0, endIndex: 17 },
          ],
        },
      },
    };
    expect(await show(row)).toEqual([
      ["Inputs"],
      ["Outputs", "supported|It opens at nine.|a", "unsupported|<b>Parking</b> is free.|b\n<i>"],
      ["Reference outputs"],
    ]);
    await expectAccessible();
    const choices = page.getByRole("group", { name: "What is shown" }).getByRole("button");
    expect(await choices.allTextContents()).toEqual([
      "Claims of faithfulness",
      "Claims of factual_correctness",
      "Claims of claim_verification",
      "Data",
    ]);
    await choices.nth(1).click();
    expect(await marks()).toEqual([
      ["Inputs"],
      ["Outputs", "supported|It opens at nine.|c"],
      ["Reference outputs", "unsupported|Free \u{1f697} parking.|c"],
    ]);
    await choices.nth(2).click();
    expect(((await marks()) as string[][])[1]).toEqual(["Outputs", "open|It opens at nine.|v"]);
    await page.setViewportSize({ width: 390, height: 800 });
    await expectAccessible();
    await choices.nth(3).click();
    expect(await page.locator(".panes pre").nth(1).textContent()).toBe(outputs);
  });

  it("of messages, of turns, and of the only text among fields", async () => {
    const told = { m: { claims: [claim(0, 5, 0)] } };
    const messages = [
      { role: "user", content: "Hi" },
      { role: "assistant", content: "Let me see." },
      { role: "assistant", content: "Nine. Bye." },
      { role: "user", content: "And then?" },
      { role: "assistant", content: [{ type: "text", text: "Gone. Bye." }] },
    ];
    expect(((await show({ outputs: messages, scores: { m: 0 }, told })) as string[][])[1]).toEqual([
      "Outputs",
      "unsupported|Gone.|c",
    ]);
    const turns = [{ metadata: { claims: [claim(6, 10, 1)] } }, { metadata: told.m }];
    const ofTurns = await show({ outputs: messages, scores: { m: 0.5 }, told: { m: { turns } } });
    expect((ofTurns as string[][])[1]).toEqual(["Outputs", "supported|Bye.|c", "unsupported|Gone.|c"]);
    const fields = { answer: "Nine. Bye.", documents: ["d"] };
    expect(((await show({ outputs: fields, scores: { m: 0 }, told })) as string[][]).slice(1)).toEqual([
      ["Contexts"],
      ["Outputs", "unsupported|Nine.|c"],
    ]);
  });

  it("not without their places, or with places outside of the text", async () => {
    const claims = [{ claim: "c", verdict: 0 }, claim(5, 400, 0), claim(-1, 4, 0), claim(3, 3, 0)];
    expect(await show({ outputs, scores: { m: 0 }, told: { m: { claims } } })).toEqual([
      ["Inputs"],
      ["Outputs"],
    ]);
    expect(await page.getByRole("group", { name: "What is shown" }).count()).toBe(0);
  });
});
