/** `run --watch`: runs a file again when it or a file that it names changes. */

import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { optionsOnly } from "../parsing.js";
import { say } from "../terminal.js";
import { RUN, type RunOptions } from "./options.js";
import { SHOWN_FOLDER, type ShownMessage } from "./shown-rows.js";
import type { WatchPage } from "./watch-page.js";
import { Watched } from "./watched.js";

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
  const watched = new Watched(files);
  process.once("SIGINT", () => watched.close());
  try {
    let overwriting: string[] = [];
    for (let due = files; due.length; due = await watched.changed()) {
      await watched.follow();
      const code = await runOnce(due, [...options, ...overwriting], page);
      // The next run may replace files that this one wrote. A rejected run wrote nothing.
      if (!overwrite && code !== 2) overwriting = ["--overwrite"];
      say("Waiting for changes. Press Ctrl-C to stop.");
    }
    return 0;
  } finally {
    await page?.close();
    if (temporaryCache !== undefined) await rm(temporaryCache, { recursive: true, force: true });
  }
}

function runOnce(
  files: readonly string[],
  options: readonly string[],
  page: WatchPage | undefined,
): Promise<unknown> {
  const [, program = ""] = process.argv;
  const child = spawn(process.execPath, [program, "run", ...options, ...files], {
    stdio: ["inherit", "inherit", "inherit", ...(page ? ["ipc" as const] : [])],
    env: { ...process.env, ...(page && { [SHOWN_FOLDER]: page.folder }) },
  });
  child.on("message", ({ shown }: ShownMessage) => page?.show(shown));
  return new Promise((resolve) => {
    child.once("close", resolve);
  });
}
