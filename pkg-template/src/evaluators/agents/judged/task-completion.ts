import { invalidInput } from "../../../core/errors.js";
import { show } from "../../../core/input/checks.js";
import { wellFormed } from "../../../core/input/json/well-formed.js";
import { toText } from "../../../core/input/text.js";
import { listIn } from "../../../models/conversation/list.js";
import { verdictComment } from "../../item-verdicts/comments.js";
import {
  type JudgedAgentEvaluator,
  type JudgedAgentOptions,
  type JudgedOutcome,
  judgedAgentEvaluator,
  judgedOutcomes,
} from "./evaluator.js";
import { REQUIREMENTS } from "./questions/requirements.js";
import { type AgentRecord, readRecord } from "./record.js";

/** The details of a result of {@link createTaskCompletion}. */
export type TaskCompletionDetails = {
  /** The verdict on each requirement of the task. */
  requirements: JudgedOutcome[];
};

/**
 * Makes an evaluator for task completion: the share of a task's requirements that a run meets. The task is `inputs`: a text,
 * messages (what the user says counts), or any other value as JSON. Without `inputs`, it is what the user says in `outputs`.
 *
 * One question splits the task into requirements. Another judges up to 12 of them by the messages, calls and results.
 *
 * @returns An evaluator whose result is `{ key: "task_completion", score, comment, metadata }`, with a score from 0 to 1 (best).
 * `metadata.requirements` has each requirement with its verdict, reason, and the messages that show it. A task that requires
 * nothing is not applicable.
 * @throws {@link OpenEvalsError} As {@link createGoalAccuracy}; `invalid_input` also if there is no task.
 *
 * @example
 * ```ts
 * import { createTaskCompletion } from "openevals-wasm/agents";
 *
 * const completion = createTaskCompletion({ model: "openai:gpt-5.4" });
 * export const score = (messages: { role: "assistant" | "tool"; content: string }[]) =>
 *   completion({ inputs: "Book the cheapest direct flight to Oslo on Friday.", outputs: messages });
 * ```
 */
export function createTaskCompletion(
  options: JudgedAgentOptions,
): JudgedAgentEvaluator<TaskCompletionDetails> {
  return judgedAgentEvaluator(
    "createTaskCompletion",
    {
      key: "task_completion",
      async score(record, questions, { inputs }) {
        const task = taskOf(inputs, record);
        const split = await questions.ask<{ requirements: string[] }>(REQUIREMENTS, [task], {});
        const outcomes = split.flatMap(({ requirements }) => requirements).filter((text) => text.trim());
        if (!outcomes.length) return { comment: "Not applicable: the task requires nothing." };
        const requirements = await judgedOutcomes(outcomes, record, questions);
        const label = ({ outcome }: JudgedOutcome) => `"${outcome}"`;
        return {
          score: await questions.mean(requirements.map(({ verdict }) => verdict)),
          comment: verdictComment(requirements, { noun: "requirement", good: "met", label }),
          details: { requirements },
        };
      },
    },
    options,
  );
}

function taskOf(inputs: unknown, record: AgentRecord): string {
  const userTextOf = ({ requests }: AgentRecord) => requests.map(({ text }) => text).join("\n\n");
  let task = userTextOf(record);
  if (inputs != null)
    task = listIn(inputs)?.length
      ? userTextOf(readRecord(inputs, "inputs"))
      : wellFormed(toText(inputs, "inputs"));
  if (task.trim()) return task;
  throw invalidInput(
    `task_completion needs a task: inputs is ${show(inputs)}, and no message of the user in outputs has a text`,
  );
}
