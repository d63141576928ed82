/** What the program can do. What does it is loaded when it is asked for. */

import { COMPARE } from "./compare/options.js";
import { HISTORY } from "./history/options.js";
import { MERGE } from "./merge/options.js";
import type { Table, Values } from "./options.js";
import { REPORTING } from "./report/options.js";
import { RUN } from "./run/options.js";
import { SCORE } from "./score/options.js";
import { VIEW } from "./view/options.js";

export interface Command<Options extends Table = any> {
  /** How it is called. */
  usage: readonly string[];
  /** What it does, in one line. */
  summary: string;
  /** What there is to know besides. */
  about: string;
  options: Options;
  /** Does it, and returns the exit code. */
  run(files: string[], options: Values<Options>): Promise<number>;
}

const command = <Options extends Table>(command: Command<Options>): Command<Options> => command;

export const COMMANDS: Readonly<Record<string, Command>> = {
  score: command({
    usage: ["score <data> --evaluator <key>… [options]"],
    summary: "evaluates recorded answers",
    about: "The rows of a .jsonl or .csv file are { id, inputs, outputs, referenceOutputs }.",
    options: SCORE,
    run: async (files, options) => (await import("./score/score.js")).score(files, options),
  }),
  run: command({
    usage: ["run <file>… [options]"],
    summary: "runs the experiments that files export, such as evals/*.eval.ts",
    about:
      "A file exports what defineExperiment() of openevals-wasm/evaluation takes: { data, target, evaluators, … }. TypeScript is read by the project's esbuild (tsx and vite bring one), or by Node from 22.18 on.",
    options: RUN,
    run: async (files, options) => (await import("./run/run.js")).run(files, options),
  }),
  merge: command({
    usage: ["merge <shard>… [options]"],
    summary: "makes one experiment of the parts that --shard has made",
    about:
      "The files are what score --shard and run --shard have written with --output, all of one experiment, in any order. The figures are those of a single run, to the last digit.",
    options: MERGE,
    run: async (files, options) => (await import("./merge/merge.js")).merge(files, options),
  }),
  compare: command({
    usage: ["compare <before.json> <after.json> [options]"],
    summary: "compares two experiments, row by row",
    about:
      "The files are what score --output and run --output have written. Exit code 1 if a key became worse by more than chance (p below 0.05; of several keys, p is adjusted by Holm's method).",
    options: COMPARE,
    run: async (files, options) => (await import("./compare/compare.js")).compare(files, options),
  }),
  report: command({
    usage: ["report <experiment.json>… --report <file.html> [options]", "report <folder> [options]"],
    summary: "writes reports of experiments, and an index of a folder of them",
    about:
      "Of several experiments over the same data, the first is the baseline of all others, and of the last one sees the rows. Of a folder it writes index.html, which lists the experiments and reports in it, and the reports that are missing.",
    options: REPORTING,
    run: async (files, options) => (await import("./report/report.js")).report(files, options),
  }),
  history: command({
    usage: ["history [<folder>] [options]"],
    summary: "draws the trends of what run --history has kept",
    about:
      "The folder is .evals by default. It is one of experiments: report draws an index of it, too, and compare says whether a change is more than chance.",
    options: HISTORY,
    run: async (files, options) => (await import("./history/history.js")).history(files, options),
  }),
  view: command({
    usage: ["view <experiment> [options]"],
    summary: "shows an experiment in the browser while it runs, and has rows labelled by hand",
    about:
      "The file is one that score --output and run --output have written, or that an experiment is written to as it runs (score --output results.jsonl, the sink of evaluate()). It is served on this machine alone, at an address with a random token, until Ctrl-C.",
    options: VIEW,
    run: async (files, options) => (await import("./view/view.js")).view(files, options),
  }),
};
