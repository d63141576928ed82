/** Arguments of calls against the schemas of their tools. */

import {
  type ArgumentCheckMetadata,
  createArgumentCheck,
  createFunctionCallEvaluator,
  createToolPolicy,
} from "openevals-wasm/agents";
import { jsonSchema } from "openevals-wasm/checks";
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
      "outputs[1].tool_calls[2]: book: the arguments are not valid JSON. " +
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

const schema = { type: "object", properties: { order: { type: "integer" } }, required: ["order"] };

test.each<[string, object]>([
  ["Amazon", [{ toolSpec: { name: "refund", inputSchema: { json: schema } } }]],
  ["Amazon, without its wrapper", [{ name: "refund", inputSchema: { json: schema } }]],
  ["a schema by name", { refund: schema }],
  ["a schema by name, without a type", { refund: { properties: schema.properties, required: ["order"] } }],
  ["a schema of zod by name", { refund: z.object({ order: z.int() }) }],
  ["a tool that is a schema", [{ name: "refund", ...schema }]],
])("reads the schema of %s", async (_, tools) => {
  const judge = (args: object) => judged([assistant(call("refund", args))], undefined, tools as never);
  expect((await judge({})).comment).toMatch(/order/);
  expect((await judge({ order: 7 })).score).toBe(true);
});

test.each<[string, object, string]>([
  [
    "params",
    [{ name: "refund", params: schema }],
    "The tool refund has the field params, which is not read;",
  ],
  ["args_schema", [{ name: "refund", args_schema: schema }], "The tool refund has the field args_schema,"],
  ["arguments", { refund: { arguments: { order: "number" } } }, "The tool refund has the field arguments,"],
  ["parametrs", [{ name: "refund", parametrs: schema }], "The tool refund has the field parametrs,"],
  [
    "a text",
    [{ name: "refund", parameters: "order" }],
    'The schema of the tool refund is "order"; it has to be',
  ],
  [
    "a Map",
    new Map([["refund", { parameters: schema }]]),
    "tools of createArgumentCheck is a Map; pass a list",
  ],
])("refuses tools whose schema it would not read: %s", async (_, tools, message) => {
  const make = async () => createArgumentCheck({ tools: tools as never });
  expect(await errorOf(make())).toMatchObject({
    code: "invalid_config",
    message: expect.stringContaining(message),
  });
});

test("tools need no schema", async () => {
  const tools = [
    { name: "now", description: "The time", type: "function", annotations: { title: "Now" }, execute() {} },
    { name: "here", parameters: {} },
    { name: "there", arguments: {} },
  ];
  const outputs = [assistant(...tools.map(({ name }) => call(name)))];
  expect((await judged(outputs, undefined, tools)).score).toBe(true);
});

const order = { order: { type: "integer" } };
const NO_SCHEMA: [string, object, string][] = [
  [
    "a misspelt keyword",
    { type: "object", requierd: ["order"] },
    'the unknown keyword "requierd"; did you mean "required"?',
  ],
  [
    "only a misspelt keyword",
    { require: ["order"] },
    'the unknown keyword "require"; did you mean "required"?',
  ],
  [
    "a misspelt keyword within",
    { properties: { a: { anyOf: [{ type: "array", items: { min_length: 1 } }] } } },
    'the unknown keyword "properties.a.anyOf[0].items.min_length"; did you mean "minLength"?',
  ],
  [
    "a tool",
    { description: "A refund", parameters: schema },
    'has no JSON Schema keyword; its keys are ["parameters"].',
  ],
  [
    "properties",
    order,
    'has no JSON Schema keyword; its keys are ["order"]. Write { type: "object", properties: { … } }.',
  ],
  ["types by name", { order: "number" }, 'has no JSON Schema keyword; its keys are ["order"].'],
];

test.each(NO_SCHEMA)("refuses a schema that would check nothing: %s", async (_, parameters, message) => {
  const outputs = [assistant(call("refund"))];
  const tools = [{ name: "refund", parameters }];
  const works: [owner: string, work: () => Promise<unknown>][] = [
    ["the tool refund", () => createArgumentCheck({ tools })({ outputs })],
    ["the tool refund", () => createFunctionCallEvaluator({ tools })({ outputs, referenceOutputs: [] })],
    [
      "args.refund of createToolPolicy",
      () => createToolPolicy({ args: { refund: parameters } })({ outputs }),
    ],
    ["jsonSchema", async () => jsonSchema(parameters)({ outputs: {} })],
  ];
  for (const [owner, work] of works) {
    const error = await errorOf(work());
    expect(error.code).toBe("invalid_config");
    expect(error.message).toContain(`The schema of ${owner} has`);
    expect(error.message).toContain(message);
  }
});

test("schemas may have annotations, and keywords of their own beside known ones", async () => {
  const parameters = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $comment: "The order",
    title: "Refund",
    "x-require": true,
    enumNames: ["a"],
    type: "object",
    properties: { require: { type: "integer", unit: "piece", examples: [{ typ: 1 }] } },
    $defs: { typ: { const: { typ: 1 } } },
    required: ["require"],
  };
  const tools = [{ name: "refund", parameters }];
  expect((await judged([assistant(call("refund", { require: 1 }))], undefined, tools)).score).toBe(true);
  const { score } = await createToolPolicy({ args: { refund: { description: "Anything" } } })({
    outputs: [assistant(call("refund"))],
  });
  expect(score).toBe(true);
});

test("hosted tools of OpenAI need no name", async () => {
  const tools: any = [
    { type: "function", name: "search", parameters: { type: "object", properties: {} } },
    { type: "web_search" },
  ];
  const call: any = { type: "web_search_call", id: "1", action: { query: "Oslo" } };
  expect((await createArgumentCheck({ tools })({ outputs: [call] } as any)).score).toBe(true);
});

test("annotations that resemble short keywords are allowed", () => {
  const city = { type: "string", cost: 1, types: ["a"] };
  const tools: any = [{ name: "a", parameters: { type: "object", properties: { city } } }];
  expect(() => createArgumentCheck({ tools })).not.toThrow();
});
