/** Reads trajectories from traces. */

import { invalidInput, typedReading } from "../../../core/errors.js";
import { checkOptions, type OptionChecks, oneOf } from "../../../core/input/checks.js";
import { addUsage, type TokenUsage } from "../../../core/records/usage.js";
import { conversationOf, modelCallOf, type TraceModelCall } from "./facts.js";
import type { SpanReading } from "./forms/form.js";
import { readingOf } from "./forms/forms.js";
import { isRuns, runSpans } from "./langsmith-runs.js";
import type { TraceMessage } from "./message.js";
import { documentsIn, isOtlp, MAX_SPANS, spansOf } from "./otlp.js";
import { isTooDeep, type Span } from "./span.js";
import { Threads } from "./threads.js";
import { addRuns, type RunOfTool } from "./tools.js";
import { usageOfSpan } from "./usage.js";

/** The trajectory of an agent, as trajectory evaluators take it as `outputs`. */
export interface TraceTrajectory {
  messages: TraceMessage[];
  metadata: TraceMetadata;
}

/** The data of a trajectory that is not in its messages. */
export interface TraceMetadata {
  /** The id of the trace; of the first trace if a conversation has several. */
  traceId: string;
  /** The id of the root span, for example of the agent. */
  spanId: string;
  conversationId?: string;
  /** The calls of models, ordered by their start. */
  calls: TraceModelCall[];
  /** The tokens of all calls that report them; if none does, of the agents around them. It is missing if no span reports any. */
  usage?: TokenUsage;
  /** The number of messages of each conversation with a model, if there are several. */
  threads?: number[];
  /** The conventions of its spans. */
  forms: string[];
}

/** A note about something that could not be read, or was read with changes. */
export interface TraceNote {
  message: string;
  traceId?: string;
  spanId?: string;
}

/** The result of {@link trajectoriesFromOtlp}. */
export interface TraceReading {
  /** A trajectory for each trace with messages or tools, ordered by their start. */
  trajectories: TraceTrajectory[];
  notes: TraceNote[];
}

/** The options of {@link trajectoriesFromOtlp}. */
export interface TraceReadingOptions {
  /**
   * The scope of a trajectory: a `"trace"`, by default, or a `"conversation"`, which joins the traces with the same
   * conversation or session id. A trace without such an id is a separate trajectory.
   */
  by?: "trace" | "conversation" | undefined;
}

const OPTIONS: OptionChecks<TraceReadingOptions> = { by: oneOf(["trace", "conversation"]) };

/**
 * Reads traces as trajectories: the spans of models, agents and tools become messages with `tool_calls` in OpenAI's form, for
 * `createTrajectoryMatchEvaluator` and everything that takes a conversation. Messages that later spans repeat appear once.
 *
 * It reads current and earlier GenAI conventions of OpenTelemetry (attributes and events), OpenLLMetry, OpenInference, the Vercel
 * AI SDK and LangSmith, in any mixture. `notes` has what it cannot read.
 *
 * @param json OTLP/JSON: the body of an export request, its text, a text with a request on each line as the collector's file
 * exporter writes it, or a list of these; or runs of LangSmith's API.
 * @throws {@link OpenEvalsError} `invalid_input` for anything else, or too large input; `invalid_config` for invalid options.
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
    if (spans.length > MAX_SPANS)
      throw invalidInput(`There are more than ${MAX_SPANS} spans; read the traces in parts`);
    const trajectories: TraceTrajectory[] = [];
    for (const group of groupsOf(spans, by)) {
      const trajectory = trajectoryOf(group, notes);
      if (trajectory) trajectories.push(trajectory);
    }
    return { trajectories, notes };
  });
}

/** The spans of each trajectory, ordered by their start, and the trajectories by that of their first spans. */
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
  forms: string[];
  reading: SpanReading;
}

function trajectoryOf(spans: readonly Span[], notes: TraceNote[]): TraceTrajectory | undefined {
  const [first] = spans;
  if (!first) return undefined;
  const read: ReadSpan[] = [];
  const distinct = withoutCopies(spans, notes);
  for (const span of distinct) {
    const note = (text: string) =>
      notes.push({ message: `Span ${span.spanId}: ${text}.`, traceId: span.traceId, spanId: span.spanId });
    if (isTooDeep([...span.attributes.values(), ...span.events.flatMap(contentsOf)])) {
      note("it is not read, because a value in it is nested too deeply");
      continue;
    }
    const found = readingOf(span, note);
    if (found) read.push({ span, ...found });
  }
  const parents = parentsOf(distinct, notes);
  const used = withoutWrappers(read, parents);
  const threads = new Threads();
  const calls: TraceModelCall[] = [];
  const runs: RunOfTool[] = [];
  for (const { span, reading } of used) {
    if (reading.tool) {
      runs.push({ span, tool: reading.tool });
      continue;
    }
    if (reading.kind === "model") calls.push(modelCallOf(span));
    const { input, output } = reading;
    threads.add({ input, output, start: span.start, end: span.end, traceId: span.traceId });
    const isEmpty = !input.length && !output.length;
    if (reading.kind !== "model") continue;
    if (span.error !== undefined && !output.length) notes.push(noAnswer(span, span.error));
    else if (isEmpty) notes.push(noMessages(span));
  }
  const shown = threads.all;
  const conversationId = firstConversation(spans);
  const isOneTrace = spans.every(({ traceId }) => traceId === first.traceId);
  const name = isOneTrace ? `Trace ${first.traceId}` : `Conversation ${conversationId}`;
  if (threads.changes) {
    const message = `${name} changes its instructions ${threads.changes} times; the first ones are shown.`;
    notes.push({ message, traceId: first.traceId });
  }
  addRuns(shown, runs);
  const messages = shown.flatMap((thread) => thread.map(({ message }) => message));
  if (!messages.length) return undefined;
  const usage = sumOf(calls.map(({ usage }) => usage)) ?? sumOf(outermostUsages(distinct, parents));
  const root = spans.find(({ parentId }) => parentId === undefined) ?? first;
  const metadata: TraceMetadata = {
    traceId: first.traceId,
    spanId: root.spanId,
    ...(conversationId !== undefined && { conversationId }),
    calls,
    ...(usage && { usage }),
    ...(shown.length > 1 && { threads: shown.map(({ length }) => length) }),
    forms: [...new Set(used.flatMap(({ forms }) => forms))],
  };
  if (shown.length > 1) {
    const message = `${name} has ${shown.length} conversations with models; their messages are joined, conversation by conversation.`;
    notes.push({ message, traceId: first.traceId });
  }
  return { messages, metadata };
}

function sumOf(usages: readonly (Partial<TokenUsage> | undefined)[]): TokenUsage | undefined {
  const known = usages.filter((usage) => usage !== undefined);
  const sum: TokenUsage = { inputTokens: 0, outputTokens: 0 };
  for (const usage of known) addUsage(sum, usage);
  return known.length ? sum : undefined;
}

/** The tokens of the spans that report any and are in no other such span. */
function outermostUsages(spans: readonly Span[], parents: ReadonlyMap<Span, Span>): Partial<TokenUsage>[] {
  const children = new Map<string, Span[]>();
  for (const span of spans) {
    const outer = parents.get(span);
    const key = outer ? nameOf(outer) : "";
    const siblings = children.get(key);
    if (siblings) siblings.push(span);
    else children.set(key, [span]);
  }
  const found: Partial<TokenUsage>[] = [];
  const next = [""];
  for (const key of next)
    for (const span of children.get(key) ?? []) {
      const usage = usageOfSpan(span);
      if (usage) found.push(usage);
      else next.push(nameOf(span));
    }
  return found;
}

const nameOf = ({ traceId, spanId }: Span): string => `${traceId}/${spanId}`;

/** The values of an event that messages may be in. */
const contentsOf = ({ attributes, body }: Span["events"][number]): unknown[] => [
  ...attributes.values(),
  body,
];

/** Exporters send spans again after an unconfirmed request, or when they end: then the first copy is unfinished. */
function withoutCopies(spans: readonly Span[], notes: TraceNote[]): Span[] {
  const chosen = new Map<string, Span>();
  const isFinished = ({ start, end }: Span) => end > start;
  for (const span of spans) {
    const { traceId, spanId } = span;
    const earlier = chosen.get(nameOf(span));
    const isBetter = earlier === undefined || (!isFinished(earlier) && isFinished(span));
    if (isBetter) chosen.set(nameOf(span), span);
    if (!earlier) continue;
    const which = isBetter ? "finished" : "first";
    notes.push({ message: `Span ${spanId} occurs twice; only the ${which} one is read.`, traceId, spanId });
  }
  return [...chosen.values()].sort(byStart);
}

const noAnswer = ({ spanId, traceId, name }: Span, error: string): TraceNote => ({
  message: `Span ${spanId} ("${name.slice(0, 100)}") calls a model and has no answer. Its error: ${error.slice(0, 200)}.`,
  traceId,
  spanId,
});

const noMessages = ({ spanId, traceId, name }: Span): TraceNote => ({
  message: `Span ${spanId} ("${name.slice(0, 100)}") calls a model but has no messages. The recording of messages may be turned off.`,
  traceId,
  spanId,
});

/** The parent of each span. In a cycle of parents, the first span counts as a root. */
function parentsOf(spans: readonly Span[], notes: TraceNote[]): Map<Span, Span> {
  const name = ({ traceId }: Span, id: string) => `${traceId}/${id}`;
  const byId = new Map(spans.map((span) => [name(span, span.spanId), span]));
  const parents = new Map<Span, Span>();
  /** For each span, the span whose walk to the root visited it first. */
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
      const message = `Span ${spanId} and its parents form a cycle; it is read as a root.`;
      notes.push({ message, traceId, spanId });
    }
  }
  return parents;
}

/**
 * Removes spans that only contain others: agents and chains repeat the messages of their models, and a library may be
 * instrumented twice. Spans inside a tool do not belong to the call around it.
 */
function withoutWrappers(read: readonly ReadSpan[], parents: ReadonlyMap<Span, Span>): ReadSpan[] {
  const tools = new Set<Span>();
  const wrappers = new Set<Span>();
  for (const { span, reading } of read) if (reading.tool) tools.add(span);
  const hasMessages = ({ reading }: ReadSpan) => reading.input.length > 0 || reading.output.length > 0;
  for (const each of read) {
    if (each.reading.tool || !hasMessages(each)) continue;
    for (let inner = each.span; ; ) {
      const outer = parents.get(inner);
      if (!outer || tools.has(outer) || wrappers.has(outer)) break;
      wrappers.add(outer);
      inner = outer;
    }
  }
  const names = new Map(read.map(({ span, reading }) => [span, reading.tool?.name]));
  return read.filter(({ span, reading }) => {
    if (!reading.tool) return !wrappers.has(span);
    const outer = parents.get(span);
    return !outer || names.get(outer) !== reading.tool.name;
  });
}
