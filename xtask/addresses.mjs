/** The published addresses of the project, from the workspace's `package.json`. */

import { readFileSync } from "node:fs";
import { path, TaskError } from "./run.mjs";

const FIELDS = ["repository", "homepage", "bugs"];

/** `{ repository, homepage, bugs }`, as the published manifest has them. */
export function addresses() {
  const workspace = JSON.parse(readFileSync(path("package.json"), "utf8"));
  return Object.fromEntries(FIELDS.map((field) => [field, workspace[field]]));
}

const addressOf = (field) => (field?.url ?? field ?? "").replace(/^git\+/, "");

/** The domain that is reserved for documentation. */
const isPlaceholder = (address) => /^https:\/\/example\.com\//.test(address);

/** The address of the repository without `.git`; `undefined` while it is a placeholder. */
export function repositoryOf({ repository }) {
  const address = addressOf(repository).replace(/\.git$/, "");
  return isPlaceholder(address) ? undefined : address || undefined;
}

/** Fails unless every address is one that users can open. */
export function checkAddresses(manifest) {
  for (const field of FIELDS) {
    const address = addressOf(manifest[field]);
    if (!/^https:\/\/./.test(address))
      throw new TaskError(`package.json has no address in "${field}"; set one that begins with https://.`);
    if (isPlaceholder(address))
      throw new TaskError(
        `"${field}" of package.json is the placeholder ${address}; set the address of the project before a release.`,
      );
  }
}
