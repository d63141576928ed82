/** An agent that refunds orders: a model and two tools. */
import { type LanguageModel, ToolLoopAgent, type ToolSet } from "ai";

export const makeAgent = (model: LanguageModel, tools: ToolSet) =>
  new ToolLoopAgent({
    model,
    tools,
    instructions: "You refund orders. Look an order up before you refund it.",
  });
