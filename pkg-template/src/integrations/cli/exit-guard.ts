/** Guards against code of users that ends the process or never finishes: neither may look like success. */

import { Deadline } from "../../core/platform/deadline.js";
import { errorText } from "./error-text.js";
import { exitCodeOf, isStopped, noteMistake, releaseSignals } from "./exit-code.js";
import { writeJson, writeOutput } from "./output/json-result.js";
import { say } from "./output/terminal.js";

/** How long stopped work may take to end with the results so far. */
const PATIENCE_MS = 5_000;

/** How long code may run on after the result, in milliseconds: it may send traces, or have left a timer or a server. */
const AFTER_MS = 10_000;

/** Called if the work does not finish. `problem` is the predicate of a sentence whose subject is the code at fault. */
interface UnfinishedHandlers {
  /** Reports the problem synchronously, since the process exits. */
  report(problem: string): void;
  /** Stops the work, which then ends with the results so far; `false` if nothing can be stopped. */
  stop(problem: string): boolean;
  /** Ends without the work, which did not stop, and returns the exit code. */
  rescue(problem: string): Promise<number>;
}

/** Runs work that calls users' code, and returns the exit code. */
export function withExitGuard(
  work: () => Promise<number>,
  { report, stop, rescue }: UnfinishedHandlers,
): Promise<number> {
  return new Promise((resolve, reject) => {
    let isRescued = false;
    const rescued = async (problem: string): Promise<number> => {
      const code = stop(problem) ? await codeWithin(PATIENCE_MS, working) : undefined;
      return code === undefined ? rescue(problem) : Math.max(code, 2);
    };
    const end = (problem: string, then: (code: number) => void) => {
      if (isRescued) return;
      isRescued = true;
      rescued(problem).then(then, fail);
    };
    const listeners = {
      exit(code: unknown) {
        if (!isRescued) report(`ended the process with code ${code} before the evaluation was finished.`);
        process.exitCode = exitCodeOf(2);
        disableExit();
        writeJson(process.exitCode);
      },
      beforeExit: () =>
        end("never finished: a promise is pending, and nothing is left that could settle it.", done),
      uncaughtException: (error: unknown, origin: string) => end(causedBy(error, origin), leaveWith),
    };
    const emitter: NodeJS.EventEmitter = process;
    const conclude = (code: number) => {
      for (const [event, listener] of Object.entries(listeners)) emitter.off(event, listener);
      guardResult(code);
    };
    const done = (code: number) => {
      conclude(code);
      resolve(code);
    };
    const leaveWith = (code: number) => {
      done(code);
      leave();
    };
    const fail = (error: unknown) => {
      conclude(2);
      reject(error);
    };
    for (const [event, listener] of Object.entries(listeners)) emitter.on(event, listener);
    const working = work();
    working.then(
      (code) => isRescued || (isStopped() ? leaveWith(code) : done(code)),
      (error) => isRescued || fail(error),
    );
  });
}

/** The exit code of the work; `undefined` if it takes longer. The timer keeps the process alive. */
async function codeWithin(ms: number, work: Promise<number>): Promise<number | undefined> {
  const deadline = new Deadline(ms);
  const ended = await deadline.race(work).finally(() => deadline.stop());
  return ended === deadline ? undefined : (ended as number);
}

/** Keeps the exit code of a result. If code that still runs fails, the exit code is 2: 1 would mean a missed limit. */
function guardResult(code: number): void {
  releaseSignals();
  // Does not keep the process alive itself.
  setTimeout(() => {
    say(
      "openevals-wasm: The code of an experiment still runs after the result, such as a timer or a server. The program ends here; " +
        "close it in the code.",
    );
    leave();
  }, AFTER_MS).unref();
  process.prependListener("exit", disableExit);
  process.on("exit", () => {
    process.exitCode = exitCodeOf(code);
  });
  process.on("uncaughtException", (error, origin) => {
    noteMistake();
    const message = `After the result, the code of an experiment ${causedBy(error, origin)}`;
    for (const line of message.split("\n")) say(`openevals-wasm: ${line}`);
    leave();
  });
}

/** Keeps other listeners of `exit` from ending the process with their own code. */
function disableExit(): void {
  process.exit = (() => {}) as typeof process.exit;
}

const causedBy = (error: unknown, origin: string): string =>
  `caused ${origin === "unhandledRejection" ? "an unhandled rejection" : "an uncaught exception"}: ${errorText(error)}`;

/** Ends the process once the result is written. Timers and connections of user code could keep it alive. */
const leave = (): void => void setImmediate(() => writeOutput("", () => process.exit()));
