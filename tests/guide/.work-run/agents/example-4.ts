const __report = globalThis.__report;
import { MemorySaver, MessagesAnnotation, StateGraph } from "@langchain/langgraph";
import {
  createGraphTrajectoryLLMAsJudge,
  createGraphTrajectoryMatchEvaluator,
  extractLangGraphTrajectoryFromThread,
} from "openevals-wasm";

const graph = new StateGraph(MessagesAnnotation)
  .addNode("agent", async () => ({ messages: [{ role: "assistant", content: "4 °C" }] }))
  .addEdge("__start__", "agent")
  .compile({ checkpointer: new MemorySaver() });
const config = { configurable: { thread_id: "1" } };
await graph.invoke({ messages: [{ role: "user", content: "How warm is it in Oslo?" }] }, config);

const { inputs, outputs } = await extractLangGraphTrajectoryFromThread(graph, config);
__report(0, outputs.steps); // [["__start__", "agent"]]

const match = createGraphTrajectoryMatchEvaluator({ graphTrajectoryMatchMode: "strict" });
__report(1, await match({ outputs, referenceOutputs: { results: [], steps: [["__start__", "agent"]] } }));
// { key: "graph_trajectory_strict_match", score: true }

const sensible = createGraphTrajectoryLLMAsJudge({ model: "openai:gpt-5.4" });
await sensible({ inputs, outputs, referenceOutputs: outputs }); // the reference is optional
// { key: "graph_trajectory_accuracy", score: true, … }

export {};
