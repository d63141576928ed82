import { typedWork } from "../../core/errors.js";
import {
  aFunction,
  anything,
  aString,
  check,
  checkOptions,
  numberFromTo,
  type OptionChecks,
  required,
  wholeFrom,
} from "../../core/input/checks.js";
import { STATISTICS_OPTIONS } from "../../evaluators/summary/settings.js";
import { BUDGET_OPTIONS, readLimits } from "../evaluate/budget/options.js";
import { checkGroup } from "../evaluate/options/groups.js";
import { MODEL_OPTION } from "../improvement/propose.js";
import { aClusterBy } from "../statistics/clusters.js";
import { optimized } from "./optimization.js";
import type { Optimization, OptimizeBudget, OptimizeOptions } from "./types.js";

const OPTIONS: OptionChecks<OptimizeOptions> = {
  ...STATISTICS_OPTIONS,
  target: required(check("a function that makes the application with a prompt", aFunction.test)),
  prompt: required(aString),
  data: required(check("a list of rows, an iterable or the path of a file", anything.test)),
  evaluators: required(check("a list of evaluators", anything.test)),
  model: MODEL_OPTION,
  cacheKey: aString,
  rounds: wholeFrom(1, 1_000),
  heldOut: numberFromTo(0.1, 0.9),
  budget: anything,
  clusterBy: aClusterBy,
  folder: check("the path of a folder", (folder) => typeof folder === "string" && folder !== ""),
  onTry: aFunction,
  map: anything,
  // evaluate() checks these.
  mapInputs: anything,
  lowerIsBetter: anything,
  maxConcurrency: anything,
  judges: anything,
  signal: anything,
};

const BUDGET: OptionChecks<OptimizeBudget> = { ...BUDGET_OPTIONS, maxCalls: wholeFrom(1) };

/**
 * Searches for a better prompt of an application, and keeps it only if it is better by more than chance on rows that the search
 * has not seen.
 *
 * The rows are split into training rows and held-out rows. In each round, a model sees a prompt, training rows with weak and with
 * good answers, their scores and comments, and proposes another prompt. The prompt to improve is drawn from the Pareto front of the
 * prompts so far, as in GEPA, so a prompt that is best on a few hard rows is also improved. A proposal that is better on the rows
 * that the model was shown is tried on all training rows. At the end, the prompt with the best mean on the training rows is
 * compared with the given one on the held-out rows, once. It is kept if it is significantly better there (a two-sided test:
 * McNemar's exact test if all means are 0 or 1, the paired permutation test otherwise) and no key is significantly worse. So a
 * search whose proposals change nothing keeps one of them in at most 5% of cases, if rows of different clusters are independent.
 *
 * A held-out row on which the application or an evaluator fails with the proposal counts as 0, as does one that loses a score
 * that it has with the given prompt. A row that fails with the given prompt is left out. Rows of a cluster (`clusterBy`), and rows
 * with the same content, stay on the same side of the split and are one observation. A proposal is refused if it loses or adds a
 * variable, is more than 20,000 characters longer, or quotes held-out rows.
 *
 * @param options The application as a function of its prompt, the data, the evaluators, and the model that proposes prompts. One
 * minus `level` is the probability of keeping a prompt by chance: 5% by default. `seed` seeds the split and the search.
 * @returns The best prompt, whether it was kept, the comparison on the held-out rows, and all proposals. Plain data.
 * @throws {@link OpenEvalsError} `invalid_config` for invalid options, for a missing key of the model, for a `target` that
 * returns no application, and for a `budget` that does not suffice for the comparison, `invalid_input` for too few rows (the
 * message says how many are needed) and if no row has a score with the given prompt, `aborted` if the signal fires before all
 * training rows were run with the given prompt, and the errors of {@link evaluate}, such as that of a file in `folder`.
 *
 * @example
 * ```ts
 * import { exactMatch } from "openevals-wasm";
 * import { optimize } from "openevals-wasm/optimization";
 *
 * // Calls your model with the prompt.
 * const answer = async (prompt: string, question: string) => `${prompt} ${question}`;
 *
 * export async function betterPrompt() {
 *   const { prompt, kept, comment } = await optimize({
 *     target: (prompt) => ({ question }) => answer(prompt, question),
 *     prompt: "Answer the question.",
 *     data: "questions.jsonl",
 *     evaluators: [exactMatch],
 *     model: "openai:gpt-5.4",
 *     budget: { maxCalls: 500 },
 *     folder: "optimize", // continues if it is called again
 *   });
 *   console.log(kept, comment);
 *   return prompt;
 * }
 * ```
 */
export async function optimize(options: OptimizeOptions): Promise<Optimization> {
  const read = checkOptions("optimize", options, OPTIONS);
  const budget = checkGroup("optimize", "budget", read.budget, BUDGET);
  readLimits(budget, []);
  return typedWork("optimize", () => optimized({ ...read, budget }));
}
