import { flag, text, type Values } from "../options.js";
import { FORMAT, GITHUB, JUNIT, READING, REPORT, THRESHOLDS, WRITING } from "../shared-options.js";

export const MERGE = {
  output: text("<file.json>", "writes the experiment, for compare and report"),
  keepRows: flag(
    "keeps the rows of .jsonl files, too, which takes memory; --report and what else shows rows keeps them as well",
  ),
  partial: flag("merges what there is, if parts are missing or have ended early"),
  ...WRITING,
  ...FORMAT,
  ...JUNIT,
  ...GITHUB,
  ...THRESHOLDS,
  ...READING,
  ...REPORT,
};

export type MergeFlags = Values<typeof MERGE>;
