/** Calls tools. Each call is a process of this program: it can be killed, and its output cannot disturb the protocol. */

import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import "file:./checks.js";
import { didYouMean } from "../../../core/input/near.js";
import { jsonSchema } from "../../../evaluators/checks/index.js";
import { optionName } from "../arguments/options.js";
import { BUDGET } from "../arguments/shared-options.js";
import { CliError } from "../cli-error.js";
import type { ResultSchema } from "../output/result-schemas.js";
import { MCP_CHILD, type ProgressMessage } from "./mcp-child.js";
import type { McpOptions } from "./options.js";
import { argumentsOf, type Input, inputSchema, type ServedTool, TOOLS } from "./tools.js";
import type { Workspace } from "./workspace.js";

/** The default limits of a call; options of the server replace them. */
const MAX_TOKENS = 200_000;
const MAX_MS = 10 * 60_000;

/** The most time that running rows have after the limit: `run` ends them after as much time again. */
const MAX_OVERTIME_MS = 30_000;
/** The time to start, after which the program is asked to write the results so far. */
const START_MS = 10_000;
/** The time to write them, after which it is killed. */
const WRITING_MS = 30_000;
/** The most characters of the arguments of a call, and of its result. */
const MAX_INPUT = 5_000_000;
const MAX_OUTPUT = 1_000_000;
/** The most processes at the same time; further calls wait. */
const MAX_PROCESSES = 4;

export interface CallOptions {
  signal: AbortSignal;
  onProgress(progress: ProgressMessage): void;
}

export class Calls {
  readonly #workspace: Workspace;
  readonly #options: McpOptions;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(workspace: Workspace, options: McpOptions) {
    this.#workspace = workspace;
    this.#options = options;
  }

  /** Calls one of the tools, and returns the result of its command; throws {@link CliError} for invalid input. */
  async call(name: string, input: Input, options: CallOptions): Promise<Record<string, unknown>> {
    const tool = TOOLS[name] as ServedTool;
    await checkInput(name, input, inputSchema(tool));
    const sources = tool.files.rows ? Object.keys(tool.files) : [];
    if (sources.length && sources.filter((source) => input[source] !== undefined).length !== 1)
      throw new CliError(`${name} needs one of ${sources.join(" and ")}.`);
    const args = await argumentsOf(tool, input, this.#workspace);
    if (tool.options.includes("maxTokens")) args.push(...this.#limits(input));
    const prices = this.#options.prices;
    const takesPrices = tool.options.some((option) => option === "maxCost" || option === "prices");
    if (takesPrices && prices !== undefined && input.prices === undefined)
      args.push(`--prices=${resolve(prices)}`);
    const rows = sources.length ? input.rows : undefined;
    if (!Array.isArray(rows)) return resultIn(await this.run(args, options));
    const folder = await mkdtemp(join(tmpdir(), "openevals-rows-"));
    try {
      const file = join(folder, "rows.jsonl");
      await writeFile(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
      return resultIn(await this.run([...args, file], options));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Runs the program, and returns its standard output. */
  async run(args: readonly string[], options: CallOptions): Promise<string> {
    if (this.#running < MAX_PROCESSES) this.#running++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      const limit = this.#options.maxDuration ?? MAX_MS;
      const maxMs = limit + Math.min(limit, MAX_OVERTIME_MS) + START_MS;
      return await runProcess(args, this.#workspace.root, maxMs, options);
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }

  /** The limits of a call as options. Input without a limit gets that of the server, and cannot exceed it. */
  #limits(input: Input): string[] {
    const { maxTokens, maxDuration, maxCost } = this.#options;
    const limits = { maxTokens: maxTokens ?? MAX_TOKENS, maxDuration: maxDuration ?? MAX_MS, maxCost };
    return (["maxTokens", "maxDuration", "maxCost"] as const).flatMap((name) => {
      const limit = limits[name];
      if (limit === undefined) return [];
      const option = optionName(name);
      const shown = name === "maxDuration" ? `${limit / 1000}s` : String(limit);
      const requested = BUDGET[name].read(input[name] === undefined ? [] : [String(input[name])], option);
      if (requested === undefined) return [`--${option}=${shown}`];
      if (requested <= limit) return [];
      throw new CliError(
        `${name} is ${input[name]}, and this server allows at most ${shown}. To allow more, start it with a higher --${option}.`,
      );
    });
  }
}

async function checkInput(tool: string, input: Input, schema: ResultSchema): Promise<void> {
  if (JSON.stringify(input).length > MAX_INPUT)
    throw new CliError(
      `The arguments have more than ${MAX_INPUT / 1_000_000} MB. Write the rows to a file, and pass its path as data.`,
    );
  const names = Object.keys(schema.properties ?? {});
  const unknown = Object.keys(input).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const hint = didYouMean(unknown, names, `the arguments are ${names.join(", ")}.`);
    throw new CliError(`${tool} has no argument ${JSON.stringify(unknown.slice(0, 100))}; ${hint}`);
  }
  const { score, comment } = await jsonSchema(schema)({ outputs: input });
  if (score !== true) throw new CliError(`The arguments do not fit the tool: ${comment}`);
}

function runProcess(
  args: readonly string[],
  cwd: string,
  maxMs: number,
  { signal, onProgress }: CallOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new CliError("The call was cancelled."));
    const [, program = ""] = process.argv;
    const child = spawn(process.execPath, [program, ...args], {
      cwd,
      // In its own process group, so that its child processes end with it.
      detached: process.platform !== "win32",
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      env: { ...process.env, [MCP_CHILD]: "1" },
    });
    let output = "";
    let messages = "";
    let endReason: string | undefined;
    const end = (reason: string) => {
      endReason ??= reason;
      endGroup(child.pid);
    };
    const cancel = () => end("The call was cancelled.");
    const timers = [
      // Windows has no signal that a program can handle.
      setTimeout(() => process.platform !== "win32" && child.kill("SIGTERM"), maxMs),
      setTimeout(() => {
        const seconds = (maxMs + WRITING_MS) / 1000;
        end(`The call took longer than ${seconds} s and was ended. Call it with fewer rows.`);
      }, maxMs + WRITING_MS),
    ];
    signal.addEventListener("abort", cancel, { once: true });
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (output.length > MAX_OUTPUT)
        end(`The result has more than ${MAX_OUTPUT} characters. Ask for fewer rows, or for one experiment.`);
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      messages = (messages + text).slice(-2000);
    });
    child.on("message", onProgress);
    child.once("error", reject);
    child.once("close", () => {
      for (const timer of timers) clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
      if (endReason !== undefined) reject(new CliError(endReason));
      else if (output) resolve(output);
      else reject(new CliError(`The program ended without a result. ${messages}`));
    });
  });
}

/** Ends a process and those that it has started. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
  } catch {
    // It has already ended.
  }
}

/** The result in the output: its last line, since child processes of user code may print as well. */
function resultIn(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text.trimEnd().split("\n").at(-1) ?? "");
  } catch {
    throw new CliError("The program ended without a result.");
  }
}
