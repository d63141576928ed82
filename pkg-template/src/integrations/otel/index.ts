/** OpenTelemetry: reads trajectories from traces, exports results, and scores live traffic. */

export { OpenEvalsError } from "../../core/errors.js";
export type { Drift, DriftEstimate } from "./online/drift.js";
export {
  type OnlineOptions,
  type OnlineOutcome,
  type OnlineRow,
  type OnlineScorer,
  type OnlineStats,
  online,
  type Platform,
} from "./online/online.js";
export type { Sample } from "./online/sample.js";
export type { EventAttributes, RecordedResult } from "./results/event.js";
export {
  createResultExporter,
  type ResultExporter,
  type ResultExporterOptions,
} from "./results/exporter.js";
export type { ExportReport } from "./results/outbox.js";
export type { ScoredSpan } from "./results/payload.js";
export { type LoggerOfApi, type ResultTarget, recordResults, type SpanOfApi } from "./results/record.js";
export type { TraceModelCall } from "./traces/facts.js";
export type { TraceMessage, TraceToolCall } from "./traces/message.js";
export type {
  TraceMetadata,
  TraceNote,
  TraceReading,
  TraceReadingOptions,
  TraceTrajectory,
} from "./traces/trajectories.js";
export { trajectoriesFromOtlp } from "./traces/trajectories.js";
