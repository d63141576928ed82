import { count, text, type Values } from "../arguments/options.js";
import { JSON_RESULT, READING } from "../arguments/shared-options.js";

export const HISTORY = {
  filter: text("<text>", "shows only experiments with this text in their name"),
  last: count("the number of runs in a trend; 30 by default", 2),
  ...READING,
  ...JSON_RESULT,
};

export type HistoryOptions = Values<typeof HISTORY>;
