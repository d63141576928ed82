/** Inputs and outputs: text, conversations, and all else as JSON. */

import { h, shown, textOf } from "./dom.js";

export function shownValue(value: unknown): HTMLElement {
  const messages = readMessages(value);
  if (!messages) return text(textOf(sorted(value), 2));
  return h(
    "ol",
    { class: "messages" },
    ...messages.map(({ role, content, tool_calls, ...rest }) =>
      h(
        "li",
        {},
        h("b", {}, shown(role)),
        content != null && content !== "" && text(textOf(content, 2)),
        ...(Array.isArray(tool_calls) ? tool_calls : []).map((call) => text(`→ ${callText(call)}`)),
        Object.keys(rest).length > 0 && h("p", { class: "note" }, textOf(rest)),
      ),
    ),
  );
}

/** A value in one line, which is cut where its column ends: of a conversation the end, of a single field what is in it. */
export function gist(value: unknown): string {
  const last = readMessages(value)?.at(-1)?.content;
  const fields = typeof value === "object" && value && !Array.isArray(value) ? Object.values(value) : [];
  const text = textOf(last || (fields.length === 1 ? fields[0] : value));
  return text.slice(0, MOST).replaceAll(/\s+/g, " ");
}

/** More than this would never be seen. */
const MOST = 300;

/** A call of OpenAI's form, or `{ name, args }`: its name with its arguments. */
function callText(call: any): string {
  const { name, arguments: text, args } = call?.function ?? call ?? {};
  return typeof name === "string" ? `${shown(name)}(${textOf(text ?? args)})` : textOf(call);
}

const text = (...parts: (string | Node)[]) => h("pre", { tabindex: 0, dir: "auto" }, ...parts);

interface Message extends Record<string, unknown> {
  role: string;
}

function readMessages(value: unknown): Message[] | undefined {
  const { messages, ...rest } = (value ?? {}) as { messages?: unknown };
  const list = messages && !Object.keys(rest).length ? messages : value;
  const areMessages =
    Array.isArray(list) &&
    list.length > 0 &&
    list.every((one) => typeof one?.role === "string" && "content" in one);
  return areMessages ? list : undefined;
}

/** With the keys of objects in order, so that two values can be compared line by line. */
function sorted(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth > 100) return value;
  if (Array.isArray(value)) return value.map((part) => sorted(part, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, sorted(part, depth + 1)]),
  );
}

/** Two values with what differs marked, if that is little enough to be of help. */
export function differing(one: unknown, other: unknown): [HTMLElement, HTMLElement] | undefined {
  if (readMessages(one) || readMessages(other)) return undefined;
  const [a, b] = [textOf(sorted(one), 2), textOf(sorted(other), 2)];
  const least = Math.min(a.length, b.length);
  let start = 0;
  while (start < least && a[start] === b[start]) start++;
  while (start > 0 && (isInside(a, start) || isInside(b, start))) start--;
  let end = 0;
  while (end < least - start && a[a.length - end - 1] === b[b.length - end - 1]) end++;
  while (end > 0 && (isInside(a, a.length - end) || isInside(b, b.length - end))) end--;
  if (a === b || start + end < Math.max(a.length, b.length) / 3) return undefined;
  const marked = (whole: string) => {
    const [before, middle, after] = [
      whole.slice(0, start),
      whole.slice(start, whole.length - end),
      whole.slice(whole.length - end),
    ];
    return text(before, middle && h("mark", {}, middle), after);
  };
  return [marked(a), marked(b)];
}

/** Whether a character begins before `at`: half a surrogate pair stands there, an accent, or what joins two. */
const isInside = (text: string, at: number) =>
  /^(?:[\udc00-\udfff]|[\p{M}\u200d])/u.test(text.slice(at, at + 2));
