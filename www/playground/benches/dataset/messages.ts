/** What the page and its worker tell each other. */

import type { Aggregate, FieldMap } from "openevals-wasm/evaluation";

/** Which column is what; an empty name is none. */
export interface Mapping {
  inputs: string;
  outputs: string;
  reference: string;
}

export type EvaluatorName = "exact" | "levenshtein" | "tokenF1" | "rougeL" | "json" | "trajectory";

/** A run has a number, since its messages may come after the next one was asked for. */
export type ToWorker =
  | { type: "read"; data: string | Blob }
  | { type: "run"; turn: number; mapping: Mapping; evaluators: EvaluatorName[]; compare: boolean }
  | { type: "stop" };

export type FromWorker =
  | {
      type: "table";
      columns: string[];
      count: number;
      preview: Record<string, unknown>[];
      /** Whether the rows have ids. */
      hasIds: boolean;
      /** The columns of fields that the table has under other names. */
      map: FieldMap;
    }
  | { type: "progress"; turn: number; done: number; total: number; failed: number }
  | {
      type: "done";
      turn: number;
      aggregates: Record<string, Aggregate>;
      done: number;
      durationMs: number;
      stopped: boolean;
      report: Blob;
      json: Blob;
    }
  | { type: "unread"; message: string }
  | { type: "failed"; turn?: number; message: string };
