/** The tools of the agent, which call the shop. */
import { tool } from "ai";
import { z } from "zod";

const shop = process.env.SHOP_URL ?? "http://localhost:3000";
const inputSchema = z.object({ order: z.number() });

async function ask(path: string, method = "GET"): Promise<unknown> {
  const response = await fetch(`${shop}/${path}`, { method });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

export const tools = {
  find_order: tool({
    description: "Looks up what was ordered, and its price.",
    inputSchema,
    execute: ({ order }) => ask(`orders/${order}`),
  }),
  refund: tool({
    description: "Pays the price of an order back.",
    inputSchema,
    execute: ({ order }) => ask(`orders/${order}/refund`, "POST"),
  }),
};
