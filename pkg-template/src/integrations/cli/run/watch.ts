/** `run --watch`: runs a file again when it, or what it names, has changed. */

import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { optionsOnly } from "../parsing.js";
import { process } from "../streams.js";
import { say } from "../terminal.js";
import { RUN, type RunOptions } from "./options.js";
import { Watched } from "./watched.js";

/** Runs until Ctrl-C. Each run is a process of its own, so that modules are loaded anew. */
export async function watch(files: readonly string[], { cache, overwrite }: RunOptions): Promise<number> {
  // What judges have said is kept for as long as it is watched.
  const kept = cache === undefined ? await mkdtemp(join(tmpdir(), "openevals-cache-")) : undefined;
  const options = [
    ...optionsOnly(process.argv.slice(2), RUN, "watch"),
    ...(kept === undefined ? [] : [`--cache=${kept}`]),
  ];
  const watched = new Watched(files);
  process.once("SIGINT", () => watched.close());
  try {
    let more: string[] = [];
    for (let due = files; due.length; due = await watched.changed()) {
      await watched.follow();
      const code = await runOnce(due, [...options, ...more]);
      // What the run has written itself; one that was refused has written nothing.
      if (!overwrite && code !== 2) more = ["--overwrite"];
      say("Waiting for changes; Ctrl-C ends.");
    }
    return 0;
  } finally {
    if (kept !== undefined) await rm(kept, { recursive: true, force: true });
  }
}

function runOnce(files: readonly string[], options: readonly string[]): Promise<unknown> {
  const [, program = ""] = process.argv;
  const child = spawn(process.execPath, [program, "run", ...options, ...files], { stdio: "inherit" });
  return new Promise((resolve) => {
    child.once("close", resolve);
  });
}
