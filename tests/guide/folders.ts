/** Folders in which the examples of a page run. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { blocks } from "./blocks.ts";

/** Makes the folder of a page in `work`, with the files that the page shows, and returns its path. */
export function folderOf(work: string, page: string): string {
  const folder = join(work, page);
  mkdirSync(folder, { recursive: true });
  for (const { info, code } of blocks.filter((block) => block.page === page))
    if (/^[\w./-]+\.\w+$/.test(info)) {
      mkdirSync(join(folder, dirname(info)), { recursive: true });
      writeFileSync(join(folder, info), code);
    }
  return folder;
}
