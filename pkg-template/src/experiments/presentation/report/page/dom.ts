/** Elements. All text goes in as text, never as HTML, so that nothing in the data can be more than text. */

type Child = Node | string | number | false | null | undefined;
type Attributes = Record<string, string | number | boolean | EventListener | undefined>;

/** Makes an element: `on…` are listeners, `true` and `false` set and leave out, `undefined` leaves out. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  return filled(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
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
 * Text of the data. What has no form of its own, or changes the direction of what follows, is written as its code: a
 * reader is not to be misled. What was written by hand may lack it.
 */
export const shown = (text: string | undefined): string =>
  String(text ?? "").replace(
    /[\p{Cs}\u202a-\u202e\u2066-\u2069]|(?![\n\t])\p{Cc}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** A value of the data as text: strings as they are, all else as JSON. */
export const textOf = (value: unknown, indent?: number): string =>
  shown(typeof value === "string" ? value : (JSON.stringify(value, null, indent) ?? ""));

/** A value with the keys of its objects in order, so that two of them can be compared as texts. */
export function sorted(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth > 100) return value;
  if (Array.isArray(value)) return value.map((part) => sorted(part, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, sorted(part, depth + 1)]),
  );
}

/** A key, which may be broken where its words end. */
export const breakable = (key: string): Node[] =>
  shown(key)
    .split(/(?<=[_:.])/)
    .flatMap((word) => [document.createTextNode(word), document.createElement("wbr")]);

/** Figures with the sign for minus, which is as wide as a plus. */
export const minus = (figures: string): string => figures.replace(/-(?=\d)/g, "−");

/** `2026-11-21 12:00`. */
export const minute = (time: unknown): string =>
  String(time ?? "")
    .slice(0, 16)
    .replace("T", " ");
