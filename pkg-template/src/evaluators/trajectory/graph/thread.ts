/** Threads of graphs: what is read of their turns, which the engine makes texts of. */

import { jsonOf } from "../../../core/engine/crossing.js";
import type { Engine } from "../../../core/engine/engine.js";
import { OpenEvalsError } from "../../../core/errors.js";
import { toJson } from "../../../core/input/json.js";
import type { GraphTrajectory } from "../../../core/types.js";
import { withOpenAIMessages } from "../../../models/conversation/langchain.js";
import * as bindings from "../../../openevals.js";
import type { GraphTurn } from "../../../openevals.types.js";

/**
 * The turns of a thread as a text.
 *
 * @param inputs What each turn started from: a list, or an object that holds it.
 * @param place Stands in front of the names of both in errors.
 */
export function renderThread(engine: Engine, inputs: unknown, outputs: unknown, place: string): string {
  const list = Array.isArray(inputs) ? inputs : (inputs as Partial<GraphTrajectory> | null)?.inputs;
  const turns = jsonOf(turnsOf([`${place}inputs`, list], outputs, `${place}outputs`));
  return engine.run("rendering", turns.length, () => bindings.renderGraphThread(turns));
}

/**
 * The turns of a reference as a text. What is missing is left out: nobody has to make up its results.
 *
 * @param hasBlock Whether it gets a block of its own.
 */
export function renderReference(
  engine: Engine,
  { inputs, results, steps }: GraphTrajectory,
  path: string,
  hasBlock: boolean,
): string {
  const filled = (list: unknown[] | undefined) => (list?.length ? list : steps?.map(() => undefined));
  const trajectory = { results: filled(results), steps };
  const turns = turnsOf([`${path}.inputs`, filled(inputs)], trajectory, path);
  if (!turns.length) return "";
  const json = jsonOf(turns);
  return engine.run("rendering", json.length, () => {
    return hasBlock ? bindings.renderGraphReference(json) : bindings.renderGraphThread(json);
  });
}

/** For each turn its input, its steps and its result. */
function turnsOf([inputsPath, inputs]: [string, unknown], trajectory: unknown, path: string): GraphTurn[] {
  const { results, steps } = (trajectory ?? {}) as { results?: unknown; steps?: unknown };
  const lists = { [inputsPath]: inputs, [`${path}.results`]: results, [`${path}.steps`]: steps };
  const lengths = Object.values(lists).map((list) => (Array.isArray(list) ? list.length : "no list"));
  if (new Set(lengths).size > 1 || lengths[0] === "no list") {
    const [names, counts] = [Object.keys(lists), lengths].map((words) => words.join(", "));
    throw new OpenEvalsError(
      "invalid_input",
      `A judge of graphs needs lists with one entry for each turn: ${names} have ${counts}.`,
    );
  }
  return (steps as unknown[]).map((step, turn) => ({
    input: partToJson((inputs as unknown[])[turn], `${inputsPath}[${turn}]`),
    steps: toJson(step, `${path}.steps[${turn}]`),
    result: partToJson((results as unknown[])[turn], `${path}.results[${turn}]`),
  }));
}

/** Nothing for nothing; messages of LangChain in OpenAI's form. */
function partToJson(value: unknown, path: string): string | undefined {
  if (value == null) return undefined;
  let readable = withOpenAIMessages(value) as Record<string, unknown>;
  // LangGraph puts inputs under the name of the node that they go to.
  if (readable.constructor === Object) {
    readable = Object.fromEntries(
      Object.entries(readable).map(([name, member]) => [name, withOpenAIMessages(member)]),
    );
  }
  return toJson(readable, path);
}
