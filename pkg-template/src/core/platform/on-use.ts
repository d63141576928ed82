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
      `${part} could not be loaded: ${reasonOf(cause)}. It is in its own file of openevals-wasm, which is loaded on first ` +
        "use. Serve all files of the package's build; after a new deployment, reload the page. Where nothing can be " +
        "loaded later, as in a service worker, use openevals-wasm/single.",
      { cause },
    );
  }
}
