/** Runs the application and the model, within the budget, and records the experiments in the folder. */

import { anySignal } from "../../core/abort.js";
import { invalidConfig, OpenEvalsError } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import { hexHash } from "../../core/input/hash.js";
import { Deadline, MAX_MS } from "../../core/platform/deadline.js";
import type { Experiment, Failure } from "../../core/records/types.js";
import { callUserFunction } from "../../core/user-function.js";
import type { OpenJudge } from "../../evaluators/judge/model.js";
import type { DataRow } from "../evaluate/data/types.js";
import { evaluate } from "../evaluate/evaluate.js";
import type { EvaluateOptions } from "../evaluate/options/evaluate-options.js";
import { isTarget } from "../evaluate/target.js";
import { askForPrompt, type Proposed, proposalIn } from "../improvement/propose.js";
import type { PromptedTarget } from "./candidate.js";
import { OPTIMIZE_PROMPT } from "./prompt.js";
import { type Limit, Spending } from "./spending.js";
import type { OptimizeOptions } from "./types.js";

/** The function in messages. Often the application itself is passed, which fails with a prompt as its inputs. */
const TARGET = "target(prompt), which has to return the application,";

/** Ends a search whose budget is used up. */
export class UsedUp extends Error {
  readonly limit: Limit;
  constructor(limit: Limit) {
    super(limit);
    this.limit = limit;
  }
}

export class Passes {
  readonly spending: Spending;
  readonly #options: OptimizeOptions;
  readonly #proposer: OpenJudge;
  /** Aborts when `maxDurationMs` is over: experiments wait for their rows, which may never finish. */
  readonly #late = new AbortController();
  readonly #signal: AbortSignal;

  /** @param reserve The calls that are reserved for the comparison on the held-out rows. */
  constructor(options: OptimizeOptions, proposer: OpenJudge, reserve: number) {
    this.#options = options;
    this.#proposer = proposer;
    const { signal } = options;
    this.#signal = signal ? anySignal(signal, this.#late.signal) : this.#late.signal;
    this.spending = new Spending(options.budget ?? {}, reserve);
  }

  /** Makes the application with a prompt. */
  async applicationWith(prompt: string): Promise<PromptedTarget> {
    const target = await callUserFunction(TARGET, () => this.#options.target(prompt));
    // Without a target, evaluate() would score the recorded outputs, which are the references here.
    if (!isTarget(target)) {
      throw invalidConfig(
        `target returned ${show(target)}; it has to return the application, a function or an object with invoke, such as (prompt) => (inputs) => answer(prompt, inputs)`,
      );
    }
    return { prompt, target };
  }

  /**
   * Runs the application on some rows.
   *
   * @param name The name of the pass in the name of the file.
   * @throws {@link UsedUp} if the budget does not suffice.
   */
  run(name: string, { prompt, target }: PromptedTarget, rows: readonly DataRow[]): Promise<Experiment> {
    const { evaluators, mapInputs, lowerIsBetter, maxConcurrency } = this.#options;
    return this.#recorded("judges", () =>
      evaluate(target, {
        data: rows,
        evaluators,
        mapInputs,
        lowerIsBetter,
        maxConcurrency,
        progress: false,
        experimentPrefix: name,
        ...this.#common(name, prompt),
      }),
    );
  }

  /** Asks the model for a prompt. */
  async propose(name: string, question: Record<string, string>): Promise<Proposed | Failure> {
    const common = this.#common(name, JSON.stringify(question));
    return proposalIn(
      await this.#recorded("proposals", () =>
        askForPrompt("optimize", this.#proposer, OPTIMIZE_PROMPT, question, common),
      ),
    );
  }

  /** @param text The text that the experiment depends on, in addition to the options. Another text has another file. */
  #common(name: string, text: string): Pick<EvaluateOptions, "judges" | "signal" | "budget" | "output"> {
    const { judges, folder } = this.#options;
    const output = folder && {
      sink: `${folder}/${name}-${hexHash(text)}.jsonl`,
      resume: true,
      keepRows: true,
    };
    return { judges, signal: this.#signal, budget: this.spending.remaining(), ...(output && { output }) };
  }

  async #recorded(by: "judges" | "proposals", run: () => Promise<Experiment>): Promise<Experiment> {
    const before = this.spending.usedUp();
    if (before) throw new UsedUp(before);
    const deadline = new Deadline(this.spending.remaining().maxDurationMs ?? MAX_MS);
    void deadline.reached.then(() => this.#late.abort());
    const experiment = await run().finally(() => deadline.stop());
    this.spending.add(by, experiment);
    const { stopped, budget } = experiment;
    const limit = this.#late.signal.aborted ? "maxDurationMs" : budget?.usedUp;
    if (stopped && limit) throw new UsedUp(limit);
    if (stopped) throw new OpenEvalsError("aborted", stopped.message);
    return experiment;
  }
}
