/** Trajectories out of the threads of real graphs: by hand where they are simple, and always as AgentEvals reads them. */
import { HumanMessage } from "@langchain/core/messages";
import { Command } from "@langchain/langgraph";
import {
  createGraphTrajectoryLLMAsJudge,
  extractLangGraphTrajectoryFromSnapshots,
  extractLangGraphTrajectoryFromThread,
  graphTrajectoryStrictMatch,
  type LangGraphGraph,
  type LangGraphSnapshot,
  OpenEvalsError,
} from "openevals-wasm";
import { expect, test, vi } from "vitest";
import { agentevals } from "../parity/reference.ts";
import { adders, agent, nested } from "./graphs.ts";

const config = { configurable: { thread_id: "1" } };
const resume = new Command({ resume: 4 });
const question = { messages: [{ role: "user", content: "what's the weather in sf?" }] };

/** Runs a graph, one turn for each input, and reads the thread in both ways and as AgentEvals does. */
async function extracted(graph: unknown, ...inputs: unknown[]) {
  const compiled = graph as LangGraphGraph & { invoke(input: unknown, config: object): Promise<unknown> };
  for (const input of inputs) await compiled.invoke(input, config);
  const trajectory = await extractLangGraphTrajectoryFromThread(compiled, config);
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  expect(trajectory).toEqual(await agentevals.extractLangGraphTrajectoryFromThread(graph as never, config));
  const snapshots: LangGraphSnapshot[] = [];
  for await (const snapshot of compiled.getStateHistory(config)) snapshots.push(snapshot);
  const flat = extractLangGraphTrajectoryFromSnapshots(snapshots);
  expect(flat).toEqual(agentevals.extractLangGraphTrajectoryFromSnapshots(snapshots as never));
  warn.mockRestore();
  return trajectory;
}

test("an agent that is interrupted, resumed, and asked again", async () => {
  const graph = agent();
  const first = { inputs: [{ __start__: question }], results: [{}] };
  expect(await extracted(graph, question)).toEqual({
    inputs: first.inputs,
    outputs: { results: first.results, steps: [["__start__", "agent", "tools", "__interrupt__"]] },
  });
  const rainy = { messages: [{ role: "assistant", content: "It is rainy.", id: "rainy" }] };
  expect(await extracted(graph, resume)).toEqual({
    inputs: [...first.inputs, "__resuming__"],
    outputs: { results: [{}, rainy], steps: [["__start__", "agent", "tools", "__interrupt__"], ["agent"]] },
  });
  const thanks = { messages: [new HumanMessage({ content: "Thanks", id: "2" })] };
  const { inputs, outputs } = await extracted(graph, thanks);
  expect(inputs).toEqual([...first.inputs, "__resuming__", { __start__: thanks }]);
  expect(outputs.results[2]).toEqual({
    messages: [{ role: "assistant", content: "You are welcome.", id: "welcome" }],
  });
  const steps = [["__start__", "agent", "tools", "__interrupt__"], ["agent"], ["__start__", "agent"]];
  const result = await graphTrajectoryStrictMatch({ outputs, referenceOutputs: { results: [], steps } });
  expect(result).toEqual({ key: "graph_trajectory_strict_match", score: true });

  let prompt: unknown;
  const judge = createGraphTrajectoryLLMAsJudge({
    judge: ({ messages }) => {
      prompt = messages[0]?.content;
      return { score: true };
    },
    useReasoning: false,
  });
  expect((await judge({ inputs, outputs })).score).toBe(true);
  expect(prompt).toContain(
    '<input>\n{"__start__":{"messages":[{"role":"user","content":"Thanks","id":"2"}]}}\n</input>',
  );
  expect(prompt).toContain(
    '<trajectory>\n["__start__","agent","tools","__interrupt__"]\n</trajectory>\n<result>\n{}',
  );
});

test("an interrupt that is answered by a new message", async () => {
  const { inputs, outputs } = await extracted(agent(), question, {
    messages: [{ role: "user", content: "Rain." }],
  });
  expect(inputs).toHaveLength(2);
  expect(outputs.steps).toEqual([
    ["__start__", "agent", "tools", "__interrupt__"],
    ["__start__", "agent"],
  ]);
});

test("a graph without messages: the result of a turn is its state", async () => {
  const { inputs, outputs } = await extracted(adders(), { n: 10 }, { n: 20 });
  expect(inputs).toEqual([{ __start__: { n: 10 } }, { __start__: { n: 20 } }]);
  expect(outputs.results).toEqual([{ n: 16 }, { n: 42 }]);
  expect(outputs.steps.map((steps) => [...steps].sort())).toEqual([
    ["__start__", "one", "three", "two"],
    ["__start__", "one", "three", "two"],
  ]);
});

test("a run that stopped between two nodes is left out until it goes on", async () => {
  const graph = adders({ interruptBefore: ["three"] });
  expect(await extracted(graph, { n: 1 })).toEqual({ inputs: [], outputs: { results: [], steps: [] } });
  expect((await extracted(graph, null)).outputs.results).toEqual([{ n: 7 }]);
});

test("a subgraph: its steps are named after it, and its end counts as one of a turn", async () => {
  expect(await extracted(nested(false), { n: 1 })).toEqual({
    inputs: [{ __start__: { n: 1 } }, { __start__: { n: 2 } }],
    outputs: {
      results: [{ n: 4 }, { n: 6 }],
      steps: [["__start__", "before", "inner", "inner:__start__", "inner:first", "inner:second"], []],
    },
  });
});

test("an interrupt in a subgraph: nothing on the console, and the judge names the mismatch", async () => {
  const graph = nested(true);
  await extracted(graph, { n: 1 }, resume);
  const warn = vi.spyOn(console, "warn");
  const { inputs, outputs } = await extractLangGraphTrajectoryFromThread(graph, config);
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
  expect([inputs.length, outputs.results.length, outputs.steps.length]).toEqual([3, 4, 4]);
  const judge = createGraphTrajectoryLLMAsJudge({ judge: () => ({ score: true }) });
  await expect(judge({ inputs, outputs })).rejects.toThrow(
    "inputs, outputs.results, outputs.steps have 3, 4, 4",
  );
});

test("an empty thread, and values that are not graphs", async () => {
  const nothing = { inputs: [], outputs: { results: [], steps: [] } };
  expect(await extracted(adders())).toEqual(nothing);
  expect(extractLangGraphTrajectoryFromSnapshots([])).toEqual(nothing);
  for (const graph of [undefined, {}]) {
    await expect(extractLangGraphTrajectoryFromThread(graph as never, config)).rejects.toBeInstanceOf(
      OpenEvalsError,
    );
  }
});
