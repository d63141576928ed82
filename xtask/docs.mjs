/** The guide in the package, `docs/`: its chapters as plain Markdown, for editors and agents without a network. */

import { mkdirSync, writeFileSync } from "node:fs";
import { addresses } from "./addresses.mjs";
import { chapterGroups, examplePages, forSite, leadOf } from "./site/pages.mjs";

/** Writes a file for each chapter, and `README.md` with the list of them. */
export function writeDocs(folder) {
  mkdirSync(folder, { recursive: true });
  const groups = chapterGroups();
  const chapters = groups.flatMap(({ pages }) => pages);
  const links = new Map([
    ...chapters.map(({ source, name }) => [source, `${name}.md`]),
    // The package has no examples.
    ...examplePages().map(({ source, name }) => [source, `${addresses().homepage}guide/${name}.html`]),
  ]);
  for (const page of chapters) {
    page.text = forSite(page, links, (block) => block.replace(" no-run", ""));
    writeFileSync(`${folder}/${page.name}.md`, page.text);
  }
  const lists = groups.map(({ title, pages }) => {
    const items = pages.map(({ name, title, text }) => `- [${title}](${name}.md): ${leadOf(text)}`);
    return `## ${title}\n\n${items.join("\n")}\n`;
  });
  writeFileSync(`${folder}/README.md`, ["# Guide\n", ...lists].join("\n"));
}
