import { text, type Values } from "../options.js";
import { COMPARING, FORMAT, GITHUB, READING, REPORT, WRITING } from "../shared-options.js";

export const COMPARE = {
  ...COMPARING,
  ...WRITING,
  ...FORMAT,
  output: text("<file>", "the file that --format writes"),
  ...GITHUB,
  ...READING,
  ...REPORT,
};

export type CompareOptions = Values<typeof COMPARE>;
