/** The variables of the tests of a promptfoo config. */

import { isRecord } from "../../../../core/input/objects.js";
import { readBase64, readReferenced, yamlIn } from "../files.js";
import type { Findings } from "../imported.js";
import {
  hasLogic,
  MAX_CHARACTERS,
  readsEnvironment,
  rendered,
  renderedLength,
  texts,
  type Vars,
} from "./template.js";

/** The path of the config, and the findings about it. */
export interface VarsSource {
  path: string;
  findings: Findings;
}

/** The most combinations of lists of values, and the most rows. */
export const MAX_ROWS = 100_000;

/** The variables of a test; `undefined` if one of them cannot be read: the test is then skipped as a whole. */
export async function varsOf(
  { vars }: Record<string, unknown>,
  place: string,
  { path, findings }: VarsSource,
): Promise<Record<string, unknown> | undefined> {
  const [, file] = /^file:\/\/(.+\.(?:json|ya?ml))$/.exec(String(vars)) ?? [];
  const given = file ? await readReferenced(file, path, `${place}.vars`, findings) : (vars ?? {});
  if (file && given === undefined) return undefined;
  const skip = (name: string, reason: string): undefined =>
    void findings.skip(`${place}.vars${name}`, `${reason}. The test is left out`);
  if (!isRecord(given)) return skip("", "its variables are not in JSON or YAML");
  for (const [name, value] of Object.entries(given))
    for (const text of [value].flat()) {
      if (typeof text !== "string") continue;
      if (hasLogic(text) || readsEnvironment(text))
        return skip(`.${name}`, "its template has more than variables");
      if (PROGRAM.test(text))
        return skip(`.${name}`, "its value is in a file that is neither a text nor an image or a recording");
    }
  return given;
}

const PROGRAM = /^(?:package:|file:\/\/.*(?:[*?[{]|\.(?:[cm]?[jt]s|py|rb|pdf|svg)(?::\w+)?$))/i;

/** The values of variables, some of which are in files or name others; `undefined` if one cannot be read. */
export async function valuesOf(
  vars: Vars,
  place: string,
  source: VarsSource,
): Promise<Record<string, unknown> | undefined> {
  const read: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(vars)) {
    const [, file] = typeof value === "string" ? (/^file:\/\/(.+)$/.exec(value) ?? []) : [];
    const found = file === undefined ? value : await textOf(file, `${place}.vars.${name}`, source);
    if (found === undefined) return undefined;
    read[name] = found;
  }
  // As in promptfoo, a line break at the end is dropped.
  let values = withTexts(read, (text) => text.replace(/\n$/, ""));
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const previous = values;
    if (renderedLength(texts(Object.values(previous)), previous) > MAX_CHARACTERS)
      return void source.findings.skip(
        `${place}.vars`,
        "its variables are too long, or name each other too often",
      );
    values = withTexts(previous, (text) => rendered(text, previous, true));
  }
  return values;
}

/** How deep variables may name others. */
const MAX_PASSES = 5;

const withTexts = (vars: Vars, read: (text: string) => string): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(vars).map(([name, value]) => [name, typeof value === "string" ? read(value) : value]),
  );

/** The content of a file as a variable: YAML becomes JSON, an image a data URL, and a recording base64. */
async function textOf(file: string, place: string, { path, findings }: VarsSource): Promise<unknown> {
  const [, ending = ""] = /\.(\w+)$/.exec(file.toLowerCase()) ?? [];
  if (!IMAGES.includes(ending) && !RECORDINGS.includes(ending))
    return readReferenced(file, path, place, findings, async (text) =>
      /^ya?ml$/.test(ending) ? JSON.stringify(await yamlIn(text, file)) : text.trim(),
    );
  const bytes = await readBase64(file, path, place, findings);
  if (bytes === undefined || RECORDINGS.includes(ending)) return bytes;
  return `data:image/${ending.replace("jpg", "jpeg")};base64,${bytes}`;
}

const IMAGES = ["png", "jpg", "jpeg", "gif", "webp", "bmp"];
const RECORDINGS = ["mp3", "wav", "ogg", "flac", "m4a", "aac", "opus", "mp4", "webm", "mov", "avi", "mkv"];

/** The variables of each combination of the values in lists; the last list changes first. */
export function* combinations(
  vars: Record<string, unknown>,
  place: string,
  findings: Findings,
): Generator<Record<string, unknown>> {
  // Only lists of texts are expanded to rows.
  const lists = Object.entries(vars).map(
    ([name, value]) =>
      [name, Array.isArray(value) && typeof value[0] === "string" ? value : [value]] as const,
  );
  const count = lists.reduce((product, [, values]) => product * values.length, 1);
  if (count > MAX_ROWS) {
    findings.skip(`${place}.vars`, `its lists have more than ${MAX_ROWS} combinations`);
    return;
  }
  for (let number = 0; number < count; number++) {
    let stride = count;
    const chosen = lists.map(([name, values]) => {
      stride /= values.length;
      return [name, values[Math.floor(number / stride) % values.length]] as const;
    });
    yield Object.fromEntries(chosen);
  }
}
