/** The interface of a convention, with helpers for its readers. */

import type { TraceMessage } from "../message.js";
import type { AddNote, Span } from "../span.js";

/** The part of a conversation in a span. */
export interface SpanReading {
  /** A call of a model, of an agent or chain that calls models, or of a tool. */
  kind: "model" | "agent" | "tool";
  /** The messages of the request, in order. */
  input: TraceMessage[];
  /** The messages of the response. */
  output: TraceMessage[];
  tool?: ToolRun | undefined;
}

/** A run of a tool. */
export interface ToolRun {
  id: string | undefined;
  name: string;
  /** A value, or its JSON text; `undefined` if it was not recorded. */
  args: unknown;
  result: unknown;
}

/** A convention for conversations in spans. */
export interface Form {
  name: string;
  /** Whether a span follows this convention. */
  matches(span: Span): boolean;
  /** The part of a conversation; `undefined` for a span about something else, such as an embedding. */
  read(span: Span, addNote: AddNote): SpanReading | undefined;
}

export const toolReading = (tool: ToolRun): SpanReading => ({ kind: "tool", input: [], output: [], tool });

/** The first of several choices. */
export function firstChoice(choices: TraceMessage[], addNote: AddNote): TraceMessage[] {
  if (choices.length > 1) addNote(`the model gave ${choices.length} choices; only the first is read`);
  return choices.slice(0, 1);
}
