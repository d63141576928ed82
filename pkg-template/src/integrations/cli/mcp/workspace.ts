/** The files that the tools may read and write: those below one folder, after all links are followed. */

import { lstat, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { CliError } from "../cli-error.js";
import { realPath } from "../files.js";

export class Workspace {
  /** The folder, without links. */
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  static async at(folder: string): Promise<Workspace> {
    const root = await realPath(folder);
    if (root === undefined)
      throw new CliError(`There is no folder ${folder}. Create it, or name another one with --root.`);
    return new Workspace(root);
  }

  /** The path of an existing file or folder, from the root; throws {@link CliError} for a path outside. */
  async existing(path: string): Promise<string> {
    const real = await realPath(resolve(this.root, path));
    // Checked first, so that the error does not reveal whether a file outside exists.
    const inside = await this.#inside(path);
    if (real === undefined) throw new CliError(`There is no file ${path} in the workspace. Check the path.`);
    const found = await stat(real);
    // Reading a pipe may never end.
    if (!found.isFile() && !found.isDirectory())
      throw new CliError(`${path} is a pipe or a device. Name a regular file.`);
    return inside;
  }

  /** The path of a file to write, from the root; throws {@link CliError} for a path outside. */
  writable(path: string): Promise<string> {
    return this.#inside(path);
  }

  /** The path from the root, with the links of all existing folders resolved. */
  async #inside(path: string): Promise<string> {
    const missing: string[] = [];
    let ancestor = resolve(this.root, path);
    let real = await realPath(ancestor);
    while (real === undefined) {
      const isLink = (await lstat(ancestor).catch(() => undefined))?.isSymbolicLink();
      // Writing to a link that leads nowhere creates its target.
      if (isLink || dirname(ancestor) === ancestor) throw outside(path);
      missing.unshift(basename(ancestor));
      ancestor = dirname(ancestor);
      real = await realPath(ancestor);
    }
    const relativePath = relative(this.root, join(real, ...missing));
    if (relativePath === ".." || relativePath.startsWith(`..${sep}`) || isAbsolute(relativePath))
      throw outside(path);
    // The prefix keeps a name from being read as an option.
    return `.${sep}${relativePath}`;
  }
}

const outside = (path: string): CliError =>
  new CliError(
    `${path} is outside of the workspace. Name a file below the folder that the server was started in.`,
  );
