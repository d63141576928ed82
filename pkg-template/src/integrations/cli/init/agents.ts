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

function withSection(text: string): string {
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const section = SECTION.replaceAll("\n", newline);
  const start = text.indexOf(START);
  if (start < 0) return text ? `${text.replace(/\s*$/, "")}${newline}${newline}${section}` : section;
  const end = text.indexOf(END, start);
  if (end < 0)
    throw new CliError(
      `${FILE} has ${START} without ${END} after it. Add it where the section ends. Nothing was changed.`,
    );
  const after = text.slice(end + END.length);
  return `${text.slice(0, start)}${section.trimEnd()}${after}`;
}
