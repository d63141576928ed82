/** Watches files and the files that they depend on. */

import { watch } from "node:fs";
import { basename, dirname, join } from "node:path";
import { filesNamedBy, SOURCE } from "./named-files.js";

/** Editors write in several steps: changes within this many milliseconds are one. */
const STEP_MS = 50;
const pause = () => new Promise((resolve) => setTimeout(resolve, STEP_MS));

export class Watched {
  readonly #files: readonly string[];
  readonly #onCode: () => void;
  /** The files that each file depends on, with itself. */
  readonly #dependencies = new Map<string, ReadonlySet<string>>();
  /** Watchers of folders: editors replace files, and a watcher of a file does not see its replacement. */
  readonly #folders = new Map<string, { close(): void }>();
  readonly #changed = new Set<string>();
  #isRunning = false;
  #isClosed = false;
  #wake = () => {};

  /** @param onCode Called when code changes. */
  constructor(files: readonly string[], onCode: () => void) {
    this.#files = files;
    this.#onCode = onCode;
  }

  /** Watches the files and their current dependencies during a run. Data that changes then may be what the run writes. */
  async follow(): Promise<void> {
    this.#isRunning = true;
    for (const file of this.#files) {
      const dependencies = await filesNamedBy(file);
      this.#dependencies.set(file, dependencies);
      for (const folder of new Set(Array.from(dependencies, (path) => dirname(path)))) {
        if (this.#folders.has(folder) || this.#isClosed) continue;
        const note = (_: string, name: string | null) =>
          name !== null && this.#note(join(folder, basename(name)));
        this.#folders.set(folder, watch(folder, note));
      }
    }
  }

  /** From here on, data changes for another reason than the run. */
  async runEnded(): Promise<void> {
    // Events of what it wrote may arrive late.
    await pause();
    this.#isRunning = false;
  }

  /** Waits for changes, and returns the files to run again; none after {@link close}. */
  async changed(): Promise<readonly string[]> {
    while (!this.#isClosed && !this.#changed.size)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    if (this.#isClosed) return [];
    await pause();
    const changed = this.#files.filter((file) => this.#changed.has(file));
    this.#changed.clear();
    return changed;
  }

  close(): void {
    this.#isClosed = true;
    for (const watcher of this.#folders.values()) watcher.close();
    this.#wake();
  }

  #note(path: string): void {
    const isCode = SOURCE.test(path);
    if (this.#isRunning && !isCode) return;
    const due = this.#files.filter((file) => this.#dependencies.get(file)?.has(path));
    for (const file of due) this.#changed.add(file);
    if (due.length && isCode) this.#onCode();
    if (this.#changed.size) this.#wake();
  }
}
