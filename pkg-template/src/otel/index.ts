/** OpenTelemetry: trajectories out of traces. */

export { OpenEvalsError } from "../errors.js";
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
