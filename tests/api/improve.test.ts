/** improve(): a better prompt for a judge, measured on held-out rows. */

import { createLLMAsJudge, initChatModel, TOXICITY_PROMPT } from "openevals-wasm";
import { type ImproveOptions, improve } from "openevals-wasm/judges";
import { describe, expect, it, vi } from "vitest";
import { errorOf } from "./error-of.ts";

/** Numbers from 0 to 1, derived from a text. */
function draw(text: string): number {
  let bits = 2_166_136_261;
  for (const letter of text) bits = Math.imul(bits ^ letter.charCodeAt(0), 16_777_619);
  bits = Math.imul(bits ^ (bits >>> 15), 2_246_822_519);
  bits = Math.imul(bits ^ (bits >>> 13), 3_266_489_917);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
}

const ANSWERS = ["Thanks, that is", "That is", "No, it is not", "Please take"];
/** The labels call everything polite that contains "thanks" or "please". */
const isPolite = (answer: string) => /thanks|please/i.test(answer);
const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, row) => {
    const outputs = `${ANSWERS[row % 4]} number ${row}`;
    return { outputs, human: isPolite(outputs) };
  });

const PROMPT = "Is {outputs} polite?";
const RULE = "Is {outputs} polite? Asking with please is polite, too.";
/** The judge knows "thanks", and the words in its prompt. */
const judge =
  (prompt: string) =>
  ({ outputs }: { outputs: string }) => ({
    key: "polite",
    score: /thanks/i.test(outputs) || (/with please/.test(prompt) && /please/i.test(outputs)),
  });

type Request = { messages: { content: string }[] };
/** Proposes these prompts in turn, and records the requests. */
function proposing(...prompts: unknown[]) {
  const questions: string[] = [];
  const model = ({ messages }: Request) => {
    questions.push(messages.map(({ content }) => content).join("\n"));
    const prompt = prompts[Math.min(questions.length, prompts.length) - 1];
    if (prompt instanceof Error) throw prompt;
    return typeof prompt === "string" ? { reasoning: "They go by the words.", prompt } : (prompt as object);
  };
  return { model, questions };
}

const search = (model: ImproveOptions["model"], options: object = {}, data: object[] = rowsOf(80)) =>
  improve(judge, { data: data as never, label: "human", seed: 1 }, { prompt: PROMPT, model, ...options });

describe("a rule that the prompt lacks", () => {
  it("is found, and confirmed on held-out rows", async () => {
    const { model, questions } = proposing(RULE);
    const found = await search(model);
    expect(found).toMatchObject({
      prompt: RULE,
      kept: true,
      after: { accuracy: { value: 1 }, count: 40 },
      ended: "agreement",
    });
    const { before, difference, heldOutIds, trainingIds, tries } = found;
    expect(before.accuracy.value).toBeLessThan(0.85);
    expect(before.count).toBe(40);
    expect(difference).toMatchObject({ worse: 0, failed: 0, count: 40, test: "mcnemar_exact" });
    expect(difference!.difference).toBeCloseTo(1 - before.accuracy.value!, 12);
    expect(difference!.interval!.low).toBeGreaterThan(0);
    expect(difference!.adjustedPValue).toBeCloseTo(3 * difference!.pValue, 12);
    expect(tries).toMatchObject([
      { round: 1, prompt: RULE, outcome: "kept", comment: expect.stringContaining("worse on 0 of 40") },
    ]);
    expect(tries[0]!.calibration).toEqual(found.after);
    // Both parts have the same share of labels, and together all rows.
    expect([...heldOutIds, ...trainingIds].map(Number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 80 }, (_, row) => row + 1),
    );
    expect(heldOutIds.filter((id) => isPolite(rowsOf(80)[Number(id) - 1]!.outputs))).toHaveLength(20);
    const [question = ""] = questions;
    for (const row of rowsOf(80).keys())
      if (question.includes(`number ${row}"`)) expect(trainingIds).toContain(String(row + 1));
    expect(question).toContain("Please take number");
    expect(JSON.parse(JSON.stringify(found))).toEqual(found);
  });

  it("is found despite wrong labels, which are not learned", async () => {
    const data = rowsOf(200).map((row, index) =>
      draw(`slip ${index}`) < 0.1 ? { ...row, human: !row.human } : row,
    );
    const found = await search(proposing(RULE).model, { rounds: 2 }, data);
    expect(found.kept).toBe(true);
    expect(found.after.accuracy.value).toBeLessThan(1);
    expect(found.ended).toBe("rounds");
  });

  it("is found for scores, by their error", async () => {
    const data = Array.from({ length: 60 }, (_, row) => ({ outputs: row / 60, human: row / 60 }));
    const scoring =
      (prompt: string) =>
      ({ outputs }: { outputs: number }) => ({
        key: "score",
        score: prompt.includes("as it is") ? outputs : Math.min(1, outputs + 0.2 * draw(`${outputs}`)),
      });
    const options = { prompt: "{outputs}", model: proposing("{outputs}, as it is").model };
    const found = await improve(scoring, { data, label: "human" }, options);
    expect(found).toMatchObject({
      kept: true,
      after: { kind: "scores", meanAbsoluteError: { value: 0 } },
      difference: { test: "paired_permutation" },
    });
    expect(found.difference!.difference).toBeCloseTo(found.before.meanAbsoluteError.value!, 9);
  });

  it("may be found in steps, each compared with the last", async () => {
    const data = Array.from({ length: 150 }, (_, row) => {
      const outputs = `${["Thanks, that is", "That is", "Please take", "No", "Kindly note"][row % 5]} number ${row}`;
      return { outputs, human: /thanks|please|kindly/i.test(outputs) };
    });
    const knowing =
      (prompt: string) =>
      ({ outputs }: { outputs: string }) => ({
        key: "polite",
        score: prompt.split(" ").some((word) => outputs.startsWith(word)),
      });
    const { model, questions } = proposing("{outputs} Thanks Please", "{outputs} Thanks Please Kindly");
    const options = { prompt: "{outputs} Thanks", model };
    const found = await improve(knowing, { data, label: "human" }, options);
    expect(found.tries.map(({ outcome }) => outcome)).toEqual(["kept", "kept"]);
    expect(found.difference!.better).toBe(found.tries[0]!.heldOut!.better + found.tries[1]!.heldOut!.better);
    expect(questions[0]).toContain("Please take number");
    const [, disagreements = ""] = /<disagreements>(.*)<\/disagreements>/s.exec(questions[1]!)!;
    expect(disagreements).toContain("Kindly note number");
    expect(disagreements).not.toContain("Please take number");
    expect(questions[1]).toContain("<judge_prompt>\n{outputs} Thanks Please\n</judge_prompt>");
  });
});

describe("a change without effect", () => {
  /** `OPENEVALS_SIMULATIONS=1000` sets the number of runs for each case. The guide has the results. */
  const inFull = Number(process.env["OPENEVALS_SIMULATIONS"] ?? 0);
  const CASES = [40, 100].flatMap((count) => [1, 3, 10].map((rounds) => ({ count, rounds })));

  /** Draws new verdicts for each prompt, right in 7 of 10 rows, except for memorized rows. */
  const guessing =
    (run: number) =>
    (prompt: string) =>
    ({ outputs: { truth, row } }: { outputs: { truth: boolean; row: number } }) => ({
      key: "guess",
      score: prompt.includes(`#${row};`) ? truth : draw(`${run} ${prompt} ${row}`) < 0.7 === truth,
    });
  /** Memorizes the rows that it is shown. */
  const learning = ({ messages }: Request) => {
    const rows = [...messages[0]!.content.matchAll(/"row": (\d+)/g)].map(([, row]) => `#${row};`);
    return { reasoning: "By heart.", prompt: `{outputs} ${rows.join(" ")}` };
  };

  it.each(inFull ? CASES : [{ count: 60, rounds: 3 }])(
    "is rarely accepted: $count rows, $rounds rounds",
    async ({ count, rounds }) => {
      let better = 0;
      const runs = inFull || 50;
      for (let run = 0; run < runs; run++) {
        const data = Array.from({ length: count }, (_, row) => {
          const truth = draw(`${run} ${row}`) < 0.5;
          return { outputs: { truth, row }, human: truth };
        });
        const options = { prompt: "{outputs}", model: learning, rounds };
        const found = await improve(guessing(run), { data, label: "human", seed: run }, options);
        better += Number(found.kept);
        if (!found.kept) expect([found.after, found.difference]).toEqual([found.before, null]);
      }
      if (inFull) console.log(`${count} rows, ${rounds} rounds: better in ${better} of ${runs}`);
      expect(better / runs).toBeLessThanOrEqual(0.05);
    },
    inFull * 2_000 || 20_000,
  );

  it("is reported, and the model never sees held-out rows", async () => {
    const worse = "{outputs}, say no";
    const contrary =
      (prompt: string) =>
      ({ outputs }: { outputs: string }) => ({
        key: "polite",
        score: prompt === worse ? false : judge(prompt)({ outputs }).score,
      });
    const { model, questions } = proposing(worse, worse, RULE);
    const options = { prompt: PROMPT, model, rounds: 3 };
    const found = await improve(contrary, { data: rowsOf(80), label: "human" }, options);
    expect(found.tries).toMatchObject([
      {
        outcome: "not-better",
        training: { better: 0 },
        heldOut: null,
        comment: expect.stringContaining("training rows"),
      },
      { outcome: "refused", comment: "It was tried before." },
      { outcome: "kept" },
    ]);
    expect(questions[0]).not.toContain("tried before");
    expect(questions[1]).toContain("say no");
    expect(questions[1]).not.toContain("p =");
  });
});

describe("a proposal is refused", () => {
  const whole = "It is polite? ".repeat(80_000);
  it.each([
    ["without its variables", "Is it polite?", "has lost {outputs}"],
    ["with doubled ones", "Is {{outputs}} polite?", "has lost {outputs}"],
    ["with others", 'Is {outputs} polite? Answer {"score": true}.', 'unknown variables {"score": true}'],
    ["with a megabyte", `${whole}{outputs}`, "characters; the limit is 20020"],
    ["when it is the same", `${PROMPT}\n`, "is the same as the prompt"],
    ["when it is empty", " \n", "is empty"],
  ])("%s", async (_, prompt, reason) => {
    const found = await search(proposing(prompt).model, { rounds: 2 });
    expect(found).toMatchObject({ prompt: PROMPT, kept: false, ended: "rounds" });
    expect(found.tries).toMatchObject([
      { outcome: "refused" },
      { outcome: "refused", training: null, heldOut: null },
    ]);
    expect(found.tries[1]!.comment).toContain(reason);
  });

  it("that memorizes the held-out rows", async () => {
    const rows = rowsOf(80).map((row, index) => ({
      ...row,
      outputs: `Answer ${"abcdefgh"[index % 8]}-${index}-of-many`,
    }));
    const byHeart = rows.filter(({ human }) => human).map(({ outputs }) => outputs);
    const recalling =
      (prompt: string) =>
      ({ outputs }: { outputs: string }) => ({
        key: "polite",
        score: prompt.includes(outputs),
      });
    const { model } = proposing(`{outputs} is polite if it is one of these: ${byHeart.join(", ")}`);
    const calibration = { data: rows, label: "human" };
    const found = await improve(recalling, calibration, { prompt: "{outputs}", model, rounds: 1 });
    expect(found).toMatchObject({ kept: false, tries: [{ outcome: "refused" }] });
    expect(found.tries[0]!.comment).toContain("quotes held-out rows");
  });

  it("that memorizes the rows it was shown, by the held-out rows", async () => {
    const rows = rowsOf(80).map(({ human }, index) => ({ human, outputs: `Answer-${index}-of-many` }));
    const recalling =
      (prompt: string) =>
      ({ outputs }: { outputs: string }) => ({
        key: "polite",
        score: prompt.includes(outputs),
      });
    const model = ({ messages }: Request) => ({
      reasoning: "By heart.",
      prompt: `{outputs} is one of these: ${messages[0]!.content.match(/Answer-\d+-of-many/g)!.join(", ")}`,
    });
    const options = { prompt: "{outputs}", model, rounds: 1 };
    const found = await improve(recalling, { data: rows, label: "human" }, options);
    expect(found.tries[0]).toMatchObject({
      outcome: "not-better",
      heldOut: { better: 0, adjustedPValue: 1 },
    });
    expect(found.tries[0]!.training!.better).toBeGreaterThan(5);
    // A duplicate row is on one side only.
    const twice = rows.slice(0, 40).flatMap((row) => [row, row]);
    const again = await improve(recalling, { data: twice, label: "human" }, options);
    expect(again.tries[0]).toMatchObject({ outcome: "not-better", heldOut: { better: 0, count: 20 } });
  });
});

describe("failures", () => {
  // The model is asked once more after a failure.
  const JUNK = { text: "I would rather not." };

  it("cost a round, and are reported", async () => {
    const { model } = proposing(new Error("overloaded"), JUNK, JUNK, RULE);
    const found = await search(model);
    expect(found.tries).toMatchObject([
      { round: 1, outcome: "failed", prompt: null, comment: expect.stringContaining("overloaded") },
      { round: 2, outcome: "failed", prompt: null, comment: expect.stringContaining("cannot be used") },
      { round: 3, outcome: "kept" },
    ]);
    const never = await search(proposing(new Error("overloaded")).model);
    expect(never).toMatchObject({ prompt: PROMPT, kept: false, difference: null });
    expect(never.after).toEqual(never.before);
    expect(never.comment).toMatch(
      /^3 proposals failed or could not be used, and none was scored\. The last one: The model failed: .*overloaded/,
    );
  });

  it("count as wrong if the judge fails with the new prompt", async () => {
    const failing =
      (prompt: string) =>
      ({ outputs }: { outputs: string }) => {
        if (prompt !== PROMPT && !isPolite(outputs)) throw new Error("too hard");
        return judge(prompt)({ outputs });
      };
    const calibration = { data: rowsOf(80), label: "human" };
    const found = await improve(failing, calibration, {
      prompt: PROMPT,
      model: proposing(RULE).model,
      rounds: 1,
    });
    expect(found).toMatchObject({
      kept: false,
      tries: [{ outcome: "not-better", training: { failed: 20, worse: 20 } }],
    });
    const broken = (prompt: string) => {
      if (prompt !== PROMPT) throw new Error("no such judge");
      return judge(prompt);
    };
    const other = await improve(broken, calibration, {
      prompt: PROMPT,
      model: proposing(RULE).model,
      rounds: 1,
    });
    expect(other.tries).toMatchObject([
      { outcome: "failed", comment: expect.stringContaining("no such judge") },
    ]);
  });

  it("a missing key of the model is an error before the judge is asked", async () => {
    vi.stubEnv("OPENAI_API_KEY", undefined);
    const calls: string[] = [];
    const asked = (prompt: string) => (row: { outputs: string }) => {
      calls.push(row.outputs);
      return judge(prompt)(row);
    };
    const calibration = { data: rowsOf(80), label: "human" };
    for (const model of ["openai:gpt-5.4", initChatModel("openai:gpt-5.4")])
      expect(await errorOf(improve(asked, calibration, { prompt: PROMPT, model }))).toMatchObject({
        code: "invalid_config",
        message: expect.stringMatching(/^model: openai:gpt-5\.4 needs a key: set OPENAI_API_KEY/),
      });
    expect(calls).toEqual([]);
    // A cache may have the answers.
    const judges = { cache: new Map() };
    const options = { prompt: PROMPT, model: "openai:gpt-5.4" };
    const { comment } = await improve(judge, { ...calibration, judges }, options);
    expect(comment).toContain("needs a key");
    vi.unstubAllEnvs();
  });

  it("of the function that makes the judge are errors that name it", async () => {
    const calibration = { data: rowsOf(80), label: "human" };
    const options = { prompt: PROMPT, model: proposing(RULE).model };
    const thrown = () => {
      throw new Error("no such judge");
    };
    expect(await errorOf(improve(thrown, calibration, options))).toMatchObject({
      code: "callback_failed",
      message: "judge failed: no such judge",
    });
    const invalid = (prompt: string) => createLLMAsJudge({ prompt, model: "no-such-model" });
    expect(await errorOf(improve(invalid, calibration, options))).toMatchObject({
      code: "invalid_config",
      message: expect.stringMatching(/^judge: .*no-such-model/),
    });
  });

  it("an abort signal ends the search", async () => {
    const controller = new AbortController();
    const model = () => {
      controller.abort();
      return new Promise<object>(() => {});
    };
    const calibration = { data: rowsOf(80), label: "human", signal: controller.signal };
    const { before, ...found } = await improve(judge, calibration, { prompt: PROMPT, model });
    expect(found).toMatchObject({
      ended: "aborted",
      comment: expect.stringContaining("stopped by its signal"),
      prompt: PROMPT,
      kept: false,
      difference: null,
      tries: [],
    });
    expect(found.after).toEqual(before);
    await expect(
      improve(judge, { ...calibration, signal: AbortSignal.abort() }, { prompt: PROMPT, model }),
    ).rejects.toMatchObject({ code: "aborted" });
  });

  it("a long search leaves no listeners on its signal", async () => {
    const { signal } = new AbortController();
    const { model } = proposing(RULE.replace("please", "a bow"), RULE);
    const added = vi.spyOn(signal, "addEventListener");
    const removed = vi.spyOn(signal, "removeEventListener");
    await improve(judge, { data: rowsOf(80), label: "human", signal }, { prompt: PROMPT, model, rounds: 5 });
    expect(added.mock.calls.length).toBe(removed.mock.calls.length);
  });

  it("a proposal that changes nothing but roundings is not tried on held-out rows", async () => {
    // Both are 0.3 away from the label, but 1 - 0.7 and 0.7 - 0.4 have different roundings.
    const scored = (prompt: string) => () => ({ key: "share", score: prompt === PROMPT ? 1 : 0.4 });
    const data = Array.from({ length: 60 }, (_, at) => ({ outputs: `answer ${at}`, human: 0.7 }));
    const found = await improve(
      scored,
      { data, label: "human", seed: 1 },
      { prompt: PROMPT, model: proposing(RULE).model, rounds: 1 },
    );
    expect(found.tries[0]!.training).not.toBeNull();
    expect(found.tries[0]!.heldOut).toBeNull();
  });

  it("an abort signal while a proposal is judged keeps what was found", async () => {
    const controller = new AbortController();
    const judgeUntilAborted = (prompt: string) => {
      if (prompt !== PROMPT) controller.abort(new Error("enough"));
      return judge(prompt);
    };
    const calibration = { data: rowsOf(80), label: "human", signal: controller.signal };
    const found = await improve(judgeUntilAborted, calibration, {
      prompt: PROMPT,
      model: proposing(RULE).model,
    });
    expect(found).toMatchObject({
      ended: "aborted",
      kept: false,
      tries: [{ round: 1, outcome: "failed", comment: expect.stringContaining("enough"), training: null }],
    });
    expect(found.tries[0]!.prompt).not.toBe(PROMPT);
  });
});

describe("without a possible improvement", () => {
  it("too few rows are an error with the number needed", async () => {
    const { model, questions } = proposing(RULE);
    await expect(search(model, {}, rowsOf(12))).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringMatching(/at least 14 different labelled rows, but there are 12/),
    });
    await expect(search(model, { rounds: 1, heldOut: 0.25 }, rowsOf(20))).rejects.toThrow(/at least 24/);
    // Unlabelled rows and duplicates do not count.
    const few = rowsOf(12).flatMap((row) => [row, row, { outputs: row.outputs }]);
    await expect(search(model, {}, few)).rejects.toThrow(/there are 12/);
    expect(questions).toEqual([]);
  });

  it("no request is sent, and the result says why", async () => {
    const { model, questions } = proposing(RULE);
    const right = await search(model, { prompt: RULE });
    expect(right).toMatchObject({ ended: "agreement", tries: [], kept: false, prompt: RULE });
    const few = rowsOf(80).map((row, index) =>
      index % 4 === 3 && index > 20 ? { ...row, human: false } : row,
    );
    const found = await search(model, {}, few);
    expect(found).toMatchObject({ ended: "too-few-disagreements", tries: [], kept: false });
    expect(found.comment).toMatch(/only if at least 7 rows improve. Label .* rows/);
    expect(questions).toEqual([]);
  });

  it("rows on which the judge fails are not agreement", async () => {
    const { model, questions } = proposing(RULE);
    const failingOn = (isTooHard: (answer: string) => boolean) => (prompt: string) => {
      return ({ outputs }: { outputs: string }) => {
        if (isTooHard(outputs)) throw new Error("down");
        return judge(prompt)({ outputs });
      };
    };
    const calibration = { data: rowsOf(80), label: "human", seed: 1 };
    const options = { prompt: PROMPT, model };
    const found = await improve(
      failingOn((answer) => !/^Thanks/.test(answer)),
      calibration,
      options,
    );
    expect(found).toMatchObject({ ended: "too-few-disagreements", tries: [], kept: false });
    const judged = found.trainingIds.filter((id) => Number(id) % 4 === 1).length;
    expect(found.comment).toBe(
      `The judge has no verdict on ${40 - judged} of the 40 training rows, and agrees with people on the others. ` +
        "Make it judge all rows first. The first failure: down",
    );
    const { comment } = await improve(
      failingOn((answer) => /^Please/.test(answer) && Number(answer.slice(-2)) > 20),
      calibration,
      options,
    );
    expect(comment).toMatch(
      /^The judge disagrees with people on [1-6] of the 40 held-out rows and has no verdict on [1-9], .*The first failure: down$/,
    );
    const some = await improve(
      failingOn((answer) => /^That/.test(answer)),
      calibration,
      { prompt: PROMPT, model: proposing("Is {outputs} nice?").model, rounds: 1 },
    );
    expect(some).toMatchObject({ ended: "rounds", before: { failures: [{ message: "Error: down" }] } });
    expect(some.comment).toMatch(
      /^The search ended after 1 round\. The judge failed 20 times, first on row "\d+": Error: down\.$/,
    );
    const skipping = () => () => ({ key: "polite", score: true, applicable: false });
    await expect(improve(skipping, calibration, options)).rejects.toThrow("no verdict for any row");
    expect(questions).toEqual([]);
  });

  it("rows with the same content, in another order of keys, stay together", async () => {
    const data = Array.from({ length: 80 }, (_, row) => {
      const number = Math.floor(row / 2);
      const outputs = row % 2 ? { number, of: { a: 1, b: 2 } } : { of: { b: 2, a: 1 }, number };
      return { outputs, human: number % 2 === 0 };
    });
    const guessing = () => () => ({ key: "even", score: true });
    const calibration = { data, label: "human", seed: 1 };
    const options = { prompt: PROMPT, model: proposing(RULE).model, rounds: 1 };
    const { heldOutIds } = await improve(guessing, calibration, options);
    expect(heldOutIds).toHaveLength(40);
    for (const id of heldOutIds.map(Number)) expect(heldOutIds).toContain(String(id % 2 ? id + 1 : id - 1));
  });

  it("rows with the same content count once", async () => {
    const few = rowsOf(14);
    const data = Array.from({ length: 20 }, () => few).flat();
    const { model } = proposing(RULE);
    const { comment, trainingIds, heldOutIds } = await search(model, {}, data);
    expect([trainingIds.length, heldOutIds.length]).toEqual([140, 140]);
    expect(comment).toMatch(
      /^The judge disagrees with people on (\d) of the 7 different held-out rows, .* Label (about|more than) \d{2} different rows\.$/,
    );
    const failing = (prompt: string) => (row: { outputs: string }) => {
      if (prompt !== PROMPT && !isPolite(row.outputs)) throw new Error("too hard");
      return judge(prompt)(row);
    };
    const twice = rowsOf(80).flatMap((row) => [row, row]);
    const calibration = { data: twice, label: "human", seed: 1 };
    const { tries } = await improve(failing, calibration, { prompt: PROMPT, model, rounds: 1 });
    expect(tries[0]!.training).toMatchObject({ count: 40, failed: 20, worse: 20 });
  });

  it("rows of a cluster stay together and count once, and so do clusters with the same content", async () => {
    // Threads of five rows. Of threads 0 and 1, one row has the same content.
    const data = rowsOf(200).map((row, index) => ({
      outputs: index === 5 ? rowsOf(1)[0]!.outputs : row.outputs,
      human: row.human,
      metadata: { thread: Math.floor(index / 5) },
    }));
    const { model } = proposing(RULE);
    const threads = (ids: readonly string[]) => new Set(ids.map((id) => Math.floor((Number(id) - 1) / 5)));
    const calibration = { data, label: "human", seed: 1, clusterBy: "thread" };
    const { trainingIds, heldOutIds, tries } = await improve(judge, calibration, { prompt: PROMPT, model });
    const sides = [threads(trainingIds), threads(heldOutIds)];
    expect([...sides[0]!].filter((thread) => sides[1]!.has(thread))).toEqual([]);
    expect(sides.filter((side) => side.has(0) && side.has(1))).toHaveLength(1);
    expect(tries[0]!.training!.count + tries[0]!.heldOut!.count).toBe(39);
    const few = { ...calibration, data: data.slice(0, 60) };
    const { message } = await errorOf(improve(judge, few, { prompt: PROMPT, model }));
    expect(message).toMatch(/^improve needs at least 14 clusters of labelled rows, but there are 11: /);
  });

  it("a prompt that is better in five whole threads is not significantly better", async () => {
    const data = Array.from({ length: 100 }, (_, row) => ({
      outputs: row,
      human: true,
      metadata: { thread: Math.floor(row / 5) },
    }));
    // The prompt puts every other thread right, of those of which the judge is wrong.
    const judgeOf = (prompt: string) => (row: { outputs: number }) => ({
      key: "right",
      score: row.outputs < 50 || (prompt === RULE && Math.floor(row.outputs / 5) % 2 === 0),
    });
    const { model } = proposing(RULE);
    const calibration = { data, label: "human", seed: 1 };
    const options = { prompt: PROMPT, model, rounds: 1 };
    expect((await improve(judgeOf, calibration, options)).kept).toBe(true);
    const grouped = await improve(judgeOf, { ...calibration, clusterBy: "thread" }, options);
    expect(grouped.kept).toBe(false);
    expect(grouped.tries).toMatchObject([{ outcome: "not-better", heldOut: { count: 10, worse: 0 } }]);
    expect(grouped.tries[0]!.heldOut!.better).toBeLessThan(6);
  });

  it("invalid options are errors", async () => {
    const calibration = { data: rowsOf(80), label: "human" };
    const options = { prompt: PROMPT, model: () => ({}) };
    const refused = (...args: any[]) => expect((improve as any)(...args)).rejects;
    await refused(judge(PROMPT)({ outputs: "" }), calibration, options).toMatchObject({
      message: expect.stringMatching(/function that makes a judge with a prompt/),
    });
    await refused(judge, calibration, { model: options.model }).toMatchObject({
      message: expect.stringMatching(/prompt is missing/),
    });
    await refused(judge, calibration, { prompt: PROMPT }).toMatchObject({
      message: 'model is missing; it has to be a model that proposes prompts, such as "openai:gpt-5.4".',
    });
    await refused(judge, calibration, { ...options, rounds: 0 }).toMatchObject({ code: "invalid_config" });
    await refused(judge, calibration, { ...options, heldOut: 1 }).toMatchObject({ code: "invalid_config" });
    await refused(judge, { label: "human" }, options).toMatchObject({
      message: expect.stringMatching(/needs data/),
    });
    await refused(judge, calibration, { ...options, model: 7 }).toMatchObject({ code: "invalid_config" });
  });
});

describe("a prebuilt prompt whose true is bad", () => {
  const rows = rowsOf(80).map((row) => ({ ...row, inputs: "?" }));
  const proposed = "Is {outputs} rude as an answer to {inputs}?";
  const search = async (lowerIsBetter?: boolean) => {
    const made: string[] = [];
    const judgeOf = (prompt: string) => {
      made.push(prompt);
      const judge = ({ messages }: Request) => {
        const answer = String(messages[0]?.content);
        const isRude = prompt === proposed ? !isPolite(answer) : !/thanks/i.test(answer);
        return { reasoning: "", score: lowerIsBetter === false ? !isRude : isRude };
      };
      return createLLMAsJudge({ prompt, judge: judge as never, lowerIsBetter });
    };
    const options = { prompt: TOXICITY_PROMPT, model: proposing(proposed).model, rounds: 1 };
    return { ...(await improve(judgeOf, { data: rows, label: "human", seed: 1 }, options)), made };
  };

  it.each([undefined, true])("has proposals with its direction, with lowerIsBetter: %s", async (lower) => {
    const { made, comment, ...found } = await search(lower);
    expect(found).toMatchObject({
      kept: true,
      prompt: proposed,
      before: { lowerIsBetter: true },
      after: { lowerIsBetter: true, accuracy: { value: 1 } },
    });
    expect(comment).toMatch(/\. Set lowerIsBetter: true on judges with the new prompt/);
    // Each judge that is made judges rows: with two prompts, those of training and those held out.
    expect(made).toHaveLength(4);
  });

  it("has the direction that its judge sets", async () => {
    const { kept, after, comment } = await search(false);
    expect(kept).toBe(true);
    expect(after.accuracy.value).toBe(1);
    expect(after).not.toHaveProperty("lowerIsBetter");
    expect(comment).not.toContain("lowerIsBetter");
  });
});
