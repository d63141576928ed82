import { flag, oneOf, text, type Values } from "../arguments/options.js";
import { JSON_RESULT } from "../arguments/shared-options.js";

/** The tools whose formats can be read. */
export const FORMATS = [
  "promptfoo",
  "openai-evals",
  "deepeval",
  "langsmith",
  "braintrust",
  "langfuse",
  "inspect",
] as const;

export type ImportFormat = (typeof FORMATS)[number];

export const IMPORT = {
  from: oneOf("<tool>", FORMATS, `the tool that wrote the file: ${FORMATS.join(", ")}; detected by default`),
  data: text("<file.jsonl>", "the rows of an OpenAI eval, which are in a separate file"),
  out: text("<folder>", "where the files are written; evals by default"),
  partial: flag("also writes files if something cannot be imported, which is listed"),
  ...JSON_RESULT,
};

export type ImportOptions = Values<typeof IMPORT>;
