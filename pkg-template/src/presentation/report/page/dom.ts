/** Creates elements. All text is added as text nodes, never as HTML, so that data cannot inject elements. */

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

/**
 * Makes text of the data safe to show: control characters, lone surrogates and changes of the writing direction, which could mislead
 * readers, become visible escapes. `undefined`, possible in files written by hand, becomes empty.
 */
export const shown = (text: string | undefined): string =>
  String(text ?? "").replace(
    /[\p{Cs}\p{Bidi_Control}]|(?![\n\t])\p{Cc}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** A value of the data as text; values other than strings as JSON. */
export const textOf = (value: unknown, indent?: number): string =>
  shown(typeof value === "string" ? value : (JSON.stringify(value, null, indent) ?? ""));

/** A value in a sentence: `users: curt, rude; tasks: refund`. What is nested deeper is JSON. */
export function readable(value: unknown, depth = 0): string {
  if (typeof value !== "object" || value === null || depth > 1) return textOf(value);
  if (Array.isArray(value)) return value.map((part) => readable(part, depth + 1)).join(", ");
  return Object.entries(value)
    .map(([name, part]) => `${shown(name)}: ${readable(part, depth + 1)}`)
    .join("; ");
}

/** A value with sorted keys, so that two values can be compared as text. */
export function sorted(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth > 100) return value;
  if (Array.isArray(value)) return value.map((part) => sorted(part, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, sorted(part, depth + 1)]),
  );
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
