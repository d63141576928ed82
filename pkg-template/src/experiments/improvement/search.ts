/** The search for a better prompt, round by round. */

import { invalidInput, isAborted, OpenEvalsError, reasonOf } from "../../core/errors.js";
import { withStop } from "../../core/full-stop.js";
import { show } from "../../core/input/checks.js";
import { counted } from "../../core/input/counted.js";
import { whole } from "../../core/input/counts.js";
import { pValueInText } from "../../core/number-text.js";
import type { Failure } from "../../core/records/types.js";
import type { OpenJudge } from "../../evaluators/judge/model.js";
import { settingsOf } from "../../evaluators/summary/settings.js";
import { badIfTrue, isBadIfTrue } from "../../models/prompts/bad-if-true.js";
import { failuresOf } from "../calibration/failures.js";
import type { CalibrateOptions } from "../calibration/options.js";
import { compareLosses, countRows, gainOf, isGain, wordsOf } from "./compare.js";
import { PROPOSE_PROMPT } from "./prompt.js";
import { askForPrompt, nothingScored, type Proposed, proposalIn, proposerOf } from "./propose.js";
import { questionOf, type Tried } from "./question.js";
import { judgeVariables, longestFor, Quotes, refusalOf } from "./refusal.js";
import { type Split, splitRows } from "./split.js";
import { type MakeJudge, type Trial, tryPrompt } from "./trial.js";
import type { HeldOutComparison, Improvement, ImproveOptions, Proposal } from "./types.js";
import { Spent } from "./usage.js";

/** The best prompt so far. */
interface Best {
  training: Trial;
  heldOut: Trial;
}

export class PromptSearch {
  readonly #judge: MakeJudge;
  readonly #calibration: CalibrateOptions;
  readonly #options: ImproveOptions;
  readonly #rounds: number;
  /** The significance level. */
  readonly #alpha: number;
  readonly #spent = new Spent();
  readonly #tries: Proposal[] = [];
  readonly #tried: Tried[] = [];

  constructor(judge: MakeJudge, calibration: CalibrateOptions, options: ImproveOptions) {
    this.#judge = judge;
    this.#calibration = calibration;
    this.#options = options;
    this.#rounds = options.rounds ?? 3;
    this.#alpha = 1 - settingsOf(calibration).level;
  }

  async run(): Promise<Improvement> {
    const { prompt, heldOut = 0.5 } = this.#options;
    const proposer = await proposerOf(this.#options, this.#calibration.judges);
    const split = await splitRows(this.#calibration, heldOut, this.#alpha / this.#rounds);
    const first: Best = {
      training: await this.#try(prompt, split.training),
      heldOut: await this.#try(prompt, split.heldOut),
    };
    const before = await first.heldOut.report();
    const quotes = new Quotes(split.heldOut, split.training, prompt);
    let best = first;
    let after = before;
    let end = endOf(best, split);
    try {
      for (let round = 1; round <= this.#rounds && !end; round++) {
        const found = await this.#round(round, proposer, best, split, quotes);
        if (!found) continue;
        best = found;
        after = this.#tries.at(-1)?.calibration ?? after;
        end = endOf(best, split);
      }
    } catch (error) {
      if (!isAborted(error, this.#calibration.signal)) throw error;
      end = { ended: "aborted", comment: error.message };
    }
    const kept = best !== first;
    const losesDirection = kept && after.lowerIsBetter && isBadIfTrue(prompt);
    const ids = (rows: Split["training"]) => rows.map(({ id }) => String(id));
    return {
      prompt: best.heldOut.prompt,
      kept,
      before,
      after,
      difference: kept ? await this.#compare(first.heldOut, best.heldOut, split) : null,
      tries: this.#tries,
      ended: end?.ended ?? "rounds",
      comment:
        (end?.comment ??
          (nothingScored(this.#tries) ?? `The search ended after ${counted(this.#rounds, "round")}.`) +
            failureNote(best)) + (losesDirection ? DIRECTION_NOTE : ""),
      trainingIds: ids(split.training),
      heldOutIds: ids(split.heldOut),
      used: this.#spent.all,
    };
  }

  /** Asks for a proposal and judges it. Returns the trials of the new best prompt if it is kept. */
  async #round(
    round: number,
    proposer: OpenJudge,
    best: Best,
    split: Split,
    quotes: Quotes,
  ): Promise<Best | undefined> {
    const question = questionOf(best.training, {
      round,
      variables: judgeVariables(best.training.prompt),
      most: longestFor(best.training.prompt),
      tried: this.#tried,
    });
    const proposed = await this.#propose(proposer, question);
    const proposal: Proposal = {
      round,
      prompt: null,
      reasoning: null,
      outcome: "failed",
      comment: "",
      training: null,
      heldOut: null,
      calibration: null,
    };
    this.#tries.push(proposal);
    if (!("prompt" in proposed)) {
      proposal.comment = `The model failed: ${proposed.message}`;
      return undefined;
    }
    Object.assign(proposal, { prompt: proposed.prompt, reasoning: proposed.reasoning });
    return this.#judgeProposal(proposal, proposed.prompt, best, split, quotes);
  }

  #try(prompt: string, rows: Split["training"]): Promise<Trial> {
    return tryPrompt(this.#judge, prompt, rows, this.#calibration, this.#spent);
  }

  async #propose(proposer: OpenJudge, question: Record<string, string>): Promise<Proposed | Failure> {
    const { judges, signal } = this.#calibration;
    const asked = await askForPrompt("improve", proposer, PROPOSE_PROMPT, question, { judges, signal });
    if (asked.stopped) throw new OpenEvalsError("aborted", asked.stopped.message);
    this.#spent.add("proposals", asked.usage);
    return proposalIn(asked);
  }

  #compare(from: Trial, to: Trial, { unitOf }: Split): Promise<HeldOutComparison> {
    const { seed, level } = settingsOf(this.#calibration);
    return compareLosses("improve", from.losses, to.losses, unitOf, { seed, level, looks: this.#rounds });
  }

  /** Tries a proposal and records its outcome. Returns the trials of the new best prompt if it is kept. */
  async #judgeProposal(
    proposal: Proposal,
    prompt: string,
    best: Best,
    split: Split,
    quotes: Quotes,
  ): Promise<Best | undefined> {
    const reject = (outcome: Proposal["outcome"], comment: string, reason = comment): undefined => {
      Object.assign(proposal, { outcome, comment });
      this.#tried.push({ prompt, reason });
    };
    const isTried = this.#tried.some((tried) => tried.prompt === prompt);
    const refusal =
      refusalOf(prompt, best.training.prompt, quotes, judgeVariables) ??
      (isTried ? "It was tried before." : undefined);
    if (refusal) return reject("refused", refusal);
    // A prebuilt prompt declares by its text that its `true` is bad. A proposal for it means the same.
    if (isBadIfTrue(this.#options.prompt)) badIfTrue(prompt);
    try {
      const training = await this.#try(prompt, split.training);
      checkKind(best.training, training);
      proposal.training = countRows(best.training.losses, training.losses, split.unitOf);
      if (!isGain(gainOf(best.training.losses, training.losses, split.unitOf)))
        return reject("not-better", `On the training rows, it is ${wordsOf(proposal.training)}.`);
      const heldOut = await this.#try(prompt, split.heldOut);
      checkKind(best.heldOut, heldOut);
      proposal.calibration = await heldOut.report();
      proposal.heldOut = await this.#compare(best.heldOut, heldOut, split);
      const { difference, adjustedPValue } = proposal.heldOut;
      const words = `On the held-out rows, it is ${wordsOf(proposal.heldOut)} (p = ${pValueInText(adjustedPValue)}, adjusted for ${counted(this.#rounds, "round")}).`;
      if (!(Number(difference) > 0 && adjustedPValue <= this.#alpha))
        return reject(
          "not-better",
          words,
          "On rows that are not shown here, it was not significantly better.",
        );
      Object.assign(proposal, { outcome: "kept", comment: words });
      return { training, heldOut };
    } catch (error) {
      if (isAborted(error, this.#calibration.signal)) {
        proposal.comment = error.message;
        throw error;
      }
      return reject("failed", `The judge failed with it: ${reasonOf(error)}`, "The judge failed with it.");
    }
  }
}

function checkKind({ observed: from }: Trial, { observed: to }: Trial): void {
  if (from.kind !== to.kind)
    throw invalidInput(
      `The judge returns ${to.kind} with this prompt, but ${from.kind} with the previous one`,
    );
}

/** For a prompt that replaces a prebuilt one. Other processes do not know its text. */
const DIRECTION_NOTE =
  " Set lowerIsBetter: true on judges with the new prompt: it does not declare that its true is bad.";

/** Why further rounds cannot help; `undefined` if they can. */
function endOf(
  { training, heldOut }: Best,
  split: Split,
): Pick<Improvement, "ended" | "comment"> | undefined {
  const { unitOf, hasClusters, fewestGains } = split;
  const [seen, tested] = [
    countUnits(training, split.training, unitOf),
    countUnits(heldOut, split.heldOut, unitOf),
  ];
  const hasRepeated = new Set(unitOf.values()).size < unitOf.size;
  const different = hasClusters ? "clusters of " : hasRepeated ? "different " : "";
  if (!seen.disagreeing && !seen.unjudged) {
    return {
      ended: "agreement",
      comment: `The judge agrees with people on all ${seen.all} ${different}training rows.`,
    };
  }
  if (!seen.disagreeing) {
    return {
      ended: "too-few-disagreements",
      comment:
        `The judge has no verdict on ${seen.unjudged} of the ${seen.all} ${different}training rows, and agrees with people on the ` +
        `others. ${unjudgedAdvice(training)}`,
    };
  }
  if (tested.disagreeing >= fewestGains) return undefined;
  const needed = Math.ceil(((seen.all + tested.all) * fewestGains) / Math.max(tested.disagreeing, 1));
  return {
    ended: "too-few-disagreements",
    comment:
      `The judge disagrees with people on ${tested.disagreeing} of the ${tested.all} ${different}held-out rows` +
      `${tested.unjudged ? ` and has no verdict on ${tested.unjudged}` : ""}, but an improvement is significant only if at least ` +
      `${fewestGains} rows improve. ` +
      (tested.unjudged
        ? unjudgedAdvice(heldOut)
        : `Label ${tested.disagreeing ? "about" : "more than"} ${needed} ${different}rows.`),
  };
}

/** Counts the independent units among some rows. */
function countUnits(
  { losses, observed }: Trial,
  rows: Split["training"],
  unitOf: Split["unitOf"],
): { all: number; disagreeing: number; unjudged: number } {
  const count = (ids: readonly string[]) => new Set(ids.map((id) => unitOf.get(id))).size;
  return {
    all: count(rows.map(({ id }) => String(id))),
    disagreeing: count([...losses.values()].filter(({ loss }) => loss > 0).map(({ exampleId }) => exampleId)),
    unjudged: count(observed.unjudged.map(({ example }) => example.id)),
  };
}

/** The failures of the judge, as a sentence to append; empty without any. */
function failureNote({ training, heldOut }: Best): string {
  const both = [training.observed, heldOut.observed];
  const [first] = both.flatMap(failuresOf);
  if (!first) return "";
  const times = both.reduce((sum, { leftOut }) => sum + leftOut.errors, 0);
  return ` The judge failed ${times === 1 ? "once" : `${whole(times)} times`}, first on row ${show(first.exampleIds[0])}: ${withStop(first.message)}`;
}

function unjudgedAdvice({ observed }: Trial): string {
  const failure = observed.unjudged.flatMap(({ errors }) => errors)[0]?.error;
  return `Make it judge all rows first.${failure ? ` The first failure: ${failure.message}` : ""}`;
}
