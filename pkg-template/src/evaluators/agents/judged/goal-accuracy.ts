import { invalidInput } from "../../../core/errors.js";
import { show } from "../../../core/input/checks.js";
import { referenceOf } from "../../../core/input/params.js";
import { verdictComment } from "../../item-verdicts/comments.js";
import { textsIn } from "../reference-texts.js";
import {
  type JudgedAgentEvaluator,
  type JudgedAgentOptions,
  type JudgedOutcome,
  judgedAgentEvaluator,
  judgedOutcomes,
} from "./evaluator.js";
import { GOALS } from "./questions/goals.js";

/** The details of a result of {@link createGoalAccuracy}. */
export type GoalAccuracyDetails = {
  /** The verdict on each goal. */
  goals: JudgedOutcome[];
};

/**
 * Makes an evaluator for goal accuracy: whether a run reaches its goals. With `referenceOutputs`, these are the expected
 * outcomes: a text, or a list of texts. Without, one question finds the goals of the user in up to 12 messages, and another
 * judges up to 12 goals.
 *
 * @returns An evaluator whose result is `{ key: "goal_accuracy", score, comment, metadata }`: 1 if all goals are reached, else
 * 0; with `samples`, the mean. `metadata.goals` has each goal with its verdict, reason, and the messages that show it. If the
 * user has no goal, it is not applicable.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The evaluator throws `invalid_input`
 * for `outputs` without messages and for a reference in another form, and the errors of `createLLMAsJudge`:
 * `invalid_judge_output` also if two answers in a row skip an index, repeat it, or cite a message that does not exist.
 *
 * @example
 * ```ts
 * import { createGoalAccuracy } from "openevals-wasm/agents";
 *
 * const goalAccuracy = createGoalAccuracy({ model: "openai:gpt-5.4" });
 * export const score = (messages: { role: "user" | "assistant"; content: string }[]) =>
 *   goalAccuracy({ outputs: messages, referenceOutputs: "A table for two is booked at Luigi's for 8 p.m." });
 * ```
 */
export function createGoalAccuracy(options: JudgedAgentOptions): JudgedAgentEvaluator<GoalAccuracyDetails> {
  return judgedAgentEvaluator(
    "createGoalAccuracy",
    {
      key: "goal_accuracy",
      async score(record, questions, params) {
        const contexts = record.messages;
        let outcomes = readOutcomes(referenceOf(params));
        if (!outcomes) {
          const requests = record.requests.map(({ text }) => text);
          const stated = await questions.ask<{ goals: string[] }>(GOALS, requests, { contexts });
          outcomes = stated.flatMap(({ goals }) => goals).filter((goal) => goal.trim());
        }
        if (!outcomes.length) return { comment: "Not applicable: the user has no goal." };
        const goals = await judgedOutcomes(outcomes, record, questions);
        const score = await questions.all(goals.map(({ verdict }) => verdict));
        const label = ({ outcome }: JudgedOutcome) => `"${outcome}"`;
        return {
          score,
          comment: verdictComment(goals, { noun: "goal", good: "reached", label }),
          details: { goals },
        };
      },
    },
    options,
  );
}

/** The expected outcomes; `undefined` without a reference. */
function readOutcomes(reference: unknown): string[] | undefined {
  if (reference == null) return undefined;
  const texts = textsIn(reference);
  if (texts?.length) return texts;
  throw invalidInput(
    `referenceOutputs is ${show(reference)}; it has to be the expected outcome: a text, a list of texts, or an object with one ` +
      "of these. Leave it out to judge by the goals of the user",
  );
}
