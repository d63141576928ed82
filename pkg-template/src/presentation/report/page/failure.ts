/** Shows a failure and its causes. */

import type { Failure } from "../../../core/records/types.js";
import { shown } from "../../value-text.js";
import { h } from "./dom.js";
import { longText, MAX_TEXT_LENGTH } from "./text-parts.js";

/** A failure and its causes. */
export function failure({ name, code, message, cause }: Failure, depth = 0): HTMLElement {
  const text = shown(message);
  return h(
    "div",
    { class: "failure" },
    h(
      "p",
      { dir: "auto", class: "prose" },
      h("b", {}, shown(code ? `${name} (${code})` : name)),
      text.length <= MAX_TEXT_LENGTH && `: ${text}`,
    ),
    text.length > MAX_TEXT_LENGTH && longText(text),
    cause && depth < 9 && h("div", {}, h("p", { class: "quiet" }, "Caused by"), failure(cause, depth + 1)),
  );
}
