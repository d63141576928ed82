/** Reads trajectories from traces. */

import { invalidInput, typedReading } from "../../../core/errors.js";
import { checkOptions, type OptionChecks, oneOf } from "../../../core/input/checks.js";
import { addUsage, type TokenUsage } from "../../../core/records/usage.js";
import { conversationsIn } from "./conversations.js";
import { byTime, parentsOf, withoutCopies } from "./distinct-spans.js";
import { modelCallOf, type TraceModelCall } from "./facts.js";
import type { SpanReading, ToolRun } from "./forms/form.js";
import { readingOf } from "./forms/forms.js";
import { isRuns, runSpans } from "./langsmith-runs.js";
import type { TraceMessage } from "./message.js";
import { documentsIn, isOtlp, MAX_SPANS, spansOf } from "./otlp.js";
import { placesOf, type SpanPlace } from "./places.js";
import { groupedBy, isTooDeep, type Span } from "./span.js";
import type { SeenMessage } from "./thread-matches.js";
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
  /** The id of its conversation or session; missing if the trace has several. */
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
  /** A trajectory for each trace or conversation with messages or tools, ordered by their start. */
  trajectories: TraceTrajectory[];
  notes: TraceNote[];
}

/** The options of {@link trajectoriesFromOtlp}. */
export interface TraceReadingOptions {
  /**
   * The scope of a trajectory: a `"trace"`, by default, or a `"conversation"`, which joins the traces with the same
   * conversation or session id, and divides a trace with several. A trace without such an id is a separate trajectory.
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
    const distinct = withoutCopies(spans, notes);
    const parents = parentsOf(distinct, notes);
    const used = withoutWrappers(readSpans(distinct, notes), parents);
    const readings: Readings = { parents, used, places: placesOf(distinct, parents) };
    const trajectories: TraceTrajectory[] = [];
    for (const group of groupsOf(distinct, parents, by)) {
      const trajectory = trajectoryOf(group, readings, notes);
      if (trajectory) trajectories.push(trajectory);
    }
    return { trajectories, notes };
  });
}

/** The spans of a trajectory, ordered by their start. */
interface TrajectorySpans {
  spans: Span[];
  /** The same spans, by the id of their conversation. */
  conversations: Map<string | undefined, Span[]>;
}

/** The groups, ordered by their first spans. */
function groupsOf(
  spans: readonly Span[],
  parents: ReadonlyMap<Span, Span>,
  by: "trace" | "conversation",
): TrajectorySpans[] {
  const traces = [...groupedBy(spans, ({ traceId }) => traceId).values()];
  const groups = traces.map((trace) => ({ spans: trace, conversations: conversationsIn(trace, parents) }));
  if (by === "trace") return groups;
  const parts = groups.flatMap(({ conversations }) => [...conversations]);
  const keyOf = ([id, [first]]: (typeof parts)[0]) =>
    id === undefined ? `trace ${first?.traceId}` : `id ${id}`;
  const joined = [...groupedBy(parts, keyOf).values()].map((same) => {
    const all = same.flatMap(([, each]) => each).sort(byTime);
    return { spans: all, conversations: new Map([[same[0]?.[0], all]]) };
  });
  return joined.sort((a, b) => byTime(a.spans[0] as Span, b.spans[0] as Span));
}

interface ReadSpan {
  forms: string[];
  reading: SpanReading;
}

/** The readings of all spans with messages or tool runs. */
interface Readings {
  parents: ReadonlyMap<Span, Span>;
  places: ReadonlyMap<Span, SpanPlace>;
  used: ReadonlyMap<Span, ReadSpan>;
}

/** The values of an event that messages may be in. */
const contentsOf = ({ attributes, body }: Span["events"][number]): unknown[] => [
  ...attributes.values(),
  body,
];

function readSpans(spans: readonly Span[], notes: TraceNote[]): Map<Span, ReadSpan> {
  const read = new Map<Span, ReadSpan>();
  for (const span of spans) {
    const note = (text: string) =>
      notes.push({ message: `Span ${span.spanId}: ${text}.`, traceId: span.traceId, spanId: span.spanId });
    if (isTooDeep([...span.attributes.values(), ...span.events.flatMap(contentsOf)])) {
      note("it is not read, because a value in it is nested too deeply");
      continue;
    }
    const found = readingOf(span, note);
    if (found) read.set(span, found);
  }
  return read;
}

function trajectoryOf(
  { spans, conversations }: TrajectorySpans,
  readings: Readings,
  notes: TraceNote[],
): TraceTrajectory | undefined {
  const [first] = spans;
  if (!first) return undefined;
  const ids = [...conversations.keys()].filter((id) => id !== undefined);
  const isOneTrace = spans.every(({ traceId }) => traceId === first.traceId);
  const name = isOneTrace ? `Trace ${first.traceId}` : `Conversation ${ids[0]}`;
  const note = (message: string) => notes.push({ message: `${name} ${message}.`, traceId: first.traceId });
  const found = [...conversations.values()].map((conversation) => readSpansOf(conversation, readings));
  const threads = found.flatMap((read) => threadsOf(read, note, notes));
  const messages = threads.flatMap((thread) => thread.map(({ message }) => message));
  if (!messages.length) return undefined;
  if (threads.length > 1)
    note(
      `has ${threads.length} conversations with models; their messages are joined, conversation by conversation`,
    );
  const read = found.flat();
  const calls = read.filter(isModelCall).map(({ span }) => modelCallOf(span));
  const { parents } = readings;
  const usage = sumOf(calls.map(({ usage }) => usage)) ?? sumOf(outermostUsages(spans, parents));
  const root =
    spans.find(({ parentId }) => parentId === undefined) ?? spans.find((span) => !parents.has(span));
  const metadata: TraceMetadata = {
    traceId: first.traceId,
    spanId: (root ?? first).spanId,
    ...(ids.length === 1 && { conversationId: ids[0] as string }),
    calls: calls.sort((a, b) => a.startMs - b.startMs),
    ...(usage && { usage }),
    ...(threads.length > 1 && { threads: threads.map(({ length }) => length) }),
    forms: [...new Set(read.flatMap(({ forms }) => forms))],
  };
  return { messages, metadata };
}

/** A span of a conversation with messages or a tool run. */
interface ConversationSpan extends ReadSpan {
  span: Span;
  place: SpanPlace;
}

/** The spans of a conversation that were read. At the same time, the one with the shorter history is the earlier one. */
const readSpansOf = (conversation: readonly Span[], { places, used }: Readings): ConversationSpan[] =>
  conversation
    .flatMap((span) => {
      const read = used.get(span);
      return read ? [{ span, place: places.get(span) as SpanPlace, ...read }] : [];
    })
    .sort(
      (a, b) =>
        a.span.start - b.span.start ||
        a.span.end - b.span.end ||
        a.reading.input.length - b.reading.input.length ||
        byTime(a.span, b.span),
    );

const isModelCall = ({ reading: { kind, tool } }: ConversationSpan): boolean => kind === "model" && !tool;

/** The conversations with models that these spans record, with the results of tools that have their own spans. */
function threadsOf(
  read: readonly ConversationSpan[],
  note: (message: string) => void,
  notes: TraceNote[],
): SeenMessage[][] {
  const threads = new Threads();
  const runs: RunOfTool[] = [];
  for (const one of read) {
    const { span, place, forms, reading } = one;
    const { input, output, tool } = reading;
    if (tool) {
      runs.push({ span, place, tool });
      continue;
    }
    threads.add({ input, output, start: span.start, end: span.end, place, form: forms.join() });
    if (!isModelCall(one)) continue;
    if (span.error !== undefined && !output.length) notes.push(noAnswer(span, span.error));
    else if (!input.length && !output.length) notes.push(noMessages(span));
  }
  if (threads.changes) note(`changes its instructions ${threads.changes} times; the first ones are shown`);
  if (threads.unclear) note(unclear(threads.unclear));
  const { all } = threads;
  for (const { span, tool } of addRuns(all, runs)) notes.push(severalResults(span, tool));
  return all;
}

function sumOf(usages: readonly (Partial<TokenUsage> | undefined)[]): TokenUsage | undefined {
  const known = usages.filter((usage) => usage !== undefined);
  const sum: TokenUsage = { inputTokens: 0, outputTokens: 0 };
  for (const usage of known) addUsage(sum, usage);
  return known.length ? sum : undefined;
}

/** The tokens of the spans that report any and are in no other such span. */
function outermostUsages(spans: readonly Span[], parents: ReadonlyMap<Span, Span>): Partial<TokenUsage>[] {
  const children = groupedBy(spans, (span) => parents.get(span));
  const found: Partial<TokenUsage>[] = [];
  const next: (Span | undefined)[] = [undefined];
  for (const outer of next)
    for (const span of children.get(outer) ?? []) {
      const usage = usageOfSpan(span);
      if (usage) found.push(usage);
      else next.push(span);
    }
  return found;
}

const unclear = (count: number): string =>
  `has ${count} request${count === 1 ? " that fits" : "s that fit"} several conversations equally well, since these began at the same time with the same messages; ` +
  "later messages may be in the wrong one. Record gen_ai.conversation.id, or a span around each agent";

const severalResults = ({ spanId, traceId, error }: Span, { id, name }: ToolRun): TraceNote => ({
  message: `Tool ${JSON.stringify(name.slice(0, 100))} ran several times for the call ${JSON.stringify(id?.slice(0, 100))} with different results; the last ${error ? "one" : "successful one"} is shown.`,
  traceId,
  spanId,
});

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

/**
 * Removes spans that only contain others: agents and chains repeat the messages of their models, and a library may be
 * instrumented twice. Spans inside a tool do not belong to the call around it.
 */
function withoutWrappers(
  read: ReadonlyMap<Span, ReadSpan>,
  parents: ReadonlyMap<Span, Span>,
): Map<Span, ReadSpan> {
  const wrappers = new Set<Span>();
  for (const [span, { reading }] of read) {
    if (reading.tool || !(reading.input.length || reading.output.length)) continue;
    for (let inner = span; ; ) {
      const outer = parents.get(inner);
      if (!outer || read.get(outer)?.reading.tool || wrappers.has(outer)) break;
      wrappers.add(outer);
      inner = outer;
    }
  }
  const used = [...read].filter(([span, { reading }]) => {
    if (!reading.tool) return !wrappers.has(span);
    const outer = parents.get(span);
    return !outer || read.get(outer)?.reading.tool?.name !== reading.tool.name;
  });
  return new Map(used);
}
