/** Files, and what they are made of, as they change. */

import { watch } from "node:fs";
import { basename, dirname, join } from "node:path";
import { filesNamedBy } from "./named-files.js";

/** Editors write in several steps: what comes within so many milliseconds is one change. */
const STEP_MS = 50;

export class Watched {
  readonly #files: readonly string[];
  /** Those that each file is made of. */
  readonly #parts = new Map<string, ReadonlySet<string>>();
  /** Folders: a file that an editor puts in the place of another is none that was watched. */
  readonly #folders = new Map<string, { close(): void }>();
  readonly #changed = new Set<string>();
  #isClosed = false;
  #tell = () => {};

  constructor(files: readonly string[]) {
    this.#files = files;
  }

  /** Watches everything that the files are made of now. */
  async follow(): Promise<void> {
    for (const file of this.#files) {
      const parts = await filesNamedBy(file);
      this.#parts.set(file, parts);
      for (const folder of new Set(Array.from(parts, (part) => dirname(part)))) {
        if (this.#folders.has(folder) || this.#isClosed) continue;
        const note = (_: string, name: string | null) =>
          name !== null && this.#note(join(folder, basename(name)));
        this.#folders.set(folder, watch(folder, note));
      }
    }
  }

  /** The files to run again, once there are any; none after {@link close}. */
  async changed(): Promise<readonly string[]> {
    while (!this.#isClosed && !this.#changed.size)
      await new Promise<void>((resolve) => {
        this.#tell = resolve;
      });
    if (this.#isClosed) return [];
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    const changed = this.#files.filter((file) => this.#changed.has(file));
    this.#changed.clear();
    return changed;
  }

  close(): void {
    this.#isClosed = true;
    for (const watcher of this.#folders.values()) watcher.close();
    this.#tell();
  }

  #note(path: string): void {
    for (const [file, parts] of this.#parts) if (parts.has(path)) this.#changed.add(file);
    if (this.#changed.size) this.#tell();
  }
}
