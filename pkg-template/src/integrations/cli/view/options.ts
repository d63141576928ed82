import { flag, text, type Values } from "../arguments/options.js";
import { JSON_RESULT, READING, REPORT_FILE } from "../arguments/shared-options.js";

export const VIEW = {
  label: text(
    "<human.jsonl>",
    "lets you label rows for calibrate() in code: adds a line { id, repetition, label, note, time } for each label, of which the last counts",
  ),
  open: flag("opens the browser"),
  ...READING,
  prices: REPORT_FILE.prices,
  ...JSON_RESULT,
};

export type ViewOptions = Values<typeof VIEW>;
