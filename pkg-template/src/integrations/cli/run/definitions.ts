/** The experiments that a file exports. */

import { basename } from "node:path";
import { inPlace } from "../../../core/errors.js";
import { defineExperiment, type ExperimentDefinition } from "../../../evaluation.js";
import { CliError } from "../cli-error.js";
import { combinationsOf } from "./combinations.js";
import type { Loaded } from "./load.js";

/** A definition of an experiment with its file and name. */
export interface DeclaredExperiment {
  /** The path of its file, as given. */
  file: string;
  name: string;
  /** The name of its matrix, if it is a combination. */
  matrix: string | undefined;
  definition: ExperimentDefinition;
  evaluate: Loaded["evaluate"];
}

/** The definitions in a file; throws {@link CliError} if there are none, and `invalid_config` for invalid ones. */
export function definitionsIn({ exports, evaluate }: Loaded, file: string): DeclaredExperiment[] {
  const stem = basename(file).replace(/(?:\.eval)?\.[cm]?[jt]sx?$/, "");
  // The default export of a CommonJS module contains the named ones again.
  const seen = new Set<unknown>();
  const found: DeclaredExperiment[] = [];
  const add = (value: unknown, name: string) => {
    if (Array.isArray(value)) for (const [index, item] of value.entries()) add(item, `${name}-${index + 1}`);
    if (!isDefinition(value) || seen.has(value)) return;
    seen.add(value);
    try {
      defineExperiment(value);
    } catch (error) {
      throw inPlace(name, error);
    }
    const experimentName = value.name ?? name;
    const matrix = value.matrix && experimentName;
    for (const combination of combinationsOf(experimentName, value))
      found.push({ file, matrix, evaluate, ...combination });
  };
  const { default: main, ...named } = exports;
  add(main, stem);
  const all = isDefinition(main) || Array.isArray(main) ? named : { ...Object(main), ...named };
  for (const [name, value] of Object.entries(all)) add(value, `${stem}-${name}`);
  if (found.length) return found;
  throw new CliError(
    "The file exports no experiment. Export one, such as export default defineExperiment({ data, target, evaluators }).",
  );
}

const isDefinition = (value: unknown): value is ExperimentDefinition =>
  typeof value === "object" && value !== null && ("data" in value || "evaluators" in value);
