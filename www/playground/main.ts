/** The playground: one page, on which each bench is loaded when it is first opened. */

import { h, inPause, say } from "../shared/dom.js";
import type { Bench, MakeBench, State } from "./bench.js";
import { showEngine } from "./engine.js";

const BENCHES: Record<string, () => Promise<{ make: MakeBench }>> = {
  trajectories: () => import("./benches/trajectories/bench.js"),
  recipes: () => import("./benches/recipes/bench.js"),
  rag: () => import("./benches/rag/bench.js"),
  judge: () => import("./benches/judge/bench.js"),
  texts: () => import("./benches/texts/bench.js"),
  dataset: () => import("./benches/dataset/bench.js"),
};
/** Chat programs and servers cut what is much longer. */
const MAX_LINK_LENGTH = 30_000;

const $ = (id: string) => document.getElementById(id) as HTMLElement;
const place = $("bench");
const copy = $("copy") as HTMLButtonElement;
const made = new Map<string, Promise<Bench>>();
let current: { name: string; bench: Bench } | undefined;
/** The link that was opened or written last. */
let known = "";

/** `#texts?mode=json&…`: a bench, and its state. */
function readLink(): { name: string; state: State | undefined } {
  const [name = "", query] = location.hash.slice(1).split(/\?(.*)/s);
  return {
    name: Object.hasOwn(BENCHES, name) ? name : "trajectories",
    state: query === undefined ? undefined : Object.fromEntries(new URLSearchParams(query)),
  };
}

function linkOf(name: string, bench: Bench): string | undefined {
  const link = `#${name}?${new URLSearchParams(bench.state())}`;
  return link.length <= MAX_LINK_LENGTH ? link : undefined;
}

async function open(): Promise<void> {
  const { name, state } = readLink();
  known = location.hash;
  for (const link of document.querySelectorAll("#benches a")) {
    const isCurrent = link.getAttribute("href") === `#${name}`;
    if (!isCurrent) link.removeAttribute("aria-current");
    else if (!link.hasAttribute("aria-current")) {
      link.setAttribute("aria-current", "page");
      // On a phone, not all of them are in sight.
      link.scrollIntoView({ block: "nearest", inline: "center" });
      document.title = `${link.textContent} · openevals-wasm`;
    }
  }
  for (const about of document.querySelectorAll<HTMLElement>("[data-about]"))
    about.hidden = about.dataset.about !== name;
  const isNew = !made.has(name);
  if (isNew) made.set(name, make(name));
  const bench = await (made.get(name) as Promise<Bench>);
  if (readLink().name !== name) return;
  if (isNew || state) bench.open(state ?? bench.examples[0]?.state ?? {});
  if (current?.bench !== bench) {
    current = { name, bench };
    place.replaceChildren(bench.element);
    showExamples(bench);
  }
}

async function make(name: string): Promise<Bench> {
  try {
    const { make } = await (BENCHES[name] as (typeof BENCHES)[string])();
    return make(writeSoon);
  } catch (error) {
    made.delete(name);
    say($("page-problem"), `This bench could not be loaded: ${(error as Error).message}`);
    throw error;
  }
}

function showExamples(bench: Bench): void {
  $("examples").replaceChildren(
    ...bench.examples.map(({ name, state }) =>
      h(
        "button",
        {
          type: "button",
          class: "chip",
          onclick() {
            bench.open(state);
            writeSoon();
          },
        },
        name,
      ),
    ),
  );
}

/** Browsers limit how often a page may change its address, so that waits for a pause. */
const writeSoon = inPause(250, () => write());

function write(): void {
  if (!current) return;
  const link = linkOf(current.name, current.bench);
  copy.disabled = !link;
  copy.title = link ? "" : "This is too much for a link";
  // Another bench may be on its way, or a link that is still to be opened.
  if (readLink().name !== current.name || location.hash !== known) return;
  history.replaceState(null, "", link ?? `#${current.name}`);
  known = location.hash;
}

copy.addEventListener("click", async () => {
  write();
  try {
    await navigator.clipboard.writeText(location.href);
    copy.textContent = "Copied";
  } catch {
    copy.textContent = "Copy the address bar";
  }
  setTimeout(() => {
    copy.textContent = "Copy link";
  }, 1500);
});
// As a link of its own it would name a bench.
document.querySelector(".skip")?.addEventListener("click", (event) => {
  event.preventDefault();
  place.focus();
});
addEventListener("hashchange", () => void open());

/** Marks the sides on which there are more tabs than are in sight. */
const tabs = $("benches");
function markTabs(): void {
  const { scrollLeft, clientWidth, scrollWidth } = tabs;
  tabs.classList.toggle("more-before", scrollLeft > 1);
  tabs.classList.toggle("more-after", scrollLeft + clientWidth < scrollWidth - 1);
}
tabs.addEventListener("scroll", markTabs, { passive: true });
new ResizeObserver(markTabs).observe(tabs);

void open();
showEngine($("engine"));
