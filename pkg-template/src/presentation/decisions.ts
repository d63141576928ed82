import { counted } from "../core/input/counted.js";
import type { Decision, Experiment } from "../core/records/types.js";
import { rangeText } from "./figures.js";

/** The decisions of `stopWhen` as a sentence; `undefined` without any. */
export function decisionText({
  decisions = [],
  stoppedEarly,
}: Pick<Experiment, "decisions" | "stoppedEarly">): string | undefined {
  if (!decisions.length) return undefined;
  return `${stoppedEarly ? "Stopped early: " : ""}${decisions.map(decisionInWords).join("; ")}`;
}

/** The caveats of the decisions, each with its key. */
export const decisionNotes = ({ decisions = [] }: Pick<Experiment, "decisions">): string[] =>
  decisions.flatMap(({ key, note }) => (note === undefined ? [] : [`${key}: ${note}`]));

function decisionInWords(decision: Decision): string {
  const { examples, errors, interval } = decision;
  const level = interval && Number((interval.level * 100).toFixed(2));
  const details = [
    ...(interval ? [`${rangeText(interval, false)}, ${level}% at every look`] : []),
    ...(!interval && examples ? ["no mean fits: the rows are not in random order"] : []),
    ...(errors ? [`${counted(errors, "example")} with errors`] : []),
  ].join("; ");
  return `${finding(decision)} after ${counted(examples, "example")}${details && ` (${details})`}`;
}

function finding({ key, verdict, threshold, width, isDifference }: Decision): string {
  const subject = isDifference ? `the difference of ${key}` : key;
  if (verdict === "narrow") return `${subject} is known to within ${width}`;
  if (verdict) return `${subject} is ${verdict} ${threshold}`;
  return threshold === undefined
    ? `${subject} is not known to within ${width}`
    : `whether ${subject} is above or below ${threshold} is not known`;
}
