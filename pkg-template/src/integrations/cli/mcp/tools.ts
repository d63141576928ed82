/** The tools of the server. Each calls a command of the program, and takes some of its options as arguments. */

import { type Option, optionName, type Table } from "../arguments/options.js";
import { CliError } from "../cli-error.js";
import { COMPARE } from "../compare/options.js";
import { EVALUATORS } from "../evaluators/options.js";
import { type ResultSchema, resultSchema } from "../output/result-schemas.js";
import { RUN } from "../run/options.js";
import { SCORE } from "../score/options.js";
import { SHOW } from "../show/options.js";
import type { Workspace } from "./workspace.js";

export interface ServedTool {
  title: string;
  description: string;
  /** The command, which may depend on the arguments. */
  command: string | ((input: Input) => string);
  /** The arguments that are not options, in order, with their schemas. */
  files: Readonly<Record<string, ResultSchema>>;
  /** The names of the required arguments. */
  required?: readonly string[];
  /** All options of the command. */
  table: Table;
  /** The names of those that the tool takes. */
  options: readonly string[];
  /** Options that are always passed. */
  always?: readonly string[];
  /** Whether the tool writes nothing and calls no model. */
  isReadOnly?: boolean;
}

export type Input = Readonly<Record<string, unknown>>;

const path = (description: string): ResultSchema => ({ type: "string", minLength: 1, description });
const DATA: Readonly<Record<string, ResultSchema>> = {
  data: path(
    "A .jsonl, .json or .csv file with rows { id, inputs, outputs, referenceOutputs }, below the workspace.",
  ),
  rows: {
    type: "array",
    items: { type: "object" },
    minItems: 1,
    description: "The rows themselves, instead of `data`, at most 5 MB.",
  },
};
const LIMITS = ["maxTokens", "maxDuration", "maxCost"];
const THRESHOLDS = ["failUnder", "failOver", "maxErrors", "eachAtLeast", "lowerIsBetter"];
const SCORING = ["evaluator", "model", "map", "passAt"];

export const TOOLS: Readonly<Record<string, ServedTool>> = {
  list_evaluators: {
    title: "List evaluators",
    description:
      "Lists the keys for score_rows and the evaluators for eval files. With a name, returns the options of that evaluator.",
    command: "evaluators",
    table: EVALUATORS,
    files: {
      name: { type: "string", minLength: 1, description: "The evaluator, such as createLLMAsJudge." },
    },
    options: [],
    isReadOnly: true,
  },
  score_rows: {
    title: "Score rows",
    description:
      "Evaluates recorded answers, in a file or as a few rows. Returns means with intervals and the failing rows. With `output`, a new file, keeps the experiment for compare_results and read_failures.",
    command: "score",
    table: SCORE,
    files: DATA,
    required: ["evaluator"],
    options: [...SCORING, "repeat", "concurrency", "cache", "output", "report", ...THRESHOLDS, ...LIMITS],
  },
  run_eval: {
    title: "Run an eval file",
    description:
      "Runs the experiments that a file exports, such as evals/first.eval.ts. This executes the code of the file. With `output`, a new file, keeps the experiment; with `baseline`, compares with an earlier one.",
    command: "run",
    table: RUN,
    files: { file: path("The file, below the workspace.") },
    required: ["file"],
    options: [
      ...["filter", "repeat", "concurrency", "cache", "output", "baseline", "margin", "maxUnpaired"],
      ...["sliceBy", "passAt", ...THRESHOLDS, ...LIMITS],
    ],
  },
  compare_results: {
    title: "Compare two results",
    description:
      "Compares two experiments that were kept with `output`, row by row. A key is better or worse only if the difference is more than chance.",
    command: "compare",
    table: COMPARE,
    files: { before: path("The earlier experiment."), after: path("The later experiment.") },
    required: ["before", "after"],
    options: ["key", "margin", "maxUnpaired", "sliceBy", "lowerIsBetter", "report"],
  },
  read_failures: {
    title: "Read failing rows",
    description:
      "Returns the rows of an experiment that fail or have an error: `rows` of them, beginning at `from`. With `row`, returns one row in full.",
    command: "show",
    table: SHOW,
    files: { experiment: path("The experiment, below the workspace.") },
    required: ["experiment"],
    options: ["row", "from", "rows", "lowerIsBetter"],
    isReadOnly: true,
  },
  estimate_cost: {
    title: "Estimate cost",
    description:
      "Estimates the tokens of judges, and with `prices` their cost, before anything is paid: of an eval file, or of rows with `evaluator` and `model`. Calls no model. The target of an eval file is not called.",
    command: ({ file }) => (file === undefined ? "score" : "run"),
    table: { ...RUN, ...SCORE },
    files: { file: path("The eval file, below the workspace, instead of data."), ...DATA },
    options: [...SCORING, "repeat", "prices"],
    always: ["--estimate"],
    isReadOnly: true,
  },
};

/** The options of a tool by name. */
const optionsOf = ({ table, options }: ServedTool): Table =>
  Object.fromEntries(
    options.flatMap((name) => {
      const option = table[name];
      return option ? [[name, option]] : [];
    }),
  );

/** The tools as clients see them. */
export const listTools = () =>
  Object.entries(TOOLS).map(([name, tool]) => {
    const { title, description, isReadOnly = false } = tool;
    return {
      ...{ name, title, description, inputSchema: inputSchema(tool) },
      outputSchema: resultSchema(typeof tool.command === "string" ? tool.command : "score"),
      annotations: {
        title,
        readOnlyHint: isReadOnly,
        destructiveHint: !isReadOnly,
        openWorldHint: !isReadOnly,
      },
    };
  });

export const inputSchema = (tool: ServedTool): ResultSchema => ({
  type: "object",
  properties: {
    ...tool.files,
    ...Object.fromEntries(Object.entries(optionsOf(tool)).map(([name, option]) => [name, schemaOf(option)])),
  },
  required: tool.required ?? [],
  additionalProperties: false,
});

/** The schema of an option. The placeholder of its value says the type. */
function schemaOf({ value, isMany = false, help }: Option<unknown>): ResultSchema {
  const description = help.replaceAll(/\s+/g, " ").replace(/; can be repeated/, "");
  if (value === undefined) return { type: "boolean", description };
  if (value === "<n>") return { type: "integer", minimum: 0, description };
  if (value === "<x>") return { type: "number", description };
  if (isMany && value.includes("=")) {
    const type = value.endsWith("<x>") ? "number" : "string";
    return { type: "object", additionalProperties: { type }, description };
  }
  if (isMany) return { type: "array", items: { type: "string" }, description };
  return { type: "string", minLength: 1, description };
}

/** Whether the value of an option is a path. */
const isPath = ({ value = "" }: Option<unknown>): boolean => /^<(?:file|folder|path)\b/.test(value);

/** The arguments of the program for a call with valid input; throws {@link CliError} for a path outside of the workspace. */
export async function argumentsOf(tool: ServedTool, input: Input, workspace: Workspace): Promise<string[]> {
  const { command, files, always = [] } = tool;
  const args = [typeof command === "string" ? command : command(input), "--json", ...always];
  const table = optionsOf(tool);
  for (const [name, value] of Object.entries(input)) {
    const option = table[name];
    if (!option) continue;
    const checked = isPath(option) ? await workspacePath(name, String(value), workspace) : value;
    args.push(...argumentsFor(optionName(name), checked));
  }
  for (const name of Object.keys(files)) {
    const value = input[name];
    if (typeof value !== "string") continue;
    if (name === "name") args.push(value);
    else if (/[*?]/.test(value)) throw new CliError(`${value} is a pattern. Name one file.`);
    else args.push(await workspace.existing(value));
  }
  if (args.some((arg) => arg.includes("\0")))
    throw new CliError("An argument has a null character. Remove it.");
  return args;
}

/** Options whose files are read; the files of all others are written. */
const READ_FILES = ["baseline", "prices"];

/** The path of an option, checked to be in the workspace. */
const workspacePath = (name: string, path: string, workspace: Workspace): Promise<string> =>
  READ_FILES.includes(name) ? workspace.existing(path) : workspace.writable(path);

function argumentsFor(name: string, value: unknown): string[] {
  if (value === false) return [];
  if (value === true) return [`--${name}`];
  if (Array.isArray(value)) return value.map((item) => `--${name}=${item}`);
  if (typeof value === "object" && value !== null)
    return Object.entries(value).map(([key, item]) => `--${name}=${key}=${item}`);
  return [`--${name}=${value}`];
}
