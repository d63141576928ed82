/** Files of this package that are loaded on use. */

import { OpenEvalsError, reasonOf } from "../errors.js";

/**
 * Loads a file that a result depends on. Without it there is no result: a failure must not look like one of the data.
 *
 * @param part What is in the file, as the subject of a sentence.
 */
export async function onUse<Module>(part: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    throw new OpenEvalsError(
      "load_failed",
      `${part} could not be loaded: ${reasonOf(cause)}. This file of openevals-wasm is loaded on first use. Serve all ` +
        "files of the build, and reload the page after a deployment. A service worker, which loads nothing later, needs " +
        "openevals-wasm/single.",
      { cause },
    );
  }
}
