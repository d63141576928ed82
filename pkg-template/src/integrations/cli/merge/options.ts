import { flag, text, type Values } from "../arguments/options.js";
import {
  FORMAT,
  GITHUB,
  JSON_RESULT,
  JUNIT,
  READING,
  REPORT_FILE,
  THRESHOLDS,
  WRITING,
} from "../arguments/shared-options.js";

export const MERGE = {
  output: text("<file.json>", "writes the experiment, for compare and report"),
  keepRows: flag(
    "keeps the rows of .jsonl files, which takes memory; --report and other options that show rows imply it",
  ),
  partial: flag("merges the parts that exist, even if others are missing or ended early"),
  ...WRITING,
  ...FORMAT,
  ...JSON_RESULT,
  ...JUNIT,
  ...GITHUB,
  ...THRESHOLDS,
  ...READING,
  ...REPORT_FILE,
};

export type MergeFlags = Values<typeof MERGE>;
