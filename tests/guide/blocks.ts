/** Finds the code blocks of the guide's chapters and of the README. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const repository = join(import.meta.dirname, "../..");
const folder = join(repository, "www/guide");

export interface Page {
  /** Its name: `judges`, `README`. */
  name: string;
  file: string;
  text: string;
}

/** A block of a page. */
export interface Block {
  page: string;
  /** Where it stands: `judges.md:12`. */
  place: string;
  language: string;
  /** The text after the language: `no-run`, or the name of a file, without highlighted lines (`{2-4}`). */
  info: string;
  code: string;
  /** The answers of models to it, from a comment before it: `<!-- answers: [{ "score": true }] -->`. */
  answers: unknown[];
}

/** A block of TypeScript as it is compiled: with those after it that import nothing, which go on where it ended. */
export interface Example extends Block {
  /** Whether it is run: not if it says `no-run`. */
  runs: boolean;
}

/** The chapters in reading order, as the groups of `chapters.json` name them. */
export const chapters: string[] = JSON.parse(readFileSync(join(folder, "chapters.json"), "utf8")).flatMap(
  (group: { chapters: string[] }) => group.chapters,
);

/** The README, and all chapters that are there. */
export const pages: Page[] = [
  { name: "README", file: join(repository, "README.md") },
  ...chapters.map((name) => ({ name, file: join(folder, `${name}.md`) })),
]
  .filter(({ file }) => existsSync(file))
  .map((page) => ({ ...page, text: readFileSync(page.file, "utf8") }));

const BLOCK = /(?:^<!-- answers: (\[[\s\S]*?\]) -->\n+)?^([ \t]*)```(\w+)[ \t]*([^\n]*)\n([\s\S]*?)^\2```$/gm;

export const blocks: Block[] = pages.flatMap(({ name, text }) =>
  Array.from(
    text.matchAll(BLOCK),
    ([whole, answers, indent = "", language = "", info = "", code = ""], i) => {
      const line =
        text.slice(0, text.indexOf(whole)).split("\n").length + whole.split("```")[0]!.split("\n").length - 1;
      return {
        page: name,
        place: `${name}.md:${line || i}`,
        language,
        info: info.replace(/\{[\d,-]+\}/, "").trim(),
        code: code.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
        answers: answers ? JSON.parse(answers) : [],
      };
    },
  ),
);

export const examples: Example[] = [];
for (const block of blocks.filter(({ language }) => language === "ts")) {
  const before = examples.at(-1);
  if (before?.page === block.page && !/^\s*import\b/m.test(block.code)) {
    before.code += `\n${block.code}`;
    before.answers.push(...block.answers);
  } else examples.push({ ...block, runs: !block.info.includes("no-run") });
}
