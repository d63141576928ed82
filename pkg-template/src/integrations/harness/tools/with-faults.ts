import { invalidConfig } from "../../../core/errors.js";
import {
  aDuration,
  checkOptions,
  numberFromTo,
  type OptionChecks,
  wholeFrom,
} from "../../../core/input/checks.js";
import { fnv1a } from "../../../core/input/hash.js";
import { mixed } from "../../../core/input/mixed.js";
import { canonicalArguments } from "./arguments.js";
import { callCounter } from "./observed-run.js";
import { type AnyTools, withFunctions } from "./tools.js";

/** The options of {@link withFaults}. */
export interface FaultOptions {
  /** The share of the calls that fail, from 0 to 1; 0 by default. */
  failRate?: number;
  /** The delay before each call, in milliseconds; 0 by default. */
  delayMs?: number;
  /** A whole number that decides which calls fail; 0 by default. */
  seed?: number;
}

const OPTIONS: OptionChecks<FaultOptions> = {
  failRate: numberFromTo(0, 1),
  delayMs: aDuration,
  seed: wholeFrom(0),
};

/**
 * Makes tools fail or wait on purpose, to test how an agent recovers. With the same seed, the same calls fail: whether
 * a call fails depends on its tool, its arguments, and the number of equal calls before it, not on other calls. Each run of
 * {@link recordAgent} and each simulation counts its own calls, as for {@link mockTools}.
 *
 * Pass it the result of {@link recordTools} or {@link mockTools}, and not the reverse, so that faults are not recorded.
 *
 * @returns The tools. A call that fails throws an `Error` instead of calling the tool.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. A tool throws `invalid_input` for
 * arguments that JSON cannot represent.
 *
 * @example
 * ```ts
 * import { mockTools, withFaults } from "openevals-wasm/harness";
 *
 * const { search } = withFaults(mockTools({ search: { returns: "12 °C" } }), { failRate: 1 });
 * await search({ q: "Oslo" }).catch((error) => console.log(error.message)); // search is not available (fault on purpose)
 * ```
 */
export function withFaults<Tools extends AnyTools>(tools: Tools, options: FaultOptions): Tools {
  const { failRate = 0, delayMs = 0, seed = 0 } = checkOptions("withFaults", options, OPTIONS);
  if (!failRate && !delayMs) throw invalidConfig("withFaults needs failRate or delayMs");
  const countEarlier = callCounter();
  return withFunctions("withFaults", tools, (name, original) => async (...all) => {
    const call = `${name}(${canonicalArguments(all[0], name)})`;
    const earlier = countEarlier(call);
    if (delayMs) await new Promise((resolve) => setTimeout(resolve, delayMs));
    const drawn = mixed(fnv1a(`${seed} ${earlier} ${call}`)) / 2 ** 32;
    if (drawn < failRate) throw new Error(`${name} is not available (fault on purpose)`);
    return original(...all);
  });
}
