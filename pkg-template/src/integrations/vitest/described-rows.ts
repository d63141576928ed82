/** The rows of a `describeEval`, which have to be known before its tests are. */

import { show } from "../../core/input/checks.js";
import { onUse } from "../../core/platform/on-use.js";
import type { Data, DataRow } from "../../experiments/evaluate/data/types.js";

/** A row with an id, by which its test finds it again. */
export interface DescribedRow extends DataRow {
  id: string;
}

/** The rows, if they are there already. */
export const rowsAtOnce = (data: Data): DescribedRow[] | undefined =>
  typeof data === "object" && data !== null && Symbol.iterator in data
    ? named(Array.from(data as Iterable<DataRow>))
    : undefined;

/** The rows of a file or a stream. */
export async function rowsLater(data: Data): Promise<DescribedRow[]> {
  if (typeof data === "object" && data !== null && Symbol.asyncIterator in data) {
    const rows: DataRow[] = [];
    for await (const row of data as AsyncIterable<DataRow>) rows.push(row);
    return named(rows);
  }
  const { evaluate } = await onUse("evaluate()", () => import("../../experiments/evaluate/evaluate.js"));
  // Without a target, what stands in the row is both what was answered and what should be.
  const { rows } = await evaluate(undefined, { data, progress: false });
  return rows.map(({ example, run }) => {
    const { outputs: referenceOutputs, ...others } = example;
    return {
      ...others,
      ...(run.outputs === undefined ? undefined : { outputs: run.outputs }),
      ...(referenceOutputs === undefined ? undefined : { referenceOutputs }),
    };
  });
}

/** What is no row has no id: that is told when the rows are evaluated. */
const named = (rows: readonly DataRow[]): DescribedRow[] =>
  rows.map((row, index) =>
    typeof row === "object" && row !== null && !Array.isArray(row)
      ? { ...row, id: String(row.id ?? index + 1) }
      : (row as DescribedRow),
  );

/** What the test of a row is called: its id, and what it asks if that is only its place. */
export function titleOf(row: DescribedRow, index: number): string {
  const { id = String(index + 1), inputs } = Object(row) as Partial<DescribedRow>;
  if (id !== String(index + 1) || inputs === undefined) return id;
  const asked = (typeof inputs === "string" ? inputs : show(inputs)).replaceAll(/\s+/g, " ").trim();
  return `${id}: ${asked.length > LONGEST ? `${asked.slice(0, LONGEST - 1)}…` : asked}`;
}

const LONGEST = 60;
