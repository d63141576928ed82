/** Calls the functions that users pass, which may throw or never end. */

import { callbackFailed, OpenEvalsError } from "../../../core/errors.js";
import { Deadline } from "../../../core/platform/deadline.js";
import { errorWithoutKeys } from "../../../evaluators/calls/without-keys.js";
import { errorReporter } from "../report-error.js";

export class Callbacks {
  readonly timeoutMs: number;
  readonly report: (error: OpenEvalsError) => void;

  constructor(timeoutMs: number, onError: ((error: OpenEvalsError) => void) | undefined) {
    this.timeoutMs = timeoutMs;
    const report = errorReporter(onError);
    this.report = (error) => report(errorWithoutKeys(error));
  }

  /** Calls a function and reports its error, or that it takes too long. */
  async call(name: string, work: () => unknown): Promise<void> {
    const deadline = new Deadline(this.timeoutMs);
    try {
      if ((await deadline.race(work())) === deadline) this.report(this.late(name));
    } catch (thrown) {
      this.report(callbackFailed(name, thrown));
    } finally {
      deadline.stop();
    }
  }

  late(name: string): OpenEvalsError {
    return new OpenEvalsError("timeout", `${name} took longer than ${this.timeoutMs} ms.`);
  }
}
