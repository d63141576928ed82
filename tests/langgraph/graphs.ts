/** Small graphs of LangGraph, with a scripted model. */
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { Annotation, END, interrupt, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { z } from "zod";

class Scripted extends BaseChatModel {
  #next = 0;
  constructor(readonly answers: AIMessage[]) {
    super({});
  }
  _llmType() {
    return "scripted";
  }
  override bindTools() {
    return this;
  }
  async _generate() {
    const message = this.answers[this.#next++] as AIMessage;
    return { generations: [{ text: String(message.content), message }] };
  }
}

const search = tool(() => interrupt("Tell me the answer to the question."), {
  name: "search",
  description: "Call to surf the web.",
  schema: z.object({ query: z.string() }),
});

/** The agent of the AgentEvals README: calls a tool that asks a person, and repeats the answer. */
export const agent = () =>
  createReactAgent({
    llm: new Scripted([
      new AIMessage({ content: "", tool_calls: [{ id: "1", name: "search", args: { query: "sf" } }] }),
      new AIMessage({ content: "It is rainy.", id: "rainy" }),
      new AIMessage({ content: "You are welcome.", id: "welcome" }),
    ]),
    tools: [search],
    checkpointer: new MemorySaver(),
  });

const State = Annotation.Root({ n: Annotation<number>({ reducer: (a, b) => a + b, default: () => 0 }) });
const adding = (n: number) => () => ({ n });

/** Adds 1 and 2 to its input in parallel, and then 3. */
export const adders = (options = {}) =>
  new StateGraph(State)
    .addNode("one", adding(1))
    .addNode("two", adding(2))
    .addNode("three", adding(3))
    .addEdge(START, "one")
    .addEdge(START, "two")
    .addEdge("one", "three")
    .addEdge("two", "three")
    .addEdge("three", END)
    .compile({ checkpointer: new MemorySaver(), ...options });

/** Has a graph for a node, which may ask for a number. */
export function nested(asks: boolean) {
  const inner = new StateGraph(State)
    .addNode("first", () => ({ n: asks ? Number(interrupt("Which number?")) : 1 }))
    .addNode("second", adding(1))
    .addEdge(START, "first")
    .addEdge("first", "second")
    .addEdge("second", END)
    .compile();
  return new StateGraph(State)
    .addNode("before", adding(1))
    .addNode("inner", inner)
    .addEdge(START, "before")
    .addEdge("before", "inner")
    .addEdge("inner", END)
    .compile({ checkpointer: new MemorySaver() });
}
