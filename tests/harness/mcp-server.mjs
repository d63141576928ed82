/** A server of the Model Context Protocol over stdio, with a page for each of its tools. */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const schema = (name, type) => ({ type: "object", properties: { [name]: { type } }, required: [name] });
const TOOLS = [
  {
    name: "search",
    description: "Searches.",
    inputSchema: schema("q", "string"),
    annotations: { readOnlyHint: true },
  },
  { name: "note", inputSchema: schema("text", "string"), annotations: { destructiveHint: false } },
  { name: "delete", inputSchema: schema("id", "integer") },
];

const server = new Server({ name: "tools", version: "1.0.0" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
  const page = Number(params?.cursor ?? 0);
  const next = page + 1 < TOOLS.length ? { nextCursor: String(page + 1) } : {};
  return { tools: [TOOLS[page]], ...next };
});
server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
  content: [{ type: "text", text: `${params.name} ${JSON.stringify(params.arguments)}` }],
  ...(params.name === "delete" && { isError: true }),
}));
await server.connect(new StdioServerTransport());
