/** The README as it is published. */

import { readFileSync } from "node:fs";
import { path } from "./run.mjs";

/** Files that are published under another path than they have here. */
const PUBLISHED = { "pkg-template/CHANGELOG.md": "CHANGELOG.md" };

const POINTS_THERE =
  /<!-- repository -->[\s\S]*?<!-- \/repository -->\n\n| ?\bMore: (?:, |\[[^\]]*\]\([^)]*\))+\./g;

/**
 * Whoever reads it has no repository beside it: what is not published is linked to where the manifest says that the
 * repository is, and is mere text as long as it does not say so. What only points there is left out until then: what
 * stands between `<!-- repository -->` marks, and sentences such as "More: [Judges](…)."
 */
export function publishedReadme({ repository }) {
  const home = (repository?.url ?? repository)?.replace(/^git\+|\.git$/g, "");
  const text = readFileSync(path("README.md"), "utf8");
  return (home ? text : text.replaceAll(POINTS_THERE, "").replaceAll(/\n{3,}/g, "\n\n"))
    .replaceAll(/<!--[\s\S]*?-->\n/g, "")
    .replaceAll(/\[([^\]]*)\]\((?!https?:|#)([^)]+)\)/g, (_, text, target) => {
      if (PUBLISHED[target]) return `[${text}](${PUBLISHED[target]})`;
      return home ? `[${text}](${home}/blob/HEAD/${target})` : text;
    });
}
