/** Unreadable values are an `OpenEvalsError` everywhere in the harness and the combinators. */
import { fromMcp, recordAgent, runSimulations } from "openevals-wasm/harness";
import { toVitestEvalsJudge } from "openevals-wasm/interop";
import { eachTurn } from "openevals-wasm/rag";
import { describe, expect, test } from "vitest";

/** A function and object of which nothing can be read. */
const hostile: any = new Proxy(() => {}, {
  get() {
    throw new RangeError("no luck");
  },
});

describe("values that throw when they are read", () => {
  test.each<[string, () => unknown]>([
    ["fromMcp", () => fromMcp(hostile)],
    ["recordAgent", () => recordAgent(new Proxy({}, { get: hostile }) as never)],
    ["recordAgent", () => recordAgent(() => [])(Object.assign([], { map: hostile, 0: hostile, length: 1 }))],
    ["runSimulations", () => runSimulations(hostile)],
    ["toVitestEvalsJudge", () => toVitestEvalsJudge(hostile)],
    ["eachTurn", () => eachTurn(hostile)],
  ])("is an error of %s with a code", async (_, call) => {
    const thrown = await Promise.resolve()
      .then(call)
      .catch((error) => error);
    expect(thrown).toMatchObject({ name: "OpenEvalsError", code: expect.any(String) });
  });
});

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
