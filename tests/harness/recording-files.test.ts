/** Files of recordings: shared by processes, damaged, of other programs, and on full disks. */
import { execFile } from "node:child_process";
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type RecordingMode, recordTools } from "openevals-wasm/harness";
import { expect, test } from "vitest";
import { temporaryFolder } from "./folder.js";

const folder = await temporaryFolder();
let count = 0;
const newFile = () => join(folder, `${count++}.jsonl`);

/** A tool that counts its calls. */
function counted(file: string, mode: RecordingMode = "auto") {
  let calls = 0;
  const { search } = recordTools(
    { search: async ({ q }: { q: string }) => ({ found: q, call: ++calls }) },
    { file, mode },
  );
  return { search: (q: string) => search({ q }), calls: () => calls };
}

const run = promisify(execFile);
const recorder = join(import.meta.dirname, "recorder.mjs");

/** Records or replays calls in another process, and returns its results; files may have `blocks` of 512 bytes. */
async function inProcess(file: string, mode: string, calls: object[], blocks?: number): Promise<any[]> {
  const args = [recorder, file, mode, ...calls.map((call) => JSON.stringify(call))];
  const limited = ["-c", `trap '' XFSZ; ulimit -f ${blocks}; exec "$0" "$@"`, process.execPath, ...args];
  const { stdout } = await (blocks === undefined
    ? run(process.execPath, args, { maxBuffer: Infinity })
    : run("sh", limited, { maxBuffer: Infinity }));
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

test("records in processes at the same time, and replays in another", async () => {
  const file = newFile();
  const asked = (name: string) => Array.from({ length: 20 }, (_, page) => ({ q: `${name} ${page}` }));
  const [ours, theirs] = await Promise.all([
    inProcess(file, "auto", asked("a")),
    inProcess(file, "auto", asked("b")),
  ]);
  expect((await readFile(file, "utf8")).trim().split("\n")).toHaveLength(40);
  const replayed = await inProcess(file, "replay", [...asked("a"), ...asked("b")]);
  expect(replayed).toEqual([...(ours as string[]), ...(theirs as string[])]);
});

test("results of 3 MB of processes at the same time do not mix", async () => {
  const file = newFile();
  const asked = (name: string) =>
    Array.from({ length: 4 }, (_, page) => ({ q: `${name} ${page}`, size: 3_000_000 }));
  const names = ["a", "b", "c"];
  const recorded = await Promise.all(names.map((name) => inProcess(file, "auto", asked(name))));
  const replayed = await inProcess(file, "replay", names.flatMap(asked));
  expect(replayed.map(String).map(({ length }) => length > 3_000_000)).toEqual(Array(12).fill(true));
  expect(replayed).toEqual(recorded.flat());
});

test.skipIf(process.platform === "win32")("a full disk leaves no half of a line", async () => {
  const file = newFile();
  const [small, large, last] = [{ q: "small" }, { q: "large", size: 3_000_000 }, { q: "last" }];
  const [first, failed, ...others] = await inProcess(file, "auto", [small, large, large, last], 2000);
  expect(failed).toEqual({ code: "tool_failed", message: expect.stringContaining("is the disk full?") });
  expect(others).toEqual([failed, expect.stringMatching(/^last of/)]);
  expect(await inProcess(file, "replay", [small, last])).toEqual([first, others[1]]);
  expect((await readFile(file, "utf8")).split("\n")).toHaveLength(3);
});

test("half a line is ignored when recording, and an error when replaying", async () => {
  const file = newFile();
  await counted(file).search("Oslo");
  const whole = await readFile(file, "utf8");
  const half = whole.slice(0, 30);
  await appendFile(file, half);
  await expect(counted(file, "replay").search("Oslo")).rejects.toThrow(/The last line of .* is incomplete/);
  const { search, calls } = counted(file);
  await search("Oslo");
  expect(calls()).toBe(0);
  await search("Rome");
  // Another process was stopped while it wrote.
  await appendFile(file, '{"to');
  await search("Bern");
  expect(await readFile(file, "utf8")).toBe(
    `${whole}${half}\n\n${whole.replaceAll("Oslo", "Rome")}{"to\n\n${whole
      .replaceAll("Oslo", "Bern")
      .replace('"call":1', '"call":2')}`,
  );
  for (const mode of ["replay", "auto"] as const) {
    const again = counted(file, mode);
    const found = [await again.search("Oslo"), await again.search("Rome"), await again.search("Bern")];
    expect(found.map(({ found }) => found)).toEqual(["Oslo", "Rome", "Bern"]);
    expect(again.calls()).toBe(0);
  }
});

test("a first call that was cut off does not prevent others", async () => {
  const file = newFile();
  await writeFile(file, '{"tool":"search","args":{"q":"Os');
  await expect(counted(file, "replay").search("Oslo")).rejects.toThrow(/The last line of .* is incomplete/);
  await counted(file).search("Oslo");
  expect(await counted(file, "replay").search("Oslo")).toEqual({ found: "Oslo", call: 1 });
});

test("a last line without a line feed, which an editor may have removed, is a call", async () => {
  const file = newFile();
  await counted(file).search("Oslo");
  await writeFile(file, (await readFile(file, "utf8")).trim());
  await counted(file).search("Rome");
  const { search } = counted(file, "replay");
  expect([await search("Oslo"), await search("Rome")]).toMatchObject([{ found: "Oslo" }, { found: "Rome" }]);
});

const CALL = '{"tool":"search","args":{"q":"Oslo"},"result":1}';
const OTHERS: [name: string, text: string, line: number][] = [
  ["lines of prose", "my\nnotes\n", 1],
  ["a line of prose", "my notes", 1],
  ["paragraphs", "my\n\nnotes\n\n", 1],
  ["other JSON", '{"id":1}', 1],
  ["too little of a call", '\n{"to', 2],
  ["a result beside an error", CALL.replace("1}", '1,"error":{"name":"E","message":"down"}}'), 1],
  ["prose behind calls", `${CALL}\nmy notes`, 2],
  ["a mistake in a call", `${CALL}\n${CALL.replace("1}", "1,}")}\n${CALL}\n`, 2],
];
const MODES: RecordingMode[] = ["record", "replay", "auto"];
test.each(
  OTHERS.flatMap((other) => MODES.map((mode) => [...other, mode] as const)),
)("%s: %j is refused and unchanged, line %i, mode %s", async (_, text, line, mode) => {
  const file = newFile();
  await writeFile(file, text);
  await expect(counted(file, mode).search("Oslo")).rejects.toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining(`${file}:${line} is not a recorded call`),
  });
  expect(await readFile(file, "utf8")).toBe(text);
});

test.each([
  ["result", "reslt", 'did you mean "result"?'],
  ["result", "Error", 'did you mean "error"?'],
  ["args", "arguments", 'the keys of a call are "tool", "args", "result", "error".'],
])("%s written as %s is refused in every mode", async (key, wrong, hint) => {
  const file = newFile();
  const text = `${CALL}\n\n${CALL.replace(`"${key}"`, `"${wrong}"`)}\n`;
  for (const mode of MODES) {
    await writeFile(file, text);
    await expect(counted(file, mode).search("Oslo")).rejects.toMatchObject({
      code: "invalid_input",
      message: `${file}:3 has the unknown key "${wrong}"; ${hint}`,
    });
    expect(await readFile(file, "utf8")).toBe(text);
  }
});
