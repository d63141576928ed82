/** What a chapter of the guide has besides its text: a search over all chapters, and buttons that copy code. */

import { copyButton } from "../shared/code.js";
import { h, inPause, say } from "../shared/dom.js";
import { type Found, find, type Section } from "./search.js";

for (const block of document.querySelectorAll<HTMLPreElement>("main pre")) {
  const bar = h(
    "div",
    { class: "copy" },
    copyButton(() => block.textContent ?? ""),
  );
  block.parentElement?.prepend(bar);
}

const field = document.querySelector<HTMLInputElement>("#search");
const results = document.querySelector<HTMLElement>("#results");
const found = document.querySelector<HTMLElement>("#found");
const chapters = document.querySelector<HTMLElement>("#chapters");
let sections: Promise<Section[]> | undefined;

const searchSoon = inPause(120, () => void search());

async function search(): Promise<void> {
  if (!field || !results || !found || !chapters) return;
  const words = field.value;
  chapters.hidden = words.trim() !== "";
  if (!words.trim()) {
    results.replaceChildren();
    say(found, "");
    return;
  }
  try {
    sections ??= fetch("search.json").then((response) => response.json());
    const hits = find(await sections, words);
    if (field.value !== words) return;
    say(found, hits.length === 1 ? "1 section" : `${hits.length} sections`);
    results.replaceChildren(...hits.slice(0, 30).map(itemOf));
  } catch {
    sections = undefined;
    say(found, "The index could not be loaded.");
  }
}

const itemOf = ({ section, excerpt }: Found): HTMLElement =>
  h(
    "li",
    {},
    h("a", { href: section.href }, section.title),
    h("small", {}, section.chapter),
    h("p", {}, ...excerpt.map(([isHit, text]) => (isHit ? h("mark", {}, text) : text))),
  );

if (field) {
  field.addEventListener("input", searchSoon);
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    field.value = "";
    searchSoon();
  });
}
