/** The conversations of `gold-set/`. */
import { readdirSync, readFileSync } from "node:fs";
import type { EvaluateOptions, EvaluationName } from "openevals-wasm/recipes";
import type { Script } from "./gold-set-scripts.ts";

/** A conversation, with the expected results of evaluations. */
export interface Gold extends Pick<EvaluateOptions, "messages" | "tools"> {
  /** The special property of the conversation. */
  about: string;
  expected: Partial<Record<EvaluationName, Expected>>;
}

/** The expected result of an evaluation of a conversation. */
export interface Expected {
  config?: object;
  applicable: boolean;
  /** From and to; not where the evaluation is not applicable. */
  score?: [number, number];
  /** How often the model is asked. */
  calls: number;
  script: Script;
}

const folder = new URL("gold-set/", import.meta.url);
/** All conversations with their names. */
export const conversations = readdirSync(folder)
  .filter((file) => file.endsWith(".json"))
  .map((file): [string, Gold] => [
    file.slice(0, -".json".length),
    JSON.parse(readFileSync(new URL(file, folder), "utf8")),
  ]);

/** The evaluations of a conversation. */
export const expectations = (expected: Gold["expected"]) =>
  Object.entries(expected) as [EvaluationName, Expected][];
