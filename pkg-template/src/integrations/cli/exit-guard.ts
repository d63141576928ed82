/** Code that is not ours may end the process, or keep it from its end: neither may look as if all were well. */

import { explained } from "./mistake.js";
import { process } from "./streams.js";

/** What is done in the place of the rest. `how` goes on a sentence that begins with whose code it was. */
interface Unfinished {
  /** Says it at once: nothing can be awaited any more. */
  tell(how: string): void;
  /** Ends with what is done, and returns the exit code. */
  rescue(how: string): Promise<number>;
}

/** Does some work, whatever the code in it does; returns the exit code. */
export function toItsEnd(work: () => Promise<number>, { tell, rescue }: Unfinished): Promise<number> {
  return new Promise((resolve, reject) => {
    let isRescued = false;
    const end = (how: string, then: (code: number) => void) => {
      if (isRescued) return;
      isRescued = true;
      rescue(how).then(then, fail);
    };
    const listeners = {
      exit(code: unknown) {
        process.exitCode = 2;
        if (!isRescued) tell(`ended the process with code ${code} before its own end.`);
      },
      beforeExit: () => end("never came to its end: nothing is left that it could wait for.", done),
      uncaughtException(error: unknown, origin: string) {
        const what = origin === "unhandledRejection" ? "a rejection unhandled" : "an exception uncaught";
        // What it began may go on for ever.
        const leave = (code: number) => {
          done(code);
          process.stdout.write("", () => process.exit(code));
        };
        end(`left ${what}: ${explained(error)}`, leave);
      },
    };
    const stopListening = () => {
      for (const [event, listener] of Object.entries(listeners)) process.off(event, listener);
    };
    const done = (code: number) => {
      stopListening();
      resolve(code);
    };
    const fail = (error: unknown) => {
      stopListening();
      reject(error);
    };
    for (const [event, listener] of Object.entries(listeners)) process.on(event, listener);
    work().then(
      (code) => isRescued || done(code),
      (error) => isRescued || fail(error),
    );
  });
}
