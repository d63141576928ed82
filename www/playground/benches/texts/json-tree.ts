/** Two JSON values as one tree, with both values where they differ. */

import { h } from "../../../shared/dom.js";
import { type Change, textDifference } from "../../../shared/text-difference.js";

/** More lines than these nobody reads, and they would take long to draw. */
const MAX_LINES = 1500;
const DEEPEST = 60;
const MAX_VALUE_LENGTH = 300;

interface Budget {
  lines: number;
}

/** The tree of a difference: what is struck stands in the reference only, what is underlined in the output only. */
export function jsonTree(output: unknown, reference: unknown): HTMLElement {
  const budget = { lines: MAX_LINES };
  const list = h("ul", { class: "tree" }, node(undefined, output, reference, budget, 0));
  return budget.lines > 0
    ? list
    : h("div", {}, list, h("p", { class: "quiet" }, "There is more than is drawn."));
}

const MISSING = Symbol("missing");

function node(key: string | undefined, output: unknown, reference: unknown, budget: Budget, depth: number) {
  budget.lines--;
  const line = h("li", {});
  if (key !== undefined) line.append(h("bdi", { class: "k" }, key), ": ");
  const kind = kindOf(reference);
  if (kind && kind === kindOf(output) && depth < DEEPEST) {
    const children = membersOf(output as object, reference as object);
    if (children.every(([, a, b]) => isSame(a, b, depth))) {
      line.append(h("bdi", {}, compact(reference)));
      return line;
    }
    line.append(h("span", { class: "quiet" }, kind === "list" ? "[" : "{"));
    const inside = h("ul", {});
    for (const [name, a, b] of children) {
      if (budget.lines <= 0) break;
      inside.append(node(name, a, b, budget, depth + 1));
    }
    line.append(inside, h("span", { class: "quiet" }, kind === "list" ? "]" : "}"));
    return line;
  }
  if (isSame(output, reference, depth)) {
    line.append(h("bdi", {}, compact(reference)));
    return line;
  }
  line.classList.add("differs");
  const [before, after] = [compact(reference), compact(output)];
  const pieces =
    typeof output === "string" && typeof reference === "string" ? textDifference(before, after) : [];
  const side = (tag: "del" | "ins", text: string, change: Change) =>
    h(
      tag,
      { dir: "auto" },
      ...(pieces.length
        ? pieces
            .filter(([kind]) => kind === "same" || kind === change)
            .map(([kind, part]) => (kind === "same" ? part : h("mark", {}, part)))
        : [text]),
    );
  if (output !== MISSING && reference !== MISSING)
    line.append(side("del", before, "deleted"), " ", side("ins", after, "inserted"));
  else if (output === MISSING)
    line.append(side("del", before, "deleted"), h("span", { class: "quiet" }, " missing in the output"));
  else line.append(side("ins", after, "inserted"), h("span", { class: "quiet" }, " not in the reference"));
  return line;
}

/** The members of both sides: those of the reference in its order, then those that it does not have. */
function membersOf(output: object, reference: object): [string, unknown, unknown][] {
  const value = (of: object, key: string): unknown =>
    Object.hasOwn(of, key) ? (of as Record<string, unknown>)[key] : MISSING;
  const keys = new Set([...Object.keys(reference), ...Object.keys(output)]);
  return Array.from(keys, (key) => [key, value(output, key), value(reference, key)]);
}

function isSame(a: unknown, b: unknown, depth: number): boolean {
  const kind = kindOf(a);
  if (!kind || kind !== kindOf(b)) return a === b;
  if (depth >= DEEPEST) return compact(a) === compact(b);
  return membersOf(a as object, b as object).every(([, one, other]) => isSame(one, other, depth + 1));
}

const kindOf = (value: unknown): "list" | "object" | undefined =>
  Array.isArray(value) ? "list" : typeof value === "object" && value !== null ? "object" : undefined;

/** A value in one line. */
function compact(value: unknown): string {
  if (value === MISSING) return "";
  let text: string;
  try {
    text = JSON.stringify(value);
  } catch {
    return Array.isArray(value) ? "[…]" : "{…}"; // nested too deeply
  }
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}
