/** What GitHub's runners would obey, in texts that are not ours: they read commands from all that a step prints. */

import { uuid } from "../../core/platform/uuid.js";

let isUp = false;

/** From now on, texts command nothing. */
export function putUpFence(): void {
  isUp = true;
}

/** The text, between a command that stops commands and one that resumes them, which no text can know. */
export function fenced(text: string): string {
  if (!isUp) return text;
  const token = uuid();
  return `::stop-commands::${token}\n${text}${text.endsWith("\n") ? "" : "\n"}::${token}::\n`;
}

/** The line with its commands broken: on standard error, which is read beside the other, no fence holds. */
export const disarmed = (line: string): string =>
  isUp ? line.replaceAll("##[", "##\u200b[").replace(/^(\s*:)(?=:)/, "$1\u200b") : line;
