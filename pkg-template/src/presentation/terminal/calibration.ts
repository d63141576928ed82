/** A calibration report, as text for the terminal. */

import { typedReading } from "../../core/errors.js";
import { checkOptions } from "../../core/input/checks.js";
import { counted } from "../../core/input/counted.js";
import { whole } from "../../core/input/counts.js";
import { figure, percent } from "../../core/number-text.js";
import type { CalibrationReport, Disagreement, Figure } from "../../core/records/calibration.js";
import {
  firstVisibleLine,
  oneLine,
  padEnd,
  truncate,
  visible,
  width,
  wrap,
} from "../../core/terminal-text.js";
import { intervalTitle, rangeText } from "../figures.js";
import { layoutOf, TERMINAL_OPTIONS, type TerminalOptions, type TextLayout } from "./style.js";
import { table } from "./table.js";

/**
 * Formats a report of `calibrate()` as text for the terminal: the figures with their intervals, the reasons for missing ones, and
 * the disagreements of which the judge was most confident.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for invalid options, `invalid_input` for an invalid report.
 *
 * @example
 * ```ts
 * import { type CalibrationReport, formatCalibration } from "openevals-wasm/judges";
 *
 * export const print = (report: CalibrationReport) => console.log(formatCalibration(report, { columns: 100 }));
 * ```
 */
export function formatCalibration(report: CalibrationReport, options: TerminalOptions = {}): string {
  const layout = layoutOf(checkOptions("formatCalibration", options, TERMINAL_OPTIONS));
  return typedReading("formatCalibration", () => {
    const figures = figuresOf(report);
    const sections = [
      heading(report, layout),
      failureLines(report, layout),
      figureLines(figures, layout),
      unknownLines(figures, report.notes, layout),
      disagreementLines(report.disagreements, layout),
    ];
    return sections
      .filter((lines) => lines.length > 0)
      .map((lines) => `${lines.join("\n")}\n`)
      .join("\n");
  });
}

function heading(
  { key, count, examples, clusters, leftOut, lowerIsBetter, notes, verdicts }: CalibrationReport,
  { size, style }: TextLayout,
): string[] {
  const repeats = count > examples ? ` of ${counted(examples, "example")}` : "";
  const grouped = clusters === undefined ? "" : ` in ${counted(clusters, "cluster")}`;
  const facts = `${counted(count, "result")}${repeats}${grouped}`;
  const without = [
    [leftOut.unlabelled, "unlabelled"],
    [leftOut.undecided, "with tied labels"],
    [leftOut.errors, "failed"],
    [leftOut.notApplicable, "not applicable"],
    [leftOut.unmatched ?? 0, "labelled but not in the experiment"],
  ] as const;
  const left = without.flatMap(([rows, why]) => (rows ? [`${whole(rows)} ${why}`] : []));
  const name = truncate(visible(key), Math.max(size - width(facts) - 2, 8));
  return [
    `${style.bold(name)}  ${style.dim(facts)}`,
    ...(lowerIsBetter ? wrap(LOWER, size).map(style.dim) : []),
    ...(left.length ? wrap(`Left out: ${left.join(", ")}`, size).map(style.yellow) : []),
    ...(notes["confusion"] ? wrap(visible(notes["confusion"]), size).map(style.yellow) : []),
    ...wrap(mistakesOf(verdicts, lowerIsBetter), size),
  ];
}

/** Of the rows that people fail, how many the judge passes, and the reverse. Repetitions are fractions of a row. */
function mistakesOf(verdicts: CalibrationReport["verdicts"], lowerIsBetter = false): string {
  if (!verdicts) return "";
  const { truePositives, falseNegatives, falsePositives, trueNegatives } = verdicts;
  const ofTrue = { all: truePositives + falseNegatives, wrong: falseNegatives };
  const ofFalse = { all: trueNegatives + falsePositives, wrong: falsePositives };
  const [failed, passed] = lowerIsBetter ? [ofTrue, ofFalse] : [ofFalse, ofTrue];
  const sentence = ({ all, wrong }: typeof failed, people: string, judge: string) =>
    all ? [`Of ${rows(all)} that people ${people}, the judge ${judge} ${share(wrong)}.`] : [];
  return [...sentence(failed, "fail", "passes"), ...sentence(passed, "pass", "fails")].join(" ");
}

const share = (count: number): string => whole(Number(count.toFixed(1)));
const rows = (count: number): string => `${share(count)} ${count === 1 ? "row" : "rows"}`;

/** The errors of the judge, with the ids of the first examples. */
function failureLines({ failures = [], leftOut }: CalibrationReport, { size, style }: TextLayout): string[] {
  const listed = failures.reduce((sum, { count }) => sum + count, 0);
  const more = leftOut.errors - listed;
  return [
    ...failures.flatMap(({ message, count, exampleIds }) => {
      const [first = "", ...rest] = wrap(oneLine(message), size - 2);
      const ids = `${exampleIds.map(visible).join(", ")}${count > exampleIds.length ? ", …" : ""}`;
      return [
        `${style.yellow("!")} ${first}`,
        ...rest.map((line) => `  ${line}`),
        ...wrap(`${counted(count, "result")}: ${ids}`, size - 4).map((line) => `    ${style.dim(line)}`),
      ];
    }),
    ...(failures.length && more > 0 ? [style.dim(`… and ${counted(more, "other error")}`)] : []),
  ];
}

const LOWER =
  "Lower scores are better: a row that people pass has a label of false here, and true positives fail.";

interface NamedFigure {
  title: string;
  /** The key of its note. */
  name: string;
  figure: Figure;
  isRate?: boolean;
}

/** The figures of a report. For true and false, those of grades would only repeat the others. */
function figuresOf({ kind, threshold, alpha, bias, people, ...report }: CalibrationReport): NamedFigure[] {
  // Reports of earlier versions call it `flicker`.
  const { flipRate = (report as { flicker?: Figure }).flicker as Figure } = report;
  const isBinary = kind === "verdicts";
  // With a threshold, verdicts come from scores.
  const hasScores = !isBinary || threshold !== undefined;
  const graded = (isGraded: boolean, ...figures: NamedFigure[]) => (isGraded ? figures : []);
  return [
    { title: "Accuracy", name: "accuracy", figure: report.accuracy, isRate: true },
    { title: "Sensitivity", name: "sensitivity", figure: report.sensitivity, isRate: true },
    { title: "Specificity", name: "specificity", figure: report.specificity, isRate: true },
    { title: "Cohen's kappa", name: "kappa", figure: report.kappa },
    ...graded(!isBinary, { title: "Weighted kappa", name: "weightedKappa", figure: report.weightedKappa }),
    { title: "Nominal alpha", name: "alpha.nominal", figure: alpha.nominal },
    ...graded(
      hasScores,
      { title: "Ordinal alpha", name: "alpha.ordinal", figure: alpha.ordinal },
      { title: "Interval alpha", name: "alpha.interval", figure: alpha.interval },
    ),
    { title: "AC1", name: "ac1", figure: report.ac1 },
    ...graded(
      hasScores,
      { title: "Spearman's rho", name: "spearman", figure: report.spearman },
      { title: "Kendall's tau-b", name: "kendall", figure: report.kendall },
      { title: "Mean absolute error", name: "meanAbsoluteError", figure: report.meanAbsoluteError },
    ),
    { title: "Calibration error", name: "expectedCalibrationError", figure: report.expectedCalibrationError },
    { title: "Brier score", name: "brier", figure: report.brier },
    { title: "Flip rate", name: "flipRate", figure: flipRate, isRate: true },
    { title: "Position bias", name: "bias.position", figure: bias.position },
    { title: "Verbosity bias", name: "bias.verbosity", figure: bias.verbosity },
    { title: "Self-preference", name: "bias.selfPreference", figure: bias.selfPreference },
    ...(people
      ? [
          { title: "Human agreement", name: "people.agreement", figure: people.agreement, isRate: true },
          { title: "Human nominal alpha", name: "people.alpha.nominal", figure: people.alpha.nominal },
          ...graded(
            !isBinary,
            { title: "Human ordinal alpha", name: "people.alpha.ordinal", figure: people.alpha.ordinal },
            { title: "Human interval alpha", name: "people.alpha.interval", figure: people.alpha.interval },
          ),
          { title: "Human AC1", name: "people.ac1", figure: people.ac1 },
        ]
      : []),
  ];
}

const AGREEMENT =
  "Kappa, Krippendorff's alpha and Gwet's AC1 are agreement beyond chance: 1 is perfect, 0 is that of chance. AC1 does not drop when nearly all labels are of one class.";

function figureLines(all: readonly NamedFigure[], layout: TextLayout): string[] {
  const known = all.filter(({ figure }) => figure.value !== null);
  if (!known.length) return [];
  return table(
    known,
    [
      { title: "Figure", text: ({ title }) => title, notes: [AGREEMENT] },
      {
        title: "Value",
        right: true,
        text: ({ figure: { value }, isRate = false }) => figure(value as number, isRate),
        paint: () => layout.style.bold,
      },
      {
        title: intervalTitle(known.map(({ figure }) => figure.interval)),
        right: true,
        text: ({ figure: { interval }, isRate = false }) => (interval ? rangeText(interval, isRate) : "–"),
      },
    ],
    layout,
  );
}

const NO_INTERVAL = "It has no interval: ";

/** The missing figures and intervals, grouped by reason. */
function unknownLines(
  all: readonly NamedFigure[],
  notes: CalibrationReport["notes"],
  { size, style }: TextLayout,
): string[] {
  const titles = new Map<string, string[]>();
  for (const { title, name, figure } of all) {
    const why = figure.interval === null && notes[name];
    if (why) titles.set(why, [...(titles.get(why) ?? []), title]);
  }
  return Array.from(titles, ([why, missing]) => {
    const names = missing.join(", ");
    const text = why.startsWith(NO_INTERVAL)
      ? `No interval for ${names}: ${why.slice(NO_INTERVAL.length)}`
      : `${names}: ${why}`;
    return wrap(visible(text), size);
  })
    .flat()
    .map(style.dim);
}

/** The number of disagreements shown. */
const MAX_DISAGREEMENTS = 10;

function disagreementLines(all: readonly Disagreement[], layout: TextLayout): string[] {
  if (!all.length) return [];
  const shown = all.slice(0, MAX_DISAGREEMENTS);
  const more = all.length - shown.length;
  const { style } = layout;
  return [
    style.bold(counted(all.length, "disagreement")),
    ...shown.flatMap((one) => ["", ...disagreement(one, layout)]),
    ...(more ? ["", style.dim(`… and ${whole(more)} more`)] : []),
  ];
}

/** The row on which judge and people disagree: its data and both verdicts, each in one line. */
function disagreement(
  { exampleId, repetition, inputs, outputs, label, verdict, confidence, comment }: Disagreement,
  { size, style }: TextLayout,
): string[] {
  const name = repetition ? `${exampleId} #${repetition + 1}` : exampleId;
  const sure = confidence === null ? "" : `, with a confidence of ${percent(confidence)}`;
  const facts = [
    ["inputs", inputs && oneLine(inputs)],
    ["outputs", outputs && oneLine(outputs)],
    ["people", oneLine(label)],
    ["judge", `${truncate(oneLine(verdict), 20)}${sure}`],
    ["comment", firstVisibleLine(comment ?? "")],
  ] as const;
  return [
    style.bold(truncate(visible(name), size)),
    ...facts.flatMap(([title, text]) =>
      text ? [`  ${style.dim(padEnd(title, LABEL))}${truncate(text, size - 2 - LABEL)}`] : [],
    ),
  ];
}

/** The width of the titles, with the space after them. */
const LABEL = 9;
