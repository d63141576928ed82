import { invalidInput } from "../../errors.js";
import { openData } from "../data/data.js";
import type { ReadRow } from "../data/types.js";
import type { Plan } from "../options.js";
import { ofShard } from "../shard.js";

/** Looks at all rows of a plan; answers how many there are. */
export async function eachRow(
  { data, target, shard }: Plan,
  look: (row: ReadRow, index: number, total: number | undefined) => Promise<void> | undefined,
): Promise<number> {
  const { rows: parts, total } = ofShard(await openData(data, target !== undefined), shard);
  let count = 0;
  for await (const rows of parts) for (const row of rows) await look(row, count++, total);
  if (!count) throw invalidInput("The data has no rows, so that there is nothing to estimate");
  return count;
}
