/** Trajectories out of traces. */

import { invalidInput, typedReading } from "../../../core/errors.js";
import { type Checks, checkOptions, oneOf } from "../../../core/input/checks.js";
import { conversationOf, modelCallOf, type TraceModelCall } from "./facts.js";
import type { SpanReading } from "./forms/form.js";
import { readingOf } from "./forms/forms.js";
import { isRuns, runSpans } from "./langsmith-runs.js";
import type { TraceMessage } from "./message.js";
import { documentsIn, isOtlp, MOST_SPANS, spansOf } from "./otlp.js";
import type { Span } from "./span.js";
import { Threads } from "./threads.js";
import { addRuns, type RunOfTool } from "./tools.js";

/** What an agent did, out of its trace: what trajectory evaluators take as `outputs`. */
export interface TraceTrajectory {
  messages: TraceMessage[];
  metadata: TraceMetadata;
}

/** What is known of a trajectory besides its messages. */
export interface TraceMetadata {
  /** The trace; of several in one conversation, the first. */
  traceId: string;
  /** The span that the trace begins with, such as that of the agent. */
  spanId: string;
  conversationId?: string;
  /** Each call of a model, in the order of their beginnings. */
  calls: TraceModelCall[];
  /** The tokens of all calls that tell them. */
  usage: { inputTokens: number; outputTokens: number };
  /** How many of the messages belong to each conversation with a model, if there are several. */
  threads?: number[];
  /** The conventions that its spans were read by. */
  forms: string[];
}

/** What could not be read, or not as it stands. */
export interface TraceNote {
  message: string;
  traceId?: string;
  spanId?: string;
}

/** What {@link trajectoriesFromOtlp} has read. */
export interface TraceReading {
  /** One for each trace that has messages or tools, in the order of their beginnings. */
  trajectories: TraceTrajectory[];
  notes: TraceNote[];
}

/** The options of {@link trajectoriesFromOtlp}. */
export interface TraceReadingOptions {
  /**
   * What makes a trajectory: a `"trace"`, by default, or a `"conversation"`, which joins the traces that tell the same
   * conversation or session; a trace that tells none stays alone.
   */
  by?: "trace" | "conversation" | undefined;
}

const OPTIONS: Checks<TraceReadingOptions> = { by: oneOf(["trace", "conversation"]) };

/**
 * Reads traces as trajectories: the spans of models, agents and tools as messages with `tool_calls` in OpenAI's form, for
 * `createTrajectoryMatchEvaluator` and all that takes a conversation. What later spans repeat stands there once.
 *
 * It reads OpenTelemetry's GenAI conventions as they are now and as they were (attributes and events), OpenLLMetry,
 * OpenInference, the Vercel AI SDK and LangSmith, all by their attributes, in any mixture. What it cannot read is in `notes`.
 *
 * @param json OTLP as JSON: the body of an export request, a text of it, a text with one on each line as the collector's
 * file exporter writes it, or a list of these; or runs of LangSmith, as its API has them.
 * @throws {@link OpenEvalsError} `invalid_input` for what is none of these, or too large; `invalid_config` for options that
 * cannot work.
 *
 * @example
 * ```ts
 * import { createTrajectoryMatchEvaluator, type Trajectory } from "openevals-wasm";
 * import { trajectoriesFromOtlp } from "openevals-wasm/otel";
 *
 * export async function scoreTraces(lines: string, referenceOutputs: Trajectory) {
 *   const { trajectories, notes } = trajectoriesFromOtlp(lines);
 *   for (const { message } of notes) console.warn(message);
 *   const evaluate = createTrajectoryMatchEvaluator({ trajectoryMatchMode: "superset" });
 *   return Promise.all(trajectories.map((outputs) => evaluate({ outputs, referenceOutputs })));
 * }
 * ```
 */
export function trajectoriesFromOtlp(json: unknown, options: TraceReadingOptions = {}): TraceReading {
  const { by = "trace" } = checkOptions("trajectoriesFromOtlp", options, OPTIONS);
  return typedReading("trajectoriesFromOtlp", () => {
    const notes: TraceNote[] = [];
    const documents = documentsIn(json);
    const [otlp, runs] = [documents.filter(isOtlp), documents.filter(isRuns)];
    if (otlp.length + runs.length < documents.length) {
      throw invalidInput(
        `json ${documents.length > 1 ? "has a document that is" : "is"} neither OTLP (resourceSpans) nor runs of LangSmith`,
      );
    }
    const spans = [...spansOf(otlp, (message) => notes.push({ message })), ...runSpans(runs)];
    if (spans.length > MOST_SPANS) throw invalidInput(`There are more than ${MOST_SPANS} spans`);
    const trajectories: TraceTrajectory[] = [];
    for (const group of groupsOf(spans, by)) {
      const trajectory = trajectoryOf(group, notes);
      if (trajectory) trajectories.push(trajectory);
    }
    return { trajectories, notes };
  });
}

/** The spans of each trajectory, by their beginnings, and the trajectories by those of their first spans. */
function groupsOf(spans: readonly Span[], by: "trace" | "conversation"): Span[][] {
  const traces = new Map<string, Span[]>();
  for (const span of spans) {
    const trace = traces.get(span.traceId);
    if (trace) trace.push(span);
    else traces.set(span.traceId, [span]);
  }
  const conversations = new Map<string, Span[]>();
  for (const [traceId, trace] of traces) {
    const conversation = by === "conversation" ? firstConversation(trace) : undefined;
    const key = conversation === undefined ? `trace ${traceId}` : `conversation ${conversation}`;
    const group = conversations.get(key);
    if (group) for (const span of trace) group.push(span);
    else conversations.set(key, trace);
  }
  const groups = [...conversations.values()].map((group) => group.sort(byStart));
  return groups.sort(([a], [b]) => byStart(a as Span, b as Span));
}

const byStart = (a: Span, b: Span): number => a.start - b.start;

function firstConversation(spans: readonly Span[]): string | undefined {
  for (const span of spans) {
    const conversation = conversationOf(span);
    if (conversation !== undefined) return conversation;
  }
  return undefined;
}

interface ReadSpan {
  span: Span;
  form: string;
  reading: SpanReading;
}

function trajectoryOf(spans: readonly Span[], notes: TraceNote[]): TraceTrajectory | undefined {
  const [first] = spans;
  if (!first) return undefined;
  const read: ReadSpan[] = [];
  const ids = new Set<string>();
  for (const span of spans) {
    const about = { traceId: span.traceId, spanId: span.spanId };
    // Exporters send again what they do not know to have arrived.
    if (ids.has(`${span.traceId}/${span.spanId}`)) {
      notes.push({ message: `Span ${span.spanId} is there twice; the first counts.`, ...about });
      continue;
    }
    ids.add(`${span.traceId}/${span.spanId}`);
    const told = readingOf(span, (what) =>
      notes.push({ message: `Span ${span.spanId}: ${what}.`, ...about }),
    );
    if (told) read.push({ span, ...told });
  }
  const used = withoutWrappers(read, parentsOf(spans, notes));
  const threads = new Threads();
  const calls: TraceModelCall[] = [];
  const runs: RunOfTool[] = [];
  for (const { span, reading } of used) {
    if (reading.tool) {
      runs.push({ span, tool: reading.tool });
      continue;
    }
    if (reading.kind === "model") calls.push(modelCallOf(span));
    threads.add(reading.input, reading.output, span.start, span.end);
    const isEmpty = !reading.input.length && !reading.output.length;
    if (isEmpty && reading.kind === "model") notes.push(noMessages(span));
  }
  const said = threads.all;
  if (threads.changes) {
    const message = `Trace ${first.traceId} goes on with other instructions ${threads.changes} times; the first are shown.`;
    notes.push({ message, traceId: first.traceId });
  }
  addRuns(said, runs);
  const messages = said.flatMap((thread) => thread.map(({ message }) => message));
  if (!messages.length) return undefined;
  const conversationId = firstConversation(spans);
  const root = spans.find(({ parentId }) => parentId === undefined) ?? first;
  const metadata: TraceMetadata = {
    traceId: first.traceId,
    spanId: root.spanId,
    ...(conversationId !== undefined && { conversationId }),
    calls,
    usage: {
      inputTokens: sum(calls.map(({ usage }) => usage?.inputTokens)),
      outputTokens: sum(calls.map(({ usage }) => usage?.outputTokens)),
    },
    ...(said.length > 1 && { threads: said.map(({ length }) => length) }),
    forms: [...new Set(used.map(({ form }) => form))],
  };
  if (said.length > 1) {
    const message = `Trace ${first.traceId} has ${said.length} conversations with models, which stand one after the other.`;
    notes.push({ message, traceId: first.traceId });
  }
  return { messages, metadata };
}

const sum = (numbers: readonly (number | undefined)[]): number =>
  numbers.reduce<number>((total, number) => total + (number ?? 0), 0);

const noMessages = ({ spanId, traceId, name }: Span): TraceNote => ({
  message: `Span ${spanId} ("${name.slice(0, 100)}") calls a model and has no messages: their recording may be off.`,
  traceId,
  spanId,
});

/** The span around each span. Of a circle of parents, the first span counts as one without a parent. */
function parentsOf(spans: readonly Span[], notes: TraceNote[]): Map<Span, Span> {
  const name = ({ traceId }: Span, id: string) => `${traceId}/${id}`;
  const byId = new Map(spans.map((span) => [name(span, span.spanId), span]));
  const parents = new Map<Span, Span>();
  /** From which span on the way up has come past each. */
  const seenFrom = new Map<Span, Span>();
  for (const start of spans) {
    for (let span = start; !seenFrom.has(span); ) {
      seenFrom.set(span, start);
      const outer = span.parentId === undefined ? undefined : byId.get(name(span, span.parentId));
      if (!outer) break;
      parents.set(span, outer);
      span = outer;
      if (seenFrom.get(span) !== start) continue;
      parents.delete(span);
      const { traceId, spanId } = span;
      const message = `Span ${spanId} and its parents form a circle; it is read as one without a parent.`;
      notes.push({ message, traceId, spanId });
    }
  }
  return parents;
}

/**
 * Without the spans that merely hold others: agents and chains repeat what their models were sent, and a library may be
 * instrumented twice. What runs inside of a tool is no part of the call around it.
 */
function withoutWrappers(read: readonly ReadSpan[], parents: ReadonlyMap<Span, Span>): ReadSpan[] {
  const tools = new Set<Span>();
  const holders = new Set<Span>();
  for (const { span, reading } of read) if (reading.tool) tools.add(span);
  const hasMessages = ({ reading }: ReadSpan) => reading.input.length > 0 || reading.output.length > 0;
  for (const each of read) {
    if (each.reading.tool || !hasMessages(each)) continue;
    for (let inner = each.span; ; ) {
      const outer = parents.get(inner);
      if (!outer || tools.has(outer) || holders.has(outer)) break;
      holders.add(outer);
      inner = outer;
    }
  }
  const names = new Map(read.map(({ span, reading }) => [span, reading.tool?.name]));
  return read.filter(({ span, reading }) => {
    if (!reading.tool) return !holders.has(span);
    const outer = parents.get(span);
    return !outer || names.get(outer) !== reading.tool.name;
  });
}
