/** Writes trajectories in the engine's line format: see `src/trajectory/message.rs`. */

import { withoutBreaks } from "../../core/input/json/verbatim.js";
import type { Writer } from "../../core/input/json/writer.js";
import type { ToolCall } from "../../models/conversation/calls.js";
import type { ComparedStep } from "./steps.js";

/** Lines are joined up to this many characters, since encoding one long text is faster than many short ones. */
const MAX_JOINED = 1 << 16;

/**
 * Writes the compared part of a trajectory.
 *
 * @param path The name of the trajectory in errors.
 */
export function writeLines(lines: Writer, steps: readonly ComparedStep[], path: string): Writer {
  let text = "";
  for (let index = 0; index < steps.length; index++) {
    const { role, calls } = steps[index] as ComparedStep;
    text += lineOfRole(role);
    for (let position = 0; position < calls.length; position++) {
      const { name, args, isText } = calls[position] as ToolCall;
      text += lineOfName(name);
      if (typeof args === "string" && !isText) {
        if (args.length > MAX_JOINED) {
          text = flush(lines, text, path);
          lines.verbatim(withoutBreaks(args), path);
        } else text += withoutBreaks(args);
      } else {
        text = flush(lines, text, path);
        lines.value(args, `${path}[${index}].tool_calls[${position}].args`);
      }
      text += "\n";
    }
    if (text.length > MAX_JOINED) text = flush(lines, text, path);
  }
  flush(lines, text, path);
  return lines;
}

/** Writes the gathered text, and returns the empty text to gather next. */
function flush(lines: Writer, text: string, path: string): "" {
  lines.verbatim(text, path);
  return "";
}

/** The most lines that are kept, of names with up to as many characters. */
const MAX_KEPT = 100;

/**
 * Makes the function that returns the line of a name; without a name if it is not a string. It keeps some lines, since
 * trajectories repeat a few names.
 */
function lineMaker(before: string, after: string): (name: unknown) => string {
  const lines = new Map<unknown, string>();
  return (name) => {
    const kept = lines.get(name);
    if (kept !== undefined) return kept;
    if (typeof name !== "string") return `${before}\n${after}`;
    const line = `${before}${JSON.stringify(name)}\n${after}`;
    if (lines.size < MAX_KEPT && name.length <= MAX_KEPT) lines.set(name, line);
    return line;
  };
}

const lineOfRole = /* @__PURE__ */ lineMaker("m", "");

/** A call is a line with its name, and the beginning of the line with its arguments. */
const lineOfName = /* @__PURE__ */ lineMaker("c", "a");
