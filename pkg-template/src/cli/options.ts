/** What the program is called with. */

import { parseArgs } from "node:util";
import { OpenEvalsError } from "../errors.js";
import type { CacheMode } from "../experiment/cache/cache.js";
import { nearest } from "../input/near.js";

export interface Options {
  evaluators: string[];
  model: string | undefined;
  baseURL: string | undefined;
  concurrency: number;
  cache: string | undefined;
  cacheMode: CacheMode;
  report: string | undefined;
  output: string | undefined;
  /** Whether what stands in the output already is continued. */
  resume: boolean;
  /** By key. */
  failUnder: Map<string, number>;
  failOver: Map<string, number>;
  /** Of every key; by default only keys with a threshold may have none. */
  maxErrors: number | undefined;
  maxUnpaired: number;
  lowerIsBetter: string[];
  prices: string | undefined;
  /** How often each row is scored. */
  repeat: number;
  /** The share of its repetitions in which each row has to pass. */
  eachAtLeast: number | undefined;
  /** By key: what a difference has to be shown to be smaller than. */
  margins: Map<string, number>;
}

export const USAGE = `Usage:
  openevals-wasm score <data> --evaluator <key>… [options]
  openevals-wasm compare <before.json> <after.json> [options]
  openevals-wasm report <experiment.json>… --report <file.html> [options]
  openevals-wasm report <folder> [options]

score evaluates recorded answers: the rows of a .jsonl or .csv file, { id, inputs, outputs, referenceOutputs }.

  --evaluator <key>       what to score with; may be given several times. Without a model:
                          exact_match, levenshtein_distance, json_match, json_match:average, json_match:all,
                          trajectory_strict_match, trajectory_unordered_match, trajectory_subset_match,
                          trajectory_superset_match; of texts: bleu, chrf, chrf++, ter, rouge1, rouge2, rougeL,
                          rougeLsum, token_f1, squad_exact_match, word_error_rate, match_error_rate,
                          word_information_lost, character_error_rate, jaro, jaro_winkler,
                          damerau_levenshtein, longest_common_subsequence, ngram_dice; of texts alone:
                          flesch_reading_ease, flesch_kincaid_grade, gunning_fog, smog_index,
                          character_count, word_count, sentence_count, compression_ratio, distinct_1,
                          distinct_2, repetition; of rankings: ndcg,
                          average_precision, reciprocal_rank, r_precision, bpref, or of their first ten ndcg_at_10,
                          average_precision_at_10, reciprocal_rank_at_10, precision_at_10, recall_at_10,
                          hit_rate_at_10; checks: contains, contains_all, contains_any, starts_with (of the
                          reference), equals_number, equals_number:last, valid_json, valid_xml, valid_html, valid_sql,
                          no_refusal, no_pii.
                          With one: the prebuilt prompts, such as correctness, conciseness, hallucination,
                          toxicity, trajectory_accuracy
  --model <name>          the model that judges, such as openai:gpt-5.4 or ollama:llama3.3; keys of providers
                          come from their usual environment variables
  --base-url <url>        where the model is asked instead of at its provider
  --concurrency <n>       how many calls at once; 4 by default
  --cache <folder>        keeps the answers of the model, so that nothing is asked twice
  --cache-mode <mode>     auto (the default); record, which asks for everything; replay, which asks for nothing
  --output <file.json>    writes the experiment, for compare; a file.jsonl gets each row as it finishes, so that an
                          experiment of any size fits, and shows no rows here
  --resume                continues what stands in the --output file.jsonl, after a crash, a kill or Ctrl-C
  --fail-under <key>=<x>  exit code 1 if the mean of the key is lower; may be given several times
  --fail-over <key>=<x>   exit code 1 if it is higher
  --max-errors <n>        exit code 1 if any key has more errors; by default, keys with a threshold may have none
                          and all others need a score

  --repeat <n>            scores each row so many times; 1 by default. Whoever judges may not say the same twice
  --each-at-least <x>     exit code 1 if a row passes in a smaller share of its repetitions, from 0 to 1

compare compares two experiments that score has written, row by row; exit code 1 if a key became worse by more than
chance (p below 0.05; of several keys, p is adjusted by Holm's method).

  --max-unpaired <n>      how many scores of a key may have no counterpart in the other experiment; 0 by default

  --margin <key>=<x>      exit code 1 unless the key is shown to be worse by less than x (p below 0.05), in the place
                          of becoming worse by more than chance; may be given several times

report writes the report of an experiment that score has written, or of several over the same data: the first is
the baseline of all others, and of the last one sees the rows. Of a folder it writes index.html, which lists the
experiments and reports in it, and the reports that are missing.

All:
  --report <file.html>    writes a report, one file to look at in a browser
  --prices <file.json>    what tokens cost in the report, in dollars for a million:
                          { "openai:gpt-5.4": { "input": 1.25, "output": 10, "cachedInput": 0.125 } }
  --lower-is-better <key> true and high scores of this key are bad news; prebuilt prompts and error rates
                          are known
  --help, --version

Exit codes: 0 fine; 1 a threshold was missed, a key became worse, or scores are missing; 2 the call or the data is
wrong, or the result could not be written.
`;

const TEXT = { type: "string" } as const;
const LIST = { type: "string", multiple: true } as const;
const FLAG = { type: "boolean" } as const;
const OPTIONS = {
  evaluator: LIST,
  model: TEXT,
  "base-url": TEXT,
  concurrency: TEXT,
  cache: TEXT,
  "cache-mode": TEXT,
  report: TEXT,
  output: TEXT,
  "fail-under": LIST,
  "fail-over": LIST,
  "max-errors": TEXT,
  "max-unpaired": TEXT,
  "lower-is-better": LIST,
  prices: TEXT,
  repeat: TEXT,
  "each-at-least": TEXT,
  margin: LIST,
  resume: FLAG,
  help: { ...FLAG, short: "h" },
  version: { ...FLAG, short: "v" },
};

/** The options that each command has. */
const COMMANDS = new Map<string, string>([
  [
    "score",
    "evaluator model base-url concurrency cache cache-mode report output resume fail-under fail-over max-errors lower-is-better prices repeat each-at-least",
  ],
  ["compare", "max-unpaired margin report lower-is-better prices"],
  ["report", "report lower-is-better prices"],
]);

/** What is to be done: a command with the files that it is about, or one of the flags. */
export type Call = { command: "help" | "version" } | { command: Command; files: string[]; options: Options };

export type Command = "score" | "compare" | "report";

/** Reads the arguments; throws `invalid_config`, with what to do, for what makes no sense. */
export function readArguments(args: string[]): Call {
  // What is wrong with them is said below: Node says it in its own way.
  const { values, positionals } = parseArgs({
    args,
    options: OPTIONS,
    allowPositionals: true,
    strict: false,
  });
  if (values.help) return { command: "help" };
  if (values.version) return { command: "version" };
  const [command = "", ...files] = positionals;
  const allowed = COMMANDS.get(command)?.split(" ");
  if (!allowed) {
    throw wrong(command ? `There is no command "${command}"` : "A command is missing");
  }
  for (const [name, value] of Object.entries(values)) {
    if (!allowed.includes(name)) throw wrong(`${command} has no option ${unknown(name, allowed)}`);
    if (OPTIONS[name as keyof typeof OPTIONS]?.type === "boolean") continue;
    const isMissing = [value].flat().some((text) => typeof text !== "string" || text.startsWith("--"));
    if (isMissing) throw wrong(`--${name} needs a value`);
    if (value === "") throw wrong(`--${name} is empty`);
  }
  const options: Options = {
    evaluators: values.evaluator ?? [],
    model: values.model,
    baseURL: values["base-url"],
    concurrency: count("concurrency", values.concurrency ?? "4"),
    cache: values.cache,
    cacheMode: values["cache-mode"] ?? "auto",
    report: values.report,
    output: values.output,
    resume: values.resume === true,
    failUnder: thresholds("fail-under", values["fail-under"]),
    failOver: thresholds("fail-over", values["fail-over"]),
    maxErrors: values["max-errors"] === undefined ? undefined : count("max-errors", values["max-errors"]),
    maxUnpaired: count("max-unpaired", values["max-unpaired"] ?? "0"),
    lowerIsBetter: values["lower-is-better"] ?? [],
    prices: values.prices,
    repeat: count("repeat", values.repeat ?? "1"),
    eachAtLeast: values["each-at-least"] === undefined ? undefined : share(values["each-at-least"]),
    margins: thresholds("margin", values.margin),
  };
  if (!options.repeat) throw wrong('--repeat is "0"; it has to be at least 1');
  for (const [key, margin] of options.margins) {
    if (margin <= 0) throw wrong(`--margin is "${key}=${margin}"; it has to be a number above 0`);
  }
  if (command !== "report" && options.prices !== undefined && options.report === undefined) {
    throw wrong("--prices is for the report, and there is no --report");
  }
  if (options.resume && !isSink(options.output))
    throw wrong("--resume continues what stands in an --output that ends in .jsonl");
  return { command: command as Command, files, options };
}

/** Whether rows go to a file as they finish. */
export const isSink = (output: string | undefined): output is string => /\.jsonl$/i.test(output ?? "");

function unknown(name: string, allowed: readonly string[]): string {
  const meant = nearest(name, allowed);
  return `${name.length > 1 ? "--" : "-"}${name}${meant ? `; did you mean --${meant}?` : ""}`;
}

function count(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw wrong(`--${name} is "${text}"; it has to be a whole number`);
  return Number(text);
}

function share(text: string): number {
  const share = Number(text);
  if (share > 0 && share <= 1) return share;
  throw wrong(`--each-at-least is "${text}"; it has to be a number above 0, up to 1`);
}

/** `key=0.8`; keys may have an equals sign in them. */
function thresholds(name: string, texts: string[] = []): Map<string, number> {
  return new Map(
    texts.map((text) => {
      const [, key, number] = /^(.+)=([^=]+)$/.exec(text) ?? [];
      const threshold = Number(number);
      if (!key || !number?.trim() || !Number.isFinite(threshold)) {
        throw wrong(`--${name} is "${text}"; it has to be a key and a number, such as exact_match=0.8`);
      }
      return [key, threshold];
    }),
  );
}

/** The mistake, and where to read on. */
export const wrong = (message: string): OpenEvalsError =>
  new OpenEvalsError(
    "invalid_config",
    `${/[.?]$/.test(message) ? message : `${message}.`} See openevals-wasm --help.`,
  );
