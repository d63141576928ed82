/** Reads the model and other facts of a call from attributes, under all names that are in use. */

import { definedFields } from "../../../core/input/objects.js";
import type { TokenUsage } from "../../../core/records/usage.js";
import { type Span, structured, textIn } from "./span.js";
import { usageOfSpan } from "./usage.js";

/** A call of a model. */
export interface TraceModelCall {
  spanId: string;
  /** The model of the response, or else of the request. */
  model?: string;
  provider?: string;
  /** The provider's id for the answer. */
  responseId?: string;
  finishReason?: string;
  /** The known counts of tokens. */
  usage?: Partial<TokenUsage>;
  /** The start, in milliseconds since 1970. */
  startMs: number;
  latencyMs: number;
  /** The error of a failed call. */
  error?: string;
}

const MODEL = [
  "gen_ai.response.model",
  "ai.response.model",
  "gen_ai.request.model",
  "llm.model_name",
  "ai.model.id",
  "llm.request.model",
];
const PROVIDER = [
  "gen_ai.provider.name",
  "gen_ai.system",
  "llm.provider",
  "llm.system",
  "ai.model.provider",
  "llm.vendor",
];
const RESPONSE_ID = ["gen_ai.response.id", "ai.response.id", "llm.response.id"];
const FINISH = [
  "gen_ai.response.finish_reasons",
  "gen_ai.response.finish_reason",
  "ai.response.finishReason",
  "llm.finish_reason",
  "gen_ai.completion.0.finish_reason",
  "ai.finishReason",
];
/** The names for the id of a conversation or session, the most specific ones first. */
export const CONVERSATION = [
  "gen_ai.conversation.id",
  "session.id",
  "traceloop.association.properties.conversation_id",
  "traceloop.association.properties.thread_id",
  "traceloop.association.properties.session_id",
  "langsmith.metadata.thread_id",
  "langsmith.metadata.session_id",
  "langsmith.metadata.conversation_id",
  "ai.telemetry.metadata.sessionId",
  "ai.telemetry.metadata.conversationId",
  "ai.telemetry.metadata.threadId",
];

export function modelCallOf(span: Span): TraceModelCall {
  const { attributes, spanId, start, end, error } = span;
  const known = {
    model: textIn(attributes, MODEL),
    provider: textIn(attributes, PROVIDER),
    responseId: textIn(attributes, RESPONSE_ID),
    finishReason: finishReasonOf(attributes),
    usage: usageOfSpan(span),
  };
  return {
    spanId,
    ...definedFields(known),
    startMs: start,
    latencyMs: Math.max(0, end - start),
    ...definedFields({ error }),
  };
}

/** The reason is a list with one for each choice; only the first choice is read. */
function finishReasonOf(attributes: Map<string, unknown>): string | undefined {
  const name = FINISH.find((each) => attributes.get(each) !== undefined);
  const reason = name && structured(attributes.get(name));
  const first = Array.isArray(reason) ? reason[0] : reason;
  return typeof first === "string" && first ? first : undefined;
}
