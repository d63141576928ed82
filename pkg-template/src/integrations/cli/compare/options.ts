import { text, texts, type Values } from "../arguments/options.js";
import {
  COMPARING,
  FORMAT,
  GITHUB,
  JSON_RESULT,
  READING,
  REPORT_FILE,
  WRITING,
} from "../arguments/shared-options.js";

export const COMPARE = {
  key: texts(
    "<key>",
    "compares this key only, so that p-values are adjusted for fewer keys; can be repeated",
  ),
  ...COMPARING,
  ...WRITING,
  ...FORMAT,
  output: text("<file>", "the file that --format writes"),
  ...JSON_RESULT,
  ...GITHUB,
  ...READING,
  ...REPORT_FILE,
};

export type CompareOptions = Values<typeof COMPARE>;
