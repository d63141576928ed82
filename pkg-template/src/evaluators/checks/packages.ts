/** Optional packages that checks use. */

import { OpenEvalsError, reasonOf } from "../../core/errors.js";
import { loadPackage } from "../../core/platform/packages.js";

/** Returns the package that was passed, or loads the installed one on first use. */
export function packageOf<Module>(
  check: string,
  name: string,
  option: string,
  passed: Module | undefined,
): () => Promise<Module> {
  let found: Promise<Module> | undefined = passed && Promise.resolve(passed);
  return () => {
    found ??= loadPackage(name).then(
      (module) => ((module as { default?: object }).default ?? module) as Module,
      (error) => {
        found = undefined;
        throw new OpenEvalsError(
          "invalid_config",
          `${check} needs the package ${name}, which cannot be loaded here: ${reasonOf(error)}. ` +
            `Install it (npm install ${name}), or pass it with the option ${option}.`,
          { cause: error },
        );
      },
    );
    return found;
  };
}
