/** The examples as pages of the site: what `www/examples/` says of them, and their files. */

import { readFileSync } from "node:fs";
import { extname, relative } from "node:path";
import { filesBelow, path } from "./run.mjs";

const PART = "Examples";

/** What is there to be read by people, and not to be copied by hand. */
const isRead = (file) => !/\.md$|\/cache\//.test(file);

/** The pages, `{ name, title, text, part }`, in the order of the list. */
export function examplePages() {
  const list = readFileSync(path("www/examples/README.md"), "utf8");
  const names = Array.from(list.matchAll(/\]\(([\w-]+)\/README\.md\)/g), ([, name]) => name);
  const pages = names.map((name) => ({
    name: `example-${name}`,
    title: name,
    text: pageOf(path("www/examples", name)),
    part: PART,
  }));
  return [{ name: "examples", title: "All examples", text: list, part: PART }, ...pages];
}

function pageOf(folder) {
  const blocks = filesBelow(folder)
    .filter(isRead)
    .map((file) => {
      const text = readFileSync(file, "utf8").trimEnd();
      return `## ${relative(folder, file)}\n\n\`\`\`\`${extname(file).slice(1)}\n${text}\n\`\`\`\``;
    });
  return [readFileSync(`${folder}/README.md`, "utf8").trimEnd(), ...blocks].join("\n\n");
}
