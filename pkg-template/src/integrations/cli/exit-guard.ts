/** A user's code may end the process or never finish. Neither may look like success. */

import { exitCodeOf, isStopped, noteMistake } from "./exit-code.js";
import { writeJson, writeOutput } from "./json-result.js";
import { explained } from "./mistake.js";
import { say } from "./terminal.js";

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
    work().then(
      (code) => isRescued || (isStopped() ? leaveWith(code) : done(code)),
      (error) => isRescued || fail(error),
    );
  });
}

/** Keeps the exit code of a result. Code that still runs may fail: that is a mistake, and not exit code 1, a missed limit. */
function guardResult(code: number): void {
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

const causedBy = (error: unknown, origin: string): string =>
  `caused ${origin === "unhandledRejection" ? "an unhandled rejection" : "an uncaught exception"}: ${explained(error)}`;

/** Ends the process, which timers and connections of users' code may keep alive, once the result has been written. */
const leave = (): void => void setImmediate(() => writeOutput("", () => process.exit()));
