/** `init --agents`: points coding agents to the skill of the package. */

import { isUtf8 } from "node:buffer";
import { lstat, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { CliError } from "../cli-error.js";
import { writeText } from "../files.js";
import { created, print } from "../output/streams.js";

const FILE = "AGENTS.md";
const START = "<!-- openevals-wasm -->";
const END = "<!-- /openevals-wasm -->";

const SECTION = `${START}
## Evaluations

Before you write or run evaluations of this application, read node_modules/openevals-wasm/skills/openevals-wasm/SKILL.md. The guide is in node_modules/openevals-wasm/docs/.
${END}
`;

/** Adds a section to `AGENTS.md`, or brings it up to date. Everything else in the file stays. */
export async function linkAgents(folder: string): Promise<number> {
  const path = join(folder, FILE);
  // A link that leads nowhere exists as well, and writing to it would create a file elsewhere.
  const link = await lstat(path).catch(() => undefined);
  const target = await stat(path).catch(() => undefined);
  if (link && !target?.isFile())
    throw new CliError(`${FILE} is not a file. Move it, then run npx openevals-wasm init --agents again.`);
  if (link?.isSymbolicLink())
    throw new CliError(`${FILE} is a link to another file. Add this section to that file:\n\n${SECTION}`);
  const bytes = link ? await readFile(path) : Buffer.alloc(0);
  // Other bytes would be lost when the file is written.
  if (!isUtf8(bytes))
    throw new CliError(`${FILE} is not UTF-8. Save the file as UTF-8. Nothing was changed.`);
  const text = bytes.toString("utf8");
  const changed = withSection(text);
  if (changed === text) {
    print(`${FILE} is up to date\n`);
    return 0;
  }
  await writeText(path, changed);
  created(FILE, link ? "changed" : "created");
  return 0;
}

/** The text with the section in place of its old one, or at the end. */
function withSection(text: string): string {
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const section = SECTION.replaceAll("\n", newline);
  const { markers, isInFence } = markersIn(text);
  const [start, another] = markers.filter(({ marker }) => marker === START);
  if (another) throw unclear(`has ${START} more than once. Remove all of these sections but one`);
  if (!start) {
    if (isInFence) throw unclear("has a code fence without an end, so a section cannot be added. Close it");
    return text ? `${text.replace(/\s*$/, "")}${newline}${newline}${section}` : section;
  }
  const end = markers.find(({ marker, at }) => marker === END && at > start.at);
  if (!end) throw unclear(`has ${START} without ${END} after it. Add it where the section ends`);
  return `${text.slice(0, start.at)}${section.trimEnd()}${text.slice(end.at + END.length)}`;
}

const unclear = (problem: string): CliError => new CliError(`${FILE} ${problem}. Nothing was changed.`);

/** The markers that are alone on a line. Those within other text or in code are quoted, and are not markers of the section. */
function markersIn(text: string): { markers: { marker: string; at: number }[]; isInFence: boolean } {
  const markers: { marker: string; at: number }[] = [];
  let fence = "";
  let at = 0;
  for (const line of text.split("\n")) {
    const marker = line.trimEnd();
    const [, opening] = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(line) ?? [];
    if (fence) {
      // A fence ends with at least as many of its characters, and nothing else.
      const isEnd = opening?.startsWith(fence) && marker.trimStart() === opening;
      if (isEnd) fence = "";
    } else if (opening) fence = opening;
    else if (marker === START || marker === END) markers.push({ marker, at });
    at += line.length + 1;
  }
  return { markers, isInFence: fence !== "" };
}
