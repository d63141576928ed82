/** The search on the training rows. */

import { invalidInput, isAborted, OpenEvalsError, reasonOf } from "../../core/errors.js";
import { randomOf } from "../../core/input/random.js";
import { callUserFunction } from "../../core/user-function.js";
import type { DataRow } from "../evaluate/data/types.js";
import { countRows, gainOf, isGain, wordsOf } from "../improvement/compare.js";
import type { Tried } from "../improvement/question.js";
import { Quotes, refusalOf } from "../improvement/refusal.js";
import type { Split } from "../improvement/split.js";
import {
  type Candidate,
  isImperfect,
  lossesOf,
  type PromptedTarget,
  pairedLosses,
  type ScoredRow,
  scoredRows,
  scoreOfAll,
} from "./candidate.js";
import { drawParent } from "./front.js";
import { type Passes, UsedUp } from "./passes.js";
import { applicationVariables, drawRows, questionOf } from "./question.js";
import type { Limit } from "./spending.js";
import type { Optimization, OptimizeOptions, PromptTry } from "./types.js";

/** The outcome of the search on the training rows. */
export interface SearchResult {
  /** The candidate with the best score; `first` if none is better. */
  best: Candidate;
  first: Candidate;
  tries: PromptTry[];
  ended: Optimization["ended"];
  /** The message of the signal, if it ended the search. */
  aborted: string | undefined;
  /** The limit that ended the search. */
  limit: Limit | undefined;
}

export class Search {
  readonly #options: OptimizeOptions;
  readonly #split: Split<DataRow>;
  readonly #passes: Passes;
  readonly #rounds: number;
  readonly #random: () => number;
  readonly #quotes: Quotes;
  readonly #candidates: Candidate[] = [];
  readonly #tries: PromptTry[] = [];
  readonly #tried: Tried[] = [];

  constructor(options: OptimizeOptions, split: Split<DataRow>, passes: Passes) {
    this.#options = options;
    this.#split = split;
    this.#passes = passes;
    this.#rounds = options.rounds ?? 10;
    this.#random = randomOf(options.seed ?? 0, "optimize");
    this.#quotes = new Quotes(split.heldOut, split.training, options.prompt);
  }

  async run(): Promise<SearchResult> {
    const first = await this.#first();
    let limit: Limit | undefined;
    let aborted: string | undefined;
    try {
      for (let round = 1; round <= this.#rounds && !this.#isPerfect(); round++) {
        limit = this.#passes.spending.exceededBy(this.#split.training.length);
        if (limit) break;
        const tried = await this.#try(round);
        this.#tries.push(tried);
        await callUserFunction("onTry", () => this.#options.onTry?.({ ...tried }));
      }
    } catch (error) {
      if (error instanceof UsedUp) limit = error.limit;
      else if (isAborted(error, this.#options.signal)) aborted = error.message;
      else throw error;
    }
    const ended = aborted === undefined ? this.#endedBy(limit) : "aborted";
    const gain = ({ rows }: Candidate) => this.#gain(first.rows, rows);
    const best = this.#candidates.reduce((best, one) => (isGain(gain(one) - gain(best)) ? one : best), first);
    return { best, first, tries: this.#tries, ended, aborted, limit };
  }

  /** Runs the given prompt. Its failures are errors, since there is nothing to compare with. */
  async #first(): Promise<Candidate> {
    const application = await this.#passes.applicationWith(this.#options.prompt);
    const experiment = await this.#passes
      .run("training-0", application, this.#split.training)
      .catch((error: unknown) => {
        throw error instanceof UsedUp ? tooSmall(error.limit) : error;
      });
    const rows = scoredRows(experiment);
    if (!lossesOf(rows.values()).size) {
      const failure = experiment.rows.find(({ errors }) => errors.length)?.errors[0]?.error.message;
      throw invalidInput(
        `With the given prompt, no training row has a score${failure ? `: ${failure}` : ". Its evaluators apply to none of them"}`,
      );
    }
    const first = { ...application, round: 0, rows };
    this.#candidates.push(first);
    return first;
  }

  #endedBy(limit: Limit | undefined): Optimization["ended"] {
    if (limit) return "budget";
    return this.#isPerfect() ? "nothing-to-improve" : "rounds";
  }

  #isPerfect(): boolean {
    return this.#candidates.some(({ rows }) => ![...rows.values()].some(isImperfect));
  }

  /** The total score of the second rows minus that of the first. */
  #gain(from: ReadonlyMap<string, ScoredRow>, to: ReadonlyMap<string, ScoredRow>): number {
    return gainOf(...pairedLosses(from.values(), to.values()), this.#split.unitOf);
  }

  async #try(round: number): Promise<PromptTry> {
    const parent = drawParent(this.#candidates, this.#random);
    const shown = drawRows(parent, this.#random);
    const proposed = await this.#passes.propose(`proposal-${round}`, questionOf(parent, shown, this.#tried));
    const common = { round, from: parent.round, training: null };
    if (!("prompt" in proposed)) {
      const comment = `The model failed: ${proposed.message}`;
      return { ...common, prompt: null, reasoning: null, outcome: "failed", comment };
    }
    const { prompt, reasoning } = proposed;
    const judged = await this.#judged(round, prompt, parent, shown).catch((error: unknown) => {
      if (isAborted(error, this.#options.signal))
        this.#tries.push({ ...common, prompt, reasoning, outcome: "failed", comment: error.message });
      throw error;
    });
    this.#tried.push({ prompt, reason: judged.comment });
    return { ...common, prompt, reasoning, ...judged };
  }

  /** Tries a proposal on the rows that the model was shown, and if it is better there, on the other training rows. */
  async #judged(
    round: number,
    prompt: string,
    parent: Candidate,
    shown: readonly ScoredRow[],
  ): Promise<Pick<PromptTry, "outcome" | "comment" | "training">> {
    const training = null;
    const isTried = [...this.#candidates, ...this.#tried].some((tried) => tried.prompt === prompt);
    const refusal =
      refusalOf(prompt, parent.prompt, this.#quotes, applicationVariables) ??
      (isTried ? "It was tried before." : undefined);
    if (refusal) return { outcome: "refused", comment: refusal, training };
    let application: PromptedTarget;
    try {
      application = await this.#passes.applicationWith(prompt);
    } catch (error) {
      return { outcome: "failed", comment: `The application failed with it: ${reasonOf(error)}`, training };
    }
    const ids = new Set(shown.map(({ row }) => row.example.id));
    const isShown = ({ id }: DataRow) => ids.has(String(id));
    const some = this.#split.training.filter(isShown);
    const given = this.#candidates[0]?.rows;
    const onShown = scoredRows(await this.#passes.run(`shown-${round}`, application, some), given);
    const onBoth = pairedLosses(shown, onShown.values());
    if (!isGain(gainOf(...onBoth, this.#split.unitOf))) {
      const counts = countRows(...onBoth, this.#split.unitOf);
      const comment = `On the rows that the model was shown, it is ${wordsOf(counts)}.`;
      return { outcome: "not-better", comment, training };
    }
    const rest = this.#split.training.filter((row) => !isShown(row));
    const onRest = rest.length
      ? scoredRows(await this.#passes.run(`training-${round}`, application, rest), given)
      : [];
    const candidate = { ...application, round, rows: new Map([...onShown, ...onRest]) };
    this.#candidates.push(candidate);
    const onTraining = pairedLosses(parent.rows.values(), candidate.rows.values());
    const counts = countRows(...onTraining, this.#split.unitOf);
    const comment = `On the training rows, it is ${wordsOf(counts)}.`;
    return { outcome: "candidate", comment, training: scoreOfAll(candidate) };
  }
}

const tooSmall = (limit: Limit): OpenEvalsError =>
  new OpenEvalsError(
    "budget_exceeded",
    `budget.${limit} is used up before the given prompt was run on all training rows, so there is nothing to compare with. Raise it, or use fewer rows.`,
  );
