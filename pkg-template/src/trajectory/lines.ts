/** Trajectories as the engine reads them, one item a line: see `src/trajectory/message.rs`. */

import type { Call } from "../conversation/calls.js";
import type { Writer } from "../input/writer.js";
import type { Step } from "./steps.js";

/**
 * Writes what of a trajectory is compared.
 *
 * @param path What errors call the trajectory.
 */
export function writeLines(lines: Writer, steps: readonly Step[], path: string): Writer {
  for (let index = 0; index < steps.length; index++) {
    const { role, calls } = steps[index] as Step;
    writeName(lines.punctuation("m"), role);
    for (let position = 0; position < calls.length; position++) {
      const { name, args, isText } = calls[position] as Call;
      writeName(lines.punctuation("c"), name);
      lines.punctuation("a");
      if (typeof args === "string" && !isText) lines.verbatim(args, path);
      else lines.value(args, `${path}[${index}].tool_calls[${position}].args`);
      lines.punctuation("\n");
    }
  }
  return lines;
}

/** Nothing for what is no string. */
function writeName(lines: Writer, name: unknown): void {
  if (typeof name === "string") lines.value(name, "name");
  lines.punctuation("\n");
}
