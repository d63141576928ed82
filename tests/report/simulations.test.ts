/** The table of users and tasks. */
import { runSimulations } from "openevals-wasm/harness";
import { expect, it } from "vitest";
import { experimentOf } from "./experiments.js";
import { expectAccessible, open, opened, page, usePages } from "./page.js";

usePages();

const person = (name: string) => ({ name, persona: "You write short messages." });
const task = (name: string) => ({ name, goal: `You want: ${name}.` });

const cells = () =>
  page
    .locator("#simulations ~ .scroll tr")
    .evaluateAll((lines) => lines.map((line) => Array.from(line.children, ({ textContent }) => textContent)));

it("has the conversations of each user about each task that pass, and leads to one that does not", async () => {
  const runs = new Map<string, number>();
  const experiment = await runSimulations({
    // The second user fails in the second of three conversations about a refund; there is no verdict on thanks.
    app: ({ user, task: { name } }) => {
      const run = (runs.get(user.name + name) ?? 0) + 1;
      runs.set(user.name + name, run);
      return {
        role: "assistant",
        content: user.name === "rude" && name === "refund" && run === 2 ? "No." : "Done.",
      };
    },
    users: [person("curt"), person("rude")],
    tasks: [task("refund"), task("thanks")],
    client: async () => "Please.",
    n: 3,
    maxTurns: 1,
    maxConcurrency: 1,
    metadata: { version: "7" },
    evaluators: [
      ({ inputs, outputs }: any) =>
        inputs.task.name === "refund"
          ? { key: "done", score: outputs.messages.at(-1).content === "Done." }
          : [],
    ],
    progress: false,
  });
  expect(experiment.metadata).toMatchObject({ version: "7" });
  await open(experiment);
  const header = await page.locator("header").innerText();
  expect(header).toContain("version");
  // The table has the names.
  expect(header).not.toContain("curt");
  expect(await cells()).toEqual([
    ["", "refund", "thanks"],
    ["curt", "3 of 3", "–"],
    ["rude", "2 of 3", "–"],
  ]);
  await expectAccessible();
  await page.getByRole("link", { name: "2 of 3" }).click();
  await expect.poll(() => opened("rude/refund #2").getAttribute("aria-expanded")).toBe("true");
});

it.each([
  ["fits a phone if it is small", ["refund"], false],
  ["scrolls on a phone if it is large", ["refund", "cancel", "complaint", "address"], true],
])("%s, with all of its legend", async (_, tasks, scrolls) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const names = tasks.map((task) => `${task} of an order`);
  const rows = names.map((task) => ({ id: `curt/${task}`, scores: { ok: true } }));
  await open({ ...experimentOf(rows), metadata: { simulations: { users: ["curt"], tasks: names } } });
  const box = page.locator("#simulations ~ .scroll");
  expect(await box.evaluate((one) => one.scrollWidth > one.clientWidth)).toBe(scrolls);
  const legend = await page.getByText("Rows: users. Columns: tasks.").boundingBox();
  expect(legend!.x).toBeGreaterThanOrEqual(0);
  expect(legend!.x + legend!.width).toBeLessThanOrEqual(360);
});

it("has rows whose names can be told apart on a phone", async () => {
  await page.setViewportSize({ width: 360, height: 740 });
  const user = "a polite and verbose user";
  const names = ["refund", "cancel subscription"].flatMap((name) => [
    `${user}/${name}`,
    `${user}/${name} #2`,
  ]);
  const id = `${"long ".repeat(40)}end`;
  await open(
    experimentOf([
      ...["refund", "cancel subscription"].flatMap((name) =>
        [0, 1].map((repetition) => ({ id: `${user}/${name}`, repetition, scores: { ok: true } })),
      ),
      { id, repetition: 1, scores: { ok: true } },
    ]),
  );
  const buttons = page.locator(".rows .open");
  const shown = await buttons.allInnerTexts();
  expect(shown.slice(0, 4)).toEqual(names);
  expect(shown[4]).toMatch(/^long .*….* end #2$/);
  const cut = await buttons.evaluateAll(
    (all) => all.filter((one) => one.scrollWidth > one.clientWidth).length,
  );
  expect(cut).toBe(0);
});

it("has the turns of a conversation that fails below its error", async () => {
  let turn = 0;
  const experiment = await runSimulations({
    app: () => {
      if (++turn === 2) throw new Error("Out of service");
      return { role: "assistant", content: "What is the order?" };
    },
    users: [person("curt")],
    tasks: [task("refund")],
    client: async () => "Please.",
    maxTurns: 3,
    evaluators: [() => ({ key: "done", score: true })],
    progress: false,
  });
  await open(experiment);
  await opened("curt/refund").click();
  const pane = page.locator(".panes section", { has: page.getByRole("heading", { name: "Outputs" }) });
  expect((await pane.innerText()).split(/\s*\n\s*/)).toEqual([
    "Outputs",
    "OpenEvalsError (callback_failed): Turn 2, app failed: Out of service",
    "Caused by",
    "Error: Out of service",
    ...["user", "Please.", "assistant", "What is the order?", "user", "Please."],
  ]);
  await expectAccessible();
});

it("is not there for other experiments, and for names that cannot be", async () => {
  for (const simulations of [undefined, { users: [], tasks: ["a"] }, { users: [1], tasks: ["a"] }, "curt"]) {
    await open({ ...experimentOf([{ id: "a/a", scores: { ok: true } }]), metadata: { simulations } });
    expect(await page.locator("#simulations").count()).toBe(0);
  }
});
