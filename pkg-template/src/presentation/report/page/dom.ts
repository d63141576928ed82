/** Creates elements. All text is added as text nodes, never as HTML, so that data cannot inject elements. */

import { shown, textOf } from "../../value-text.js";

/** What an element can contain. `false`, `null` and `undefined` are left out. */
export type Child = Node | string | number | false | null | undefined;
type Attributes = Record<string, string | number | boolean | EventListener | undefined>;

/** Creates an element. Attributes that are functions are listeners (`onclick`); `false` and `undefined` are left out. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  return filled(document.createElement(tag), attributes, children);
}

/** Creates an SVG element. */
export function svg(tag: string, attributes: Attributes = {}, ...children: Child[]): SVGElement {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function filled<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false)
      element.setAttribute(name, String(value === true ? "" : value));
  }
  for (const child of children)
    if (child || child === 0) element.append(typeof child === "number" ? String(child) : child);
  return element;
}

/** A value in a sentence: `users: curt, rude; tasks: refund`. What is nested deeper is JSON. */
export function readable(value: unknown, depth = 0): string {
  if (typeof value !== "object" || value === null || depth > 1) return textOf(value);
  if (Array.isArray(value)) return value.map((part) => readable(part, depth + 1)).join(", ");
  return Object.entries(value)
    .map(([name, part]) => `${shown(name)}: ${readable(part, depth + 1)}`)
    .join("; ");
}

/** A key that may wrap between its words. */
export const breakable = (key: string): Node[] =>
  shown(key)
    .split(/(?<=[_:.])/)
    .flatMap((word) => [document.createTextNode(word), document.createElement("wbr")]);

/** Replaces hyphens before digits by the minus sign, which is as wide as a plus sign. */
export const minus = (figures: string): string => figures.replace(/-(?=\d)/g, "−");

/** `2026-11-21 12:00`. */
export const minute = (time: unknown): string =>
  String(time ?? "")
    .slice(0, 16)
    .replace("T", " ");
