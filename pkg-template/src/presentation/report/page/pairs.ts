/** The wins, ties and losses of each pair of experiments. */

import { counted } from "../../../core/input/counted.js";
import { whole } from "../../../core/input/counts.js";
import { percent, pValue } from "../../../core/number-text.js";
import type { ComparedPair } from "../../../core/records/comparative.js";
import { isSignificant } from "../../../core/records/significance.js";
import { areAdjusted, rangeText } from "../../figures.js";
import { breakable, h, svg } from "./dom.js";
import { scrollable } from "./tables.js";

export function pairs(all: readonly ComparedPair[], label: string): HTMLElement {
  return scrollable(
    { "aria-label": label },
    h(
      "table",
      { class: "pairs", role: "table" },
      h(
        "thead",
        { role: "rowgroup" },
        h(
          "tr",
          { role: "row" },
          h("th", { scope: "col", role: "columnheader" }, "First and second"),
          h("th", { scope: "col", role: "columnheader", class: "plot" }, "Wins, ties, losses of the first"),
          h("th", { scope: "col", role: "columnheader", class: "figure" }, "Win rate"),
          h(
            "th",
            { scope: "col", role: "columnheader", class: "figure" },
            areAdjusted(all) ? "p, adjusted" : "p",
          ),
        ),
      ),
      h("tbody", { role: "rowgroup" }, ...all.map(line)),
    ),
  );
}

function line(pair: ComparedPair): HTMLElement {
  const { first, second, winRate, interval, adjustedPValue: p, errors, unscored = 0 } = pair;
  return h(
    "tr",
    { role: "row" },
    h(
      "th",
      { scope: "row", role: "rowheader" },
      h("span", { dir: "auto" }, ...breakable(first)),
      h("span", { class: "quiet", dir: "auto" }, ...breakable(second)),
    ),
    h(
      "td",
      { role: "cell", class: "plot" },
      bar(pair),
      errors > 0 && h("span", { class: "error" }, `${counted(errors, "error")}, not counted`),
      unscored > 0 && h("span", { class: "error" }, `${whole(unscored)} without a score, not counted`),
    ),
    h(
      "td",
      { role: "cell", class: "figure" },
      h(
        "b",
        { class: winRate !== null && isSignificant(pair) ? (winRate > 0.5 ? "better" : "worse") : undefined },
        winRate === null ? "–" : percent(winRate),
      ),
      interval && h("span", { class: "quiet" }, rangeText(interval, true)),
    ),
    h("td", { role: "cell", class: "figure" }, pValue(p)),
  );
}

/** The three counts as a stacked bar. */
function bar({ wins, ties, losses, count }: ComparedPair): HTMLElement {
  const texts = [counted(wins, "win"), counted(ties, "tie"), lossText(losses)];
  if (!count) return h("span", { class: "quiet" }, "never compared");
  let from = 0;
  const part = (kind: string, size: number) => {
    const x = from;
    from += size / count;
    const at = (share: number) => `${(share * 100).toFixed(2)}%`;
    return size > 0 && svg("rect", { class: kind, x: at(x), width: at(size / count), y: 0, height: 14 });
  };
  return h(
    "div",
    {},
    svg(
      "svg",
      { height: 14, role: "img", "aria-label": texts.join(", ") },
      part("true", wins),
      part("even", ties),
      part("lost", losses),
      svg("line", { class: "middle", x1: "50%", x2: "50%", y1: -3, y2: 17 }),
    ),
    h(
      "span",
      { class: "quiet", "aria-hidden": "true" },
      `${whole(wins)} · ${whole(ties)} · ${whole(losses)}`,
    ),
  );
}

const lossText = (losses: number): string => `${whole(losses)} ${losses === 1 ? "loss" : "losses"}`;
