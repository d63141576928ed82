/** The fields of `--json` as JSON schemas, for `--help --json` and the tools of the MCP server. */

export type ResultSchema = Readonly<Record<string, unknown>>;

const text = (description: string): ResultSchema => ({ type: "string", description });
const count = (description: string): ResultSchema => ({ type: "integer", minimum: 0, description });
const flag = (description: string): ResultSchema => ({ type: "boolean", description });
const any = (description: string): ResultSchema => ({ description });
const list = (items: ResultSchema, description?: string): ResultSchema => ({
  type: "array",
  items,
  ...(description !== undefined && { description }),
});
const byKey = (values: ResultSchema, description: string): ResultSchema => ({
  type: "object",
  additionalProperties: values,
  description,
});
/** An object of the package, whose type the reference documents. */
const typed = (type: string, description: string): ResultSchema => ({
  type: "object",
  description: `${description}; the type ${type} of openevals-wasm/evaluation.`,
});

/** An object without other fields. The names of fields that may be missing end in a question mark. */
function object(fields: Readonly<Record<string, ResultSchema>>, description?: string): ResultSchema {
  const entries = Object.entries(fields);
  return {
    type: "object",
    ...(description !== undefined && { description }),
    properties: Object.fromEntries(entries.map(([name, schema]) => [name.replace(/\?$/, ""), schema])),
    required: entries.flatMap(([name]) => (name.endsWith("?") ? [] : [name])),
    additionalProperties: false,
  };
}

const SCORE: ResultSchema = { type: ["number", "boolean", "null"] };

const ROW = object({
  id: text("The id of the row."),
  repetition: count("The repetition, from 0."),
  status: {
    enum: ["fails", "error", "passes", "unjudged"],
    description: "`unjudged`: no score with a pass mark.",
  },
  "inputs?": any("The inputs; cut if they are long."),
  "outputs?": any("The answer; cut if it is long."),
  "referenceOutputs?": any("The expected answer; cut if it is long."),
  "error?": any("Why the target failed."),
  results: list(
    object({
      key: text("The name of the metric."),
      score: { ...SCORE, description: "null: not applicable." },
      fails: flag("Whether the score misses its pass mark."),
      "comment?": any("The explanation."),
      "metadata?": { description: "Other data of the evaluator." },
    }),
  ),
  errors: list(object({ key: text("The evaluator that failed."), message: any("Why it failed.") })),
});

const EXPERIMENT = object({
  file: text("The file of the experiment or of its data."),
  name: text("Its name."),
  "matrix?": text("The matrix of which it is a combination."),
  passed: flag("Whether `problems` is empty, `mistake` is missing, and something was measured."),
  problems: list(text("A requirement that the experiment misses.")),
  "mistake?": text("Why the experiment is missing or incomplete."),
  "notes?": list(text("A warning, such as about rows that were not measured, or are not comparable.")),
  "experiment?": typed("Experiment", "The experiment without its rows; `rows` is their number"),
  "statuses?": byKey(count("The number of rows."), "The number of rows by status."),
  "failures?": list(ROW, "The failing rows and those with an error, at most 10."),
  "comparisons?": byKey(
    typed(
      "Comparison",
      "With a `verdict`, also of its `slices`, at most 50; `flipped` has at most 20 rows, of slices none",
    ),
    "The comparison of each key with the baseline, and of each summary score.",
  ),
});

const EXPERIMENTS = list(EXPERIMENT, "The outcome of each experiment.");
const BOUNDS = object({ low: { type: "number" }, high: { type: "number" } });

const ESTIMATES = list(
  object({
    name: text("The experiment."),
    rows: count("The rows with their repetitions."),
    measured: count("The rows that were run for the estimate."),
    questions: { ...BOUNDS, description: "Questions to models." },
    inputTokens: BOUNDS,
    outputTokens: BOUNDS,
    "cost?": { ...BOUNDS, description: "In the currency of the prices." },
    "unpriced?": list(text("A model without a price, which is not in the cost.")),
    unknown: list(text("An evaluator whose usage is not known before it runs.")),
    assumptions: list(text("An assumption.")),
    "spent?": { type: "object", description: "The usage of the estimate itself." },
  }),
  "With --estimate: tokens and cost, instead of experiments.",
);

const WRITTEN = { "written?": list(text("The path of a file that was written.")) };

/** The fields of all results. */
const COMMON = {
  command: { type: ["string", "null"], description: "The command; null if the arguments name none." },
  exitCode: {
    enum: [0, 1, 2, 129, 130, 143],
    description:
      "0: passed; 1: a requirement is missed; 2: a mistake, or stopped early; 129, 130, 143: stopped by SIGHUP, Ctrl-C or SIGTERM.",
  },
  messages: list(text("A message, as on standard error.")),
  "error?": object(
    {
      "code?": text("The code of the error; missing for a mistake in the arguments."),
      message: text("The problem, and its solution."),
    },
    "Why there is no result.",
  ),
};

const RUN = { "experiments?": EXPERIMENTS, "estimates?": ESTIMATES, ...WRITTEN };

const OPTION = object({
  name: text("The option."),
  "value?": text("The form of its value."),
  help: text("What it does."),
});

/** The fields of each command, in addition to those of all results. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, ResultSchema>>>> = {
  init: WRITTEN,
  score: RUN,
  run: RUN,
  import: {
    ...WRITTEN,
    "left?": list(text("A part that was skipped, with the reason.")),
    "different?": list(text("A part that works differently in the experiment, and how.")),
  },
  merge: { "experiments?": EXPERIMENTS, ...WRITTEN },
  compare: { "experiments?": EXPERIMENTS, ...WRITTEN },
  show: {
    "experiments?": EXPERIMENTS,
    "rows?": list(ROW, "With --row: that row in full, by repetition."),
    ...WRITTEN,
  },
  evaluators: {
    "keys?": list(
      object({ key: text("The key for --evaluator."), model: flag("Whether it needs --model.") }),
      "The evaluators of score.",
    ),
    "evaluators?": list(
      object({
        name: text("The export."),
        from: text("Its entry point."),
        about: text("What it does."),
        "declaration?": text("Its type in TypeScript."),
        "options?": list(
          object({ name: text("The option."), type: text("Its type."), about: text("What it does.") }),
        ),
      }),
      "The evaluators for code; one that was named has its options.",
    ),
  },
  report: WRITTEN,
  history: {
    "histories?": list(
      object({
        name: text("The experiment."),
        runs: list({ type: "object" }, "Its runs, oldest first: time, commit, and the aggregates by key."),
      }),
    ),
  },
  view: { "url?": text("The address of the page.") },
};

const HELP = object({
  commands: list(
    object({
      name: text("The command."),
      usage: list(text("A form of its call.")),
      about: text("What it does."),
      options: list(OPTION),
      "result?": { type: "object", description: "The JSON schema of its result." },
    }),
  ),
  exitCodes: text("The exit codes."),
  result: { type: "object", description: "The JSON schema of the results of --help and --version." },
});

/** The schema of the result of a command; without a name, that of `--help` and `--version`. */
export const resultSchema = (command?: string): ResultSchema =>
  object({
    ...COMMON,
    ...(command === undefined ? { "help?": HELP, "version?": text("The version.") } : FIELDS[command]),
  });
