/** Finds metadata that differs between runs whose rows become one experiment: another application may have answered. */

import { show } from "../input/checks.js";
import type { Experiment } from "./types.js";

type Metadata = Experiment["metadata"];

/** The fields that differ. */
export function differentFields(one: Metadata = {}, other: Metadata = {}): string[] {
  const fields = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...fields].filter((field) => JSON.stringify(one[field]) !== JSON.stringify(other[field]));
}

/** Some fields as text, without secrets. */
export const fieldsText = (metadata: Metadata = {}, fields: readonly string[]): string =>
  show(Object.fromEntries(fields.map((field) => [field, metadata[field]])));
