/** The engine: when it may be loaded, how large it is, and how long the first score took. */

import { levenshteinDistance } from "openevals-wasm";
import { say } from "../shared/dom.js";

/** When the page has been painted. Pages in the background never are. */
const painted = new Promise<void>((resolve) => {
  requestAnimationFrame(() => setTimeout(resolve));
  setTimeout(resolve, 500);
});

let started = 0;

/**
 * When the engine has been loaded, or could not be: nothing asks for it before the page has been painted. What failed is
 * told by whoever needs it next.
 */
export const loaded: Promise<boolean> = painted
  .then(() => {
    started = performance.now();
    // Equal values would be scored without the engine.
    return levenshteinDistance({ outputs: "a", referenceOutputs: "b" });
  })
  .then(
    () => true,
    () => false,
  );

/** Says in `place` how large the engine is, and how long it took to load. */
export async function showEngine(place: HTMLElement): Promise<void> {
  if (await loaded) {
    const took = `ready in ${Math.max(1, Math.round(performance.now() - started))} ms`;
    const file = performance
      .getEntriesByType("resource")
      .find(({ name }) => name.endsWith("/openevals.wasm"));
    const size = (file as PerformanceResourceTiming | undefined)?.encodedBodySize;
    say(place, size ? `Engine: ${Math.round(size / 1000)} KB of WebAssembly, ${took}` : `Engine ${took}`);
  } else {
    say(place, "The engine could not be loaded.");
  }
}
