import { invalidInput } from "../../../core/errors.js";
import { Ledger } from "../../stored/ledger.js";
import { openData } from "../data/data.js";
import type { ReadRow } from "../data/types.js";
import type { Plan } from "../options.js";
import { ShardOfData } from "../shard.js";
import { Turns } from "../turns.js";
import { BudgetWatch } from "./watch.js";

/** The rows of a plan that were looked at. */
export interface Seen {
  /** How many there are. */
  examples: number;
  /** Whether the time was over before the data: there may be more. */
  isCut: boolean;
}

/** Looks at all rows of a plan, or at as many as there is time for. */
export async function eachRow(
  { data, target, shard, budget }: Plan,
  look: (row: ReadRow, index: number, total: number | undefined) => Promise<void> | undefined,
): Promise<Seen> {
  const { maxDurationMs } = budget ?? {};
  const watch = new BudgetWatch(
    maxDurationMs === undefined ? {} : { maxDurationMs },
    undefined,
    new Ledger(),
    performance.now(),
  );
  const hasTarget = target !== undefined;
  const all = await openData(data, hasTarget);
  const { rows: parts, total } = shard ? new ShardOfData(shard, hasTarget).of(all) : all;
  const turns = new Turns();
  let examples = 0;
  const lookAt = async (rows: Iterable<ReadRow>): Promise<boolean> => {
    for (const row of rows) {
      if (watch.endsHere()) return false;
      await look(row, examples++, total);
      if (turns.isDue) await turns.give();
    }
    return true;
  };
  if (Symbol.iterator in parts) {
    for (const rows of parts) if (!(await lookAt(rows))) break;
  } else for await (const rows of watch.inTime(parts)) if (!(await lookAt(rows))) break;
  if (!examples && !total)
    throw invalidInput(
      watch.usedUp
        ? "The data has given no row in the time that there was, so that there is nothing to estimate from"
        : "The data has no rows, so that there is nothing to estimate",
    );
  const isCut = watch.usedUp !== undefined && total === undefined;
  return { examples: watch.usedUp ? (total ?? examples) : examples, isCut };
}

/** What an estimate says of data that had not ended. */
export const cutText = (examples: number): string =>
  `The data had not come to its end when maxDurationMs was over: only the ${examples} rows that had come are counted.`;
