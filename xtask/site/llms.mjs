/** The pages for language models: https://llmstxt.org. */

import { readFileSync } from "node:fs";
import { path } from "../run.mjs";
import { withoutDirectives } from "./pages.mjs";

/** `llms.txt`, the list of all pages, and `llms-full.txt`, the text of the chapters and examples, by their names. */
export function llmsFiles(groups) {
  const { name, description } = JSON.parse(readFileSync(path("pkg-template/package.json"), "utf8"));
  const head = `# ${name}\n\n> ${description}\n`;
  const lists = groups.map(({ title, pages }) => {
    const items = pages.map(
      ({ name, title, description }) => `- [${title}](guide/${name}.md): ${description}`,
    );
    return `## ${title}\n\n${items.join("\n")}\n`;
  });
  const texts = groups
    .filter(({ title }) => title !== "Reference")
    .flatMap(({ pages }) => pages.map(({ text }) => withoutDirectives(text)));
  return {
    "llms.txt": [head, ...lists].join("\n"),
    "llms-full.txt": [head, ...texts].join("\n"),
  };
}
