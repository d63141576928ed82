/** Keeps GitHub's runners from executing workflow commands in quoted data and model output: they read all that a step prints. */

import { uuid } from "../../../core/platform/uuid.js";

let isStopped = false;

/** Whether GitHub's runner may read the output: with `--github`, or because its environment says so. */
const isRead = (): boolean => isStopped || process.env["GITHUB_ACTIONS"] === "true";

/** From now on, printed texts cannot contain workflow commands. */
export function stopWorkflowCommands(): void {
  isStopped = true;
}

/**
 * The text with its commands escaped. With `--github`, it is unchanged between commands that stop and resume commands, with a random
 * token that the text cannot know.
 */
export function withoutCommands(text: string): string {
  if (!isStopped) return text.split("\n").map(escapeCommands).join("\n");
  const token = uuid();
  return `::stop-commands::${token}\n${text}${text.endsWith("\n") ? "" : "\n"}::${token}::\n`;
}

/** The line with its commands escaped. Standard error is read in parallel, so commands cannot be stopped there. */
export const escapeCommands = (line: string): string =>
  isRead() ? line.replaceAll("##[", "##\u200b[").replace(/^(\s*:)(?=:)/, "$1\u200b") : line;
