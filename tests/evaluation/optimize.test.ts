/** optimize(): a better prompt for an application, tested on held-out rows. */

import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readExperiment } from "openevals-wasm/evaluation";
import { type OptimizeOptions, optimize, type PromptTry } from "openevals-wasm/optimization";
import { afterAll, describe, expect, it, vi } from "vitest";

const PROMPT = "Answer {question}.";
const SHORT = "Answer {question}. Be short.";
const BOTH = "Answer {question}. Be short. Use metres.";

type Inputs = { kind: "easy" | "short" | "metres"; row: number };
/** A third of the rows is easy, a third needs "short" in the prompt, and a third "metres". */
const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, row) => ({
    id: `${row}`,
    inputs: { kind: (["easy", "short", "metres"] as const)[row % 3]!, row },
    outputs: "right",
  }));
const knows = (prompt: string, { kind }: Inputs) => kind === "easy" || prompt.includes(kind);
const application = (prompt: string) => (inputs: Inputs) =>
  knows(prompt, inputs) ? "right" : `wrong ${inputs.kind}`;
const isRight = ({ outputs }: { outputs: unknown }) => ({
  key: "right",
  score: outputs === "right",
  comment: outputs === "right" ? "as expected" : "something is missing",
});

/** Proposes these prompts in turn, and records the questions. */
function proposing(...prompts: (string | Error)[]) {
  const questions: string[] = [];
  const model = ({ messages }: { messages: { content: string }[] }) => {
    questions.push(messages.map(({ content }) => content).join("\n"));
    const prompt = prompts[Math.min(questions.length, prompts.length) - 1]!;
    if (prompt instanceof Error) throw prompt;
    return { reasoning: "They lack it.", prompt };
  };
  return { model, questions };
}

const search = (options: Partial<OptimizeOptions> & Pick<OptimizeOptions, "model">) =>
  optimize({
    target: application,
    prompt: PROMPT,
    data: rowsOf(60),
    evaluators: [isRight],
    seed: 3,
    ...options,
  });

describe("a missing instruction", () => {
  it("is found in rows whose fields have other names", async () => {
    const data = rowsOf(60).map(({ id, inputs, outputs }) => ({ id, question: inputs, answer: outputs }));
    const map = { inputs: "question", outputs: "answer" };
    const found = await search({ model: proposing(SHORT, BOTH).model, data: data as never, map });
    expect(found).toMatchObject({ prompt: BOTH, kept: true });
  });

  it("is found, and confirmed on held-out rows", async () => {
    const { model, questions } = proposing(SHORT, BOTH);
    const tries: PromptTry[] = [];
    const found = await search({ model, onTry: (tried) => tries.push(tried) });
    expect(found).toMatchObject({ prompt: BOTH, kept: true, ended: "nothing-to-improve" });
    expect(found.tries).toMatchObject([
      { round: 1, from: 0, prompt: SHORT, outcome: "candidate", reasoning: "They lack it." },
      { round: 2, prompt: BOTH, outcome: "candidate", training: 1 },
    ]);
    expect(tries).toEqual(found.tries);
    const of = (ids: string[], kinds: string[]) =>
      ids.filter((id) => kinds.includes(rowsOf(60)[Number(id)]!.inputs.kind));
    const { trainingIds, heldOutIds, test } = found;
    expect([...trainingIds, ...heldOutIds].sort()).toEqual(
      rowsOf(60)
        .map(({ id }) => id)
        .sort(),
    );
    expect(found.training).toBeCloseTo(of(trainingIds, ["easy"]).length / 30, 12);
    const hard = of(heldOutIds, ["short", "metres"]).length;
    expect(test).toMatchObject({
      prompt: BOTH,
      round: 2,
      difference: { better: hard, worse: 0, failed: 0, count: 30, test: "mcnemar_exact" },
      keys: { right: { count: 30, means: { second: 1 } } },
    });
    // McNemar's exact test, two-sided: all of the rows that differ got better.
    expect(test!.difference.pValue).toBeCloseTo(2 * 0.5 ** hard, 12);
    expect(test!.difference.difference).toBeCloseTo(hard / 30, 12);
    expect(found.comment).toContain(`better on ${hard} and worse on 0 of 30`);
    // The model saw training rows only, with answers, references and comments.
    for (const question of questions)
      for (const [, row] of question.matchAll(/"row": (\d+)/g)) expect(trainingIds).toContain(row);
    expect(questions[0]).toMatch(/"outputs": "wrong (short|metres)",\n *"expected": "right"/);
    expect(questions[0]).toContain("something is missing");
    expect(questions[0]).toContain("no others: {question}.");
    expect(found.used).toMatchObject({ proposals: null, judges: null });
    expect(JSON.parse(JSON.stringify(found))).toEqual(found);
  });

  it("is found by scores of several keys, in either direction", async () => {
    const edits = Object.assign(
      ({ outputs }: { outputs: unknown }) => ({ key: "edits", score: outputs === "right" ? 0 : 8 }),
      { scale: { min: 0, max: 10, direction: "lower" as const } },
    );
    const found = await search({ model: proposing(BOTH).model, evaluators: [isRight, edits] });
    const hard = found.test!.difference.better;
    expect(found.kept).toBe(true);
    // A wrong row has the scores 0 and 0.2, a right one 1 and 1.
    expect(found.test!.difference.difference).toBeCloseTo((0.9 * hard) / 30, 12);
    expect(found.test!.difference.test).toBe("paired_permutation");
    expect(found.test!.keys["edits"]!.difference).toBeCloseTo((-8 * hard) / 30, 12);
  });

  it("is looked for in all prompts that are best on some rows", async () => {
    const useless = Array.from({ length: 10 }, (_, round) => `Answer {question}. Hm ${round}.`);
    const { model } = proposing(SHORT, "Answer {question}. Use metres.", ...useless);
    const { tries } = await search({ model, rounds: 12 });
    // The given prompt is best nowhere once the first proposal is as good everywhere.
    expect(tries.slice(0, 2)).toMatchObject([
      { from: 0, outcome: "candidate" },
      { from: 1, outcome: "candidate" },
    ]);
    const later = tries.slice(2);
    expect([...new Set(later.map(({ from }) => from))].sort()).toEqual([1, 2]);
    expect([...new Set(later.map(({ outcome }) => outcome))]).toEqual(["not-better"]);
  });
});

describe("the given prompt stays", () => {
  it("if the model always fails, and the comment says so", async () => {
    const found = await search({ model: proposing(new Error("the key is invalid")).model, rounds: 3 });
    expect(found).toMatchObject({ prompt: PROMPT, kept: false, test: null });
    expect(found.comment).toMatch(
      /^3 proposals failed or could not be used, and none was scored\. The last one: The model failed: .*the key is invalid/,
    );
  });

  it("if no proposal is better, and the held-out rows are not run", async () => {
    const runs: number[] = [];
    const target = (prompt: string) => (inputs: Inputs) => {
      runs.push(inputs.row);
      return application(prompt)(inputs);
    };
    const found = await search({
      model: proposing("Say {question}.", "Tell {question}.").model,
      target,
      rounds: 3,
    });
    expect(found).toMatchObject({ prompt: PROMPT, kept: false, test: null, ended: "rounds" });
    expect(found.comment).toBe("No proposal was better on the training rows.");
    expect(found.tries.map(({ outcome }) => outcome)).toEqual(["not-better", "not-better", "refused"]);
    expect(found.used.calls).toBe(runs.length);
    for (const row of runs) expect(found.trainingIds).toContain(String(row));
  });

  it("if the best proposal may be better by chance", async () => {
    // Right on training rows only: on the held-out rows, nothing changes.
    const { trainingIds } = await search({ model: proposing(SHORT).model, rounds: 1 });
    const target = (prompt: string) => (inputs: Inputs) =>
      prompt === SHORT && trainingIds.includes(`${inputs.row}`) ? "right" : application(PROMPT)(inputs);
    const found = await search({ model: proposing(SHORT).model, target, rounds: 1 });
    expect(found).toMatchObject({
      prompt: PROMPT,
      kept: false,
      tries: [{ outcome: "candidate", training: 1 }],
      test: { difference: { better: 0, worse: 0, count: 30, pValue: 1 } },
    });
    expect(found.comment).toMatch(/p = 1\.0\). This may be chance/);
  });

  it("if a key only stops to apply", async () => {
    const found = await search({
      target: (prompt) => () => (prompt.includes("No sources") ? "An answer." : "An answer [1]."),
      model: () => ({ reasoning: "They are wrong.", prompt: `${PROMPT} No sources.` }),
      evaluators: [
        () => ({ key: "fluent", score: true }),
        ({ outputs }) => ({ key: "sources", score: outputs.includes("[") ? false : null }),
      ],
      rounds: 1,
    });
    expect(found).toMatchObject({ prompt: PROMPT, kept: false });
  });

  it.each([
    { of: "a key of half of the rows", isLost: ({ row }: Inputs) => row % 2 === 0 },
    { of: "the rows that were good", isLost: ({ kind }: Inputs) => kind === "easy" },
  ])("if the new prompt loses the scores of $of", async ({ isLost }) => {
    const { model, questions } = proposing(BOTH, PROMPT);
    const found = await search({
      target: (prompt) => (inputs: Inputs) => ({ prompt, answer: application(prompt)(inputs) }),
      model,
      evaluators: [
        ({ outputs, inputs }) => ({
          key: "right",
          score: outputs.prompt === BOTH && isLost(inputs) ? null : outputs.answer === "right",
        }),
        () => ({ key: "brief", score: true }),
      ],
      rounds: 2,
    });
    expect(found).toMatchObject({ prompt: PROMPT, kept: false });
    const comments = [found.comment, ...found.tries.map(({ comment }) => comment)].join("\n");
    expect(comments).toMatch(
      /worse on [1-9]\d* of \d+ \(on [1-9]\d* of these, it failed or a score is missing\)/,
    );
    // Such rows are not the best possible.
    expect(found.ended).toBe("rounds");
    expect(questions).toHaveLength(2);
  });

  it("if a key becomes significantly worse", async () => {
    const polite = ({ outputs, inputs }: { outputs: unknown; inputs: Inputs }) => ({
      key: "polite",
      score: outputs !== "right" || inputs.kind === "easy" ? 1 : 0.4,
    });
    const found = await search({ model: proposing(BOTH).model, evaluators: [isRight, polite], rounds: 1 });
    expect(found).toMatchObject({ kept: false, prompt: PROMPT, test: { difference: { worse: 0 } } });
    expect(found.test!.difference.pValue).toBeLessThan(0.001);
    expect(found.comment).toContain("But polite is significantly worse");
  });

  it("if there is nothing to improve", async () => {
    const { model, questions } = proposing(BOTH);
    const found = await search({ model, prompt: BOTH });
    expect(found).toMatchObject({ kept: false, ended: "nothing-to-improve", tries: [], training: 1 });
    expect(found.comment).toMatch(/nothing to improve/);
    expect(questions).toEqual([]);
  });

  it("if all proposals fail or are refused, with the reasons", async () => {
    const { model } = proposing(
      new Error("overloaded"),
      "Answer.",
      "Answer {question} in {language}.",
      PROMPT,
    );
    const found = await search({ model, rounds: 4 });
    expect(found.tries).toMatchObject([
      { outcome: "failed", prompt: null, comment: expect.stringContaining("overloaded") },
      { outcome: "refused", comment: "It has lost {question}." },
      { outcome: "refused", comment: expect.stringContaining("unknown variables {language}") },
      { outcome: "refused", comment: expect.stringContaining("is the same") },
    ]);
  });

  it("if a proposal quotes held-out rows", async () => {
    const data = rowsOf(60).map(({ inputs, ...row }) => ({
      ...row,
      inputs: { ...inputs, text: `The house ${inputs.row} is blue` },
    }));
    const { heldOutIds, trainingIds } = await search({ model: proposing(SHORT).model, data, rounds: 1 });
    const quoting = (ids: string[]) => `${BOTH} ${ids.map((id) => `The house ${id} is blue.`).join(" ")}`;
    const { model } = proposing(quoting(heldOutIds.slice(0, 3)), quoting(trainingIds.slice(0, 3)));
    const { tries } = await search({ model, data, rounds: 2 });
    expect(tries).toMatchObject([
      { outcome: "refused", comment: expect.stringContaining("quotes held-out rows") },
      { outcome: "candidate" },
    ]);
  });

  it("if a proposal quotes parts of sentences of held-out rows", async () => {
    const data = rowsOf(60).map(({ inputs, ...row }) => ({
      ...row,
      inputs: {
        ...inputs,
        text: `In this street, house ${inputs.row} is blue and has a door, see map ${inputs.row}`,
      },
    }));
    const { heldOutIds, trainingIds } = await search({ model: proposing(SHORT).model, data, rounds: 1 });
    const quoting = (ids: string[], part: (id: string) => string) =>
      `${SHORT} ${ids.slice(0, 3).map(part).join("; ")}`;
    const part = (id: string) => `- **this street**: House ${id} is blue`;
    const common = (id: string) => `is blue and has a door: ${id}`;
    const { model } = proposing(
      quoting(heldOutIds, part),
      quoting(trainingIds, part),
      quoting(heldOutIds, common),
      quoting(heldOutIds.slice(0, 2), part),
    );
    const { tries } = await search({ model, data, rounds: 4 });
    expect(tries.map(({ outcome }) => outcome === "refused")).toEqual([true, false, false, false]);
    expect(tries[0]!.comment).toContain("quotes held-out rows");
  });
});

describe("failures", () => {
  it("of a proposal count as 0, and those of the given prompt are left out", async () => {
    const target = (prompt: string) => (inputs: Inputs) => {
      if (inputs.row % 5 === 0 && prompt === PROMPT) throw new Error("too long");
      if (inputs.kind === "easy" && prompt === BOTH) throw new Error("confused");
      return application(prompt)(inputs);
    };
    const found = await search({ model: proposing(BOTH).model, target, rounds: 1 });
    const kept = found.heldOutIds.filter((id) => Number(id) % 5 !== 0);
    const easy = kept.filter((id) => Number(id) % 3 === 0).length;
    expect(found.test!.difference).toMatchObject({ count: kept.length, worse: easy, failed: easy });
  });

  it("on all rows with the given prompt are an error with the reason", async () => {
    const target = () => () => {
      throw new Error("no key.");
    };
    await expect(search({ model: proposing(BOTH).model, target })).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringMatching(/no training row has a score: .*no key\.$/),
    });
  });

  it("of the caller's functions are errors that name them", async () => {
    const { model } = proposing(BOTH);
    const thrown = () => {
      throw new Error("no application");
    };
    const failed = (name: string) => ({ code: "callback_failed", message: expect.stringContaining(name) });
    await expect(search({ model, target: thrown })).rejects.toMatchObject(failed("target"));
    await expect(search({ model, onTry: thrown })).rejects.toMatchObject(failed("onTry"));
    const rejected = async () => thrown();
    await expect(search({ model, onTry: rejected })).rejects.toMatchObject(failed("onTry"));
  });

  it("of a model without a key are found before the application runs", async () => {
    vi.stubEnv("OPENAI_API_KEY", undefined);
    const runs: unknown[] = [];
    const target = () => (inputs: Inputs) => runs.push(inputs);
    await expect(search({ model: "openai:gpt-5.4", target })).rejects.toMatchObject({
      code: "invalid_config",
      message: expect.stringMatching(/^model: openai:gpt-5\.4 needs a key/),
    });
    expect(runs).toEqual([]);
    vi.unstubAllEnvs();
  });

  it("of a target without an application is an error, although the rows have outputs", async () => {
    const { model, questions } = proposing(BOTH);
    const forgotten = (() => {}) as never;
    await expect(search({ model, target: forgotten })).rejects.toMatchObject({
      code: "invalid_config",
      message: expect.stringMatching(/^target returned undefined; it has to return the application/),
    });
    expect(questions).toEqual([]);
    for (const other of [undefined, "text", null]) {
      const target = (prompt: string) => (prompt === PROMPT ? application(prompt) : other) as never;
      const { tries } = await search({ model, target, rounds: 1 });
      const comment = expect.stringContaining(`target returned ${JSON.stringify(other)}; it has to`);
      expect(tries).toMatchObject([{ outcome: "failed", comment }]);
    }
  });

  it("of an application in place of the function that makes it says what to pass", async () => {
    const { model, questions } = proposing(BOTH);
    const target = (({ question }: { question: string }) => question.toUpperCase()) as never;
    await expect(search({ model, target })).rejects.toMatchObject({
      code: "callback_failed",
      message: expect.stringMatching(/^target\(prompt\), which has to return the application, failed: /),
    });
    expect(questions).toEqual([]);
  });

  it.each([4, -1])("of scores without a range are an error that says what to declare: %d", async (score) => {
    const stars = () => ({ key: "stars", score });
    await expect(search({ model: proposing(BOTH).model, evaluators: [stars] })).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringMatching(`stars scored ${score}, .*outside its range, 0 to 1.*scale = `),
    });
  });

  it("an abort signal ends the search", async () => {
    const controller = new AbortController();
    const model = () => {
      controller.abort();
      return new Promise<object>(() => {});
    };
    expect(await search({ model, signal: controller.signal })).toMatchObject({
      ended: "aborted",
      kept: false,
      prompt: PROMPT,
      comment: expect.stringContaining("stopped by its signal"),
      tries: [],
      used: { calls: 30 },
    });
    const fired = AbortSignal.abort();
    await expect(search({ model, signal: fired })).rejects.toMatchObject({ code: "aborted" });
  });

  it("an abort signal during the comparison on held-out rows keeps the proposals", async () => {
    const controller = new AbortController();
    let calls = 0;
    // The given prompt and the proposal take 30 calls each on the training rows.
    const target = (prompt: string) => (inputs: Inputs) => {
      if (++calls === 70) controller.abort(new Error("enough"));
      return application(prompt)(inputs);
    };
    const { model } = proposing(BOTH);
    expect(await search({ model, target, signal: controller.signal })).toMatchObject({
      ended: "aborted",
      kept: false,
      test: null,
      comment: expect.stringContaining("enough"),
      tries: [{ prompt: BOTH, outcome: "candidate", training: 1 }],
    });
  });

  it("rows with the same content, in another order of keys, stay together", async () => {
    const data = rowsOf(120).map(({ outputs, inputs: { kind, row } }) => ({
      id: `${row}`,
      inputs: row < 60 ? { kind, row } : { row: row - 60, kind },
      outputs,
    }));
    const { heldOutIds, test } = await search({ model: proposing(BOTH).model, data, rounds: 1 });
    expect(heldOutIds).toHaveLength(60);
    for (const id of heldOutIds.map(Number)) expect(heldOutIds).toContain(String((id + 60) % 120));
    expect(test!.difference.count).toBe(30);
  });

  it("rows of a cluster stay together and count once", async () => {
    const data = rowsOf(240).map((row, index) => ({ ...row, metadata: { thread: Math.floor(index / 6) } }));
    const { model } = proposing(BOTH);
    const grouped = await search({ model, data, rounds: 1, clusterBy: "thread" });
    expect(grouped.heldOutIds).toHaveLength(120);
    const threads = new Set(grouped.heldOutIds.map((id) => Math.floor(Number(id) / 6)));
    expect(threads.size).toBe(20);
    expect(grouped.test!.difference).toMatchObject({ count: 20, better: 20 });
    await expect(search({ model, data: data.slice(0, 60), clusterBy: "thread" })).rejects.toThrow(
      /optimize needs at least 12 clusters of rows, but there are 10/,
    );
    await expect(search({ model, data, clusterBy: "tread" })).rejects.toThrow(
      /"tread" in its metadata or inputs/,
    );
  });

  it("too few rows and invalid options are errors", async () => {
    const { model } = proposing(BOTH);
    await expect(search({ model, data: rowsOf(9) })).rejects.toThrow(
      /optimize needs at least 12 different rows, but there are 9/,
    );
    const twice = [...rowsOf(30), ...rowsOf(30)];
    await expect(search({ model, data: twice })).rejects.toThrow(/Two rows have the id "0"/);
    const refused = (options: object) => expect(search({ model, ...options } as never)).rejects;
    await refused({ target: undefined }).toMatchObject({
      message: expect.stringMatching(/^target is missing; it has to be a function/),
    });
    await refused({ data: undefined }).toMatchObject({
      message: "data is missing; it has to be a list of rows, an iterable or the path of a file.",
    });
    await refused({ evaluators: undefined }).toMatchObject({
      message: "evaluators is missing; it has to be a list of evaluators.",
    });
    await refused({ model: undefined }).toMatchObject({
      message: expect.stringMatching(/^model is missing; it has to be a model that proposes prompts/),
    });
    await refused({ model: 7 }).toMatchObject({ code: "invalid_config" });
    await refused({ rounds: 0 }).toMatchObject({ code: "invalid_config" });
    await refused({ budget: { maxCost: 1 } }).toMatchObject({
      message: expect.stringMatching(/needs budget.prices/),
    });
    await refused({ budget: { maxCals: 1 } }).toMatchObject({ message: expect.stringMatching(/maxCalls/) });
    await refused({ budget: { maxCalls: 89 } }).toMatchObject({
      message: expect.stringMatching(/needs at least 90/),
    });
  });
});

describe("a budget", () => {
  it("of calls ends the search in time for the comparison", async () => {
    // 30 for the given prompt, up to 30 for one proposal, and 60 for the comparison.
    const { model, questions } = proposing(SHORT, BOTH);
    const found = await search({ model, budget: { maxCalls: 120 } });
    expect(found).toMatchObject({
      kept: true,
      prompt: SHORT,
      ended: "budget",
      used: { calls: 120, limit: "maxCalls" },
    });
    expect(questions).toHaveLength(1);
    const none = await search({ model, budget: { maxCalls: 100 } });
    expect(none).toMatchObject({
      kept: false,
      tries: [],
      ended: "budget",
      used: { calls: 30, limit: "maxCalls" },
    });
    expect(none.comment).toContain("before the first proposal");
  });

  it("of money and tokens counts judges and proposals", async () => {
    const prices = { small: { input: 1_000_000, output: 1_000_000 } };
    const usage = { inputTokens: 1, outputTokens: 0 };
    const priced = (params: { outputs: unknown }) => ({
      ...isRight(params),
      metadata: { usage, model: "small" },
    });
    const free = await search({ model: proposing(BOTH).model, evaluators: [priced], budget: { prices } });
    // One token for each call.
    expect(free.used).toMatchObject({ calls: 120, cost: 120, judges: { inputTokens: 120 } });
    const { model } = proposing(SHORT, BOTH);
    const found = await search({ model, evaluators: [priced], budget: { prices, maxCost: 125 } });
    expect(found).toMatchObject({
      kept: true,
      prompt: SHORT,
      ended: "budget",
      used: { cost: 120, limit: "maxCost" },
    });
    await expect(search({ model, evaluators: [priced], budget: { maxTokens: 20 } })).rejects.toMatchObject({
      code: "budget_exceeded",
      message: expect.stringMatching(/maxTokens/),
    });
  });

  it("of tokens says how many answers it cannot count", async () => {
    const { model } = proposing(SHORT);
    const found = await search({ model, rounds: 2, budget: { maxTokens: 1_000_000 } });
    expect(found.used.withoutUsage).toBe(2);
    expect(found.comment).toMatch(
      / Without token counts, and not counted in the budget: 2 answers of models\.$/,
    );
    const other = await search({ model, rounds: 2, budget: { maxCalls: 1_000 } });
    expect(other.used).not.toHaveProperty("withoutUsage");
    expect(other.comment).not.toContain("token counts");
  });

  it("of time ends the wait for a model or an application that never returns", async () => {
    const forever = () => new Promise<never>(() => {});
    const budget = { maxDurationMs: 2_000 };
    const found = await search({ model: forever, budget });
    expect(found).toMatchObject({
      kept: false,
      ended: "budget",
      tries: [],
      used: { calls: 30, limit: "maxDurationMs" },
    });
    const { model } = proposing(BOTH);
    await expect(search({ model, target: () => forever, budget })).rejects.toMatchObject({
      code: "budget_exceeded",
      message: expect.stringMatching(/^budget\.maxDurationMs is used up before/),
    });
  });
});

describe("a folder", () => {
  const folder = mkdtempSync(join(tmpdir(), "optimize-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("continues a search that was stopped, without calling anything twice", async () => {
    const calls: string[] = [];
    const controller = new AbortController();
    const target = (prompt: string) => (inputs: Inputs) => {
      calls.push(`${prompt} ${inputs.row}`);
      if (calls.length === 70) controller.abort();
      return application(prompt)(inputs);
    };
    const { model, questions } = proposing(SHORT, BOTH);
    const options = { model, target, folder, budget: { maxCalls: 1_000 } };
    expect(await search({ ...options, signal: controller.signal })).toMatchObject({ ended: "aborted" });
    expect(questions).toHaveLength(2);
    const found = await search(options);
    expect(questions).toHaveLength(2);
    // Only the row that was interrupted is run again.
    expect(calls.length - new Set(calls).size).toBe(1);
    expect(found.used.calls).toBe(new Set(calls).size);
    expect(found).toMatchObject({ kept: true, prompt: BOTH });
    const again = await search(options);
    expect(again).toEqual(found);
    expect(calls.length - new Set(calls).size).toBe(1);
    const files = readdirSync(folder);
    const [file] = files.filter((name) => name.startsWith("training-0"));
    expect((await readExperiment(join(folder, file!))).aggregates["right"]!.count).toBe(30);
  });

  it.each([
    "shown-1",
    "training-1",
    "held-out-1",
  ])("with a problem is an error, not a failure of a proposal: %s", async (name) => {
    const own = join(folder, `damaged ${name}`);
    await search({ model: proposing(BOTH).model, folder: own, cacheKey: "model" });
    const file = join(own, readdirSync(own).find((each) => each.startsWith(name))!);
    rmSync(file);
    mkdirSync(file);
    await expect(
      search({ model: proposing(BOTH).model, folder: own, cacheKey: "model" }),
    ).rejects.toMatchObject({
      code: "invalid_config",
      message: expect.stringMatching(`sink .*${name}.* is a folder`),
    });
  });
});
