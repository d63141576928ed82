/** The commands of the program. The code of a command is loaded when it is called. */

import type { Table, Values } from "./arguments/options.js";
import { COMPARE } from "./compare/options.js";
import { EVALUATORS } from "./evaluators/options.js";
import { HISTORY } from "./history/options.js";
import { IMPORT } from "./import/options.js";
import { INIT } from "./init/options.js";
import { MCP } from "./mcp/options.js";
import { MERGE } from "./merge/options.js";
import { REPORT } from "./report/options.js";
import { RUN } from "./run/options.js";
import { SCORE } from "./score/options.js";
import { SHOW } from "./show/options.js";
import { VIEW } from "./view/options.js";

export interface Command<Options extends Table = any> {
  /** The forms of a call, without the name of the program. */
  usage: readonly string[];
  /** Its description in one line. */
  summary: string;
  /** Details for `--help`. */
  details: string;
  options: Options;
  /** Runs the command and returns the exit code. */
  run(files: string[], options: Values<Options>): Promise<number>;
}

const command = <Options extends Table>(command: Command<Options>): Command<Options> => command;

export const COMMANDS: Readonly<Record<string, Command>> = {
  init: command({
    usage: ["init [options]"],
    summary: "adds a first experiment to a project, and runs it",
    details:
      "Writes evals/first.eval.ts (or .mjs) with three rows, with Vitest also a test, and the script evals of package.json. Installs the package with the package manager of the project. Needs no key. Files that exist are never replaced.",
    options: INIT,
    run: async (files, options) => (await import("./init/init.js")).init(files, options),
  }),
  score: command({
    usage: ["score <data> --evaluator <key>… [options]"],
    summary: "evaluates recorded answers",
    details: "The rows of a .jsonl, .json or .csv file are { id, inputs, outputs, referenceOutputs }.",
    options: SCORE,
    run: async (files, options) => (await import("./score/score.js")).score(files, options),
  }),
  run: command({
    usage: ["run <file>… [options]"],
    summary: "runs the experiments that files export, such as evals/*.eval.ts",
    details:
      "A file exports what defineExperiment() of openevals-wasm/evaluation takes: { data, target, evaluators, … }. TypeScript is compiled by the esbuild of the project (tsx includes one), or read by Node 22.18 or later.",
    options: RUN,
    run: async (files, options) => (await import("./run/run.js")).run(files, options),
  }),
  import: command({
    usage: ["import <file> [options]"],
    summary: "writes an experiment from a file of another tool",
    details:
      "Reads configs of promptfoo (.yaml needs the package yaml), evals of OpenAI, datasets of DeepEval, LangSmith, Braintrust and Langfuse (.json, .jsonl, .csv), and logs of Inspect (.json). Writes <name>.eval.ts and <name>.jsonl. Lists what it cannot import and why; the exit code is then 1, and nothing is written without --partial. Files that exist are never replaced.",
    options: IMPORT,
    run: async (files, options) => (await import("./import/import.js")).importFiles(files, options),
  }),
  merge: command({
    usage: ["merge <shard>… [options]"],
    summary: "merges the parts that --shard wrote into one experiment",
    details:
      "The files are written by score --shard and run --shard with --output. All belong to one experiment; their order does not matter. The figures equal those of a single run, to the last digit.",
    options: MERGE,
    run: async (files, options) => (await import("./merge/merge.js")).merge(files, options),
  }),
  compare: command({
    usage: ["compare <before.json> <after.json> [options]"],
    summary: "compares two experiments, row by row",
    details:
      "The files are written by score --output and run --output. The exit code is 1 if a key became significantly worse (p below 0.05; with several keys, p is adjusted by Holm's method).",
    options: COMPARE,
    run: async (files, options) => (await import("./compare/compare.js")).compare(files, options),
  }),
  show: command({
    usage: ["show <experiment> [options]"],
    summary: "prints an experiment in a file, or one of its rows",
    details:
      "The file is written by score --output or run --output, or row by row while an experiment runs (.jsonl). Shows the means, the rows that fail and the errors.",
    options: SHOW,
    run: async (files, options) => (await import("./show/show.js")).show(files, options),
  }),
  report: command({
    usage: ["report <experiment.json>… --report <file.html> [options]", "report <folder> [options]"],
    summary: "writes a report of experiments, or an index of a folder",
    details:
      "With several experiments over the same data, the first is the baseline of all others, and the report shows the rows of the last. For a folder, it writes index.html with a list of its experiments and reports, and the reports that are missing.",
    options: REPORT,
    run: async (files, options) => (await import("./report/report.js")).report(files, options),
  }),
  history: command({
    usage: ["history [<folder>] [options]"],
    summary: "draws the trends of experiments kept by run --history",
    details:
      "The folder is .evals by default. Its experiments are files that report and compare read as well.",
    options: HISTORY,
    run: async (files, options) => (await import("./history/history.js")).history(files, options),
  }),
  evaluators: command({
    usage: ["evaluators [<name>] [options]"],
    summary: "lists the evaluators, or the options of one",
    details:
      "Lists the keys that score --evaluator takes, and the evaluators for experiments in code. With the name of an evaluator, prints its type and its options.",
    options: EVALUATORS,
    run: async (names, options) => (await import("./evaluators/evaluators.js")).evaluators(names, options),
  }),
  mcp: command({
    usage: ["mcp [options]"],
    summary: "serves evaluations to a coding agent, over the Model Context Protocol",
    details:
      "The agent starts this program and talks to it over standard input and output. Needs the package @modelcontextprotocol/sdk. The tools read and write files only below --root, and the limits apply to each call: the agent can ask for less, not for more.",
    options: MCP,
    run: async (files, options) => (await import("./mcp/mcp.js")).mcp(files, options),
  }),
  view: command({
    usage: ["view <experiment> [options]"],
    summary: "shows an experiment in the browser while it runs, and lets you label its rows",
    details:
      "The file is written by score --output or run --output, or row by row while an experiment runs (score --output results.jsonl, or the sink of evaluate()). The page is served only on this machine, at an address with a random token, until you press Ctrl-C.",
    options: VIEW,
    run: async (files, options) => (await import("./view/view.js")).view(files, options),
  }),
};
