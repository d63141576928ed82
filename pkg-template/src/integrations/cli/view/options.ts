import { flag, text, type Values } from "../options.js";
import { READING, REPORT } from "../shared-options.js";

export const VIEW = {
  label: text(
    "<human.jsonl>",
    "rows are labelled by hand: a line { id, repetition, label, note, time } for each label, of which the last one counts",
  ),
  open: flag("opens the browser"),
  ...READING,
  prices: REPORT.prices,
};

export type ViewOptions = Values<typeof VIEW>;
