/** An agent that looks after orders: a model, two tools, and a loop between them. */
import { tool } from "@langchain/core/tools";
import { MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { ChatOpenAI } from "@langchain/openai";
import { z } from "zod";

const ORDERS = { 4711: { item: "a kettle", status: "shipped" }, 4712: { item: "a lamp", status: "packed" } };
const order = z.object({ order: z.number() });

const tools = [
  tool(({ order }) => JSON.stringify(ORDERS[order] ?? "There is no such order."), {
    name: "find_order",
    description: "Looks up what was ordered, and where it is.",
    schema: order,
  }),
  tool(({ order }) => `Order ${order} is cancelled.`, {
    name: "cancel_order",
    description: "Cancels an order that has not been shipped.",
    schema: order,
  }),
];

const model = new ChatOpenAI({ model: "gpt-5.4-mini" }).bindTools(tools);

export const agent = new StateGraph(MessagesAnnotation)
  .addNode("agent", async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
  .addNode("tools", new ToolNode(tools))
  .addEdge(START, "agent")
  .addConditionalEdges("agent", toolsCondition)
  .addEdge("tools", "agent")
  .compile();
