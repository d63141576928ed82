import { text, type Values } from "../options.js";
import { COMPARING, FORMAT, GITHUB, JSON_RESULT, READING, REPORT, WRITING } from "../shared-options.js";

export const COMPARE = {
  ...COMPARING,
  ...WRITING,
  ...FORMAT,
  output: text("<file>", "the file that --format writes"),
  ...JSON_RESULT,
  ...GITHUB,
  ...READING,
  ...REPORT,
};

export type CompareOptions = Values<typeof COMPARE>;
