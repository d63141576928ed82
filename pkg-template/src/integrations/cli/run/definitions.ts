/** The experiments that a file exports. */

import { basename } from "node:path";
import { aListOfStrings, type Checks, check, checkValue, wholeFrom } from "../../../core/input/checks.js";
import type { ExperimentDefinition } from "../../../experiments/evaluate/define.js";
import { checkOptionNames } from "../../../experiments/evaluate/option-names.js";
import { Mistake } from "../mistake.js";
import type { Loaded } from "./load.js";

/** An experiment that can be run. */
export interface Declared {
  /** The file that declares it, as it was named. */
  file: string;
  name: string;
  definition: ExperimentDefinition;
  evaluate: Loaded["evaluate"];
}

type Own = Pick<
  ExperimentDefinition,
  "name" | "failUnder" | "failOver" | "maxErrors" | "eachAtLeast" | "lowerIsBetter"
>;

const numbers = check("an object with a number for each key", (limits) => {
  return typeof limits === "object" && limits !== null && Object.values(limits).every(Number.isFinite);
});

/** What `evaluate()` does not check. */
const OWN: Checks<Own> = {
  name: check("a text", (name) => typeof name === "string" && name.trim() !== ""),
  failUnder: numbers,
  failOver: numbers,
  maxErrors: wholeFrom(0),
  eachAtLeast: check("a number above 0, up to 1", (share) => share > 0 && share <= 1),
  lowerIsBetter: aListOfStrings,
};

/** Finds them; throws a {@link Mistake} if there are none, and `invalid_config` for what cannot work. */
export function definitionsIn({ exports, evaluate }: Loaded, file: string): Declared[] {
  const stem = basename(file).replace(/(?:\.eval)?\.[cm]?[jt]sx?$/, "");
  /** CommonJS has the same again as its default. */
  const seen = new Set<unknown>();
  const found: Declared[] = [];
  const add = (value: unknown, name: string) => {
    if (Array.isArray(value)) for (const [index, one] of value.entries()) add(one, `${name}-${index + 1}`);
    if (!isDefinition(value) || seen.has(value)) return;
    seen.add(value);
    checkOptionNames(value.name ?? name, value);
    for (const [option, test] of Object.entries(OWN))
      checkValue(`${option} of ${name}`, value[option as keyof Own], test);
    found.push({ file, name: value.name ?? name, definition: value, evaluate });
  };
  const { default: own, ...named } = exports;
  add(own, stem);
  const all = isDefinition(own) || Array.isArray(own) ? named : { ...Object(own), ...named };
  for (const [name, value] of Object.entries(all)) add(value, `${stem}-${name}`);
  if (found.length) return found;
  throw new Mistake(
    "It exports no experiment. Export one, such as export default defineExperiment({ data, target, evaluators }).",
  );
}

const isDefinition = (value: unknown): value is ExperimentDefinition =>
  typeof value === "object" && value !== null && ("data" in value || "evaluators" in value);
