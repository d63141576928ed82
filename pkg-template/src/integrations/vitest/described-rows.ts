/** Reads the rows of `describeEval` before the experiment, because each row becomes a test. */

import { show } from "../../core/input/checks.js";
import { isRecord } from "../../core/input/objects.js";
import { rowId } from "../../core/input/row-id.js";
import { onUse } from "../../core/platform/on-use.js";
import { visible } from "../../core/terminal-text.js";
import type { Data, DataRow, ExperimentRow, RowMap } from "../../evaluation.js";

/** A row with the id by which its test finds the result. */
export interface DescribedRow extends DataRow {
  id: string;
}

/** The rows of a list or an iterable; `undefined` for data that is read asynchronously. */
export const rowsAtOnce = (data: Data): DescribedRow[] | undefined =>
  typeof data === "object" && data !== null && Symbol.iterator in data
    ? withIds(Array.from(data as Iterable<DataRow>))
    : undefined;

/** Rows that were read before the experiment. */
export interface ReadRows {
  rows: DescribedRow[];
  /** Set for files: the unknown fields, which `rows` lack. The option `map` has been applied to the others. */
  ignoredFields?: string[];
}

/** The rows of a file or a stream. */
export async function rowsLater(data: Data, map: RowMap | undefined): Promise<ReadRows> {
  if (typeof data === "object" && data !== null && Symbol.asyncIterator in data) {
    const rows: DataRow[] = [];
    for await (const row of data as AsyncIterable<DataRow>) rows.push(row);
    return { rows: withIds(rows) };
  }
  const { evaluate } = await onUse("evaluate()", () => import("../../evaluation.js"));
  // Without a target, a row has both the answer and the reference.
  const { rows, ignoredFields = [] } = await evaluate(undefined, { data, map, progress: false });
  return { rows: rows.map(describedRow), ignoredFields };
}

function describedRow({ example, run }: ExperimentRow): DescribedRow {
  const { outputs: referenceOutputs, ...others } = example;
  return {
    ...others,
    ...(run.outputs === undefined ? undefined : { outputs: run.outputs }),
    ...(referenceOutputs === undefined ? undefined : { referenceOutputs }),
  };
}

/** Adds missing ids. `evaluate()` rejects values that are not rows. */
const withIds = (rows: readonly DataRow[]): DescribedRow[] =>
  rows.map((row, index) =>
    isRecord(row) ? { ...row, id: rowId(row, `data[${index}]`) ?? String(index + 1) } : (row as DescribedRow),
  );

/** The name of a row's test: its id, followed by the inputs if the id is only the position. */
export function titleOf(row: DescribedRow, index: number): string {
  const { id = String(index + 1), inputs } = Object(row) as Partial<DescribedRow>;
  if (id !== String(index + 1) || inputs === undefined) return visible(id);
  const shown = (typeof inputs === "string" ? inputs : show(inputs)).replaceAll(/\s+/g, " ").trim();
  return visible(`${id}: ${shown.length > MAX_TITLE ? `${shown.slice(0, MAX_TITLE - 1)}…` : shown}`);
}

/** The longest inputs in the name of a test, in characters. */
const MAX_TITLE = 60;
