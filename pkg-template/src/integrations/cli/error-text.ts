/** Errors as texts, without the keys that they may repeat. */

import { hideKeys } from "../../core/input/secrets/keys.js";
import { CliError } from "./cli-error.js";

/** The most stack frames in a message. */
const MAX_FRAMES = 3;

/** An error as text: the message of our own errors; for all others, also the innermost frames of the user's code. */
export const errorText = (error: unknown): string => hideKeys(textOf(error));

function textOf(error: unknown): string {
  try {
    const { name, message, stack } = Object(error) as Partial<Error>;
    if (error instanceof CliError || name === "OpenEvalsError") return String(message);
    if (stack === undefined) return String(error);
    const [heading, ...frames] = String(stack).split(/\n(?=\s+at )/);
    const own = frames.filter((frame) => !/[\\/]openevals-wasm[\\/]dist[\\/]/.test(frame));
    return [heading, ...(own.length ? own : frames).slice(0, MAX_FRAMES)].join("\n");
  } catch {
    return "A value was thrown that cannot be read.";
  }
}
