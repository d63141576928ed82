/** The engine of what is computed over all rows: a binary of its own, which is loaded when it is first used. */

import { type Bindings, bind } from "../openevals-statistics.js";
import { Loader } from "./loader.js";
import { statistics } from "./sources.js";

const loader = new Loader(statistics, bind);

/**
 * Makes a call of the statistics.
 *
 * @param task What messages call it.
 * @param size How much goes in, in numbers.
 */
export async function measure<T>(task: string, size: number, call: (bindings: Bindings) => T): Promise<T> {
  const engine = loader.loaded ?? (await loader.load());
  return engine.run(task, size, call);
}
