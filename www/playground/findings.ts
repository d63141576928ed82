/** What an evaluation found: as a list, and as marks in a text. */

import { h } from "../shared/dom.js";

/** A finding: what is found of what, how likely, and why. */
export const finding = (
  isGood: boolean | undefined,
  what: string,
  figure: string,
  why: string,
): HTMLElement =>
  h(
    "li",
    {},
    h(
      "div",
      { class: "head" },
      h("span", { dir: "auto" }, what),
      h("span", { class: isGood === undefined ? "quiet" : `verdict ${isGood ? "yes" : "no"}` }, figure),
    ),
    why !== "" && h("p", { dir: "auto" }, why),
  );

export type Standing = "supported" | "open" | "unsupported";

/** A claim, and the place of its sentence in a text, in code units; the end is exclusive. */
export interface PlacedClaim {
  claim: string;
  start: number;
  end: number;
  standing: Standing;
}

/** What the colours say, for screen readers. The worst comes first. */
const WORDS: Record<Standing, string> = {
  unsupported: "has a claim that is not supported",
  open: "needs no source",
  supported: "supported",
};

/** A text with its sentences marked as their claims stand. */
export function markedText(text: string, claims: readonly PlacedClaim[]): (HTMLElement | string)[] {
  const parts: (HTMLElement | string)[] = [];
  let at = 0;
  for (const start of [...new Set(claims.map(({ start }) => start))].sort((one, other) => one - other)) {
    if (start < at) continue;
    const here = claims.filter((claim) => claim.start === start);
    const end = Math.max(...here.map(({ end }) => end));
    const worst = (Object.keys(WORDS) as Standing[]).find((one) =>
      here.some(({ standing }) => standing === one),
    ) as Standing;
    const title = here.map(({ claim }) => claim).join("\n");
    const unseen = h("span", { class: "unseen" }, ` (${WORDS[worst]})`);
    parts.push(text.slice(at, start), h("mark", { class: worst, title }, text.slice(start, end), unseen));
    at = end;
  }
  return [...parts, text.slice(at)];
}

/** What the colours of {@link markedText} mean. */
export const legend = (): HTMLElement =>
  h(
    "small",
    { class: "legend" },
    h("mark", { class: "supported" }, "supported"),
    " ",
    h("mark", { class: "unsupported" }, "not supported"),
  );
