import { createJsonMatchEvaluator, type JsonMatchEvaluatorOptions } from "openevals-wasm";
import { describe, expect, test, vi } from "vitest";

/** The results as `{ key: score }`, asserted to be the same for a call and a batch. */
async function scores(options: JsonMatchEvaluatorOptions, outputs: unknown, referenceOutputs: unknown) {
  const evaluator = createJsonMatchEvaluator(options);
  const results = await evaluator({ outputs, referenceOutputs });
  expect(await evaluator.batch([{ outputs, referenceOutputs }])).toEqual([results]);
  return Object.fromEntries(results.map(({ key, score }) => [key, score]));
}

describe("objects", () => {
  test("each key that either side has, in the order of the keys", async () => {
    const evaluator = createJsonMatchEvaluator();
    const results = await evaluator({
      outputs: { b: 2, a: 1, extra: null, 10: "x", 9: "y" },
      referenceOutputs: { a: 1.0, b: 3, missing: null, 9: "y", 10: "x" },
    });
    expect(results).toEqual([
      { key: "json_match:10", score: 1 },
      { key: "json_match:9", score: 1 },
      { key: "json_match:a", score: 1 },
      { key: "json_match:b", score: 0, comment: "outputs.b is 2 instead of 3" },
      {
        key: "json_match:extra",
        score: 0,
        comment: "outputs.extra is null, which the reference does not have",
      },
      { key: "json_match:missing", score: 0, comment: "outputs.missing is missing instead of null" },
    ]);
  });

  test("aggregated", async () => {
    const [outputs, reference] = [
      { a: 1, b: 2, c: 3, d: 4 },
      { a: 1, b: 2, c: 3, d: 5 },
    ];
    expect(await scores({ aggregator: "average" }, outputs, reference)).toEqual({
      "json_match:average": 0.75,
    });
    expect(await scores({ aggregator: "all" }, outputs, reference)).toEqual({ "json_match:all": 0 });
    expect(await scores({ aggregator: "all", excludeKeys: ["d"] }, outputs, reference)).toEqual({
      "json_match:all": 1,
    });
  });

  test("the comment names the first three differences, with the index of each element", async () => {
    const evaluator = createJsonMatchEvaluator({ aggregator: "average", excludeKeys: ["at"] });
    const referenceOutputs = [{ name: "Ink", price: 8, at: 1 }, { name: "Pen" }];
    const outputs = [{ name: "Pen" }, { a: 1, b: 2 }, { name: "Ink", price: 9, "not ASCII: ä": [1] }];
    const [result] = await evaluator({ outputs, referenceOutputs });
    expect(result?.comment?.split("\n")).toEqual([
      "outputs[1] has no partner in the reference",
      'outputs[2]["not ASCII: ä"] is [1], which the reference does not have',
      "outputs[2].price is 9 instead of 8",
    ]);
    const four = await evaluator({ outputs: { a: 1, b: 1, c: 1, d: 1 }, referenceOutputs: {} });
    expect(four[0]?.comment).toMatch(/^outputs\.a is 1, .+\n.+\noutputs\.c is 1, .+\n… and 1 more$/);
    expect(await evaluator({ outputs, referenceOutputs: outputs })).toEqual([
      { key: "json_match:average", score: 1 },
    ]);
  });

  test("the comment has the path to the difference inside a value", async () => {
    const long = (end: string) => `${"a".repeat(200)}${end}`;
    const evaluator = createJsonMatchEvaluator();
    const results = await evaluator({
      outputs: { order: { items: [{ sku: "A", größe: 4 }] }, text: long("x") },
      referenceOutputs: { order: { items: [{ sku: "A", größe: 5 }] }, text: long("y") },
    });
    const before = `"…${"a".repeat(30)}`;
    expect(results.map(({ comment }) => comment)).toEqual([
      "outputs.order.items[0].größe is 4 instead of 5",
      `outputs.text is ${before}x" instead of ${before}y", from character 201 on`,
    ]);
  });

  test("values are compared as JSON values", async () => {
    const outputs = {
      order: { x: 1, y: [2] },
      nan: Number.NaN,
      undef: undefined,
      date: new Date(0),
      list: [1, 2],
    };
    const reference = {
      order: { y: [2], x: 1 },
      nan: Number.NaN,
      undef: null,
      date: new Date(0),
      list: [2, 1],
    };
    expect(await scores({}, outputs, reference)).toEqual({
      "json_match:order": 1,
      "json_match:nan": 1,
      "json_match:undef": 1,
      "json_match:date": 1,
      "json_match:list": 0,
    });
  });

  test("keys named like members of Object.prototype are ordinary keys", async () => {
    const outputs = JSON.parse('{"__proto__":1,"constructor":2,"toString":3}');
    const reference = JSON.parse('{"__proto__":1,"constructor":2,"toString":4}');
    const results = await createJsonMatchEvaluator()({ outputs, referenceOutputs: reference });
    expect(results).toEqual([
      { key: "json_match:__proto__", score: 1 },
      { key: "json_match:constructor", score: 1 },
      { key: "json_match:toString", score: 0, comment: "outputs.toString is 3 instead of 4" },
    ]);
  });
});

describe("lists", () => {
  const fruits = [
    { name: "pear", n: 2 },
    { name: "fig", n: 1 },
  ];

  test("keys that contain _ and digits keep their names", async () => {
    const list = [
      { a_1: 1, _: 2, "": 3, b_: 4 },
      { a_1: 1, _: 2, "": 3, b_: 4 },
    ];
    const other = [
      { a_1: 1, _: 2, "": 3, b_: 4 },
      { a_1: 9, _: 2, "": 3, b_: 4 },
    ];
    expect(await scores({ listAggregator: "average" }, list, other)).toEqual({
      "json_match:a_1": 0.5,
      "json_match:_": 1,
      "json_match:": 1,
      "json_match:b_": 1,
    });
  });

  test("elements are matched in any order, except in ordered mode", async () => {
    const swapped = [...fruits].reverse();
    const average = { aggregator: "average", listAggregator: "average" } as const;
    expect(await scores(average, fruits, swapped)).toEqual({ "json_match:average": 1 });
    expect(await scores({ ...average, listMatchMode: "ordered" }, fruits, swapped)).toEqual({
      "json_match:average": 0,
    });
  });

  test.each([
    // Two of three elements have a partner; the third scores 0 where it counts.
    ["same_elements", 2 / 3, 2 / 3],
    ["subset", 1, 2 / 3],
    ["superset", 2 / 3, 1],
  ] as const)("%s", async (listMatchMode, fewer, more) => {
    const three = [{ name: "kiwi", n: 3 }, ...fruits];
    const options = { aggregator: "average", listAggregator: "average", listMatchMode } as const;
    expect(await scores(options, fruits, three)).toEqual({ "json_match:average": fewer });
    expect(await scores(options, three, fruits)).toEqual({ "json_match:average": more });
  });

  test("the aggregators of keys and elements combine", async () => {
    const outputs = [
      { a: 1, b: 1 },
      { a: 1, b: 1 },
    ];
    const reference = [
      { a: 1, b: 1 },
      { a: 1, b: 2 },
    ];
    const score = async (aggregator: "average" | "all" | undefined, listAggregator: "average" | "all") =>
      scores({ aggregator, listAggregator, listMatchMode: "ordered" }, outputs, reference);
    expect(await score("average", "average")).toEqual({ "json_match:average": 0.75 });
    expect(await score("average", "all")).toEqual({ "json_match:average": 0 });
    expect(await score("all", "average")).toEqual({ "json_match:all": 0.5 });
    expect(await score("all", "all")).toEqual({ "json_match:all": 0 });
    expect(await score(undefined, "average")).toEqual({ "json_match:a": 1, "json_match:b": 0.5 });
    expect(await score(undefined, "all")).toEqual({ "json_match:a": 1, "json_match:b": 0 });
  });

  test("the best matching is found where greedy matching fails", async () => {
    const outputs = [
      { a: 1, b: 1, c: 0 },
      { a: 1, b: 5, c: 9 },
    ];
    const reference = [
      { a: 1, b: 1, c: 9 },
      { a: 2, b: 2, c: 0 },
    ];
    // One equal value of the first element and two of the second; greedy gets two and none.
    expect(await scores({ aggregator: "average", listAggregator: "average" }, outputs, reference)).toEqual({
      "json_match:average": 0.5,
    });
  });

  test("equal lists score 1, empty and uneven ones too", async () => {
    for (const list of [[], [{}], [{ a: 1 }, { b: 2 }, { a: 1, b: 2 }]]) {
      for (const aggregator of ["average", "all"] as const) {
        for (const listAggregator of ["average", "all"] as const) {
          expect(await scores({ aggregator, listAggregator }, list, list)).toEqual({
            [`json_match:${aggregator}`]: 1,
          });
        }
      }
      expect(Object.values(await scores({}, list, list)).every((score) => score === 1)).toBe(true);
    }
  });

  test("500 elements in another order", async () => {
    const list = Array.from({ length: 500 }, (_, id) => ({ id, name: `n${id % 7}` }));
    const changed = list
      .map((element) => (element.id % 100 === 0 ? { ...element, name: "?" } : element))
      .reverse();
    // Five of the thousand values differ.
    expect(await scores({ aggregator: "average", listAggregator: "average" }, list, changed)).toEqual({
      "json_match:average": 0.995,
    });
  });
});

describe("refused", () => {
  test.each<[string, unknown, unknown, string]>([
    ["a list against an object", [{}], {}, "outputs is a list and referenceOutputs is an object"],
    ["an object against a list", {}, [{}], "outputs is an object and referenceOutputs is a list"],
    ["a string", "{}", {}, "outputs is a string and referenceOutputs is an object"],
    ["an element that is no object", [{}, 7], [{}], "outputs[1] is a number"],
    ["a cycle is found", { f: () => 1 }, {}, "outputs.f is a function"],
  ])("%s", async (_, outputs, referenceOutputs, message) => {
    await expect(createJsonMatchEvaluator()({ outputs, referenceOutputs })).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining(message),
    });
  });

  test("the row of a batch is named", async () => {
    const rows = [
      { outputs: {}, referenceOutputs: {} },
      { outputs: 1, referenceOutputs: {} },
    ];
    await expect(createJsonMatchEvaluator().batch(rows)).rejects.toMatchObject({
      message: expect.stringMatching(/^rows\[1\]: /),
    });
  });

  test.each<[string, object, string]>([
    ["an aggregator", { aggregator: "mean" }, 'aggregator is "mean"; it has to be "average" or "all".'],
    ["a list aggregator", { listAggregator: "some" }, 'listAggregator is "some"'],
    ["a list mode", { listMatchMode: "any" }, '"same_elements", "subset", "superset" or "ordered"'],
    ["excluded keys", { excludeKeys: "id" }, 'excludeKeys is "id"; it has to be a list of strings.'],
    ["an unknown option", { excludedKeys: ["id"] }, 'createJsonMatchEvaluator has no option "excludedKeys"'],
  ])("%s that does not exist, when the evaluator is made", (_, options, message) => {
    expect(() => createJsonMatchEvaluator(options as never)).toThrow(message);
  });
});

describe("an unmatched empty element, as in Python's openevals 0.2.2", () => {
  const EMPTY = "json_match:__openevals_empty_record";
  const MODES = ["same_elements", "ordered", "subset", "superset"] as const;
  test.each<[string, unknown[], unknown[], (typeof MODES)[number]]>([
    ["a surplus one", [{ a: 1 }, {}], [{ a: 1 }], "superset"],
    ["a missing one", [{ a: 1 }], [{ a: 1 }, {}], "subset"],
  ])("%s scores 0, but for one mode", async (_, outputs, referenceOutputs, free) => {
    for (const listMatchMode of MODES) {
      const isFree = listMatchMode === free;
      const rows = [{ listMatchMode }, outputs, referenceOutputs] as const;
      expect(await scores(...rows)).toEqual({ ...(!isFree && { [EMPTY]: 0 }), "json_match:a": 1 });
      for (const aggregator of ["all", "average"] as const) {
        const options = { listMatchMode, aggregator };
        const key = `json_match:${aggregator}`;
        expect(await scores(options, outputs, referenceOutputs)).toEqual({ [key]: isFree ? 1 : 0 });
        const mean = { ...options, listAggregator: "average" } as const;
        expect(await scores(mean, outputs, referenceOutputs)).toEqual({ [key]: isFree ? 1 : 0.5 });
      }
    }
  });
});

describe("option names of other packages", () => {
  test("list_aggregator and exclude_keys", async () => {
    const lists = [[{ a: 1, id: 1 }], [{ a: 1, id: 2 }, { a: 2 }]] as const;
    const options = { aggregator: "all", list_aggregator: "average", exclude_keys: ["id"] } as const;
    expect(await scores({ ...options, exclude_keys: ["id"] }, ...lists)).toEqual({ "json_match:all": 0.5 });
    expect(() => createJsonMatchEvaluator({ list_aggregator: "all", listAggregator: "average" })).toThrow(
      "listAggregator has different values in its two spellings; pass only one.",
    );
    expect(() => createJsonMatchEvaluator({ exclude_keys: ["a"], excludeKeys: ["b"] })).toThrow(
      "excludeKeys",
    );
  });

  test("a model without a rubric is ignored, and a warning says so", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    try {
      expect(await scores({ model: "openai:gpt-5.4" }, { a: 1 }, { a: 1 })).toEqual({ "json_match:a": 1 });
      expect(warn.mock.calls.flat().join()).toContain("ignores judge and model because there is no rubric");
    } finally {
      warn.mockRestore();
    }
  });
});
