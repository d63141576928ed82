/** `run --watch`: runs a file again when it or a file that it names changes. */

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { optionsOnly } from "../arguments/parsing.js";
import { say } from "../output/terminal.js";
import { RUN, type RunOptions } from "./options.js";
import { SHOWN_FOLDER, type ShownMessage } from "./shown-rows.js";
import type { WatchPage } from "./watch-page.js";
import { Watched } from "./watched.js";

/** How long a run may take to stop, in milliseconds. Code that blocks the event loop never does. */
const GRACE_MS = 3_000;

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs until Ctrl-C. Each run is a new process, so that modules are loaded again. */
export async function watch(files: readonly string[], runOptions: RunOptions): Promise<number> {
  const { cache, overwrite } = runOptions;
  // Judges answer unchanged questions from this cache, which exists until Ctrl-C.
  const temporaryCache = cache === undefined ? await mkdtemp(join(tmpdir(), "openevals-cache-")) : undefined;
  const options = [
    ...optionsOnly(process.argv.slice(2), RUN, ["watch", "view"]),
    ...(temporaryCache === undefined ? [] : [`--cache=${temporaryCache}`]),
  ];
  const page = runOptions.view
    ? await (await import("./watch-page.js")).WatchPage.open(runOptions)
    : undefined;
  let run: RunProcess | undefined;
  const watched = new Watched(files, () => run?.stop("SIGTERM"));
  let isEnding = false;
  const end = (signal: NodeJS.Signals) => {
    watched.close();
    if (isEnding) run?.kill();
    // A terminal sends Ctrl-C to the run as well, and a second signal would end it at once.
    else run?.stop(signal === "SIGINT" && process.stdin.isTTY ? undefined : "SIGTERM");
    isEnding = true;
  };
  const kill = () => run?.kill();
  for (const signal of SIGNALS) process.on(signal, end);
  process.on("exit", kill);
  try {
    let overwriting: string[] = [];
    for (let due = files; due.length && !isEnding; ) {
      await watched.follow();
      run = new RunProcess(due, [...options, ...overwriting], page);
      const code = await run.ended;
      // The next run may replace files that this one wrote. A rejected or killed run may have found files of others.
      if (!overwrite && code !== 2 && code !== null) overwriting = ["--overwrite"];
      if (isEnding) break;
      await watched.runEnded();
      if (!run.isStopped) say("Waiting for changes. Press Ctrl-C to stop.");
      const changed = await watched.changed();
      const unfinished = run.isStopped && changed.length ? due : [];
      due = files.filter((file) => changed.includes(file) || unfinished.includes(file));
    }
    return 0;
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
    process.off("exit", kill);
    await page?.close();
    if (temporaryCache !== undefined) await rm(temporaryCache, { recursive: true, force: true });
  }
}

/** A run in its own process. */
class RunProcess {
  /** Resolves with the exit code; `null` if a signal ended the process. */
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;
  #grace: NodeJS.Timeout | undefined;

  constructor(files: readonly string[], options: readonly string[], page: WatchPage | undefined) {
    const [, program = ""] = process.argv;
    this.#child = spawn(process.execPath, [program, "run", ...options, ...files], {
      stdio: ["inherit", "inherit", "inherit", ...(page ? ["ipc" as const] : [])],
      env: { ...process.env, ...(page && { [SHOWN_FOLDER]: page.folder }) },
    });
    this.#child.on("message", ({ shown }: ShownMessage) => page?.show(shown));
    this.ended = new Promise((resolve) => {
      this.#child.once("close", (code) => {
        clearTimeout(this.#grace);
        resolve(code);
      });
    });
  }

  /** Whether the process was asked to stop before it ended. */
  get isStopped(): boolean {
    return this.#grace !== undefined;
  }

  /** Stops the run, which then ends with the results so far. If it does not, it is killed. */
  stop(signal: NodeJS.Signals | undefined): void {
    if (this.isStopped || this.#hasEnded) return;
    if (signal !== undefined) this.#child.kill(signal);
    this.#grace = setTimeout(() => {
      say(
        `The run did not stop within ${GRACE_MS / 1000} seconds and was killed (SIGKILL). Its code may have an endless loop.`,
      );
      this.kill();
    }, GRACE_MS);
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  get #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }
}
