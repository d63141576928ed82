/** Downloads and the clipboard. */

import { whole } from "../../../core/input/counts.js";
import { hasValue, scoreOf } from "../../../core/records/score.js";
import type { Aggregate, Experiment, ExperimentRow } from "../../../core/records/types.js";
import { chargesOf } from "../../../experiments/stored/account.js";
import { Ledger } from "../../../experiments/stored/ledger.js";
import { h } from "./dom.js";

/** Downloads a text as a file. */
export function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = h("a", { href: url, download: name });
  link.click();
  // The download has started by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** The name of an experiment as a file name. */
export const fileName = (name: string): string =>
  name.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 80) || "experiment";

/**
 * The experiment with some of its rows. Aggregates are recomputed without intervals; everything else that is about all rows is left
 * out: summary results, decisions, and what merging needs.
 */
export function experimentWith(experiment: Experiment, rows: ExperimentRow[]): Experiment {
  if (rows.length === experiment.rows.length) return experiment;
  const { metadata, aggregates, decisions, stoppedEarly, shard, merging, missingShards, ...more } =
    experiment;
  const { prices, unreadableUsage, budget, ...rest } = more;
  const ledger = new Ledger();
  for (const row of rows) ledger.add(chargesOf(row), row.example.id);
  const counts = Object.fromEntries(Object.keys(aggregates).map((key) => [key, counted(key, rows)]));
  ledger.noteIn(counts, prices);
  return {
    ...rest,
    metadata: { ...metadata, selection: `${whole(rows.length)} of ${whole(experiment.rows.length)} rows` },
    rows,
    aggregates: counts,
    summaryResults: [],
    ...ledger.used(prices),
  };
}

function counted(key: string, rows: readonly ExperimentRow[]): Aggregate {
  const results = rows.flatMap((row) => row.evaluationResults.filter((one) => one.key === key));
  const scores = results.map(scoreOf).filter((score) => score !== undefined);
  const yes = scores.filter((score) => score === true).length;
  const values = results.filter(hasValue).length;
  const areFlags = scores.length > 0 && scores.every((score) => typeof score === "boolean");
  return {
    mean: scores.length
      ? scores.reduce<number>((sum, score) => sum + Number(score), 0) / scores.length
      : null,
    count: scores.length,
    errors: rows.reduce((sum, { errors }) => sum + errors.filter((one) => one.key === key).length, 0),
    notApplicable: results.length - scores.length - values,
    ...(values && { values }),
    interval: null,
    standardError: null,
    distribution: areFlags ? { kind: "boolean", true: yes, false: scores.length - yes } : null,
  };
}

/** A row as a line of a JSON Lines dataset. */
export function testCase({ example, run }: ExperimentRow): string {
  const { id, inputs, outputs, metadata, attachments } = example;
  return JSON.stringify({
    id,
    inputs,
    outputs: run.outputs,
    // Without this field, the answer would be the reference of a target.
    referenceOutputs: outputs ?? null,
    metadata,
    attachments,
  });
}

/** Copies a text to the clipboard. Returns `false` if the browser does not allow it. */
export async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedBySelection(text);
  }
}

/** A fallback for frames and pages without HTTPS, which have no clipboard API. */
function copiedBySelection(text: string): boolean {
  const before = document.activeElement;
  const field = h("textarea", { class: "unseen", readonly: true, "aria-hidden": "true" });
  field.value = text;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return isCopied;
}
