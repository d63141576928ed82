/** Renders the turns of a graph's thread as text. */

import { jsonOf } from "../../../core/engine/crossing.js";
import { invalidInput } from "../../../core/errors.js";
import { toJson } from "../../../core/input/json/json.js";
import type { GraphTrajectory } from "../../../core/types.js";
import { withOpenAIMessages } from "../../../models/conversation/langchain.js";
import type { GraphTurn, JsonOf } from "../../../openevals.types.js";

/**
 * The engine's part. It is a parameter, because importing the bindings here would enlarge bundles of other evaluators.
 */
export type Render = (turns: JsonOf<GraphTurn[]>) => string;

/**
 * Renders the turns of a thread.
 *
 * @param inputs The input of each turn: a list, or an object that holds it.
 * @param place A prefix for the names of both in errors.
 */
export function renderThread(render: Render, inputs: unknown, outputs: unknown, place: string): string {
  const list = Array.isArray(inputs) ? inputs : (inputs as Partial<GraphTrajectory> | null)?.inputs;
  return render(jsonOf(turnsOf([`${place}inputs`, list], outputs, `${place}outputs`)));
}

/**
 * Renders the turns of a reference. Missing inputs and results are left out, since a reference may have only steps.
 */
export function renderReference(
  render: Render,
  { inputs, results, steps }: GraphTrajectory,
  path: string,
): string {
  const filled = (list: unknown[] | undefined) => (list?.length ? list : steps?.map(() => undefined));
  const trajectory = { results: filled(results), steps };
  const turns = turnsOf([`${path}.inputs`, filled(inputs)], trajectory, path);
  return turns.length ? render(jsonOf(turns)) : "";
}

/** The input, steps and result of each turn. */
function turnsOf([inputsPath, inputs]: [string, unknown], trajectory: unknown, path: string): GraphTurn[] {
  const { results, steps } = (trajectory ?? {}) as { results?: unknown; steps?: unknown };
  const lists = { [inputsPath]: inputs, [`${path}.results`]: results, [`${path}.steps`]: steps };
  const lengths = Object.values(lists).map((list) => (Array.isArray(list) ? list.length : "no list"));
  if (new Set(lengths).size > 1 || lengths[0] === "no list") {
    const [names, counts] = [Object.keys(lists), lengths].map((words) => words.join(", "));
    throw invalidInput(`A judge of graphs needs lists with one entry for each turn: ${names} have ${counts}`);
  }
  return (steps as unknown[]).map((step, turn) => ({
    input: partToJson((inputs as unknown[])[turn], `${inputsPath}[${turn}]`),
    steps: toJson(step, `${path}.steps[${turn}]`),
    result: partToJson((results as unknown[])[turn], `${path}.results[${turn}]`),
  }));
}

/** A value as JSON with LangChain messages in OpenAI's format; `undefined` for `null` or `undefined`. */
function partToJson(value: unknown, path: string): string | undefined {
  if (value == null) return undefined;
  let readable = withOpenAIMessages(value) as Record<string, unknown>;
  // LangGraph nests inputs under the name of the node that receives them.
  if (readable.constructor === Object) {
    readable = Object.fromEntries(
      Object.entries(readable).map(([name, member]) => [name, withOpenAIMessages(member)]),
    );
  }
  return toJson(readable, path);
}
