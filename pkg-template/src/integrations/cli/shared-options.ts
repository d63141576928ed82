/** The options that several commands have. */

import { wrong } from "./mistake.js";
import {
  count,
  duration,
  flag,
  money,
  numbersByKey,
  type Option,
  oneOf,
  share,
  text,
  texts,
} from "./options.js";

export const READING = {
  lowerIsBetter: texts(
    "<key>",
    "true and high scores of this key are bad news; prebuilt prompts and error rates are known",
  ),
};

const PRICES = {
  prices: text(
    "<file.json>",
    'what tokens cost, in dollars for a million: { "openai:gpt-5.4": { "input": 1.25, "output": 10, "cachedInput": 0.125 } }',
  ),
};
export const REPORT = {
  report: text("<file.html>", "writes a report, one file to look at in a browser"),
  ...PRICES,
};

/** Whether files that are there are replaced. */
export const WRITING = {
  overwrite: flag(
    "replaces files that are there: experiments, and files that this program did not write; by default these are refused",
  ),
};

/** What judges may use. */
export const BUDGET = {
  ...PRICES,
  maxCost: money(
    "stops starting rows once the judges have cost this many dollars, by --prices; rows that are running are finished, and the exit code is 2",
  ),
  maxTokens: count("the same once they have read and written this many tokens", 1),
  maxDuration: duration("the same after a time in seconds, minutes or hours, such as 90s, 15m or 2h"),
  estimate: flag("tells what the judges would use, by the length of their questions, and asks nobody"),
  estimateRows: count("tells what they would use after running so many rows by chance", 2),
};

/** How judges are asked. */
export const ASKING = {
  concurrency: count("how many calls at once; 4 by default"),
  cache: text("<folder>", "keeps the answers of the model, so that nothing is asked twice"),
  cacheMode: oneOf(
    "<mode>",
    ["auto", "record", "replay"],
    "auto (the default); record, which asks for everything; replay, which asks for nothing",
  ),
};

/** What makes the exit code 1. */
export const THRESHOLDS = {
  failUnder: numbersByKey("exit code 1 if the mean of the key is lower; may be given several times"),
  failOver: numbersByKey("exit code 1 if it is higher"),
  maxErrors: count(
    "exit code 1 if any key has more errors; by default, keys with a threshold may have none and all others need a score",
  ),
  eachAtLeast: share("exit code 1 if a row passes in a smaller share of its repetitions, from 0 to 1"),
};

/** The forms of results that others read. */
export const FORMAT = {
  format: oneOf(
    "<format>",
    ["json", "markdown", "csv"],
    "json, markdown or csv, in the place of the table; with --output into that file",
  ),
};
export const GITHUB = {
  github: flag("on GitHub: writes the summary of the job, annotations, and the outputs passed and comment"),
  comment: text("<file.md>", "writes Markdown for the comment of a pull request"),
};
export const JUNIT = {
  junit: text("<file.xml>", "writes a test for each row and key, as JUnit does"),
};

/** What makes a comparison bad news. */
export const COMPARING = {
  maxUnpaired: count(
    "how many scores of a key may have no counterpart in the other experiment; 0 by default",
  ),
  margin: numbersByKey(
    "exit code 1 unless the key is shown to be worse by less than x (p below 0.05), in the place of becoming worse by more than chance; may be given several times",
    true,
  ),
};

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

/** A part of the data. */
export const SHARD = { shard };
