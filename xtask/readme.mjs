/** The README as it is published. */

import { readFileSync } from "node:fs";
import { path } from "./run.mjs";

/** Files that are published under another path than they have here. */
const PUBLISHED = { "pkg-template/CHANGELOG.md": "CHANGELOG.md" };

const POINTS_THERE =
  /<!-- repository -->[\s\S]*?<!-- \/repository -->\n| ?\bMore: (?:, |\[[^\]]*\]\([^)]*\))+\./g;

/** What only those need who have the repository before them. */
const DEVELOPMENT = /<!-- development -->[\s\S]*?<!-- \/development -->\n/g;

/** The last column of the table of chapters, which has nothing but links. */
const CHAPTERS = /(\| you want to judge \|.*\n)((?:\|.*\n)+)/;
const withoutChapters = (text) =>
  text.replace(CHAPTERS, (table) => table.replaceAll(/^(\|.*\|)[^|]*\|$/gm, "$1"));

/**
 * Whoever reads it has no repository beside it: what is not published is linked to where the manifest says that the
 * repository is. As long as it does not say so, what only points there is left out: what stands between
 * `<!-- repository -->` marks, sentences such as "More: [Judges](…).", and the chapters of the table. What stands between
 * `<!-- development -->` marks is never published.
 */
export function publishedReadme({ repository }) {
  const home = (repository?.url ?? repository)?.replace(/^git\+|\.git$/g, "");
  const text = readFileSync(path("README.md"), "utf8").replaceAll(DEVELOPMENT, "");
  return (home ? text : withoutChapters(text.replaceAll(POINTS_THERE, "")))
    .replaceAll(/\n{3,}/g, "\n\n")
    .replaceAll(/<!--[\s\S]*?-->\n/g, "")
    .replaceAll(/\[([^\]]*)\]\((?!https?:|#)([^)]+)\)/g, (_, text, target) => {
      if (PUBLISHED[target]) return `[${text}](${PUBLISHED[target]})`;
      return home ? `[${text}](${home}/blob/HEAD/${target})` : text;
    });
}
