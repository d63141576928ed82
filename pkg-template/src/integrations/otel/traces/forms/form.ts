/** What a form of telemetry has to say of a span. */

import type { TraceMessage } from "../message.js";
import type { Span, Tell } from "../span.js";

/** What a span tells of a conversation. */
export interface SpanReading {
  /** A call of a model, of an agent or a chain that calls models, or of a tool. */
  kind: "model" | "agent" | "tool";
  /** What the model was sent, in order. */
  input: TraceMessage[];
  /** What it answered. */
  output: TraceMessage[];
  tool?: ToolRun | undefined;
}

/** One run of a tool. */
export interface ToolRun {
  id: string | undefined;
  name: string;
  /** A value, or its JSON text; `undefined` if it was not recorded. */
  args: unknown;
  result: unknown;
}

/** One convention of writing conversations into spans. */
export interface Form {
  name: string;
  /** Whether a span is of this form, by its attributes. */
  isOf(span: Span): boolean;
  /** What it tells; `undefined` if it is about something else, such as an embedding. */
  read(span: Span, tell: Tell): SpanReading | undefined;
}

export const toolReading = (tool: ToolRun): SpanReading => ({ kind: "tool", input: [], output: [], tool });

/** Of several candidates for one answer, the first. */
export function firstChoice(choices: TraceMessage[], tell: Tell): TraceMessage[] {
  if (choices.length > 1) tell(`the model gave ${choices.length} choices, of which the first is read`);
  return choices.slice(0, 1);
}
