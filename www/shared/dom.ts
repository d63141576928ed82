/** Making and finding elements. */

type Child = Node | string | undefined | false;
type Attributes = Record<string, unknown>;

/**
 * Makes an element. What begins with `on` listens; `true` is an attribute without a value, `false` and `undefined` are
 * none. Texts are texts: nothing in them becomes markup.
 */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  return filled(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export const svg = (tag: string, attributes: Attributes = {}, ...children: Child[]): SVGElement =>
  filled(document.createElementNS("http://www.w3.org/2000/svg", tag) as SVGElement, attributes, children);

function filled<Made extends Element>(made: Made, attributes: Attributes, children: Child[]): Made {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name.slice(2), value as EventListener);
    else if (value !== undefined && value !== false)
      made.setAttribute(name, value === true ? "" : `${value}`);
  }
  made.append(...children.filter((child) => child !== undefined && child !== false));
  return made;
}

let ids = 0;

/** An id that no other element has. */
export const newId = (): string => `e${++ids}`;

/** Waits for a pause: `work` is done once, `ms` after the last call. */
export function inPause(ms: number, work: () => void): () => void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(waiting);
    waiting = setTimeout(work, ms);
  };
}

/** Puts a text where it is not yet: live regions would say it again. */
export function say(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
