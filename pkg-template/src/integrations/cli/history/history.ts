/** `history`: prints the trends of experiments that `run --history` kept. */

import { invalidInput } from "../../../core/errors.js";
import { counted } from "../../../core/input/counted.js";
import { whole } from "../../../core/input/counts.js";
import { difference } from "../../../core/number-text.js";
import { differentScales } from "../../../core/records/different-scales.js";
import { sparkline, visible, width, wrap } from "../../../core/terminal-text.js";
import type { ScoreScale } from "../../../core/types.js";
import type { ReadingOptions } from "../../../evaluation.js";
import { isMeanOfBooleans, meanText } from "../../../presentation/figures.js";
import { readAs, scalesIn } from "../../../presentation/reading.js";
import { layoutOf } from "../../../presentation/terminal/style.js";
import { table } from "../../../presentation/terminal/table.js";
import { checkDirections } from "../arguments/reading-options.js";
import { usageError } from "../cli-error.js";
import { addToJson } from "../output/json-result.js";
import { print } from "../output/streams.js";
import { columnsOf, terminalStyle } from "../output/terminal.js";
import { entriesOf, type HistoryEntry } from "./entries.js";
import type { HistoryOptions } from "./options.js";

export async function history(folders: string[], options: HistoryOptions): Promise<number> {
  const [folder = ".evals", ...more] = folders;
  if (more.length) throw usageError("history takes one folder");
  const entries = await entriesOf(folder);
  if (!entries?.length) throw invalidInput(`${folder} has no history; run --history ${folder} creates one`);
  const { filter = "", last = 30 } = options;
  const byName = new Map<string, HistoryEntry[]>();
  for (const entry of entries.filter(({ name }) => name.includes(filter)))
    byName.set(entry.name, [...(byName.get(entry.name) ?? []), entry]);
  if (!byName.size) throw usageError(`No experiment has "${filter}" in its name`);
  checkDirections(options, [...byName.values()].flat());
  const sections = Array.from(byName, ([name, runs]) => section(folder, name, runs.slice(-last), options));
  addToJson({ histories: Array.from(byName, ([name, runs]) => ({ name, runs: runs.slice(-last) })) });
  print(`${sections.map((lines) => lines.join("\n")).join("\n\n")}\n`);
  return 0;
}

function section(
  folder: string,
  name: string,
  entries: readonly HistoryEntry[],
  reading: HistoryOptions,
): string[] {
  const layout = layoutOf(terminalStyle());
  const { style } = layout;
  const keys = [...new Set(entries.flatMap(({ aggregates }) => Object.keys(aggregates)))];
  const rows = keys.map((key) => {
    const measured = entries.filter(({ aggregates }) => aggregates[key]?.mean != null);
    const [last, before] = [measured.at(-1), measured.at(-2)];
    return {
      key,
      means: entries.map(({ aggregates }) => aggregates[key]?.mean ?? undefined),
      last: last?.aggregates[key],
      before: before?.aggregates[key],
      different: before && last && differentScales(...scoresOfKey([before, last], key, reading)),
    };
  });
  type HistoryRow = (typeof rows)[number];
  const scaleOf = scalesIn(entries.at(-1) as HistoryEntry, reading);
  const mean = (aggregate: HistoryRow["last"]) => meanText(aggregate?.mean, aggregate);
  const change = ({ last, before }: HistoryRow) => (last?.mean ?? 0) - (before?.mean ?? 0);
  const lines = table<HistoryRow>(
    rows,
    [
      { title: "Key", text: ({ key }) => visible(key) },
      { title: "Trend", text: ({ means }) => sparkline(means) },
      { title: "Before", right: true, text: ({ before }) => mean(before) },
      { title: "Last", right: true, text: ({ last }) => mean(last), paint: () => style.bold },
      {
        title: "Change",
        right: true,
        text: (row) =>
          row.last && row.before && row.different === undefined
            ? difference(change(row), isMeanOfBooleans(row.last))
            : "",
        paint: (row) => {
          const { direction } = scaleOf(row.key);
          if (!direction || !row.last || !row.before || !change(row)) return style.dim;
          return change(row) > 0 === (direction === "lower") ? style.red : style.green;
        },
      },
      { title: "n", right: true, text: ({ last }) => whole(last?.count ?? 0), paint: () => style.dim },
    ],
    layout,
  );
  const [before, last] = [entries.at(-2), entries.at(-1) as HistoryEntry];
  const compare =
    before && visible(`npx openevals-wasm compare ${folder}/${before.file} ${folder}/${last.file}`);
  const different = rows.flatMap((row) => row.different ?? []);
  const advice = different.length
    ? different.flatMap((reason) =>
        wrap(visible(`The last two runs cannot be compared. ${reason}.`), columnsOf(process.stdout)),
      )
    : compare
      ? adviceLines(compare)
      : [];
  return [
    `${style.bold(visible(name))}  ${style.dim(`${counted(entries.length, "run")}, the last ${runName(last)}`)}`,
    "",
    ...lines,
    ...(advice.length ? ["", ...advice.map(style.dim)] : []),
  ];
}

/** The command has its own line if there is no room, so that it can be copied. */
function adviceLines(command: string): string[] {
  const advice = "To test whether this is chance:";
  const line = `${advice} ${command}`;
  return width(line) > columnsOf(process.stdout) ? [advice, `  ${command}`] : [line];
}

/** The scores of a key in two entries, and their recorded scale with the directions of the options. */
const scoresOfKey = (entries: [HistoryEntry, HistoryEntry], key: string, reading: ReadingOptions) =>
  entries.map(({ scales = {}, aggregates }) => ({
    ...readAs({ scales: Object.hasOwn(scales, key) ? { [key]: scales[key] as ScoreScale } : {} }, reading),
    aggregates: { [key]: aggregates[key] },
  })) as [EntryScores, EntryScores];

type EntryScores = Pick<HistoryEntry, "scales" | "aggregates">;

/** The time, the commit and the branch of a run. */
function runName({ startedAt, commit, branch }: HistoryEntry): string {
  const source = [commit?.slice(0, 8), branch && `on ${branch}`].filter(Boolean).join(" ");
  return visible(`${startedAt.slice(0, 16).replace("T", " ")}${source && `, ${source}`}`);
}
