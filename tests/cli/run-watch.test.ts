/** `run --watch`, awaited by its output. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
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
    saying: (text: string) =>
      new Promise<void>((resolve) => {
        look = () => said.includes(text) && resolve();
        look();
      }),
    async end(signal: NodeJS.Signals = "SIGINT") {
      child.kill(signal);
      const [code] = await once(child, "close");
      return code;
    },
  };
}

/** An experiment that writes its process id to a file, and then blocks its process. */
const BLOCKING = `
  import { renameSync, writeFileSync } from "node:fs";
  const target = () => {
    writeFileSync("id.new", String(process.pid));
    renameSync("id.new", "id");
    for (;;);
  };
  export default { data: [{ inputs: 1 }], target, evaluators: [() => true] };
`;

/** The id of the process of {@link BLOCKING}. */
const blockedProcess = (folder: string) =>
  vi.waitFor(async () => Number(await readFile(join(folder, "id"), "utf8")), { timeout: 20_000 });

const isRunning = (id: number): boolean => {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
};

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

it("does not run again because of what the run wrote", async () => {
  const withSink = (right: number) => doubling(right, 'output: { sink: "rows.jsonl", overwrite: true }');
  const folder = await projectOf({ "a.mjs": withSink(3), "rows.jsonl": "" });
  const watched = watch(folder, "a.mjs");
  // Of 12 rows. Another run of the same file would come before that of the next one.
  expect(await watched.next()).toMatch(/^exact_match +25\.0%/m);
  for (const [right, mean] of [
    [6, /^exact_match +50\.0%/m],
    [9, /^exact_match +75\.0%/m],
  ] as const) {
    await writeFile(join(folder, "a.mjs"), withSink(right));
    expect(await watched.next()).toMatch(mean);
  }
  expect(await watched.end()).toBe(0);
});

it("kills a run that blocks its process when its code changes", async () => {
  const folder = await projectOf({ "a.mjs": BLOCKING });
  const watched = watch(folder, "a.mjs");
  const blocked = await blockedProcess(folder);
  await writeFile(join(folder, "a.mjs"), doubling(6));
  const said = await watched.next();
  expect(said).toContain("The run did not stop within 3 seconds and was killed (SIGKILL).");
  expect(names(said)).toEqual(["a"]);
  expect(isRunning(blocked)).toBe(false);
  expect(await watched.end()).toBe(0);
});

it.each([
  "SIGINT",
  "SIGTERM",
  "SIGHUP",
] as const)("leaves no blocked run behind at its end by %s", async (signal) => {
  const folder = await projectOf({ "a.mjs": BLOCKING });
  const watched = watch(folder, "a.mjs");
  const blocked = await blockedProcess(folder);
  expect(await watched.end(signal)).toBe(0);
  expect(isRunning(blocked)).toBe(false);
});

it("stops a run whose code changes, and starts all of its files again", async () => {
  const waiting = doubling(6).replace(
    "target: (n) =>",
    'target: (n) => n === 3 ? new Promise(() => { console.log("waiting"); setInterval(() => {}, 1e6); }) :',
  );
  const folder = await projectOf({ "a.mjs": waiting, "b.mjs": doubling(6) });
  const watched = watch(folder, "a.mjs", "b.mjs");
  await watched.saying("waiting");
  await writeFile(join(folder, "a.mjs"), doubling(6));
  const said = await watched.next();
  expect(said).not.toContain("SIGKILL");
  expect(names(said)?.slice(-2)).toEqual(["a", "b"]);
  expect(await watched.end()).toBe(0);
});
