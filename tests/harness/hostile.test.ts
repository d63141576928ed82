/** Hostile tools, agents and servers are an `OpenEvalsError` everywhere in the harness. */
import * as harness from "openevals-wasm/harness";
import {
  fromMcp,
  mockTools,
  recordAgent,
  recordTools,
  runSimulations,
  withFaults,
} from "openevals-wasm/harness";
import { describe, expect, test } from "vitest";
import {
  type HostileCalls,
  testExports,
  testRefusals,
  UNREADABLE,
  UNREADABLE_OBJECTS,
} from "../hostile-values.ts";

const next = () => mockTools({ tool: { returns: 1 } }).tool();

describe("values that cannot be read", () => {
  const tools: HostileCalls = {
    fromMcp,
    runSimulations,
    "mockTools, tools": (tools) => mockTools({ tool: { returns: 1 } }, tools),
    recordTools: (tools) => recordTools(tools, { file: "never-written.jsonl" }),
    withFaults: (tools) => withFaults(tools, { failRate: 1 }),
    "recordAgent, the input": (input) => recordAgent(() => [])(input),
    "recordAgent, a message": (message) => recordAgent(() => [])([message]),
  };
  testRefusals(tools, UNREADABLE, ["invalid_config", "invalid_input"], next);
  // Functions are agents and mocks, and nothing of them is read.
  const mocks = (mock: any) => mockTools({ tool: mock });
  testRefusals({ recordAgent, mocks }, UNREADABLE_OBJECTS, ["invalid_config", "invalid_input"], next);
});

describe("every function, with hostile arguments", () => testExports(harness, next));

test("a server that lists junk cannot list its tools", async () => {
  const named = (name: string) => ({ name, inputSchema: { type: "object" } });
  // A policy would read the name with a star as a pattern for all tools.
  for (const tools of [[null], [{ name: 7 }], undefined, [named("*")], [named("a"), named("a")]]) {
    const client: any = { listTools: async () => ({ tools }), callTool: async () => ({}) };
    await expect(fromMcp(client)).rejects.toMatchObject({ code: "tool_failed" });
  }
  let page = 0;
  const endless = {
    listTools: async () => ({ tools: [], nextCursor: `${++page}` }),
    callTool: async () => 0,
  };
  await expect(fromMcp(endless)).rejects.toThrow("it has more than 1000 pages");
});
