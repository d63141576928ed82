/** Optional packages, from the project of the user or installed beside this package. */

import { createRequire } from "node:module";
import { isAbsolute, join } from "node:path";
import { pathToFileURL } from "node:url";

/** Bundlers do not follow an import of a variable. */
const importAt = (url: string): Promise<any> => import(url);

/** Imports a module of a package; `undefined` if it is not installed. */
export async function optionalPackage(module: string): Promise<any> {
  const inProject = () => createRequire(join(process.cwd(), "package.json")).resolve(module);
  for (const locate of [inProject, () => module]) {
    try {
      const name = locate();
      return await importAt(isAbsolute(name) ? pathToFileURL(name).href : name);
    } catch {
      // Try the next location.
    }
  }
  return undefined;
}
