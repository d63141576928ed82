/** The values of a failed test as lines of its message. */

import { masked, show } from "../../core/input/checks.js";
import { counted } from "../../core/input/counted.js";
import { truncate } from "../../core/terminal-text.js";
import { besideMessages, readSteps, type ShownStep } from "../../presentation/steps.js";

/** The values by name. Messages have a line each; if there are many, those around the places that the problems name. */
export const valueLines = (values: Record<string, unknown>, problems: readonly string[]): string[] =>
  Object.entries(values).flatMap(([name, value]) => {
    const steps = messagesIn(value);
    if (!steps) return [`${name}: ${cutOff(value)}`];
    const others = besideMessages(value);
    return [
      `${name}: ${counted(steps.length, "message")}${others ? ` and ${cutOff(others)}` : ""}`,
      ...messageLines(steps, placesIn(name, problems)),
    ];
  });

/** `show()` cuts off texts at this length. */
const MAX_SHOWN = 200;

function cutOff(value: unknown): string {
  const shown = show(value);
  return shown.length < MAX_SHOWN ? shown : `${shown}…`;
}

/** Messages with their calls, in the form of any package. Members with the name of a secret are masked. */
function messagesIn(value: unknown): ShownStep[] | undefined {
  if (!Array.isArray(Object(value).messages ?? value)) return undefined;
  try {
    return readSteps(JSON.parse(JSON.stringify(value, maskedCalls)));
  } catch {
    return undefined;
  }
}

/** As `masked`, also within the arguments of calls, which OpenAI's form has as JSON. */
function maskedCalls(name: string, member: unknown): unknown {
  if (name !== "arguments" || typeof member !== "string") return masked(name, member);
  try {
    return JSON.stringify(JSON.parse(member), masked);
  } catch {
    return member;
  }
}

/** A message that a problem names, or one of its calls. */
interface NamedPlace {
  message: number;
  call: number | undefined;
}

/** The indices in `outputs[3].tool_calls[0]` and similar places. */
const placesIn = (name: string, problems: readonly string[]): NamedPlace[] =>
  Array.from(
    problems.join("\n").matchAll(/(\w+)(?:\.messages)?\[(\d+)\](?:\.tool_calls\[(\d+)\])?/g),
  ).flatMap(([, list, message, call]) =>
    list === name ? { message: Number(message), call: call === undefined ? undefined : Number(call) } : [],
  );

/** The number of messages that are all shown; of more, the number of places, and of messages before and after each. */
const MAX_MESSAGES = 10;
const MAX_PLACES = 3;
const BESIDE = 2;

function messageLines(steps: readonly ShownStep[], places: readonly NamedPlace[]): string[] {
  const near = [...new Set(places.map(({ message }) => message))].slice(0, MAX_PLACES);
  const isShown = (index: number) =>
    steps.length <= MAX_MESSAGES ||
    (near.length
      ? near.some((place) => Math.abs(index - place) <= BESIDE)
      : index >= steps.length - MAX_MESSAGES);
  // The last of those that are left out stands for all of them.
  return steps.flatMap((step, index) =>
    isShown(index)
      ? linesOf(step, index, places)
      : isShown(index + 1) || index === steps.length - 1
        ? ["  …"]
        : [],
  );
}

const MAX_LINE = 140;
const MAX_TEXT_BESIDE_CALLS = 60;

/** The line of a message. If its calls do not fit, those that the problems name follow, a line each. */
function linesOf({ title, text, calls }: ShownStep, index: number, places: readonly NamedPlace[]): string[] {
  const said = text.replaceAll(/\s+/g, " ");
  const beside = calls.length ? truncate(said, MAX_TEXT_BESIDE_CALLS) : said;
  const start = beside ? `${title}: ${beside}` : title;
  const all = [start, ...calls.map((call) => `-> ${call.text}`)].join(" ");
  const line = truncate(all, MAX_LINE);
  const named = places.flatMap(({ message, call }) =>
    message === index && call !== undefined && calls[call] ? call : [],
  );
  if (line === all || !named.length) return [`  [${index}] ${line}`];
  const shown = [...new Set(named)].slice(0, MAX_PLACES).sort((a, b) => a - b);
  return [
    `  [${index}] ${start} -> ${counted(calls.length, "call")}`,
    ...shown.map((call) => `    tool_calls[${call}] -> ${truncate(String(calls[call]?.text), MAX_LINE)}`),
  ];
}
