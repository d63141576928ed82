/** `view`, as a process, and experiments for it that grow. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exactMatch } from "openevals-wasm";
import { evaluate } from "openevals-wasm/evaluation";
import { program } from "./program.js";

/** A folder with `run.jsonl`, in which an experiment of twelve rows is written as far as the first eight. */
export async function growing() {
  const folder = await mkdtemp(join(tmpdir(), "view-"));
  const path = join(folder, "run.jsonl");
  await evaluate(async (country: string) => (country.length > 4 ? "Paris" : "Lima"), {
    data: Array.from({ length: 12 }, (_, index) => ({
      id: `row-${index + 1}`,
      inputs: index % 3 ? "France" : "Peru",
      referenceOutputs: "Paris",
    })),
    evaluators: [exactMatch],
    output: { sink: path },
    experimentPrefix: "capitals",
  });
  // A header, and how it ended.
  const lines = (await readFile(path, "utf8")).split(/(?<=\n)/);
  await writeFile(path, lines.slice(0, 9).join(""));
  return {
    folder,
    path,
    /** Writes the rest. */
    finish: () => appendFile(path, lines.slice(9).join("")),
    /** The labels of rows, in `human.jsonl`. */
    labels: async () =>
      (await readFile(join(folder, "human.jsonl"), "utf8"))
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Starts it in a folder, and waits for its address. */
export async function startView(cwd: string, ...args: string[]) {
  const child = spawn(process.execPath, [program, "view", ...args], { cwd });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    said += text;
  });
  const closed = once(child, "close");
  const [first] = await Promise.race([once(child.stdout, "data"), closed]);
  if (!Buffer.isBuffer(first)) throw new Error(said);
  return {
    url: String(first).trim(),
    said: () => said,
    async end() {
      child.kill("SIGINT");
      const [code] = await closed;
      return code;
    },
  };
}
