/** Projects with the package, in which tests run programs. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";
import { linkPackage } from "../package.js";

const installed = join(import.meta.dirname, "../node_modules");

/** A folder with files, and packages of the tests beside this one; it goes away with the tests. */
export async function projectOf(
  files: Record<string, string>,
  packages: readonly string[] = [],
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "project-"));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  linkPackage(folder);
  for (const name of packages) await symlink(join(installed, name), join(folder, "node_modules", name));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

/** Lines of JSON. */
export const lines = (rows: readonly object[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join("");

/** An experiment over numbers, of which the first `right` are doubled as they should be. */
export const doubling = (right: number, more = ""): string => `
  import { exactMatch } from "openevals-wasm";
  export default {
    data: Array.from({ length: 12 }, (_, i) => ({ id: "n" + i, inputs: i + 1, referenceOutputs: 2 * (i + 1) })),
    target: (n) => (n <= ${right} ? 2 * n : n),
    evaluators: [exactMatch],
    ${more}
  };
`;
