/** Adapts the README for publication. */

import { existsSync, readFileSync } from "node:fs";
import { repositoryOf } from "./addresses.mjs";
import { path } from "./run.mjs";

/** Text that needs files of the repository: pictures, and links to examples. */
const REPOSITORY = /<!-- repository -->[\s\S]*?<!-- \/repository -->\n/g;

/** Sections for readers with a checkout of the repository. */
const DEVELOPMENT = /<!-- development -->[\s\S]*?<!-- \/development -->\n/g;

/**
 * The README as published. Links and pictures lead to the repository that the manifest names. While that is a placeholder,
 * chapters are those in `docs/` of the package, and text between `<!-- repository -->` marks is removed. Text between
 * `<!-- development -->` marks is never published.
 */
export function publishedReadme(manifest) {
  const repository = repositoryOf(manifest);
  const text = readFileSync(path("README.md"), "utf8").replaceAll(DEVELOPMENT, "");
  return (repository ? text : text.replaceAll(REPOSITORY, ""))
    .replaceAll(/<!--[\s\S]*?-->\n/g, "")
    .replaceAll(/\n{3,}/g, "\n\n")
    .replaceAll(/(?<=\]\(|src=")(?!https?:|#)[^)"]+/g, (target) => addressOf(target, repository));
}

/** The published address of a file in the repository. */
function addressOf(target, repository) {
  const [file] = target.split("#");
  if (!existsSync(path(file))) throw new Error(`README.md links to ${target}, which does not exist.`);
  if (target === "pkg-template/CHANGELOG.md") return "CHANGELOG.md";
  if (!repository) return target.replace(/^www\/guide\//, "docs/");
  return `${repository}/${/\.(?:png|svg)$/.test(file) ? "raw" : "blob"}/HEAD/${target}`;
}
