import { count, text, type Values } from "../arguments/options.js";
import { FORMAT, JSON_RESULT, READING, WRITING } from "../arguments/shared-options.js";

export const SHOW = {
  row: text("<id>", "prints only this row, in full"),
  from: count("skips this many of the failing rows"),
  rows: count("the number of failing rows; 10 by default"),
  ...WRITING,
  ...FORMAT,
  output: text("<file>", "the file that --format writes"),
  ...JSON_RESULT,
  ...READING,
};

export type ShowOptions = Values<typeof SHOW>;
