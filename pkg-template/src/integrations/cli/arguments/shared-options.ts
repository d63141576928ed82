/** Options that several commands share. */

import { usageError } from "../cli-error.js";
import { count, duration, flag, money, numbersByKey, oneOf, share, single, text, texts } from "./options.js";

export const READING = {
  lowerIsBetter: texts(
    "<key>",
    "for this key, false and low scores are better; known for prebuilt prompts and error rates; can be repeated",
  ),
};

const PRICES = {
  prices: text(
    "<file.json>",
    'the price of a million tokens in dollars, by model: { "openai:gpt-5.4": { "input": 1.25, "output": 10, "cachedInput": 0.125 } }',
  ),
};
export const REPORT_FILE = {
  report: text("<file.html>", "writes a report for the browser, as a single file"),
  ...PRICES,
};

/** Whether existing files are replaced. */
export const WRITING = {
  overwrite: flag(
    "replaces existing experiments and files that this program did not write; by default, that is an error",
  ),
};

/** The budget of judges. */
export const BUDGET = {
  ...PRICES,
  maxCost: money(
    "starts no more rows once the judges have cost this many dollars, by --prices; running rows finish, and the exit code is 2",
  ),
  maxTokens: count("the same limit for the tokens that the judges read and write", 1),
  maxDuration: duration("the same limit for the time, such as 90s, 15m or 2h"),
  estimate: flag("estimates tokens and cost from the length of the prompts, without calling a model"),
  estimateRows: count("estimates tokens and cost from a run of this many random rows", 2),
};

/** How judges are called. */
export const ASKING = {
  concurrency: count("the number of calls at the same time; 4 by default"),
  cache: text("<folder>", "keeps the answers of models, so that no question is paid for twice"),
  cacheMode: oneOf(
    "<mode>",
    ["auto", "record", "replay"],
    "auto (the default): ask what is not in the cache; record: ask everything again; replay: never ask",
  ),
};

/** The options that decide which scores pass. */
export const PASS_MARKS = {
  passAt: numbersByKey(
    "the first score of the key that passes, instead of the default of its metric; can be repeated",
  ),
};

/** The options that decide about exit code 1. */
export const THRESHOLDS = {
  failUnder: numbersByKey("exit code 1 if the mean of the key is lower than x; can be repeated"),
  failOver: numbersByKey("exit code 1 if the mean of the key is higher than x; can be repeated"),
  maxErrors: count("exit code 1 if a key has more errors; 0 by default"),
  eachAtLeast: share(
    "exit code 1 if a row passes in a smaller share of its repetitions, above 0 and up to 1",
  ),
};

/** The formats of results for other tools. */
export const FORMAT = {
  format: oneOf(
    "<format>",
    ["json", "markdown", "csv", "inspect"],
    "json, markdown, csv or inspect (logs of Inspect AI) instead of the table; with --output, written to that file, or to that folder for inspect",
  ),
};
export const GITHUB = {
  github: flag(
    "on GitHub Actions: writes the job summary, annotations, and the step outputs passed and comment",
  ),
  comment: text("<file.md>", "writes Markdown for a comment on a pull request"),
};
export const JUNIT = {
  junit: text("<file.xml>", "writes JUnit XML with a test for each row and key"),
};

/** The result for other programs. */
export const JSON_RESULT = {
  json: flag("prints the result as one line of JSON and nothing else; --help --json describes its fields"),
};

/** The options that decide when a comparison fails. */
export const COMPARING = {
  maxUnpaired: count("how many scores of a key may lack a counterpart in the other experiment; 0 by default"),
  margin: numbersByKey(
    "exit code 1 unless the key is shown to be worse by less than x (p below 0.05); replaces the test for having become worse; can be repeated",
    true,
  ),
  sliceBy: texts(
    "<field>",
    "compares each slice as well, such as each language: exit code 1 if one became significantly worse; a field of the rows' metadata or inputs; can be repeated",
  ),
};

/** `1/4`: the part of the rows, and the number of parts. */
const shard = single(
  "<i>/<n>",
  "evaluates one of n parts of the rows, such as 1/4, to share the work between machines",
  (argument) => {
    const [, index, count] = /^(\d{1,9})\/(\d{1,9})$/.exec(argument)?.map(Number) ?? [];
    if (index && count && index <= count) return { index, count };
    throw usageError(
      `--shard is "${argument}"; it has to be the number of a part and the number of parts, such as 1/4`,
    );
  },
);

export const SHARD = { shard };
