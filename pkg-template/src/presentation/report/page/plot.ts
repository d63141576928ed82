/** The distribution of a key's scores, with the mean and its interval below on the same axis. */

import { counted } from "../../../core/input/counted.js";
import { decimal, figure, percent } from "../../../core/number-text.js";
import type { Aggregate, Distribution } from "../../../core/records/types.js";
import type { ScoreScale } from "../../../core/types.js";
import { isMeanOfBooleans } from "../../figures.js";
import { h, minus, svg } from "./dom.js";

const HEIGHT = 44;

/** @param before The same key in the baseline. */
export function plot(
  aggregate: Aggregate,
  before: Aggregate | undefined,
  scale: ScoreScale,
): HTMLElement | undefined {
  const { distribution } = aggregate;
  if (!distribution) return undefined;
  const [low, high] = domain([aggregate, before], scale);
  const x = (value: number) => `${(((value - low) / (high - low)) * 100).toFixed(2)}%`;
  const label = (value: number) =>
    minus(figure(value, isMeanOfBooleans(aggregate)).replace(/(?:\.0+|(?<=\.\d+)0+)(?=%?$)/, ""));
  const bars = [aggregate, before].filter((one) => one?.mean != null);
  const height = HEIGHT + 8 + 12 * bars.length;
  return h(
    "figure",
    {},
    svg(
      "svg",
      { height, role: "img", "aria-label": describe(distribution) },
      ...(distribution.kind === "boolean" ? share(distribution, x) : histogram(distribution, x)),
      svg("line", { class: "axis", x1: 0, x2: "100%", y1: HEIGHT + 0.5, y2: HEIGHT + 0.5 }),
      ...bars.map((one, i) => one && errorBar(one, x, HEIGHT + 10 + 12 * i, i > 0)),
    ),
    h(
      "figcaption",
      { "aria-hidden": "true" },
      ...[low, (low + high) / 2, high].map((value) => h("span", {}, label(value))),
    ),
  );
}

/** The range of the axis: that of the scale, or 0 to 1, extended to the values and to the bins that have some. */
function domain(
  all: readonly (Aggregate | undefined)[],
  { min = 0, max = Math.max(1, min) }: ScoreScale,
): [number, number] {
  const values = all.flatMap((one) => {
    const { distribution, interval } = one ?? {};
    const ends = distribution?.kind === "number" ? endsOf(distribution) : [];
    return interval ? [...ends, interval.low, interval.high] : ends;
  });
  return [Math.min(min, ...values), Math.max(max, ...values)];
}

function endsOf({ min, max, histogram }: NumberDistribution): number[] {
  const filled = histogram.filter(({ count }) => count);
  return [min, max, ...filled.flatMap(({ from, to }) => [from, to])];
}

type NumberDistribution = Distribution & { kind: "number" };
type FormatTick = (value: number) => string;

function share({ true: yes, false: no }: Distribution & { kind: "boolean" }, x: FormatTick) {
  const y = HEIGHT - 22;
  const part = (kind: string, count: number, from: number, to: number) =>
    count > 0 &&
    svg(
      "rect",
      { class: kind, x: x(from), width: x(to - from), y, height: 22 },
      svg("title", {}, `${kind}: ${count}`),
    );
  const rate = yes / (yes + no);
  return [part("true", yes, 0, rate), part("false", no, rate, 1)];
}

function histogram({ histogram, min, max }: NumberDistribution, x: FormatTick) {
  const most = Math.max(...histogram.map(({ count }) => count));
  if (min === max) {
    const height = HEIGHT;
    return [svg("line", { class: "single", x1: x(min), x2: x(min), y1: HEIGHT - height, y2: HEIGHT })];
  }
  return histogram.map(({ from, to, count }) => {
    // At least two pixels, so that small counts are visible.
    const height = count && Math.max(2, (count / most) * HEIGHT);
    const width = `${Number.parseFloat(x(to)) - Number.parseFloat(x(from))}%`;
    const title = svg("title", {}, minus(`${decimal(from)} to ${decimal(to)}: ${count}`));
    return count > 0 && svg("rect", { class: "bin", x: x(from), width, y: HEIGHT - height, height }, title);
  });
}

function errorBar({ mean, interval }: Aggregate, x: FormatTick, y: number, isBefore: boolean): SVGElement {
  const line = (from: number, to: number, up: number) =>
    svg("line", { x1: x(from), x2: x(to), y1: y - up, y2: y + up });
  return svg(
    "g",
    { class: isBefore ? "interval before" : "interval" },
    interval && line(interval.low, interval.high, 0),
    interval && line(interval.low, interval.low, 3),
    interval && line(interval.high, interval.high, 3),
    svg("circle", { cx: x(mean ?? 0), cy: y, r: 3.5 }),
  );
}

/** The text for screen readers. */
function describe(distribution: Distribution): string {
  if (distribution.kind === "boolean") {
    const { true: yes, false: no } = distribution;
    return `Distribution: ${yes} true, ${no} false, which is ${percent(yes / (yes + no))} true`;
  }
  const { histogram, min, max, median, standardDeviation } = distribution;
  const bins = histogram
    .filter(({ count }) => count)
    .map(({ from, to, count }) => `${counted(count, "score")} from ${decimal(from)} to ${decimal(to)}`);
  const [low, middle, high, spread] = [min, median, max, standardDeviation].map((value) =>
    figure(value, false),
  );
  return `Distribution: from ${low} to ${high}, median ${middle}, standard deviation ${spread}; ${bins.join(", ")}`;
}
