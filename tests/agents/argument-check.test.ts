/** Arguments of calls against the schemas of their tools. */

import { type ArgumentCheckMetadata, createArgumentCheck } from "openevals-wasm/agents";
import { expect, test } from "vitest";
import { z } from "zod";
import { errorOf } from "../api/error-of.ts";
import { assistant, call, user } from "./messages.ts";

const TOOLS = [
  {
    type: "function",
    function: {
      name: "book",
      parameters: {
        type: "object",
        properties: {
          seats: {
            type: "array",
            items: { type: "object", properties: { row: { type: "integer" } }, required: ["row"] },
          },
        },
        required: ["seats"],
        additionalProperties: false,
      },
    },
  },
  { name: "now" },
];

async function judged(outputs: unknown, scoring?: "share", tools: readonly object[] = TOOLS) {
  const check = createArgumentCheck({ tools, ...(scoring && { scoring }) });
  const one = await check({ outputs } as never);
  expect(await check.batch([{ outputs }, { outputs }] as never)).toMatchObject([{ score: one.score }, {}]);
  return one;
}

test("accepts valid calls", async () => {
  const outputs = [user(), assistant(call("book", { seats: [{ row: 3 }] }), call("now"))];
  expect(await judged(outputs)).toEqual({ key: "tool_arguments", score: true, metadata: { invalid: [] } });
});

test("says where each call is wrong", async () => {
  const outputs = [
    assistant(call("book", { seats: [{ row: 3 }, { row: "4" }] })),
    assistant(call("now"), call("book", {}), call("book", "{seats"), call("fly")),
  ];
  const { score, comment, metadata } = await judged(outputs);
  expect(score).toBe(false);
  expect(comment).toBe(
    'outputs[0].tool_calls[0]: book: "seats[1].row" is "4", but has to be of type integer. ' +
      'outputs[1].tool_calls[1]: book: "seats" is missing. ' +
      "outputs[1].tool_calls[2]: book: they are not valid JSON. " +
      "outputs[1].tool_calls[3]: fly: there is no such tool.",
  );
  const { invalid } = metadata as ArgumentCheckMetadata;
  expect(invalid.map(({ name, message, call }) => [name, message, call])).toEqual([
    ["book", 0, 0],
    ["book", 1, 1],
    ["book", 1, 2],
    ["fly", 1, 3],
  ]);
  expect((await judged(outputs, "share")).score).toBe(1 / 5);
});

test("reads schemas of zod", async () => {
  const tools = [{ name: "book", inputSchema: z.object({ row: z.number() }) }];
  const { comment, metadata } = await judged([assistant(call("book", { row: "a" }))], undefined, tools);
  expect(comment).toMatch(/^outputs\[0\]\.tool_calls\[0\]: book: row: /);
  expect((metadata as ArgumentCheckMetadata).invalid[0]?.problem).toMatch(/^row: /);
});

test("is not applicable without a call", async () => {
  expect(await judged([user()])).toMatchObject({ score: null, applicable: false });
});

test("refuses a schema that cannot be checked", async () => {
  const check = createArgumentCheck({ tools: [{ name: "f", parameters: { type: "dict" } }] });
  expect(await errorOf(check({ outputs: [assistant(call("f"))] }))).toMatchObject({
    code: "invalid_config",
  });
});
