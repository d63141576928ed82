/** A sparkline of a key over several experiments. */

import { figure } from "../../../core/number-text.js";
import type { Interval } from "../../../core/records/types.js";
import { minus, svg } from "./dom.js";

export interface Point {
  value: number | null | undefined;
  interval?: Interval | null | undefined;
}

const WIDTH = 132;
const HEIGHT = 36;
const EDGE = 5;

/**
 * Draws the values, with intervals as bars and gaps for missing values. `undefined` with fewer than two values, or for
 * a flat line.
 */
export function trend(points: readonly Point[], isRate: boolean): SVGElement | undefined {
  const values = points.map(({ value }) => value ?? undefined);
  const known = values.filter((value) => value !== undefined);
  if (known.length < 2) return undefined;
  const ends = points.flatMap(({ value, interval }) =>
    value == null ? [] : [value, interval?.low ?? value, interval?.high ?? value],
  );
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  // A flat line shows nothing.
  if (low === high) return undefined;
  const x = (index: number) => EDGE + (index * (WIDTH - 2 * EDGE)) / (points.length - 1);
  const y = (value: number) => HEIGHT - EDGE - ((value - low) / (high - low)) * (HEIGHT - 2 * EDGE);
  const at = (value: number) => y(value).toFixed(1);
  const path = values
    .map((value, index) => {
      if (value === undefined) return "";
      return `${values[index - 1] === undefined ? "M" : "L"}${x(index).toFixed(1)} ${at(value)}`;
    })
    .join("");
  const last = values.lastIndexOf(known.at(-1));
  const spoken = values.map((value) => (value === undefined ? "none" : figure(value, isRate)));
  return svg(
    "svg",
    {
      class: "trend",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      width: WIDTH,
      height: HEIGHT,
      role: "img",
      "aria-label": minus(`Trend: ${spoken.join(", ")}`),
    },
    values[0] !== undefined &&
      svg("line", { class: "axis", x1: 0, x2: WIDTH, y1: at(values[0]), y2: at(values[0]) }),
    ...points.map(({ value, interval }, index) => {
      if (value == null || !interval) return false;
      return svg("line", {
        class: "range",
        x1: x(index),
        x2: x(index),
        y1: at(interval.low),
        y2: at(interval.high),
      });
    }),
    svg("path", { d: path }),
    ...values.map(
      (value, index) =>
        value !== undefined && svg("circle", { cx: x(index), cy: at(value), r: index === last ? 3.5 : 1.75 }),
    ),
  );
}
