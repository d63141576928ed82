/** Pictures, recordings and documents, dropped or chosen. */

import { h, say } from "../../../shared/dom.js";

export interface AttachedFile {
  name: string;
  mime_type: string;
  data: string;
}

/** Nothing larger is read: providers take no more. */
const LARGEST = 20_000_000;

export class Attachments {
  readonly element: HTMLElement;
  readonly #list = h("ul", { class: "attached" });
  readonly #problem = h("p", { class: "problem", role: "alert" });
  readonly #changed: () => void;
  files: AttachedFile[] = [];

  constructor(changed: () => void) {
    this.#changed = changed;
    const input = h("input", {
      type: "file",
      multiple: true,
      accept: "image/*,audio/*,application/pdf",
      class: "unseen",
      onchange: () => {
        void this.#add(input.files);
        input.value = "";
      },
    });
    this.element = h(
      "div",
      { class: "drop" },
      h(
        "label",
        {},
        input,
        h("span", { class: "button" }, "Attach files"),
        " or drop pictures, recordings or a PDF here",
      ),
      this.#list,
      this.#problem,
    );
    const { element } = this;
    element.addEventListener("dragover", (event) => {
      event.preventDefault();
      element.classList.add("over");
    });
    element.addEventListener("dragleave", () => element.classList.remove("over"));
    element.addEventListener("drop", (event) => {
      event.preventDefault();
      element.classList.remove("over");
      void this.#add(event.dataTransfer?.files ?? null);
    });
  }

  clear(): void {
    this.files = [];
    this.#show();
  }

  async #add(files: FileList | null): Promise<void> {
    say(this.#problem, "");
    for (const file of files ?? []) {
      if (!/^(image|audio)\/|^application\/pdf$/.test(file.type) || file.size > LARGEST) {
        say(
          this.#problem,
          `${file.name} is ${file.size > LARGEST ? "larger than 20 MB" : "no picture, recording or PDF"}.`,
        );
        continue;
      }
      this.files = [...this.files, { name: file.name, mime_type: file.type, data: await dataOf(file) }];
    }
    this.#show();
    this.#changed();
  }

  #show(): void {
    this.#list.replaceChildren(
      ...this.files.map((file) =>
        h(
          "li",
          {},
          file.mime_type.startsWith("image/") && h("img", { src: file.data, alt: "", height: 28 }),
          h("bdi", {}, file.name),
          h(
            "button",
            {
              type: "button",
              class: "small",
              "aria-label": `Remove ${file.name}`,
              onclick: () => {
                this.files = this.files.filter((other) => other !== file);
                this.#show();
                this.#changed();
              },
            },
            "✕",
          ),
        ),
      ),
    );
  }
}

const dataOf = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
