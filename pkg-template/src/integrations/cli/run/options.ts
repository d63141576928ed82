import { count, flag, text, type Values } from "../options.js";
import {
  ASKING,
  BUDGET,
  COMPARING,
  FORMAT,
  GITHUB,
  JUNIT,
  READING,
  SHARD,
  THRESHOLDS,
  WRITING,
} from "../shared-options.js";

export const RUN = {
  filter: text("<text>", "runs those whose names have this text in them"),
  watch: flag("runs again what has changed, until Ctrl-C; the answers of judges are kept meanwhile"),
  repeat: count("runs each row so many times", 1),
  ...SHARD,
  ...ASKING,
  ...BUDGET,
  output: text(
    "<path>",
    "writes the experiment, if it is one, to a .json file, or all into a folder, each as <name>.json",
  ),
  history: text(
    "<folder>",
    "keeps the experiments, with the commit that git tells, for openevals-wasm history",
  ),
  baseline: text(
    "<path>",
    "compares with what --output wrote before, a file or a folder: exit code 1 if a key became worse by more than chance",
  ),
  ...COMPARING,
  ...WRITING,
  ...FORMAT,
  ...JUNIT,
  ...GITHUB,
  ...THRESHOLDS,
  ...READING,
};

export type RunOptions = Values<typeof RUN>;
