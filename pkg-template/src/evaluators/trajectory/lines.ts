/** Writes trajectories in the engine's line format: see `src/trajectory/message.rs`. */

import { withoutBreaks } from "../../core/input/verbatim.js";
import type { Writer } from "../../core/input/writer.js";
import type { ToolCall } from "../../models/conversation/calls.js";
import type { ComparedStep } from "./steps.js";

/** Lines are joined up to this many characters, since encoding one long text is faster than many short ones. */
const GATHERED = 1 << 16;

/**
 * Writes the compared part of a trajectory.
 *
 * @param path The name of the trajectory in messages.
 */
export function writeLines(lines: Writer, steps: readonly ComparedStep[], path: string): Writer {
  const roles = new Lines("m", "");
  // A call is a line with its name, and the beginning of the line with its arguments.
  const names = new Lines("c", "a");
  let text = "";
  for (let index = 0; index < steps.length; index++) {
    const { role, calls } = steps[index] as ComparedStep;
    text += roles.of(role);
    for (let position = 0; position < calls.length; position++) {
      const { name, args, isText } = calls[position] as ToolCall;
      text += names.of(name);
      if (typeof args === "string" && !isText) {
        if (args.length > GATHERED) {
          text = written(lines, text, path);
          lines.verbatim(withoutBreaks(args), path);
        } else text += withoutBreaks(args);
      } else {
        text = written(lines, text, path);
        lines.value(args, `${path}[${index}].tool_calls[${position}].args`);
      }
      text += "\n";
    }
    if (text.length > GATHERED) text = written(lines, text, path);
  }
  written(lines, text, path);
  return lines;
}

function written(lines: Writer, text: string, path: string): "" {
  lines.verbatim(text, path);
  return "";
}

/** Caches the lines of names, since a trajectory repeats a few names. */
class Lines {
  readonly #lines = new Map<unknown, string>();
  readonly #before: string;
  readonly #after: string;

  constructor(before: string, after: string) {
    this.#before = before;
    this.#after = after;
  }

  /** The line for a name; without a name if it is not a string. */
  of(name: unknown): string {
    let line = this.#lines.get(name);
    if (line === undefined) {
      line = `${this.#before}${typeof name === "string" ? JSON.stringify(name) : ""}\n${this.#after}`;
      this.#lines.set(name, line);
    }
    return line;
  }
}
