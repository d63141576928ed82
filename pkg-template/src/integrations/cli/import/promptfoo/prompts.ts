/** The prompts of a promptfoo config. */

import { isRecord } from "../../../../core/input/objects.js";
import { readReferenced, yamlIn } from "../files.js";
import type { Findings } from "../imported.js";
import { Names } from "../names.js";
import { hasLogic, readsEnvironment, texts } from "./template.js";

/** A prompt: a text, or messages as JSON. */
export interface ImportedPrompt {
  name: string;
  template: string;
}

/** The path of a prompt file. Without `file://`, text with spaces is a prompt, even if it ends like a file name. */
const FILE = /^(?:file:\/\/(?=.+)|(?=\S+$))(.+\.(?:txt|md|j2|jsonl?|ya?ml))$/;
const PROGRAM = /^(?:(?:file:\/\/|exec:).+|\S+)\.(?:[cm]?[jt]s|py|rb|go|sh|exe)(?::\w+)?$/;

export async function readPrompts(
  given: unknown,
  path: string,
  findings: Findings,
): Promise<ImportedPrompt[]> {
  const list = isRecord(given)
    ? Object.entries(given).map(([raw, label]) => ({ raw, label }))
    : given === undefined
      ? []
      : [given].flat();
  const prompts: ImportedPrompt[] = [];
  const names = new Names();
  for (const [index, prompt] of list.entries()) {
    const place = `prompts[${index}]`;
    const { raw, label, other } = promptOf(prompt);
    if (other !== undefined) {
      findings.skip(place, `the prompt has ${other}, which is not supported. Change the target instead`);
      continue;
    }
    if (typeof raw !== "string") {
      findings.skip(place, "it is not a text. Write the prompt as a text");
      continue;
    }
    const templates = await templatesOf(raw, path, place, findings);
    for (const [part, template] of templates.entries()) {
      if (hasLogic(template) || readsEnvironment(template)) {
        findings.skip(place, "the prompt has a template with more than variables. Build it in render()");
        continue;
      }
      // Templates are long, and often begin alike, so they are no names.
      const name =
        typeof label !== "string" || !label
          ? `prompt-${prompts.length + 1}`
          : templates.length > 1
            ? `${label} ${part + 1}`
            : label;
      prompts.push({ name: names.unique(name), template });
    }
  }
  return prompts;
}

function promptOf(prompt: unknown): { raw: unknown; label?: unknown; other?: string } {
  if (!isRecord(prompt)) return { raw: prompt };
  const { raw, id, label, display = label, ...rest } = prompt;
  const [other] = Object.keys(rest);
  return { raw: raw ?? id, label: label ?? display, ...(other !== undefined && { other }) };
}

async function templatesOf(raw: string, path: string, place: string, findings: Findings): Promise<string[]> {
  if (!raw.includes("\n") && PROGRAM.test(raw)) {
    findings.skip(place, "the prompt is a program. Call it in the target");
    return [];
  }
  if (/^(?:langfuse|portkey|helicone):\/\//.test(raw)) {
    findings.skip(place, "the prompt is kept by another service. Write it into the config");
    return [];
  }
  const [, file] = raw.includes("\n") ? [] : (FILE.exec(raw) ?? []);
  if (file === undefined) {
    if (!raw.startsWith("file://")) return withMessages(raw, path, place, findings);
    const wanted = ".txt, .md, .j2, .json, .jsonl or .yaml";
    findings.skip(place, `files of prompts end in ${wanted}. Write the prompt into the config`);
    return [];
  }
  if (/[*?[{]/.test(file)) {
    findings.skip(place, "patterns of files are not supported. Name each file");
    return [];
  }
  const text = await readReferenced(file, path, place, findings, (whole) => whole);
  if (typeof text !== "string") return [];
  const templates = await partsOf(text, file);
  if (!templates.some((template) => template.includes('"file://'))) return templates;
  findings.skip(place, `${file} names other files. Write their content into it`);
  return [];
}

/** The prompts of a file. */
async function partsOf(text: string, file: string): Promise<string[]> {
  if (file.endsWith(".txt"))
    return text
      .split(/^[^\S\n]*---[^\S\n]*\r?$/m)
      .map((part) => part.trim())
      .filter(Boolean);
  if (file.endsWith(".jsonl")) return text.split(/\r?\n/).filter(Boolean);
  if (!/\.ya?ml$/.test(file)) return [text];
  const content = await yamlIn(text, file);
  return [content === undefined ? text : JSON.stringify(content)];
}

/** A prompt, with messages in YAML as JSON. */
async function withMessages(raw: string, path: string, place: string, findings: Findings): Promise<string[]> {
  if (!raw.trimStart().startsWith("- role:")) return [raw];
  const messages = await yamlIn(raw, path);
  // YAML reads braces without quotes as an object.
  if (Array.isArray(messages) && templatesIn(texts(messages).join("\n")) === templatesIn(raw))
    return [JSON.stringify(messages)];
  findings.skip(place, "its messages are not YAML with quotes around variables. Write them as JSON");
  return [];
}

const templatesIn = (text: string): number => text.split("{{").length;
