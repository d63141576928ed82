/** Optional packages, which the project of the user has, or this package beside it. */

import { createRequire } from "node:module";
import { isAbsolute, join } from "node:path";
import { pathToFileURL } from "node:url";

/** Bundlers do not follow an import of a variable. */
const importAt = (url: string): Promise<any> => import(url);

/** Imports a module of a package; `undefined` if it is not installed. */
export async function optionalPackage(module: string): Promise<any> {
  const inProject = () => createRequire(join(process.cwd(), "package.json")).resolve(module);
  for (const place of [inProject, () => module]) {
    try {
      const name = place();
      return await importAt(isAbsolute(name) ? pathToFileURL(name).href : name);
    } catch {
      // The next place may have it.
    }
  }
  return undefined;
}
