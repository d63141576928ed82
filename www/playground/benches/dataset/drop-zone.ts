/** Opens a file: with a button, or dropped on the page. */

import { h } from "../../../shared/dom.js";

/** A place to drop a file, which `take` then reads. `about` says which file is open. */
export function dropZone(about: HTMLElement, take: (file: File) => Promise<void>): HTMLElement {
  const input = h("input", {
    type: "file",
    accept: ".csv,.jsonl,.ndjson,.json,text/csv,application/json",
    class: "unseen",
    onchange: () => {
      if (input.files?.[0]) void take(input.files[0]);
      input.value = "";
    },
  });
  const zone = h(
    "div",
    { class: "drop" },
    h("label", {}, input, h("span", { class: "button" }, "Open a file")),
    " or drop one here: JSON lines or CSV with a header. It stays on this machine.",
    about,
  );
  zone.addEventListener("dragover", (event) => {
    event.preventDefault();
    zone.classList.add("over");
  });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    const [file] = event.dataTransfer?.files ?? [];
    if (file) void take(file);
  });
  return zone;
}
