/** Packages of others that a check asks, which are optional. */

import { callbackFailed, OpenEvalsError, reasonOf } from "../../core/errors.js";
import { loaded } from "../../core/platform/packages.js";

/** A package: as it was passed, or as it is installed, which is found on first use. */
export function packageOf<Module>(
  check: string,
  name: string,
  option: string,
  given: Module | undefined,
): () => Promise<Module> {
  let found: Promise<Module> | undefined = given && Promise.resolve(given);
  return () => {
    found ??= loaded(name).then(
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

/** Calls a function of the caller's. */
export async function called<T>(name: string, call: () => T | Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw callbackFailed(name, error);
  }
}
