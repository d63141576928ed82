/**
 * Threads of graphs as texts for a judge; loaded when the first one is judged, so it is handed what it needs and imports
 * nothing.
 */

import type { Engine } from "../engine/engine.js";
import type { JudgeParams } from "../judge/judge.js";
import type { Prompt } from "../judge/prompt.js";
import type { GraphTrajectory } from "../types.js";
import type { GraphTrajectoryJudgeParams } from "./graph-judge.js";

/** What the work is done with. */
interface Given {
  OpenEvalsError: typeof import("../errors.js").OpenEvalsError;
  toJson: typeof import("../input/json.js").toJson;
  withOpenAIMessages: typeof import("../conversation/langchain.js").withOpenAIMessages;
}

/**
 * The parameters with `thread` beside them and the reference as a text; `place` stands in front of their names in errors.
 *
 * @internal
 */
export function renderThreads(
  prompt: Prompt,
  engine: Engine,
  params: GraphTrajectoryJudgeParams,
  place: string,
  given: Given,
): JudgeParams {
  const { inputs, outputs, reference_outputs, referenceOutputs = reference_outputs, ...rest } = params;
  const fill = (template: string, variables: object): string => {
    const json = JSON.stringify(variables);
    return JSON.parse(engine.run("rendering", json.length, (bindings) => bindings.fillIn(template, json)));
  };
  const write = (turns: object[]) => turns.map((turn) => fill(TURN, turn).trimEnd()).join("\n\n");
  const list = Array.isArray(inputs) ? inputs : (inputs as Partial<GraphTrajectory> | null)?.inputs;
  const thread = write(turns([`${place}inputs`, list], outputs, `${place}outputs`, given));
  const reference = referenceOutputs
    ? write(turnsOfReference(referenceOutputs, `${place}referenceOutputs`, given))
    : undefined;
  // An optional block vanishes by itself; other prompts, like those written for AgentEvals, get one with the reference.
  const hasBlock = typeof prompt === "string" && / optional>\s*\{reference_outputs\}/.test(prompt);
  const inBlock = reference ? fill(REFERENCE, { thread: reference }) : "";
  return { ...rest, inputs, outputs, thread, referenceOutputs: hasBlock ? reference : inBlock };
}

/** No text in a block can close it, so the data cannot pass for another turn. */
const TURN = `<input optional>
{input}
</input>
<trajectory>
{trajectory}
</trajectory>
<result optional>
{result}
</result>`;

const REFERENCE = `
<reference_outputs>
{thread}
</reference_outputs>`;

/** What is missing is left out: nobody has to make up the results of a reference. */
function turnsOfReference({ inputs, results, steps }: GraphTrajectory, path: string, given: Given): object[] {
  const filled = (list: unknown[] | undefined) => (list?.length ? list : steps?.map(() => undefined));
  return turns([`${path}.inputs`, filled(inputs)], { results: filled(results), steps }, path, given);
}

/** For each turn its input, its steps and its result, all of them as JSON. */
function turns(
  [inputsPath, inputs]: [string, unknown],
  trajectory: unknown,
  path: string,
  given: Given,
): object[] {
  const { results, steps } = (trajectory ?? {}) as { results?: unknown; steps?: unknown };
  const lists = { [inputsPath]: inputs, [`${path}.results`]: results, [`${path}.steps`]: steps };
  const lengths = Object.values(lists).map((list) => (Array.isArray(list) ? list.length : "no list"));
  if (new Set(lengths).size > 1 || lengths[0] === "no list") {
    const [names, counts] = [Object.keys(lists), lengths].map((words) => words.join(", "));
    throw new given.OpenEvalsError(
      "invalid_input",
      `A judge of graphs needs lists with one entry for each turn: ${names} have ${counts}.`,
    );
  }
  return (steps as unknown[]).map((step, turn) => ({
    input: text((inputs as unknown[])[turn], `${inputsPath}[${turn}]`, given),
    trajectory: given.toJson(step, `${path}.steps[${turn}]`),
    result: text((results as unknown[])[turn], `${path}.results[${turn}]`, given),
  }));
}

/** Nothing for nothing; messages of LangChain in OpenAI's form. */
function text(value: unknown, path: string, { toJson, withOpenAIMessages }: Given): string | undefined {
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
