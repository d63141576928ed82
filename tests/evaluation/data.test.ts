import { execFileSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { exactMatch } from "openevals-wasm";
import { type Data, type Example, evaluate } from "openevals-wasm/evaluation";
import { describe, expect, it } from "vitest";
import { errorOf } from "../api/error-of.js";
import { temporaryFolder } from "./folder.js";

const folder = temporaryFolder();

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** The examples that are read from the data. */
async function examplesOf(data: Data): Promise<Example[]> {
  const { rows } = await evaluate(() => "", { data });
  return rows.map(({ example }) => example);
}

const ROWS = [{ inputs: "a", outputs: 1 }, { inputs: "b" }];
const EXAMPLES = [
  { id: "1", inputs: "a", outputs: 1 },
  { id: "2", inputs: "b" },
];

describe("data", () => {
  it.each([
    ["shorter", 2500, "2,500"],
    ["longer", 7500, "more"],
  ])("a file that becomes %s during the experiment is an error", async (name, rows, now) => {
    const linesOf = (count: number) => `{"inputs": "${"x".repeat(100)}"}\n`.repeat(count);
    const path = file(`${name}.jsonl`, linesOf(5000));
    let calls = 0;
    const target = () => {
      if (calls++ === 0) writeFileSync(path, linesOf(rows));
      return "";
    };
    const options = { data: path, maxConcurrency: 1, progress: false };
    const { code, message } = await errorOf(evaluate(target, options));
    expect({ code, message }).toEqual({
      code: "invalid_input",
      message: `${path} was changed while the experiment ran: it had 5,000 rows, and now has ${now}. Run the experiment again.`,
    });
  });

  it.each<[string, () => Data]>([
    ["a list", () => ROWS],
    ["an iterable", () => new Set(ROWS)],
    [
      "a generator",
      function* () {
        yield* ROWS;
      },
    ],
    [
      "an async generator",
      async function* () {
        yield* ROWS;
      },
    ],
    [
      "a stream",
      () =>
        new Blob([]).stream().pipeThrough(
          new TransformStream({
            flush(to) {
              for (const row of ROWS) to.enqueue(row);
            },
          }),
        ),
    ],
    ["JSON lines", () => file("rows.jsonl", '{"inputs": "a", "outputs": 1}\n{"inputs": "b"}\n')],
    [
      "JSON lines of Windows",
      () => file("bom.ndjson", '\ufeff{"inputs":"a","outputs":1}\r\n\r\n{"inputs":"b"}'),
    ],
    ["a JSON list", () => file("rows.json", `\ufeff\n${JSON.stringify(ROWS, null, 2)}\n`)],
    ["a compressed JSON list", () => file("rows.json.gz", gzipSync(JSON.stringify(ROWS)))],
    [
      "the URL of a file",
      () => pathToFileURL(file("url.jsonl", ROWS.map((row) => JSON.stringify(row)).join("\n"))),
    ],
  ])("is %s", async (_, data) => {
    expect(await examplesOf(data())).toEqual(EXAMPLES);
  });

  it("can be LangSmith examples", async () => {
    const example = {
      id: "0b1c",
      created_at: "2026-01-01",
      dataset_id: "d",
      inputs: { question: "?" },
      outputs: { answer: "!" },
      metadata: { dataset_split: ["base"] },
      attachments: null,
      runs: [],
    };
    const { id, inputs, outputs, metadata } = example;
    expect(await examplesOf([example])).toEqual([{ id, inputs, outputs, metadata }]);
  });

  it("can be CSV with many columns", async () => {
    const columns = Array.from({ length: 20_000 }, (_, index) => `inputs.column${index}`);
    const [example] = await examplesOf(file("wide.csv", `${columns}\n${columns}\n`));
    expect(Object.keys(example.inputs)).toHaveLength(20_000);
  });

  it.each<[string, any[], string]>([
    ["a row that is none", [ROWS[0], "b"], 'data[1] is "b"; a row is an object'],
    ["an id that is taken", [{ id: "2" }, {}], 'data[1] has the id "2", which an earlier row also has'],
    [
      "an id that is an object",
      [{}, { id: { n: 1 } }],
      'data[1] has the id {"n":1}; an id has to be a number',
    ],
    ["an id that is a list", [{ id: ["a"] }], 'data[0] has the id ["a"]; an id has to be a number'],
    ["an id that is true", [{ id: true }], "data[0] has the id true; an id has to be a number"],
    ["an id that is not a number", [{ id: NaN }], "data[0] has the id NaN; an id has to be a number"],
    [
      "an empty id",
      [{ id: "" }],
      'data[0] has the id ""; an id has to be a number, or a text that is not empty',
    ],
    ["what cannot be recorded", [{ inputs: { n: 1n } }], "data[0].inputs.n is a BigInt"],
  ])("with %s is refused before the target is called", async (_, data, message) => {
    let calls = 0;
    const error = await errorOf(evaluate(() => ++calls, { data }));
    expect(error.code).toBe("invalid_input");
    expect(error.message).toContain(message);
    expect(calls).toBe(0);
  });

  it.each<[Data, string]>([
    ["https://user:secret@127.0.0.1/rows.jsonl", "https"],
    [new URL("http://user:secret@127.0.0.1/rows.csv"), "http"],
    ["s3://bucket/rows", "s3"],
  ])("an address is not read, and its password not shown: %s", async (data, scheme) => {
    const { code, message } = await errorOf(evaluate(undefined, { data }));
    expect({ code, message }).toEqual({
      code: "invalid_config",
      message: `An address (${scheme}://…) is not read. Download the file, or pass the body of a response as data: { stream: response.body, format: "jsonl" }.`,
    });
  });

  it.each<[string, string, string, string]>([
    ["a file that is not there", "missing/rows.jsonl", "", "missing/rows.jsonl."],
    ["a file of another kind", "rows.txt", "a", "files of rows end in .jsonl, .ndjson, .json or .csv"],
    ["a line that is no JSON", "broken.jsonl", '{}\n\n{"inputs": \n', "broken.jsonl:3 is not valid JSON: "],
    ["a JSON list that breaks off", "broken.json", '[{"inputs":1},', "broken.json is not valid JSON: "],
    [
      "an object that is no list",
      "rows.json",
      '{"rows":[]}',
      'rows.json has to be a list of rows, not {"rows":[]}',
    ],
    ["a row of a JSON list that is none", "text.json", '[{},"b"]', 'text.json[1] is "b"; a row is an object'],
    [
      "a number in a JSON list that would change",
      "long.json",
      '[{"id":12345678901234567}]',
      "long.json has the number 12345678901234567,",
    ],
    [
      "a JSON list in a file of lines",
      "rows.jsonl",
      '[\n  {"inputs":1}\n]',
      "rows.jsonl has a JSON list, and JSON lines have a row on each line. Put a list into a .json file",
    ],
    ["a JSON list in one line", "line.jsonl", '[{"inputs":1}]', "line.jsonl has a JSON list"],
    ["a line that is no row", "list.jsonl", "{}\n[1]", "list.jsonl:2 is [1]; a row is an object"],
    ["an id twice", "ids.jsonl", '{"id":"a"}\n{"id":"a"}', 'ids.jsonl:2 has the id "a"'],
    ["an id that is an object", "object.jsonl", '{}\n{"id":{"n":1}}', 'object.jsonl:2 has the id {"n":1}'],
    ["an id in a JSON list that is a list", "list.json", '[{"id":[1]}]', "list.json[0] has the id [1]"],
    ["an empty id", "quoted.csv", 'id,inputs\n"",1', 'quoted.csv:2 has the id ""; an id has to be a number'],
    ["CSV without a header", "empty.csv", "", "empty.csv:1 has no columns"],
    [
      "a column of another name",
      "named.csv",
      "question,outputs\n1,2",
      'named.csv:1 has the column "question"; columns are id, inputs,',
    ],
    ["a hint for it", "hint.csv", "question\n1", 'pass map: { "inputs": "question" }.'],
    [
      "a column without a usual name",
      "odd.csv",
      "tenant\n1",
      'and to pass it to the application, map: { "inputs.tenant": "tenant" }.',
    ],
    [
      "a column that is nearly one",
      "typo.csv",
      "inputs,referenceOutput\n1,2",
      'did you mean "referenceOutputs"?',
    ],
    ["another mark", "marks.csv", "inputs;outputs\n1;2", 'separated by commas, not by ";"'],
    [
      "a field of a column",
      "within.csv",
      "referenceOutputs,referenceOutputs.answer\n1,2",
      'has the columns "referenceOutputs" and "referenceOutputs.answer", one of which contains the other; remove one',
    ],
    ["a column twice", "twice.csv", "inputs,inputs\n1,2", 'has the column "inputs" more than once'],
    [
      "a column and a field of it",
      "both.csv",
      "inputs.a,inputs\n1,2",
      'has the columns "inputs.a" and "inputs", one of which contains the other; remove one of them',
    ],
    ["a column that is no name", "proto.csv", "inputs.__proto__.x\n1", 'has the column "inputs.__proto__.x"'],
    [
      "a row with a cell too many",
      "cells.csv",
      'inputs\n"a\nb"\n1,2',
      "cells.csv:4 has 2 cells, but the header has 1.",
    ],
    [
      "a quote that is not closed",
      "quote.csv",
      'inputs\n"a\nb',
      "quote.csv:2 has a quote that is not closed",
    ],
    ["text beside a quoted cell", "beside.csv", 'inputs\na\n"b"c', "beside.csv:3 has a quote"],
  ])("%s is refused", async (_, name, text, message) => {
    const path = text || name === "empty.csv" ? file(name, text) : join(folder, name);
    let calls = 0;
    const error = await errorOf(evaluate(() => ++calls, { data: path }));
    expect(error.message).toContain(message);
    expect(calls).toBe(0);
  });
});

describe("a row that cannot be read", () => {
  const trap = new Proxy(
    {},
    {
      get() {
        throw new Error("no luck");
      },
    },
  );

  it.each<[string, Data]>([
    ["a list", [...ROWS, trap]],
    ["an iterable", new Set([...ROWS, trap])],
  ])("is an error with its place: %s", async (_, data) => {
    const { code, message } = await errorOf(examplesOf(data));
    expect([code, message]).toEqual(["invalid_input", "data[2] cannot be read: no luck."]);
  });
});

describe.skipIf(process.platform === "win32")("a path that is not a file", () => {
  it.each(["jsonl", "csv.gz", "parquet"])("is refused before it is opened: a pipe, .%s", async (ending) => {
    const pipe = join(folder, `pipe.${ending}`);
    execFileSync("mkfifo", [pipe]);
    const link = join(folder, `link.${ending}`);
    symlinkSync(pipe, link);
    for (const path of [pipe, link]) {
      const { code, message } = await errorOf(examplesOf(path));
      expect([code, message]).toEqual([
        "invalid_config",
        `data ${path} is not a regular file, but a device, a pipe or a socket. Name a file, or pass its content as { stream, format }.`,
      ]);
    }
  });
});

describe("CSV", () => {
  it("has columns, and fields of columns", async () => {
    const text = [
      "id,inputs.question,inputs.options,reference_outputs.answer,metadata.source,outputs",
      'a,"Which ""one"", of two?","[""x"", ""y""]",x,web,ignored',
      'b,"two\nlines",[1] is a citation,,,',
      'c,"","{""a"": {""b"": 1}}",007,,',
      "",
    ].join("\r\n");
    expect(await examplesOf(file("all.csv", text))).toEqual([
      {
        id: "a",
        inputs: { question: 'Which "one", of two?', options: ["x", "y"] },
        outputs: { answer: "x" },
        metadata: { source: "web" },
      },
      { id: "b", inputs: { question: "two\nlines", options: "[1] is a citation" } },
      { id: "c", inputs: { question: "", options: { a: { b: 1 } } }, outputs: { answer: "007" } },
    ]);
  });

  it("can have recorded outputs; an empty cell is missing, a quoted empty text is not", async () => {
    const path = file(
      "recorded.csv",
      '\ufeffinputs,outputs,referenceOutputs\n1 + 1,2,2\nsay nothing,"",""\nsay,,x',
    );
    const { rows, aggregates } = await evaluate(undefined, { data: path, evaluators: [exactMatch] });
    expect(rows.map(({ run }) => run.outputs)).toEqual(["2", "", undefined]);
    expect(aggregates.exact_match).toMatchObject({ mean: 1, count: 2, errors: 1 });
  });

  it("can have columns named like inherited members", async () => {
    const [example] = await examplesOf(file("inherited.csv", "inputs.constructor.x,inputs.toString\n1,2"));
    expect(example?.inputs).toEqual({ constructor: { x: "1" }, toString: "2" });
    expect(Object).not.toHaveProperty("x");
  });

  it("can have a cell with a million quotes, and twenty thousand rows", async () => {
    const cell = 'say ""so"" '.repeat(250_000);
    const path = file("large.csv", `inputs\n"${cell}"\n${"a\n".repeat(20_000)}`);
    const examples = await examplesOf(path);
    expect(examples).toHaveLength(20_001);
    expect(examples[0]?.inputs).toBe(cell.replaceAll('""', '"'));
  });
});

describe("files that would lose data are errors", () => {
  const latin1 = (text: string) => Buffer.from(text, "latin1");
  const write = (name: string, bytes: Buffer | string) => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return path;
  };
  const problemOf = async (name: string, bytes: Buffer | string) =>
    (await errorOf(evaluate(() => "", { data: write(name, bytes) }))).message;

  it.each([
    ["lossy.csv", latin1("inputs,outputs\na,b\ncafé,cafè\n"), 3],
    ["lossy-end.csv", latin1("inputs\ncafé"), 2],
    ["lossy.jsonl", latin1('{"inputs":"a"}\n\n{"inputs":"café"}\n{"inputs":"b"}\n'), 3],
    ["lossy-16.csv", Buffer.from("\uFEFFinputs\ncafé\n", "utf16le"), 1],
  ])("%s is no UTF-8", async (name, bytes, line) => {
    expect(await problemOf(name, bytes)).toMatch(
      new RegExp(`${name}:${line} is not UTF-8\\. Save the file as UTF-8\\.$`),
    );
  });

  it("UTF-8 is read with and without a byte order mark", async () => {
    for (const mark of ["", "\uFEFF"]) {
      const rows = await examplesOf(write("utf8.csv", `${mark}inputs\ncafé 😀\n`));
      expect(rows).toEqual([{ id: "1", inputs: "café 😀" }]);
    }
  });

  it.each([
    ["ids.jsonl", '{"id":1,"inputs":1}\n{"id":1790000000000000001,"inputs":1}\n', 2, "1790000000000000001"],
    ["deep.jsonl", '{"inputs":{"a":[1,-9007199254740993]}}\n', 1, "-9007199254740993"],
    ["infinite.jsonl", '{"inputs":1e400}\n', 1, "1e400"],
    ["cell.csv", 'inputs\nx\n"{""id"":1790000000000000001}"\n', 3, "1790000000000000001"],
  ])("%s has a number that would become another", async (name, text, line, number) => {
    const message = await problemOf(name, text);
    expect(message).toContain(
      `${name}:${line} has the number ${number}, which JavaScript cannot represent; write it as a text, "${number}".`,
    );
  });

  it.each([
    ["row.jsonl", '{"inputs":0,"outputs":0}\n{"inputs":1,"inputs":2,"outputs":1}\n', ":2", '"inputs"'],
    ["spaced.jsonl", '{ "inputs" : 1 , "outputs" : 1 , "outputs"\t: 1 }\n', ":1", '"outputs"'],
    ["nested.jsonl", '{"inputs":[{"a":{"b":1},"c":[{"d":1,"e":{"d":1},"d":2}]}]}\n', ":1", '"d"'],
    ["escaped.jsonl", '{"inputs":{"a\\\\":1,"b":2,"\\u0062":3}}\n', ":1", '"\\u0062"'],
    ["object.jsonl", '{"inputs":{"__proto__":1,"__proto__":1}}\n', ":1", '"__proto__"'],
    ["list.json", '[{"inputs":1},{"inputs":1,"inputs":1}]', "", '"inputs"'],
    ["key.csv", 'inputs\nx\n"{""id"":1,""id"":1}"\n', ":3", '"id"'],
  ])("%s has an object with the same key twice", async (name, text, line, key) => {
    expect(await problemOf(name, text)).toContain(
      `${name}${line} has the key ${key} twice in one object, of which JavaScript keeps only the last; remove or rename one of them.`,
    );
  });

  it("keys that only look the same are kept", async () => {
    const inputs = [
      { a: 1, b: { a: ['"a":1', "a\\", '{"a":"', ":", '":'], "": { "": [] } }, 'c":': 1 },
      { a: 1 },
    ];
    const rows = JSON.stringify({ inputs });
    expect(await examplesOf(write("same.jsonl", `${rows}\n${rows.replaceAll('":', '" :')}`))).toMatchObject([
      { inputs },
      {},
    ]);
  });

  it("strings of digits and exact numbers are kept", async () => {
    const inputs = { text: 'id "1790000000000000001", \\', even: 1e22, more: 9007199254740994, tiny: 1e-300 };
    const spelled = JSON.stringify(inputs).replace("1e+22", "10000000000000000000000");
    expect(await examplesOf(write("kept.jsonl", `{"inputs":${spelled}}`))).toEqual([{ id: "1", inputs }]);
    const rows = await examplesOf(
      write("kept.csv", "id,inputs\n1790000000000000001,a\n1790000000000000002,b\n"),
    );
    expect(rows.map(({ id }) => id)).toEqual(["1790000000000000001", "1790000000000000002"]);
  });
});

describe("a misspelled field", () => {
  it.each([
    ["referenceOutput", "referenceOutputs"],
    ["reference_output", "referenceOutputs"],
    ["refrenceOutputs", "referenceOutputs"],
    ["input", "inputs"],
    ["Inputs", "inputs"],
    ["ouptuts", "outputs"],
    ["meta_data", "metadata"],
    ["attachment", "attachments"],
    ["ID", "id"],
  ])("%s is reported in a list, an iterable and a file", async (given, meant) => {
    const row = { [given]: "x" };
    const expected = `has the unknown field "${given}"; did you mean "${meant}"?`;
    const path = file("misspelled.jsonl", JSON.stringify(row));
    for (const [data, place] of [
      [[row], "data[0]"],
      [new Set([row]), "data[0]"],
      [path, `${path}:1`],
    ] as const) {
      const error = await errorOf(evaluate(() => "", { data: data as Data }));
      expect(error).toMatchObject({ code: "invalid_input", message: `${place} ${expected}` });
    }
  });

  it("other fields are accepted, such as LangSmith's, and those of rows that also have the right one", async () => {
    const more = { dataset_id: "d", created_at: "x", name: "n", runs: [], split: "s", tags: [] };
    const data = [{ id: "1", inputs: "a", input: "b", outputs: 1, output: 2, ...more }] as Data;
    expect(await examplesOf(data)).toEqual([{ id: "1", inputs: "a", outputs: 1 }]);
  });

  it("other fields are reported once, except LangSmith's", async () => {
    const rows = [
      { inputs: "a", outputs: 1, category: "x", dataset_id: "d" },
      { outputs: 2, category: "y", hint: 1 },
    ];
    const told = async (data: unknown) => (await evaluate(undefined, { data: data as Data })).ignoredFields;
    expect(await told(rows)).toEqual(["category", "hint"]);
    expect(await told(new Set(rows))).toEqual(["category", "hint"]);
    expect(await told([{ inputs: "a", created_at: "x" }])).toBeUndefined();
  });
});
