import { wrong } from "../mistake.js";
import { count, flag, type Option, text, type Values } from "../options.js";
import { ASKING, COMPARING, FORMAT, GITHUB, JUNIT, READING, THRESHOLDS } from "../shared-options.js";

/** `1/4`: which part of the rows, and how many parts there are. */
const shard: Option<{ index: number; count: number } | undefined> = {
  value: "<i>/<n>",
  help: "evaluates one of n parts of the rows, such as 1/4, so that several machines share the work",
  read(texts) {
    const given = texts.at(-1);
    if (given === undefined) return undefined;
    const [, index, count] = /^(\d{1,9})\/(\d{1,9})$/.exec(given)?.map(Number) ?? [];
    if (index && count && index <= count) return { index, count };
    throw wrong(`--shard is "${given}"; it has to be a part of all parts, such as 1/4`);
  },
};

export const RUN = {
  filter: text("<text>", "runs those whose names have this text in them"),
  watch: flag("runs again what has changed, until Ctrl-C; the answers of judges are kept meanwhile"),
  repeat: count("runs each row so many times", 1),
  shard,
  ...ASKING,
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
  ...FORMAT,
  ...JUNIT,
  ...GITHUB,
  ...THRESHOLDS,
  ...READING,
};

export type RunOptions = Values<typeof RUN>;
