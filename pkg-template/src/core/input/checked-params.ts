/** Guards the parameters of evaluators. */

import { invalidInput } from "../errors.js";

/**
 * Rejects parameters with the names of other libraries. An evaluator that compared them would compare undefined with
 * undefined, and pass.
 */
export class CheckedParams {}

for (const name of ["input", "output", "expected", "reference"])
  Object.defineProperty(CheckedParams.prototype, name, {
    get() {
      throw invalidInput(
        `An evaluator has no parameter ${name}; it receives { inputs, outputs, referenceOutputs } and what mapInputs or the caller adds. ` +
          "fromAutoevals from openevals-wasm/interop adapts scorers of autoevals",
      );
    },
  });

/** A copy of the parameters of an evaluator that rejects the names of other libraries. Own fields take precedence. */
export const checkedParams = <Params extends object>(params: Params): Params =>
  Object.create(CheckedParams.prototype, Object.getOwnPropertyDescriptors(params));
