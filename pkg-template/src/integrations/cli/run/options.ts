import { count, flag, text, type Values } from "../arguments/options.js";
import {
  ASKING,
  BUDGET,
  COMPARING,
  FORMAT,
  GITHUB,
  JSON_RESULT,
  JUNIT,
  PASS_MARKS,
  READING,
  REPORT_FILE,
  SHARD,
  THRESHOLDS,
  WRITING,
} from "../arguments/shared-options.js";

export const RUN = {
  filter: text("<text>", "runs only experiments with this text in their name"),
  watch: flag("runs a file again when it changes, until Ctrl-C; the answers of judges are cached meanwhile"),
  view: flag("with --watch: opens the report in the browser, and updates it as rows finish"),
  repeat: count("runs each row this many times", 1),
  ...SHARD,
  ...ASKING,
  ...BUDGET,
  output: text(
    "<path>",
    "writes a single experiment to a .json file, or each experiment to <name>.json in a folder",
  ),
  history: text("<folder>", "keeps the experiments with the current git commit, for openevals-wasm history"),
  baseline: text(
    "<path>",
    "compares with an earlier --output, a file or a folder: exit code 1 if a key became significantly worse",
  ),
  ...COMPARING,
  ...WRITING,
  ...FORMAT,
  ...JSON_RESULT,
  ...JUNIT,
  ...GITHUB,
  ...PASS_MARKS,
  ...THRESHOLDS,
  ...READING,
  ...REPORT_FILE,
};

export type RunOptions = Values<typeof RUN>;
