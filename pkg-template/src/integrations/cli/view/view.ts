/** `view`: an experiment as it grows, served to one reader, who may label its rows. */

import "file:./evaluation.js";
import { spawn } from "node:child_process";
import { stat } from "node:fs/promises";
import type { Experiment } from "../../../core/records/types.js";
import { readExperiment } from "../../../experiments/evaluate/sink/read.js";
import { compareAll } from "../../../experiments/presentation/report/compare.js";
import type { ViewData } from "../../../experiments/presentation/report/data.js";
import { documentOf } from "../../../experiments/presentation/report/document.js";
import * as files from "../../../experiments/presentation/report/view-files.js";
import { checkIsThere, realPath } from "../files.js";
import { wrong } from "../mistake.js";
import { type ReadingFlags, readingOf } from "../reading.js";
import { print, process } from "../streams.js";
import { say } from "../terminal.js";
import { LabelFile } from "./labels.js";
import type { ViewOptions } from "./options.js";
import { serve } from "./server.js";

export async function view(paths: string[], options: ViewOptions): Promise<number> {
  const [path, ...more] = paths;
  if (path === undefined || more.length)
    throw wrong("view needs one file: an experiment, or what one is written to as it runs");
  await checkIsThere(path);
  if (options.label !== undefined && (await realPath(options.label)) === (await realPath(path)))
    throw wrong(`--label ${options.label} would write into the experiment; name another file`);
  const viewed = new Viewed(path, await readingOf(options));
  await viewed.read();
  const labels = options.label === undefined ? undefined : await LabelFile.open(options.label);
  const withLabels = (data: Omit<ViewData, "labels">): string => {
    const all: ViewData = { ...data, ...(labels && { labels: labels.all() }) };
    return JSON.stringify(all);
  };
  const { url, close } = await serve({
    policy: files.policy,
    async page() {
      const data = await viewed.read();
      return documentOf(data.report.experiment.experimentName, withLabels(data), files);
    },
    async newer(since) {
      const data = await viewed.read();
      return data.version === since ? undefined : JSON.stringify(data);
    },
    label: labels && ((given) => labels.add(given, (id, repetition) => viewed.hasRow(id, repetition))),
  });
  print(`${url}\n`);
  say("Whoever has this address, on this machine, can read it. Ctrl-C ends.");
  if (options.open) openBrowser(url);
  await new Promise<void>((resolve) => process.once("SIGINT", resolve));
  close();
  return 0;
}

/** A file, read again when it has changed. */
class Viewed {
  readonly #path: string;
  readonly #reading: ReadingFlags;
  #data: Omit<ViewData, "labels"> | undefined;
  #reads: Promise<Omit<ViewData, "labels">> | undefined;

  constructor(path: string, reading: ReadingFlags) {
    this.#path = path;
    this.#reading = reading;
  }

  /** What is there now; what was there before, while a file is written anew. */
  read(): Promise<Omit<ViewData, "labels">> {
    // Several may ask at once, and it is read for all of them.
    this.#reads ??= this.#read().finally(() => {
      this.#reads = undefined;
    });
    return this.#reads;
  }

  hasRow(id: string, repetition: number): boolean {
    const rows = this.#data?.report.experiment.rows ?? [];
    return rows.some(({ example, run }) => example.id === id && run.repetition === repetition);
  }

  async #read(): Promise<Omit<ViewData, "labels">> {
    try {
      const { mtimeMs, size } = await stat(this.#path);
      const version = `${mtimeMs} ${size}`;
      if (this.#data?.version === version) return this.#data;
      const experiment: Experiment = await readExperiment(this.#path);
      const { prices = experiment.prices } = this.#reading;
      const report = { ...(await compareAll([experiment])), ...this.#reading, prices };
      this.#data = { report, version };
    } catch (error) {
      if (!this.#data) throw error;
    }
    return this.#data;
  }
}

/** Asks the system; who has none to ask sees the address. */
function openBrowser(url: string): void {
  const { platform } = process;
  const [program, ...args] =
    platform === "darwin" ? ["open"] : platform === "win32" ? ["cmd", "/c", "start", ""] : ["xdg-open"];
  spawn(program as string, [...args, url], { stdio: "ignore" }).once("error", () =>
    say("There is nothing to open the browser with; open the address yourself."),
  );
}
