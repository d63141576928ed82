/** The common part of judged evaluators of agents. */

import { checkOptions, type OptionChecks } from "../../../core/input/checks.js";
import { readOutputArguments } from "../../../core/input/params.js";
import { SHARE } from "../../../core/scales.js";
import type { CalledWith, ScoreScale, Trajectory } from "../../../core/types.js";
import {
  instructionsFor,
  JUDGED_OPTIONS,
  type JudgedOptions,
  type JudgedResult,
  judgedEvaluator,
  judgedResult,
  questionSettings,
  type Scored,
} from "../../item-verdicts/evaluator.js";
import { Questions, type Verdict } from "../../item-verdicts/questions.js";
import { sampled } from "../../item-verdicts/samples.js";
import { OUTCOMES } from "./questions/outcomes.js";
import { type AgentRecord, readRecord } from "./record.js";

const QUESTION_NAMES = [
  "goals",
  "requirements",
  "outcomes",
  "necessity",
  "retention",
  "role",
  "requests",
] as const;

/** The names of the questions that judged evaluators of agents ask. */
export type AgentQuestionName = (typeof QUESTION_NAMES)[number];

/** The options of judged evaluators of agents. */
export interface JudgedAgentOptions extends JudgedOptions {
  /** Your own instructions for questions, instead of those in {@link AGENT_INSTRUCTIONS}. */
  instructions?: Partial<Record<AgentQuestionName, string>> | undefined;
}

export const AGENT_INSTRUCTIONS_CHECK = instructionsFor(QUESTION_NAMES);

export const JUDGED_AGENT_OPTIONS: OptionChecks<JudgedAgentOptions> = {
  ...JUDGED_OPTIONS,
  instructions: AGENT_INSTRUCTIONS_CHECK,
};

/** The parameters of a judged evaluator of agents. */
export interface JudgedAgentParams {
  /** The messages of the run, with tool calls and their results. */
  outputs: Trajectory;
  /** The task, where an evaluator reads it. */
  inputs?: unknown;
  /** The expected outcome, where an evaluator reads it. */
  referenceOutputs?: unknown;
  /** Other fields of a row are ignored. */
  [extra: string]: unknown;
}

/** A judged evaluator of agents. */
export interface JudgedAgentEvaluator<Details> {
  <Given extends { outputs: unknown } = JudgedAgentParams>(
    params: CalledWith<Given, JudgedAgentParams>,
  ): Promise<JudgedResult<Details>>;
  /**
   * Scores many rows in parallel and returns the results in their order. If one row fails, the batch is rejected with an error
   * that names the row.
   */
  batch(rows: readonly JudgedAgentParams[]): Promise<JudgedResult<Details>[]>;
  /** The `key` of its results. */
  readonly feedbackKey: string;
  /** The range, direction and pass mark of its scores. */
  readonly scale: ScoreScale;
}

/** A judged metric of agents. */
interface AgentMetric<Details> {
  key: string;
  /** Scores a row. The record is made from its `outputs`. */
  score(record: AgentRecord, questions: Questions, params: JudgedAgentParams): Promise<Scored<Details>>;
}

/** Makes the evaluator of a metric from the options of its maker. */
export function judgedAgentEvaluator<Details>(
  maker: string,
  metric: AgentMetric<Details>,
  options: JudgedAgentOptions,
): JudgedAgentEvaluator<Details> {
  const read = checkOptions(maker, options, JUDGED_AGENT_OPTIONS);
  const { samples = 1, feedbackKey: key = metric.key } = read;
  const settings = questionSettings(read);
  return judgedEvaluator({ key, scale: SHARE, options: read, settings }, async (params) => {
    const outputs = readOutputArguments(metric.key, [params]) as Trajectory;
    const record = readRecord(outputs, "outputs");
    return sampled(samples, () => {
      const questions = new Questions(settings);
      return judgedResult(key, questions, () =>
        metric.score(record, questions, { ...(params as object), outputs }),
      );
    });
  });
}

/** The verdict on an outcome. A type and not an interface, so that it is also a `Record<string, unknown>`. */
export type JudgedOutcome = {
  /** The expected state when the run ends. */
  outcome: string;
  /** 1 if it is true, otherwise 0. */
  verdict: 0 | 1;
  /** The reason of the judge. */
  reason: string;
  /** The indices of the messages that show it, in `outputs`. */
  messages: number[];
};

/** Judges whether outcomes hold when a run ends. */
export async function judgedOutcomes(
  outcomes: readonly string[],
  { messages }: AgentRecord,
  questions: Questions,
): Promise<JudgedOutcome[]> {
  const answers = await questions.ask<Verdict & { messages: number[] }>(OUTCOMES, outcomes, {
    contexts: messages,
  });
  return answers.map(({ verdict, reason, messages }, index) => ({
    outcome: outcomes[index] as string,
    verdict,
    reason,
    messages: verdict ? [...new Set(messages)].sort((a, b) => a - b) : [],
  }));
}
