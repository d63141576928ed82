import { h } from "./dom.js";

/** A score as a pill: green if it passes, red if it fails. */
export const pill = (kind: "pass" | "fail" | "error" | "", ...children: Parameters<typeof h>[2][]) =>
  h("span", { class: `pill ${kind}`.trim() }, ...children);
