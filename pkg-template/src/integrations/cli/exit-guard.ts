/** A user's code may end the process or never finish. Neither may look like success. */

import { exitCodeOf, isStopped } from "./exit-code.js";
import { writeJson, writeOutput } from "./json-result.js";
import { explained } from "./mistake.js";

/** Called if the work does not finish. `how` is the predicate of a sentence whose subject is the code at fault. */
interface Unfinished {
  /** Reports it synchronously, since the process exits. */
  tell(how: string): void;
  /** Ends with the results so far, and returns the exit code. */
  rescue(how: string): Promise<number>;
}

/** Runs work that calls users' code, and returns the exit code. */
export function withExitGuard(work: () => Promise<number>, { tell, rescue }: Unfinished): Promise<number> {
  return new Promise((resolve, reject) => {
    let isRescued = false;
    const end = (how: string, then: (code: number) => void) => {
      if (isRescued) return;
      isRescued = true;
      rescue(how).then(then, fail);
    };
    const listeners = {
      exit(code: unknown) {
        if (!isRescued) tell(`ended the process with code ${code} before the evaluation was finished.`);
        process.exitCode = exitCodeOf(2);
        writeJson(process.exitCode);
      },
      beforeExit: () =>
        end("never finished: a promise is pending, and nothing is left that could settle it.", done),
      uncaughtException: (error: unknown, origin: string) => end(causedBy(error, origin), leaveWith),
    };
    const emitter: NodeJS.EventEmitter = process;
    const stopListening = () => {
      for (const [event, listener] of Object.entries(listeners)) emitter.off(event, listener);
    };
    const done = (code: number) => {
      stopListening();
      resolve(code);
    };
    const leaveWith = (code: number) => {
      done(code);
      leave();
    };
    const fail = (error: unknown) => {
      stopListening();
      reject(error);
    };
    for (const [event, listener] of Object.entries(listeners)) emitter.on(event, listener);
    work().then(
      (code) => isRescued || (isStopped() ? leaveWith(code) : done(code)),
      (error) => isRescued || fail(error),
    );
  });
}

const causedBy = (error: unknown, origin: string): string =>
  `caused ${origin === "unhandledRejection" ? "an unhandled rejection" : "an uncaught exception"}: ${explained(error)}`;

/** Ends the process, which timers and connections of users' code may keep alive, once the result has been written. */
const leave = (): void => void setImmediate(() => writeOutput("", () => process.exit()));
