/** Files of this package that are loaded on use. */

import { OpenEvalsError, reasonOf } from "../errors.js";

/**
 * Loads a file that a result depends on. If that fails, the error must not look like a problem of the data.
 *
 * @param part The content of the file, as the subject of a sentence.
 */
export async function onUse<Module>(part: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    throw new OpenEvalsError(
      "load_failed",
      `${part} could not be loaded: ${reasonOf(cause)}. This file of openevals-wasm is loaded on first use. Serve all ` +
        "files of the build, and reload the page after a deployment. Service workers cannot load code later: use " +
        "openevals-wasm/single there.",
      { cause },
    );
  }
}
