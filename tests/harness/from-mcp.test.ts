/** The tools of a real server over stdio, in policies and recordings. */
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { createArgumentCheck, createToolPolicy, stepStatus } from "openevals-wasm/agents";
import { fromMcp, recordTools } from "openevals-wasm/harness";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "./folder.js";

const folder = await temporaryFolder();
const client = new Client({ name: "tests", version: "1.0.0" });
beforeAll(() =>
  client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(import.meta.dirname, "mcp-server.mjs")],
    }),
  ),
);
afterAll(() => client.close());

test("reads all pages", async () => {
  const { tools, args, destructive } = await fromMcp(client);
  expect(tools.map(({ name }) => name)).toEqual(["search", "note", "delete"]);
  expect(tools[0]?.description).toBe("Searches.");
  expect(args.delete).toMatchObject({ properties: { id: { type: "integer" } }, required: ["id"] });
  expect(destructive).toEqual(["delete"]);
});

test("a policy of the server's schemas", async () => {
  const { tools, args, destructive } = await fromMcp(client);
  const isConfirmed = () => true;
  const policy = createToolPolicy({
    allow: tools.map(({ name }) => name),
    args,
    confirm: destructive,
    isConfirmed,
  });
  const check = async (name: string, args: object) =>
    (await policy.check({ name, args })).broken.map(({ rule }) => rule);
  expect(await check("search", { q: "Oslo" })).toEqual([]);
  expect(await check("search", { q: 5 })).toEqual(["args"]);
  expect(await check("drop", {})).toEqual(["allow"]);
  expect(await check("delete", { id: 1 })).toEqual(["confirm"]);
});

test("an argument check reads the answer of listTools(), unless there are more pages", async () => {
  const page = await client.listTools();
  expect(page.nextCursor).toBeDefined();
  expect(() => createArgumentCheck({ tools: page as never })).toThrow(/^tools is /);
  const check = createArgumentCheck({ tools: { tools: page.tools } });
  const score = async (name: string, args: object) =>
    (await check({ outputs: [{ role: "assistant", content: "", tool_calls: [{ name, args }] }] })).score;
  expect(await score("search", { q: "Oslo" })).toBe(true);
  expect(await score("search", { q: 5 })).toBe(false);
});

test("its calls are recorded, and replayed without it", async () => {
  const { functions } = await fromMcp(client);
  const file = join(folder, "mcp.jsonl");
  const calls = async (mode: "record" | "replay") => {
    const tools = recordTools(functions, { file, mode });
    return [await tools.search?.({ q: "Oslo" }), await tools.delete?.({ id: 1 })];
  };
  const recorded = await calls("record");
  expect(recorded[0]).toEqual({ content: [{ type: "text", text: 'search {"q":"Oslo"}' }] });
  expect(await calls("replay")).toEqual(recorded);
  const call = {
    role: "assistant" as const,
    content: "",
    tool_calls: [{ id: "1", name: "delete", args: { id: 1 } }],
  };
  const result = { role: "tool" as const, tool_call_id: "1", content: JSON.stringify(recorded[1]) };
  const { metadata } = await stepStatus()({ outputs: [call, result] });
  expect(metadata.steps[0]?.status).toBe("failed");
});

test("values that are not clients, and servers that cannot list", async () => {
  for (const none of [undefined, {}, { listTools: 1 }]) {
    await expect(fromMcp(none as never)).rejects.toMatchObject({ code: "invalid_config" });
  }
  const closed = new Client({ name: "tests", version: "1.0.0" });
  await expect(fromMcp(closed)).rejects.toMatchObject({
    code: "tool_failed",
    message: expect.stringContaining("Not connected"),
  });
  const endless = { listTools: async () => ({ tools: [], nextCursor: "1" }), callTool: async () => 0 };
  await expect(fromMcp(endless)).rejects.toThrow("repeats a cursor");
});
