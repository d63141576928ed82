/** The prompts of a promptfoo config. */

import { readReferenced } from "../files.js";
import { type Findings, isObject } from "../imported.js";
import { hasLogic, readsEnvironment } from "./template.js";

/** A prompt: a text, or messages as JSON. */
export interface ImportedPrompt {
  name: string;
  template: string;
}

/** Without `file://`, a text with spaces is a prompt, although it may end like a file. */
const FILE = /^(?:file:\/\/(?=.+)|(?=\S+$))(.+\.(?:txt|md|json))$/;
const PROGRAM = /^(?:(?:file:\/\/|exec:).+|\S+)\.(?:[cm]?[jt]s|py|rb|go|sh|exe)(?::\w+)?$/;

export async function readPrompts(
  given: unknown,
  path: string,
  findings: Findings,
): Promise<ImportedPrompt[]> {
  const list = isObject(given)
    ? Object.entries(given).map(([raw, label]) => ({ raw, label }))
    : given === undefined
      ? []
      : [given].flat();
  const prompts: ImportedPrompt[] = [];
  for (const [index, one] of list.entries()) {
    const place = `prompts[${index}]`;
    const { raw, label } = promptOf(one);
    if (typeof raw !== "string") {
      findings.leave(place, "it is not a text. Write the prompt as a text");
      continue;
    }
    const templates = await templatesOf(raw, path, place, findings);
    for (const [part, template] of templates.entries()) {
      if (hasLogic(template) || readsEnvironment(template)) {
        findings.leave(place, "the prompt has a template with more than variables. Build it in render()");
        continue;
      }
      const own = typeof label === "string" && label ? label : shortened(template);
      const name = templates.length > 1 && label ? `${own} ${part + 1}` : own;
      prompts.push({ name: freeName(name, prompts), template });
    }
  }
  return prompts;
}

function promptOf(one: unknown): { raw: unknown; label?: unknown } {
  if (!isObject(one)) return { raw: one };
  return { raw: one.raw ?? one.id, label: one.label };
}

async function templatesOf(raw: string, path: string, place: string, findings: Findings): Promise<string[]> {
  if (!raw.includes("\n") && PROGRAM.test(raw)) {
    findings.leave(place, "the prompt is a program. Call it in the target");
    return [];
  }
  const [, file] = raw.includes("\n") ? [] : (FILE.exec(raw) ?? []);
  if (file === undefined) {
    if (!raw.startsWith("file://")) return [raw];
    findings.leave(place, "files of prompts end in .txt, .md or .json. Write the prompt into the config");
    return [];
  }
  if (/[*?[{]/.test(file)) {
    findings.leave(place, "patterns of files are not supported. Name each file");
    return [];
  }
  const content = await readReferenced(file, path);
  if (typeof content !== "string") return [JSON.stringify(content)];
  return content
    .split(/^---\s*$/m)
    .map((part) => part.trim())
    .filter(Boolean);
}

const shortened = (template: string): string => {
  const line = template.trim().replaceAll(/\s+/g, " ");
  return line.length > 40 ? `${line.slice(0, 40).trim()}…` : line;
};

function freeName(name: string, prompts: readonly ImportedPrompt[]): string {
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : `${name} ${number}`;
    if (!prompts.some((one) => one.name === free)) return free;
  }
}
