/** Checks the words of documents and of code: `words.yml` lists phrases to avoid. */

import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { createLinter, loadTextlintrc } from "textlint";
import { proseOf } from "./code.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const configFilePath = fileURLToPath(new URL("textlint.json", import.meta.url));

/** Returns the problems of files, each as `FILE:LINE: PHRASE => WHAT TO WRITE`. */
export async function problemsOf(files) {
  const linter = createLinter({ descriptor: await loadTextlintrc({ configFilePath }) });
  const problems = [];
  for (const file of files) {
    const source = readFileSync(file, "utf8");
    const name = relative(root, file).replaceAll("\\", "/");
    // Code is a text with a line for each comment, title or message.
    const prose = file.endsWith(".md") ? undefined : proseOf(source, name);
    const text = prose ? prose.map(({ text }) => text).join("\n") : source;
    const { messages } = await linter.lintText(text, prose ? "prose.txt" : file);
    for (const { line, message } of messages)
      problems.push(`${name}:${prose ? prose[line - 1].line : line}: ${message}`);
  }
  return problems;
}
