import { flag, oneOf, text, type Values } from "../options.js";
import { JSON_RESULT } from "../shared-options.js";

/** The formats that can be read, by the name of their tool. */
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
  from: oneOf("<tool>", FORMATS, `the tool that wrote the file: ${FORMATS.join(", ")}; found out by default`),
  data: text("<file.jsonl>", "the rows of an OpenAI eval, which are in a separate file"),
  out: text("<folder>", "where the files are written; evals by default"),
  partial: flag("also writes files if something cannot be imported, which is listed"),
  ...JSON_RESULT,
};

export type ImportOptions = Values<typeof IMPORT>;
