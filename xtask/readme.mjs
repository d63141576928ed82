/** The README as it is published. */

import { readFileSync } from "node:fs";
import { path } from "./run.mjs";

/** Files that are published under another path than they have here. */
const PUBLISHED = { "pkg-template/CHANGELOG.md": "CHANGELOG.md" };

/**
 * Whoever reads it has no repository beside it: what is not published is linked to where the manifest says that the
 * repository is, and is mere text as long as it does not say so.
 */
export function publishedReadme({ repository }) {
  const home = (repository?.url ?? repository)?.replace(/^git\+|\.git$/g, "");
  return readFileSync(path("README.md"), "utf8")
    .replaceAll(/<!--[\s\S]*?-->\n/g, "")
    .replaceAll(/\[([^\]]*)\]\((?!https?:|#)([^)]+)\)/g, (_, text, target) => {
      if (PUBLISHED[target]) return `[${text}](${PUBLISHED[target]})`;
      return home ? `[${text}](${home}/blob/HEAD/${target})` : text;
    });
}
