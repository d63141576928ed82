/** The table of a ranking, with a plot of the strengths and their intervals. */

import { whole } from "../../../core/input/counts.js";
import { decimal, percent } from "../../../core/number-text.js";
import type { Ranked } from "../../../core/records/comparative.js";
import { rangeText } from "../../figures.js";
import { breakable, h, minus, svg } from "./dom.js";
import { scrollable } from "./tables.js";

export function strengths(ranking: readonly Ranked[], label: string): HTMLElement {
  const scale = scaleOf(ranking);
  return scrollable(
    { "aria-label": label },
    h(
      "table",
      { class: "ranking", role: "table" },
      h(
        "thead",
        { role: "rowgroup" },
        h(
          "tr",
          { role: "row" },
          h("th", { scope: "col", role: "columnheader" }, "Best first"),
          h(
            "th",
            { scope: "col", role: "columnheader", class: "plot" },
            scale ? axis(scale) : h("span", { class: "unseen" }, "Plot of the win rates"),
          ),
          scale && h("th", { scope: "col", role: "columnheader", class: "figure strength" }, "Strength"),
          h("th", { scope: "col", role: "columnheader", class: "figure" }, "Win rate"),
          h("th", { scope: "col", role: "columnheader", class: "figure compared" }, "Compared"),
        ),
      ),
      h(
        "tbody",
        { role: "rowgroup" },
        ...ranking.map((one, index) =>
          h(
            "tr",
            { role: "row" },
            h(
              "th",
              { scope: "row", role: "rowheader", dir: "auto" },
              `${index + 1}. `,
              ...breakable(one.name),
            ),
            h("td", { role: "cell", class: "plot" }, scale ? point(one, scale) : share(one)),
            scale && h("td", { role: "cell", class: "figure strength" }, ...strengthText(one)),
            h("td", { role: "cell", class: "figure" }, percent(one.winRate)),
            h("td", { role: "cell", class: "figure compared quiet" }, whole(one.count)),
          ),
        ),
      ),
    ),
  );
}

interface StrengthScale {
  low: number;
  high: number;
  x(value: number): string;
}

/** A symmetric scale around the mean, 0, that holds all intervals. */
function scaleOf(ranking: readonly Ranked[]): StrengthScale | undefined {
  const ends = ranking.flatMap(({ strength, interval }) =>
    strength === null ? [] : [strength, interval?.low ?? strength, interval?.high ?? strength],
  );
  if (!ends.length) return undefined;
  const most = Math.max(...ends.map(Math.abs), 0.1);
  // A tenth more, so that nothing touches the edge.
  const high = most * 1.1;
  return { low: -high, high, x: (value) => `${(((value + high) / (2 * high)) * 100).toFixed(2)}%` };
}

function axis({ low, high }: StrengthScale): HTMLElement {
  const texts = [low, 0, high].map((value) => (value ? value.toFixed(1) : "0"));
  return h(
    "span",
    { class: "axis-labels" },
    ...texts.map((text) => h("span", { "aria-hidden": "true" }, minus(text))),
    h("span", { class: "unseen" }, "Plot of the strengths"),
  );
}

const HEIGHT = 22;

function point({ strength, interval }: Ranked, { x }: StrengthScale): SVGElement | string {
  if (strength === null) return "–";
  const y = HEIGHT / 2;
  const end = (value: number) => svg("line", { x1: x(value), x2: x(value), y1: y - 4, y2: y + 4 });
  return svg(
    "svg",
    { height: HEIGHT, role: "img", "aria-label": minus(`Strength ${spoken(strength, interval)}`) },
    svg("line", { class: "axis", x1: x(0), x2: x(0), y1: -8, y2: HEIGHT + 8 }),
    svg(
      "g",
      { class: "interval" },
      interval && svg("line", { x1: x(interval.low), x2: x(interval.high), y1: y, y2: y }),
      interval && end(interval.low),
      interval && end(interval.high),
      svg("circle", { cx: x(strength), cy: y, r: 4.5 }),
    ),
  );
}

const spoken = (strength: number, interval: Ranked["interval"]): string =>
  decimal(strength) + (interval ? `, from ${rangeText(interval, false)}` : "");

/** Without strengths, the plot shows the win rates. */
const share = ({ winRate }: Ranked): SVGElement =>
  svg(
    "svg",
    { height: HEIGHT, role: "img", "aria-label": `Win rate ${percent(winRate)}` },
    svg("rect", { class: "false", x: 0, width: "100%", y: 5, height: 12 }),
    svg("rect", { class: "true", x: 0, width: percent(winRate), y: 5, height: 12 }),
  );

function strengthText({ strength, interval }: Ranked): (Node | string)[] {
  if (strength === null) return ["–"];
  const range = interval && h("span", {}, minus(rangeText(interval, false)));
  return [h("b", {}, minus(decimal(strength))), ...(range ? [range] : [])];
}
