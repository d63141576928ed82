/** The reference that is made of the declarations: everything that can be imported stands there, with what it is. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { referencePages } from "../../xtask/reference.mjs";

const installed = join(import.meta.dirname, "../node_modules/openevals-wasm");
const pages: { name: string; title: string; text: string }[] = referencePages(installed);
const [main] = pages;

test("there is a page for each entry point", () => {
  const { exports } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  const entries = Object.keys(exports).filter((entry) => exports[entry].default?.types);
  expect(pages.map(({ title }) => title)).toEqual(entries.map((entry) => join("openevals-wasm", entry)));
});

test.each(pages)("$title has all that can be imported, documented", async ({ title, text }) => {
  const headings = new Set(text.match(/(?<=^### `)\w+/gm));
  const ofMain = title.endsWith("/slim") ? main?.text : "";
  const names = Object.keys(await import(title)).filter(
    (name) => name !== "default" && name !== "module.exports",
  );
  expect(names.filter((name) => !headings.has(name) && !ofMain?.includes(`\n### \`${name}\``))).toEqual([]);
  // A heading is followed by words, and not by code.
  expect(text.match(/^### .*\n\n```/gm) ?? []).toEqual([]);
  expect(text.includes("{@link")).toBe(false);
});
