import { jsonOf } from "../../core/engine/crossing.js";
import { judgesEngine } from "../../core/engine/judges.js";
import { inPlace, invalidConfig, invalidInput, typedReading } from "../../core/errors.js";
import { scoreBatch } from "../../core/input/rows.js";
import { msSince } from "../../core/platform/elapsed.js";
import { sumOfUsage } from "../../core/records/usage.js";
import { tracedEvaluator } from "../../core/tracing/hook.js";
import { withAccessOf } from "../../models/chat/providers/check-access.js";
import type { ChatMessage } from "../../models/conversation/chat-messages.js";
import { textOf } from "../../models/conversation/text.js";
import * as bindings from "../../openevals-judges.js";
import { allAsked } from "../calls/failed-parts.js";
import { countOf } from "../item-verdicts/comments.js";
import type { RagEvaluator, RagMetadata, RagResult } from "./evaluator.js";
import type { RagParams } from "./row.js";
import { withEmbeddings } from "./similarity.js";
import { chatMessagesOf } from "./tool-results.js";

/** The details of a result of {@link eachTurn}. */
export type EachTurnDetails = {
  /** The result of each answered turn, in their order. */
  turns: RagResult[];
};

/**
 * Scores each turn of a conversation with a RAG metric; the score is the mean over the turns. A turn is a message of
 * the user and the messages after it, up to the next one. The metric gets its text as `inputs`, its messages as
 * `outputs`, and the other parameters unchanged.
 *
 * @param evaluator An evaluator of `openevals-wasm/rag`. With `contextFrom: lastToolResult("search")`, each turn has its
 * own contexts.
 * @returns An evaluator whose result has the key `conversation_` and that of the metric. `metadata.turns` has the
 * results of the turns. Turns without an answer are left out; if no turn has a score, it is not applicable.
 * @throws {@link OpenEvalsError} `invalid_config` for anything but an evaluator of this entry point. The evaluator
 * throws `invalid_input` for `outputs` that are not messages, and the errors of the metric.
 *
 * @example
 * ```ts
 * import { eachTurn, faithfulness, lastToolResult } from "openevals-wasm/rag";
 *
 * const faithful = eachTurn(
 *   faithfulness({ model: "openai:gpt-5.4", contextFrom: lastToolResult("search") }),
 * );
 * export const score = (messages: object[]) => faithful({ outputs: messages });
 * ```
 */
export const eachTurn = (evaluator: RagEvaluator<any>): RagEvaluator<EachTurnDetails> =>
  typedReading("eachTurn", () => overTurns(evaluator));

function overTurns(evaluator: RagEvaluator<any>): RagEvaluator<EachTurnDetails> {
  const { feedbackKey, scale } = Object(evaluator) as Partial<RagEvaluator>;
  if (typeof evaluator !== "function" || !feedbackKey || !scale) {
    throw invalidConfig(
      "eachTurn needs an evaluator of openevals-wasm/rag, such as faithfulness({ model }); it scores one metric",
    );
  }
  const key = `conversation_${feedbackKey}`;
  const evaluate = async (params: RagParams): Promise<RagResult<EachTurnDetails>> => {
    const started = performance.now();
    const messages = chatMessagesOf(params?.outputs);
    if (!messages.length) throw invalidInput(`${key} needs outputs that are messages`);
    const turns: RagResult[] = await allAsked(
      turnsOf(messages).map(async (turn, index) => {
        try {
          return await evaluator({ ...params, inputs: textOf(turn[0]?.content, "\n"), outputs: turn });
        } catch (error) {
          throw inPlace(`turns[${index}]`, error);
        }
      }),
    );
    if (turns.some(Array.isArray)) {
      throw invalidConfig(
        "eachTurn scores one metric. Pass a single metric such as faithfulness({ model }), not ragSuite()",
      );
    }
    const scores = turns.flatMap(({ score }) => score ?? []);
    const usage = sumOfUsage(turns.map(({ metadata }) => metadata as Record<string, unknown>));
    const model = turns.flatMap(({ metadata }) => metadata.model ?? [])[0];
    const parts = turns.flatMap(({ metadata }) => metadata.parts ?? []);
    const metadata: RagMetadata & EachTurnDetails = {
      ...(model !== undefined && { model }),
      ...(usage && { usage }),
      attempts: turns.reduce((sum, { metadata }) => sum + metadata.attempts, 0),
      latencyMs: msSince(started),
      ...(parts.length && { parts }),
      turns,
    };
    if (!scores.length) {
      const comment = `Not applicable: none of ${turns.length} turns has a score.`;
      return { key, score: null, applicable: false, comment, metadata };
    }
    const mean = await judgesEngine.run(key, scores.length, () =>
      bindings.tally(jsonOf("mean"), Float64Array.from(scores)),
    );
    const comment = `The mean of ${countOf(scores.length, turns.length, "turn")}.`;
    return { key, score: mean?.score ?? 0, comment, metadata };
  };
  const traced = tracedEvaluator(key, evaluate, (rows: readonly RagParams[]) =>
    scoreBatch(key, rows, evaluate),
  );
  const { model, embeddings } = evaluator as { model?: string; embeddings?: string };
  const whole = withEmbeddings(Object.assign(traced, { scale, model }), { embeddings });
  return withAccessOf(whole, [evaluator]) as object as RagEvaluator<EachTurnDetails>;
}

/** The turns with an answer. */
function turnsOf(messages: readonly ChatMessage[]): ChatMessage[][] {
  const turns: ChatMessage[][] = [];
  for (const message of messages) {
    if (message.role === "user" && textOf(message.content)) turns.push([]);
    turns.at(-1)?.push(message);
  }
  return turns.filter((turn) =>
    turn.some(({ role, content }) => role === "assistant" && textOf(content).trim()),
  );
}
