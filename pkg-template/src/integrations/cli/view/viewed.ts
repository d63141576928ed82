/** The page that shows an experiment in a file. */

import { stat } from "node:fs/promises";
import { identity, identityOf } from "../../../core/records/row-identity.js";
import type { Experiment } from "../../../core/records/types.js";
import { readExperiment } from "../../../evaluation.js";
import { compareAll } from "../../../presentation/report/compare.js";
import type { ViewData } from "../../../presentation/report/data.js";
import { documentOf } from "../../../presentation/report/document.js";
import { numbersIn } from "../../../presentation/report/label-numbers.js";
import { more, policy, script } from "../../../presentation/report/view-files.js";
import { titleOf } from "../../../presentation/story/headline.js";
import type { ReadingFlags } from "../arguments/reading-options.js";
import type { LabelFile } from "./labels.js";
import { serve } from "./server.js";

/** Serves the page; returns its address. */
export function serveViewed(viewed: Viewed, labels?: LabelFile): Promise<{ url: string; close(): void }> {
  return serve({
    policy,
    async page() {
      const data = await viewed.read();
      const all: ViewData = { ...data, ...(labels && { labels: labels.all() }) };
      const { report } = data;
      // Readers who label see no verdict.
      const title = labels ? report.experiment.experimentName : titleOf(report);
      return documentOf(title, JSON.stringify(all), { more, policy, script });
    },
    async newer(since) {
      const data = await viewed.read();
      return data.version === since ? undefined : JSON.stringify(data);
    },
    label: labels && ((given) => labels.add(given, viewed)),
  });
}

/** An experiment in a file, which is read again when the file changes. */
export class Viewed {
  #path: string;
  readonly #reading: ReadingFlags;
  #data: Omit<ViewData, "labels"> | undefined;
  #reads: Promise<Omit<ViewData, "labels">> | undefined;

  constructor(path: string, reading: ReadingFlags) {
    this.#path = path;
    this.#reading = reading;
  }

  /** Reads another file from now on. */
  show(path: string): void {
    this.#path = path;
  }

  /** The current content; the previous one while the file is being replaced. */
  read(): Promise<Omit<ViewData, "labels">> {
    // Concurrent requests share one read.
    this.#reads ??= this.#read().finally(() => {
      this.#reads = undefined;
    });
    return this.#reads;
  }

  /** The numbers that can be labels. */
  get labelNumbers(): number[] {
    return this.#data ? numbersIn(this.#data.report) : [];
  }

  hasRow(id: string, repetition: number): boolean {
    const rows = this.#data?.report.experiment.rows ?? [];
    return rows.some((row) => identityOf(row) === identity(id, repetition));
  }

  async #read(): Promise<Omit<ViewData, "labels">> {
    const path = this.#path;
    try {
      const { mtimeMs, size } = await stat(path);
      const version = `${mtimeMs} ${size} ${path}`;
      if (this.#data?.version === version) return this.#data;
      const experiment: Experiment = await readExperiment(path);
      const { prices = experiment.prices } = this.#reading;
      const report = { ...(await compareAll([experiment])), ...this.#reading, prices };
      this.#data = { report, version };
    } catch (error) {
      if (!this.#data) throw error;
    }
    return this.#data;
  }
}
