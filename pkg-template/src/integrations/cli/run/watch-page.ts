/** The page of `run --watch --view`, which shows the running experiment. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readingOf } from "../arguments/reading-options.js";
import { say } from "../output/terminal.js";
import { openBrowser } from "../view/browser.js";
import { serveViewed, Viewed } from "../view/viewed.js";
import type { RunOptions } from "./options.js";

/** The time between two attempts to read a file that has just been created, in milliseconds. */
const STEP_MS = 100;

export class WatchPage {
  /** The folder for the rows of experiments without a sink. */
  readonly folder: string;
  readonly #viewed: Viewed;
  #served: Promise<{ close(): void } | undefined> | undefined;
  #isClosed = false;

  private constructor(folder: string, viewed: Viewed) {
    this.folder = folder;
    this.#viewed = viewed;
  }

  static async open(options: RunOptions): Promise<WatchPage> {
    const reading = await readingOf(options);
    const folder = await mkdtemp(join(tmpdir(), "openevals-view-"));
    return new WatchPage(folder, new Viewed(join(folder, "none.jsonl"), reading));
  }

  /** Shows the experiment in a file. The first one opens the browser. */
  show(path: string): void {
    this.#viewed.show(path);
    this.#served ??= this.#serve();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    (await this.#served)?.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  async #serve() {
    while (!this.#isClosed) {
      const isThere = await this.#viewed.read().catch(() => undefined);
      if (isThere) {
        const served = await serveViewed(this.#viewed);
        say(`The report is at ${served.url} for readers on this machine.`);
        openBrowser(served.url);
        return served;
      }
      await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    }
    return undefined;
  }
}
