/** The MCP server with hostile input: paths outside, junk, huge data, cancelled calls, and clients that leave. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { call, client, connected, folder, useServer } from "./mcp-client.js";
import { program } from "./program.js";

useServer();

const pidOf = () =>
  vi.waitFor(async () => Number.parseInt(await readFile(join(folder, "pid"), "utf8"), 10), {
    timeout: 15_000,
  });
const hasEnded = (pid: number) =>
  vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"), { timeout: 10_000 });

it("a cancelled call ends its process, and the server goes on", async () => {
  await rm(join(folder, "pid"), { force: true });
  const stop = new AbortController();
  const params = { name: "run_eval", arguments: { file: "hangs.eval.mjs" } };
  const hanging = client.callTool(params, undefined, { signal: stop.signal });
  const ended = expect(hanging).rejects.toThrow();
  const pid = await pidOf();
  stop.abort();
  await ended;
  await hasEnded(pid);
  expect((await call("list_evaluators", { name: "contains" })).exitCode).toBe(0);
});

it("a client that leaves ends its calls, and not those of another", async () => {
  await rm(join(folder, "pid"), { force: true });
  const leaving = await connected();
  const hanging = leaving.callTool({ name: "run_eval", arguments: { file: "hangs.eval.mjs" } });
  const ended = expect(hanging).rejects.toThrow();
  const [pid, other] = await Promise.all([pidOf(), call("run_eval", { file: "good.eval.mjs" })]);
  await leaving.close();
  await ended;
  await hasEnded(pid);
  expect(other.exitCode).toBe(0);
});

it("a server that is killed takes its calls with it", async () => {
  await rm(join(folder, "pid"), { force: true });
  const killed = await connected();
  const hanging = killed.callTool({ name: "run_eval", arguments: { file: "hangs.eval.mjs" } });
  const ended = expect(hanging).rejects.toThrow();
  const pid = await pidOf();
  process.kill((killed.transport as StdioClientTransport).pid as number, "SIGKILL");
  await ended;
  await hasEnded(pid);
});

describe("paths outside are refused", () => {
  it.each([
    ["above", { data: "../secret.jsonl" }],
    ["absolute", { data: "/etc/passwd" }],
    ["a link", { data: "link.jsonl" }],
    ["below a linked folder", { data: "linked/secret.jsonl" }],
    ["output above", { data: "answers.jsonl", output: "../out.json" }],
    ["output below a linked folder", { data: "answers.jsonl", output: "linked/deep/out.json" }],
    ["output to a link that leads nowhere", { data: "answers.jsonl", output: "dangling.json" }],
    ["a report", { data: "answers.jsonl", report: "/tmp/report.html" }],
    ["a cache", { data: "answers.jsonl", cache: "linked/cache" }],
    ["back and out", { data: "inner/../../x.jsonl" }],
  ])("%s", async (_name, input) => {
    const { isError, text } = await call("score_rows", { evaluator: ["exact_match"], ...input });
    expect([isError, text]).toEqual([true, expect.stringContaining("is outside of the workspace")]);
    expect(text).not.toContain('secret"');
  });

  it("in every tool, and in resources and prompts", async () => {
    const path = "linked/secret.jsonl";
    for (const [name, input] of Object.entries({
      run_eval: { file: path },
      compare_results: { before: path, after: path },
      read_failures: { experiment: path },
      estimate_cost: { file: path },
    }))
      expect((await call(name, input)).text, name).toContain("is outside of the workspace");
    await expect(client.readResource({ uri: `openevals-wasm://report/${path}` })).rejects.toThrow("outside");
    await expect(client.readResource({ uri: "openevals-wasm://guide/../package" })).rejects.toThrow(
      "Unknown resource",
    );
    const prompt = { name: "write_eval", arguments: { file: path, function: "f" } };
    await expect(client.getPrompt(prompt)).rejects.toThrow("outside");
  });
});

describe.skipIf(process.platform === "win32")("a pipe without a writer", () => {
  const pipe = (path: string) => execFileSync("mkfifo", [path]);

  it("is refused in every tool, and in resources and prompts", async () => {
    pipe(join(folder, "pipe.ts"));
    const path = "pipe.ts";
    for (const [name, input] of Object.entries({
      run_eval: { file: path },
      score_rows: { data: path, evaluator: ["exact_match"] },
      compare_results: { before: "answers.jsonl", after: path },
      read_failures: { experiment: path },
      estimate_cost: { data: "answers.jsonl", evaluator: ["exact_match"], prices: path },
    }))
      expect((await call(name, input)).text, name).toBe(
        "pipe.ts is a pipe or a device. Name a regular file.",
      );
    await expect(client.readResource({ uri: `openevals-wasm://report/${path}` })).rejects.toThrow("a pipe");
    for (const [name, given] of Object.entries({
      write_eval: { file: path, function: "f" },
      explain_failure: { experiment: path, row: "1" },
    }))
      await expect(client.getPrompt({ name, arguments: given })).rejects.toThrow("a pipe");
    const inner = { name: "write_eval", arguments: { file: "inner", function: "f" } };
    await expect(client.getPrompt(inner)).rejects.toThrow("inner is not a file");
  });

  it("does not keep a server that reads it when its client leaves", async () => {
    const copy = join(folder, "copy");
    await cp(dirname(program).replace(/(openevals-wasm).*$/, "$1"), copy, { recursive: true });
    pipe(join(copy, "docs/pipe.md"));
    const entry = join(copy, program.replace(/.*openevals-wasm/, ""));
    const server = spawn(process.execPath, [entry, "mcp"], { cwd: import.meta.dirname });
    onTestFinished(() => void server.kill("SIGKILL"));
    const params = { uri: "openevals-wasm://guide/pipe" };
    const reading = { jsonrpc: "2.0", id: 1, method: "resources/read", params };
    const ping = { jsonrpc: "2.0", id: 2, method: "ping" };
    server.stdin.write(`${JSON.stringify(reading)}\n${JSON.stringify(ping)}\n`);
    // The answer to the second message.
    expect(JSON.parse(String(await once(server.stdout, "data").then(([data]) => data)))).toMatchObject({
      id: 2,
    });
    server.stdin.end();
    await once(server, "close");
  });
});

describe("input that does not fit", () => {
  it.each([
    [
      "an unknown argument",
      { data: "answers.jsonl", evaluator: ["exact_match"], baseUrl: "http://x" },
      /^score_rows has no argument "baseUrl"; the arguments are .*evaluator, model/,
    ],
    [
      "a misspelt argument",
      { data: "answers.jsonl", evaluators: ["exact_match"] },
      /^score_rows has no argument "evaluators"; did you mean evaluator\?$/,
    ],
    ["another type", { data: "answers.jsonl", evaluator: "exact_match" }, /evaluator/],
    ["nothing to score", { evaluator: ["exact_match"] }, /^score_rows needs one of data and rows/],
    [
      "a file that is not there",
      { data: "none.jsonl", evaluator: ["exact_match"] },
      /^There is no file none\.jsonl/,
    ],
    [
      "an option in a value",
      { data: "answers.jsonl", evaluator: ["--github"] },
      /^Unknown evaluator "--github"/,
    ],
    [
      "a null character",
      { data: "a\0b.jsonl", evaluator: ["exact_match"] },
      /null character|no file|outside/,
    ],
    [
      "too much",
      { rows: [{ outputs: "x".repeat(6_000_000) }], evaluator: ["exact_match"] },
      /more than 5 MB/,
    ],
  ])("%s", async (_name, input, message) => {
    const { isError, text, error } = await call("score_rows", input);
    expect([isError, error?.message ?? text]).toEqual([true, expect.stringMatching(message)]);
  });

  it("rows that are nested 2,000 levels deep", async () => {
    let outputs: unknown = 1;
    for (let depth = 0; depth < 2000; depth++) outputs = [outputs];
    const { isError, text } = await call("score_rows", { rows: [{ outputs }], evaluator: ["valid_json"] });
    expect([isError, text]).toEqual([true, expect.stringMatching(/over 1000 levels/)]);
  });

  it("unknown tools, prompts and resources", async () => {
    await expect(client.callTool({ name: "shell", arguments: {} })).rejects.toThrow(
      /-32602.*Unknown tool shell/,
    );
    await expect(client.getPrompt({ name: "constructor" })).rejects.toThrow("Unknown prompt");
    await expect(client.getPrompt({ name: "write_eval", arguments: {} })).rejects.toThrow(
      "needs the argument file",
    );
    await expect(client.readResource({ uri: "file:///etc/passwd" })).rejects.toThrow("Unknown resource");
  });

  it("rejects lines that are not messages, and a message of 11 MB ends the server without a stack trace", async () => {
    const server = spawn(process.execPath, [program, "mcp", "--root", folder]);
    const said = { out: "", err: "" };
    server.stdout.on("data", (text) => (said.out += text));
    server.stderr.on("data", (text) => (said.err += text));
    const ping = (id: number) => `${JSON.stringify({ jsonrpc: "2.0", id, method: "ping" })}\n`;
    server.stdin.write(`junk\n{}\n[]\n{"jsonrpc":"2.0"}\n\0\n${ping(1)}`);
    await vi.waitFor(() => expect(said.out).toBe('{"result":{},"jsonrpc":"2.0","id":1}\n'), {
      timeout: 10_000,
    });
    server.stdin.on("error", () => {});
    server.stdin.write(
      `{"jsonrpc":"2.0","id":2,"method":"ping","params":{"x":"${"x".repeat(11_000_000)}"}}\n`,
    );
    const [code] = await once(server, "close");
    expect(code).toBe(0);
    expect(said.err).toMatch(/A message was refused: \w/);
    expect(said.err).not.toMatch(/^ {4}at /m);
  });
});
