import { count, text, type Values } from "../options.js";
import { READING } from "../shared-options.js";

export const HISTORY = {
  filter: text("<text>", "those whose names have this text in them"),
  last: count("how many runs of each the trend is of; 30 by default", 2),
  ...READING,
};

export type HistoryOptions = Values<typeof HISTORY>;
