/** The home page: scores the trajectory in it, whenever a value changes. */

import { createTrajectoryMatchEvaluator, type TrajectoryF1Metadata } from "openevals-wasm";
import { say } from "../shared/dom.js";
import { shown } from "../shared/scores.js";

// Benches had their links here, before the playground had a page.
if (/^#(?:texts|trajectories|judge|dataset|recipes)(?:\?|$)/.test(location.hash))
  location.replace(`playground.html${location.hash}`);

const $ = (id: string) => document.getElementById(id) as HTMLElement;
const sides = { outputs: $("outputs"), referenceOutputs: $("reference") };
const matches = createTrajectoryMatchEvaluator({ trajectoryMatchMode: "strict" });
const f1 = createTrajectoryMatchEvaluator({ trajectoryMatchMode: "strict", scoring: "f1" });

const argsOf = (call: Element) =>
  Object.fromEntries(
    Array.from(call.querySelectorAll("input"), ({ name, value }) => [name, numberIn(value)]),
  );

/** A number where the text is one. */
const numberIn = (text: string): unknown =>
  text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;

/** The messages of a list; a call is a message. */
const messagesIn = (list: Element) =>
  Array.from(list.querySelectorAll<HTMLElement>("[data-role], [data-tool]"), (item) => {
    const { role = "assistant", tool } = item.dataset;
    if (!tool) return { role, content: item.textContent ?? "" };
    const call = { function: { name: tool, arguments: JSON.stringify(argsOf(item)) } };
    return { role, content: "", tool_calls: [call] };
  });

let turn = 0;

async function score(): Promise<void> {
  const mine = ++turn;
  const outputs = messagesIn(sides.outputs);
  const referenceOutputs = messagesIn(sides.referenceOutputs);
  const pair = { outputs, referenceOutputs } as Parameters<typeof matches>[0];
  const [verdict, overlap] = await Promise.all([matches(pair), f1(pair)]);
  if (mine !== turn) return;
  const { unmatchedOutputs, unmatchedReferenceOutputs } = overlap.metadata as unknown as TrajectoryF1Metadata;
  mark(sides.outputs, new Set(unmatchedOutputs.map(({ message }) => message)));
  mark(sides.referenceOutputs, new Set(unmatchedReferenceOutputs.map(({ message }) => message)));
  say($("verdict"), verdict.score ? "✓ true" : "✗ false");
  $("verdict").className = `verdict ${verdict.score ? "yes" : "no"}`;
  say($("f1"), shown(overlap.score as number));
  say($("comment"), verdict.comment ?? "Both made the same calls.");
  const state = { outputs: inLines(outputs), reference: inLines(referenceOutputs), mode: "strict" };
  ($("open") as HTMLAnchorElement).href = `playground.html#trajectories?${new URLSearchParams(state)}`;
}

const inLines = (value: unknown) => JSON.stringify(value, undefined, 2);

/** Marks the calls without a partner, by the places of their messages. */
function mark(list: Element, alone: ReadonlySet<number>): void {
  list.querySelectorAll("[data-role], [data-tool]").forEach((item, place) => {
    item.classList.toggle("alone", alone.has(place));
  });
}

/** Says what was loaded, and how long it took from the first paint to the score. */
async function start(): Promise<void> {
  // Nothing is loaded before the page has been painted. Pages in the background never are.
  await new Promise<void>((painted) => {
    requestAnimationFrame(() => setTimeout(painted));
    setTimeout(painted, 500);
  });
  const before = performance.now();
  try {
    await score();
    const took = Math.max(1, Math.round(performance.now() - before));
    const [file] = performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".wasm"));
    const size = (file as PerformanceResourceTiming | undefined)?.encodedBodySize;
    say(
      $("engine"),
      `Scored in ${took} ms${size ? `, including loading ${Math.round(size / 1000)} KB of WebAssembly` : ""}.`,
    );
  } catch (error) {
    say($("engine"), "The engine could not be loaded.");
    say($("comment"), (error as Error).message);
  }
}

for (const list of Object.values(sides)) list.addEventListener("input", () => void score());
$("copy").addEventListener("click", async ({ currentTarget }) => {
  const button = currentTarget as HTMLButtonElement;
  try {
    await navigator.clipboard.writeText("npm install openevals-wasm");
    button.textContent = "Copied";
  } catch {
    button.textContent = "Select it";
  }
  setTimeout(() => {
    button.textContent = "Copy";
  }, 1500);
});
void start();
