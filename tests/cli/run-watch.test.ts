/** `run --watch`, awaited by its output. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startOllama, verdict } from "../providers/servers/ollama.js";
import { program } from "./program.js";
import { doubling, lines, projectOf } from "./project.js";

/** Starts it, and returns its output until it waits for changes. */
function watch(cwd: string, ...args: string[]) {
  const child = spawn(process.execPath, [program, "run", "--watch", ...args], { cwd });
  let said = "";
  let look = () => {};
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => {
      said += text;
      look();
    });
  return {
    next: () =>
      new Promise<string>((resolve, reject) => {
        look = () => {
          const end = said.indexOf("Waiting for changes. Press Ctrl-C to stop.\n");
          if (end === -1) return;
          resolve(said.slice(0, end));
          said = said.slice(end + "Waiting for changes. Press Ctrl-C to stop.\n".length);
        };
        child.once("close", () => reject(new Error(said)));
        look();
      }),
    async end() {
      child.kill("SIGINT");
      const [code] = await once(child, "close");
      return code;
    },
  };
}

const names = (said: string) => said.match(/^\w+(?=-[0-9a-f]{8} {2})/gm);

it("runs changed files, and files with changed imports, again, and asks judges nothing twice", async () => {
  const ollama = await startOllama();
  ollama.script.push(verdict({ reasoning: "So it is.", score: true }));
  const folder = await projectOf({
    "evals/a.mjs": doubling(6),
    "evals/b.mjs": `
      import { createLLMAsJudge, CORRECTNESS_PROMPT, initChatModel } from "openevals-wasm";
      import { answer } from "../src/app.mjs";
      export default {
        data: "evals/rows.jsonl",
        target: answer,
        evaluators: [createLLMAsJudge({
          prompt: CORRECTNESS_PROMPT,
          judge: initChatModel("ollama:llama3.3", { baseURL: ${JSON.stringify(ollama.url)} }),
        })],
      };`,
    "evals/rows.jsonl": lines([{ inputs: "q", referenceOutputs: "Q" }]),
    "src/app.mjs": 'export { answer } from "./deeper.mjs";',
    "src/deeper.mjs": "export const answer = (text) => text.toUpperCase();",
    "src/unused.mjs": "",
  });
  const watched = watch(folder, "evals/*.mjs", "--repeat", "1");
  expect(names(await watched.next())).toEqual(["a", "b"]);

  await writeFile(join(folder, "src/unused.mjs"), "// nobody imports this");
  await writeFile(join(folder, "evals/a.mjs"), doubling(12));
  const first = await watched.next();
  expect(names(first)).toEqual(["a"]);
  expect(first).toMatch(/^exact_match +100\.0%/m);

  // As editors do: another file takes its place.
  const deeper = join(folder, "src/deeper.mjs");
  await writeFile(`${deeper}.new`, `// changed\n${await readFile(deeper, "utf8")}`);
  await rename(`${deeper}.new`, deeper);
  expect(names(await watched.next())).toEqual(["b"]);
  expect(ollama.requests).toHaveLength(1);

  await writeFile(join(folder, "evals/rows.jsonl"), lines([]));
  expect(await watched.next()).toContain("evals/b.mjs: evals/rows.jsonl has no rows.");
  expect(await watched.end()).toBe(0);
  await ollama.close();
});
