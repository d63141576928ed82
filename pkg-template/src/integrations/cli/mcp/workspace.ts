/** The files that the tools may read and write: those below one folder, after all links are followed. */

import { lstat, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { realPath } from "../files.js";
import { Mistake } from "../mistake.js";

export class Workspace {
  /** The folder, without links. */
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  static async at(folder: string): Promise<Workspace> {
    const root = await realPath(folder);
    if (root === undefined)
      throw new Mistake(`There is no folder ${folder}. Create it, or name another one with --root.`);
    return new Workspace(root);
  }

  /** The path of an existing file or folder, from the root; throws {@link Mistake} for one that is outside. */
  async existing(path: string): Promise<string> {
    const real = await realPath(resolve(this.root, path));
    // Checked first, so that the error does not reveal whether a file outside exists.
    const place = await this.#inside(path);
    if (real === undefined) throw new Mistake(`There is no file ${path} in the workspace. Check the path.`);
    const found = await stat(real);
    // Reading a pipe may never end.
    if (!found.isFile() && !found.isDirectory())
      throw new Mistake(`${path} is a pipe or a device. Name a regular file.`);
    return place;
  }

  /** The path of a file to write, from the root; throws {@link Mistake} for one that is outside. */
  writable(path: string): Promise<string> {
    return this.#inside(path);
  }

  async #inside(path: string): Promise<string> {
    const missing: string[] = [];
    let at = resolve(this.root, path);
    let real = await realPath(at);
    while (real === undefined) {
      const isLink = (await lstat(at).catch(() => undefined))?.isSymbolicLink();
      // Writing to a link that leads nowhere creates its target.
      if (isLink || dirname(at) === at) throw outside(path);
      missing.unshift(basename(at));
      at = dirname(at);
      real = await realPath(at);
    }
    const way = relative(this.root, join(real, ...missing));
    if (way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way)) throw outside(path);
    // So that a name never reads as an option.
    return `.${sep}${way}`;
  }
}

const outside = (path: string): Mistake =>
  new Mistake(
    `${path} is outside of the workspace. Name a file below the folder that the server was started in.`,
  );
