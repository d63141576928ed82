/** Reads runs of LangSmith, from its API or exports, as spans. */

import { invalidInput } from "../../../core/errors.js";
import { show } from "../../../core/input/checks.js";
import { isRecord } from "../../../core/input/objects.js";
import { reportedUsage } from "../../../core/records/reported-usage.js";
import type { Json } from "./json.js";
import { MAX_SPANS } from "./otlp.js";
import type { Span } from "./span.js";

/** Whether a document is a run or has a list of runs. */
export const isRuns = (document: Json): boolean =>
  (typeof document.run_type === "string" && typeof document.id === "string") ||
  (Array.isArray(document.runs) && document.runs.every((run) => isRecord(run) && isRuns(run)));

/** All runs, including nested children. */
export function runSpans(documents: readonly Json[]): Span[] {
  const spans: Span[] = [];
  const waiting: { run: Json; trace: string | undefined }[] = documents
    .flatMap((document) => (Array.isArray(document.runs) ? (document.runs as Json[]) : [document]))
    .map((run) => ({ run, trace: undefined }))
    .reverse();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (spans.length === MAX_SPANS)
      throw invalidInput(`There are more than ${MAX_SPANS} runs; read them in parts`);
    const span = spanOf(next.run, next.trace);
    spans.push(span);
    const { child_runs } = next.run;
    if (!Array.isArray(child_runs)) continue;
    const children = child_runs.filter(isRecord).reverse();
    for (const run of children)
      waiting.push({ run: { parent_run_id: span.spanId, ...run }, trace: span.traceId });
  }
  return spans;
}

function spanOf(run: Json, trace: string | undefined): Span {
  const { id, run_type, name, inputs, outputs, error, start_time, end_time, parent_run_id, extra } = run;
  if (typeof id !== "string") throw invalidInput(`A run has no id: ${show({ name, run_type })}`);
  const metadata = isRecord(extra) && isRecord(extra.metadata) ? extra.metadata : {};
  const response = isRecord(outputs) ? outputs : {};
  const usage = reportedUsage([response.usage_metadata, response.usage].find(isRecord) ?? {});
  const attributes: Record<string, unknown> = {
    "langsmith.span.kind": run_type,
    "langsmith.trace.name": name,
    "gen_ai.prompt": inputs,
    "gen_ai.completion": outputs,
    "gen_ai.request.model": metadata.ls_model_name ?? (isRecord(inputs) ? inputs.model : undefined),
    "gen_ai.response.model": typeof response.model === "string" ? response.model : undefined,
    "gen_ai.response.id": typeof response.id === "string" ? response.id : undefined,
    "gen_ai.provider.name": metadata.ls_provider,
    "gen_ai.usage.input_tokens": run.prompt_tokens || usage.inputTokens,
    "gen_ai.usage.output_tokens": run.completion_tokens || usage.outputTokens,
    "gen_ai.usage.cache_read.input_tokens": usage.cachedInputTokens,
    "gen_ai.usage.cache_creation.input_tokens": usage.cacheWriteTokens,
    "langsmith.metadata.thread_id": metadata.thread_id,
    "langsmith.metadata.session_id": metadata.session_id,
    "langsmith.metadata.conversation_id": metadata.conversation_id,
  };
  const start = timestampOf(start_time);
  return {
    traceId: String(run.trace_id ?? trace ?? id),
    spanId: id,
    parentId: typeof parent_run_id === "string" ? parent_run_id : undefined,
    name: String(name ?? ""),
    start,
    end: end_time === undefined || end_time === null ? start : timestampOf(end_time),
    attributes: new Map(
      Object.entries(attributes).filter(([, value]) => value !== undefined && value !== null),
    ),
    events: [],
    error: typeof error === "string" && error ? error : undefined,
  };
}

/** Milliseconds since 1970. The API's times are in UTC without a zone, and have microseconds. */
function timestampOf(time: unknown): number {
  if (typeof time === "number") return time;
  if (typeof time !== "string") return 0;
  const micros = Number(/\.\d{3}(\d{1,3})/.exec(time)?.[1]?.padEnd(3, "0") ?? 0) / 1000;
  const timestamp = Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(time) ? time : `${time}Z`);
  return Number.isFinite(timestamp) ? timestamp + micros : 0;
}
