/** The engine of the metrics of texts: a binary of its own, which is loaded when it is first used. */

import { type Bindings, bind } from "../openevals-metrics.js";
import { Loader } from "./loader.js";
import { metrics } from "./sources.js";

const loader = new Loader(metrics, bind);

/**
 * Makes a call of the metrics.
 *
 * @param task What messages call it.
 * @param size How much goes in, in characters.
 */
export async function measure<T>(task: string, size: number, call: (bindings: Bindings) => T): Promise<T> {
  const engine = loader.loaded ?? (await loader.load());
  return engine.run(task, size, call);
}
