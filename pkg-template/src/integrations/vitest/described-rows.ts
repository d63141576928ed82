/** Reads the rows of `describeEval` before the experiment, because each row becomes a test. */

import { show } from "../../core/input/checks.js";
import { isRecord } from "../../core/input/objects.js";
import { rowId } from "../../core/input/row-id.js";
import { valueAt } from "../../core/input/value-at.js";
import { onUse } from "../../core/platform/on-use.js";
import { visible } from "../../core/terminal-text.js";
import type { Data, DataRow, ExperimentRow, RowMap } from "../../evaluation.js";

/** A row with the id by which its test finds the result. */
export interface DescribedRow extends DataRow {
  id: string;
}

/** The rows of a list or an iterable; `undefined` for data that is read asynchronously. */
export const rowsAtOnce = (data: Data, map: RowMap | undefined): ReadRows | undefined =>
  typeof data === "object" && data !== null && Symbol.iterator in data
    ? withIds(Array.from(data as Iterable<DataRow>), map)
    : undefined;

/** Rows that were read before the experiment. */
export interface ReadRows {
  rows: DescribedRow[];
  /** The part of the option `map` that has not been applied to the rows. */
  map?: RowMap | undefined;
  /** Set for files: the unknown fields, which `rows` lack. */
  ignoredFields?: string[];
}

/** The rows of a file or a stream. */
export async function rowsLater(data: Data, map: RowMap | undefined): Promise<ReadRows> {
  if (typeof data === "object" && data !== null && Symbol.asyncIterator in data) {
    const rows: DataRow[] = [];
    for await (const row of data as AsyncIterable<DataRow>) rows.push(row);
    return withIds(rows, map);
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

/** Reads the ids, and adds missing ones. `evaluate()` rejects values that are not rows, and an id in `map` that no row has. */
function withIds(given: readonly DataRow[], map: RowMap | undefined): ReadRows {
  const { id: source, ...others } = Object(map) as Partial<RowMap>;
  const idIn = (row: DataRow) => (typeof source === "string" ? valueAt(row, source)?.value : row.id);
  const rows = given.map((row, index) => {
    if (!isRecord(row)) return row as DescribedRow;
    return { ...row, id: rowId({ id: idIn(row) }, `data[${index}]`) ?? String(index + 1) };
  });
  const hasIds = source !== undefined && given.some((row) => isRecord(row) && idIn(row) != null);
  if (!hasIds) return { rows, map };
  return { rows, map: Object.keys(others).length ? (others as RowMap) : undefined };
}

/** The name of a row's test: its id, followed by the inputs if the id is only the position. */
export function titleOf(row: DescribedRow, index: number): string {
  const { id = String(index + 1), inputs } = Object(row) as Partial<DescribedRow>;
  if (id !== String(index + 1) || inputs === undefined) return visible(id);
  const shown = (typeof inputs === "string" ? inputs : show(inputs)).replaceAll(/\s+/g, " ").trim();
  return visible(`${id}: ${shown.length > MAX_TITLE ? `${shown.slice(0, MAX_TITLE - 1)}…` : shown}`);
}

/** The longest inputs in the name of a test, in characters. */
const MAX_TITLE = 60;
