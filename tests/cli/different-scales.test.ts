/** A judge of true and false that gets grades under the same key. */
import { expect, it } from "vitest";
import { runProgram } from "./program.js";
import { projectOf } from "./project.js";

const experiment = (options: string, score: string) => `
  import { createLLMAsJudge } from "openevals-wasm";
  const judge = async ({ messages }) => ({ reasoning: "", score: ${score} });
  export default {
    name: "app",
    data: Array.from({ length: 30 }, (_, n) => ({ id: "r" + n, inputs: String(n), outputs: "x" })),
    evaluators: [createLLMAsJudge({ prompt: "{inputs}", feedbackKey: "quality", judge, ${options} })],
  };
`;

const folder = await projectOf({
  "verdicts.mjs": experiment("", "Number(messages[0].content) % 3 > 0"),
  "grades.mjs": experiment("choices: [1, 2, 3, 4, 5]", "1"),
});
const run = (...args: string[]) => runProgram(folder, ["run", ...args, "--history", "kept"]);
const reason =
  'The scores of "quality" are true or false in the first experiment and from 1 to 5 in the second, so they cannot be compared. ' +
  "Score the first one again, or give the key another name.";

it("compare, --baseline and history do not compare them", async () => {
  expect((await run("verdicts.mjs", "--output", "verdicts.json")).code).toBe(0);
  expect(await run("grades.mjs", "--output", "grades.json", "--baseline", "verdicts.json")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`It cannot be compared with verdicts.json. ${reason}`),
  });
  expect(await runProgram(folder, ["compare", "verdicts.json", "grades.json"])).toEqual({
    ...{ code: 2, stdout: "", stderr: `openevals-wasm: ${reason}\n` },
  });
  await run("grades.mjs");
  const grades = await runProgram(folder, ["history", "kept"]);
  expect(grades.stdout).toContain(`The last two runs cannot be compared. ${reason}`);
  expect(grades.stdout).not.toContain(" pp");
});
