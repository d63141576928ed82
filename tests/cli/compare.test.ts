/** Comparisons of experiments whose scores changed their meaning, and of summary scores. */
import { expect, it } from "vitest";
import { runProgram } from "./program.js";
import { projectOf } from "./project.js";

/** Rows whose toxicity is the same on each. */
const toxic = (score: number, more = "") => `
  export default {
    name: "tox",
    data: Array.from({ length: 12 }, (_, i) => ({ id: "n" + i, inputs: i, outputs: i })),
    evaluators: [() => ({ key: "tox", score: ${score} })],
    ${more}
  };
`;

const folder = await projectOf({
  "kind.mjs": toxic(0.1, 'lowerIsBetter: ["tox"],'),
  "toxic.mjs": toxic(0.9),
});
const cli = (...args: string[]) => runProgram(folder, args);
for (const name of ["kind", "toxic"]) await cli("run", `${name}.mjs`, "--output", name);

it("the better direction of a key may not change", async () => {
  const turned =
    'Of the scores of "tox", lower ones are better in the first experiment and higher ones in the second, so they cannot be ' +
    "compared. Score the first one again with the same lowerIsBetter, or give the key another name.";
  const files = ["compare", "kind/tox.json", "toxic/tox.json"];
  expect(await cli(...files)).toEqual({ code: 2, stdout: "", stderr: `openevals-wasm: ${turned}\n` });
  expect(await cli(...files, "--lower-is-better", "tox")).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("Worse on tox, by more than chance"),
  });
  const ran = await cli("run", "toxic.mjs", "--baseline", "kind/tox.json");
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain(turned.slice(0, -1));
  expect(ran.stdout).not.toContain("etter on tox");
});
