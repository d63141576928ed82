/** Streamed data. */
import { appendFileSync, closeSync, ftruncateSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { parquetWriteFile } from "hyparquet-writer";
import { type Data, type Example, evaluate } from "openevals-wasm/evaluation";
import { describe, expect, it } from "vitest";
import { errorOf } from "../api/error-of.js";
import { temporaryFolder } from "./folder.js";

const folder = temporaryFolder();

function file(name: string, bytes: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

async function examplesOf(data: Data): Promise<Example[]> {
  const { rows } = await evaluate(() => "", { data });
  return rows.map(({ example }) => example);
}

const ROWS = [
  { id: "é", inputs: { question: 'Was heißt "😀"?' }, outputs: "Lächeln" },
  { id: "b", inputs: { question: "two\nlines,\r\nthree" }, outputs: "x".repeat(50) },
];
const JSONL = `\ufeff${ROWS.map((row) => JSON.stringify(row)).join("\r\n\r\n")}\r\n`;
const CSV = `\ufeffid,inputs.question,outputs\r\né,"Was heißt ""😀""?",Lächeln\r\nb,"two\nlines,\r\nthree",${"x".repeat(50)}\r\n`;

/** Chunks of this many bytes. */
async function* cut(text: string, size: number) {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

const streamOf = (items: unknown[]) =>
  new ReadableStream({
    start(controller) {
      for (const item of items) controller.enqueue(item);
      controller.close();
    },
  });

describe("rows from bytes", () => {
  it.each([
    ["jsonl", JSONL],
    ["csv", CSV],
  ] as const)("%s may be cut anywhere", async (format, text) => {
    for (let size = 1; size < 120; size++)
      expect(await examplesOf({ stream: cut(text, size), format })).toEqual(ROWS);
  });

  it("can be text chunks, which may split a character", async () => {
    const units = [...Array(JSONL.length).keys()].map((index) => JSONL[index]);
    expect(await examplesOf({ stream: streamOf(units), format: "jsonl" })).toEqual(ROWS);
  });

  it("can be text between bytes, whose half of a character stays in its place", async () => {
    const stream = streamOf(['{"outputs":"a\ud83d', Buffer.from('"}\n{"outputs":"'), 'b"}']);
    const examples = await examplesOf({ stream, format: "jsonl" });
    expect(examples.map(({ outputs }) => outputs)).toEqual(["a\ufffd", "b"]);
  });

  it("can be the body of a response, compressed or not", async () => {
    const body = (bytes: BodyInit) => new Response(bytes).body as ReadableStream<Uint8Array>;
    expect(await examplesOf({ stream: body(JSONL), format: "jsonl" })).toEqual(ROWS);
    const stream = body(gzipSync(CSV));
    expect(await examplesOf({ stream, format: "csv", compression: "gzip" })).toEqual(ROWS);
  });

  it("can be compressed files", async () => {
    expect(await examplesOf(file("rows.jsonl.gz", gzipSync(JSONL)))).toEqual(ROWS);
    expect(await examplesOf(file("rows.csv.gz", gzipSync(CSV)))).toEqual(ROWS);
  });

  it("can come from a stream that is not an async iterable, as in some browsers", async () => {
    const rows = streamOf(ROWS);
    const stream = { getReader: () => rows.getReader() };
    expect(await examplesOf(stream as unknown as Data)).toEqual(ROWS);
  });

  it.each<[string, () => Data, string]>([
    ["gzip that is none", () => file("none.jsonl.gz", JSONL), "none.jsonl.gz is not valid gzip"],
    [
      "gzip that is cut",
      () => file("cut.csv.gz", gzipSync(CSV).subarray(0, 60)),
      "cut.csv.gz is not valid gzip, or is incomplete",
    ],
    [
      "another format",
      () => ({ stream: cut("", 1), format: "tsv" }) as unknown as Data,
      "is { stream, format }",
    ],
    ["no format", () => streamOf([Buffer.from(JSONL)]), "data[0] is bytes; pass { stream, format }"],
    ["a text", () => streamOf([JSONL]), "or { stream, format } if it is text with rows"],
    [
      "numbers",
      () => ({ stream: streamOf([1]), format: "csv" }) as unknown as Data,
      "has a chunk that is neither bytes nor text",
    ],
    ["promises", () => [Promise.resolve({})] as unknown as Data, "data[0] is a promise; await it"],
    [
      "what is no UTF-8",
      () => ({ stream: [Buffer.from("{}\n\n{\xff", "latin1")], format: "jsonl" }),
      "data:3 is not UTF-8",
    ],
    [
      "a line that is cut",
      () => ({ stream: cut('{}\n{"inputs', 3), format: "jsonl" }),
      "data:2 is not valid JSON",
    ],
    [
      "text beside a quote",
      () => ({ stream: cut('inputs\na\n"b"c', 1), format: "csv" }),
      "data:3 has a quote",
    ],
  ])("%s is refused", async (_, data, message) => {
    expect((await errorOf(evaluate(() => "", { data: data() }))).message).toContain(message);
  });

  it("can have lines of many megabytes, up to a limit", async () => {
    const long = "x".repeat(20_000_000);
    const [example] = await examplesOf(file("long.jsonl", `{"inputs":"${long}"}\n{}`));
    expect((example?.inputs as string).length).toBe(long.length);
    // A sparse file, which takes no space.
    const path = file("endless.jsonl", "{}\n");
    const handle = openSync(path, "r+");
    ftruncateSync(handle, 130 * 1024 * 1024);
    closeSync(handle);
    appendFileSync(path, "\n");
    const { message } = await errorOf(evaluate(() => "", { data: path }));
    expect(message).toContain("endless.jsonl:2 is longer than 128 MB");
  });

  it("are read on demand, and released when the experiment fails", async () => {
    let pulled = 0;
    let isCancelled = false;
    const stream = new ReadableStream(
      {
        pull(controller) {
          controller.enqueue(Buffer.from(`{"inputs":${pulled++}}\n`));
        },
        cancel() {
          isCancelled = true;
        },
      },
      { highWaterMark: 1 },
    );
    const stop = new AbortController();
    const target = (input: number) => {
      if (input === 20) stop.abort();
    };
    const { rows } = await evaluate(target, { data: { stream, format: "jsonl" }, signal: stop.signal });
    await expect.poll(() => isCancelled).toBe(true);
    expect(rows.length).toBeLessThan(22);
    expect(pulled).toBeLessThan(30);
  });
});

describe("Parquet", () => {
  const write = (name: string, columnData: Parameters<typeof parquetWriteFile>[0]["columnData"]) => {
    const filename = join(folder, name);
    parquetWriteFile({ filename, columnData, rowGroupSize: 3 });
    return filename;
  };

  it("has the columns of CSV, and structures", async () => {
    const seen: (number | undefined)[] = [];
    const path = write("rows.parquet", [
      { name: "id", data: ["a", "b", "c", "d", "e"], type: "STRING" },
      { name: "inputs.number", data: [1n, 2n, 3n, 4n, 5n], type: "INT64" },
      { name: "inputs.tags", data: ['["x"]', null, "[", "", "y"], type: "STRING", nullable: true },
      { name: "outputs", data: [{ a: 1 }, { a: 2 }, { a: [3] }, { a: null }, {}], type: "JSON" },
    ]);
    const { rows } = await evaluate(() => "", { data: path, onProgress: ({ total }) => seen.push(total) });
    expect(rows.map(({ example }) => example)).toEqual([
      { id: "a", inputs: { number: 1, tags: ["x"] }, outputs: { a: 1 } },
      { id: "b", inputs: { number: 2 }, outputs: { a: 2 } },
      { id: "c", inputs: { number: 3, tags: "[" }, outputs: { a: [3] } },
      { id: "d", inputs: { number: 4, tags: "" }, outputs: { a: null } },
      { id: "e", inputs: { number: 5, tags: "y" }, outputs: {} },
    ]);
    expect(seen[0]).toBe(5);
  });

  it("has unchanged texts in structures, also if they look like JSON", async () => {
    const said = [{ role: "assistant", content: '{"city": "Paris"}' }];
    const given = { messages: said, list: ["[1]"] };
    const path = write("texts.parquet", [{ name: "inputs", data: [given], type: "JSON" }]);
    const { rows } = await evaluate(() => "", { data: path });
    expect(rows[0]?.example.inputs).toEqual({ messages: said, list: ["[1]"] });
  });

  it("has unchanged texts in JSON columns, also if they look like JSON", async () => {
    const texts = ["[1]", '{"a":1}', "null", "7"];
    const path = write("json-texts.parquet", [{ name: "inputs", data: texts, type: "JSON" }]);
    const { rows } = await evaluate(() => "", { data: path });
    expect(rows.map(({ example }) => example.inputs)).toEqual(texts);
  });

  it("keeps null in JSON columns and structures, and leaves out empty cells", async () => {
    const path = write("nulls.parquet", [
      { name: "inputs", data: ["a"], type: "STRING" },
      { name: "outputs", data: [{ refund: null, list: [1, null], in: { a: null } }], type: "JSON" },
    ]);
    const { rows } = await evaluate(() => "", { data: path });
    expect(rows[0]?.example.outputs).toEqual({ refund: null, list: [1, null], in: { a: null } });

    const filename = join(folder, "structures.parquet");
    const optional = { repetition_type: "OPTIONAL" as const };
    const text = { type: "BYTE_ARRAY" as const, converted_type: "UTF8" as const, ...optional };
    const schema = [
      { name: "root", num_children: 1 },
      { name: "inputs", num_children: 2, ...optional },
      { name: "city", ...text },
      { name: "count", type: "INT32" as const, ...optional },
    ];
    const data = [
      { city: null, count: 1 },
      { city: "Oslo", count: null },
    ];
    parquetWriteFile({ filename, schema, columnData: [{ name: "inputs", data }] });
    const structures = await evaluate(() => "", { data: filename });
    expect(structures.rows.map(({ example }) => example.inputs)).toEqual(data);
  });

  const decimals = (name: string, type: "INT64" | "BYTE_ARRAY" | "FIXED_LEN_BYTE_ARRAY", data: bigint[]) => {
    const filename = join(folder, `${type}.parquet`);
    const schema = [
      { name: "root", num_children: 1 },
      {
        ...{ name, type, converted_type: "DECIMAL" as const, scale: 4, precision: 38 },
        ...{ repetition_type: "REQUIRED" as const, type_length: 16 },
      },
    ];
    parquetWriteFile({ filename, schema, columnData: [{ name, data }] });
    return filename;
  };

  it.each([
    "INT64",
    "BYTE_ARRAY",
    "FIXED_LEN_BYTE_ARRAY",
  ] as const)("has exact decimals: %s", async (type) => {
    // 3 * 10 ** -1 is 0.30000000000000004.
    const path = decimals("inputs", type, [3000n, -12_345n, 0n, 65n, 123_456_789_012_345_000n]);
    const { rows } = await evaluate(() => "", { data: path });
    expect(rows.map(({ example }) => example.inputs)).toEqual([
      0.3, -1.2345, 0, 0.0065, 12_345_678_901_234.5,
    ]);
  });

  it.each([
    ["MICROS", 1_767_268_800_000_000n, ["123456", "123000", "000001", "999999"]],
    ["NANOS", 1_767_268_800_000_000_000n, ["123456789", "123000000", "000000001", "999999999"]],
  ] as const)("has times with all their digits: %s", async (unit, noon, fractions) => {
    const filename = join(folder, `${unit}.parquet`);
    const data = fractions.map((fraction) => noon + BigInt(fraction));
    data.push(noon - 4_000_000_000n * (noon / 1_000_000_000n) - 1n);
    const logical_type = { type: "TIMESTAMP" as const, isAdjustedToUTC: true, unit };
    const schema = [
      { name: "root", num_children: 1 },
      { name: "inputs", type: "INT64" as const, logical_type, repetition_type: "REQUIRED" as const },
    ];
    parquetWriteFile({ filename, schema, columnData: [{ name: "inputs", data }] });
    const { rows } = await evaluate(() => "", { data: filename });
    const at = (fraction: string) => `2026-01-01T12:00:00.${fraction}Z`;
    const [one, , three, four] = fractions;
    expect(rows.map(({ example }) => example.inputs)).toEqual([
      ...[at(one), at("123"), at(three), at(four)],
      expect.stringMatching(/^18\d\d-.*\.9+Z$/),
    ]);
  });

  it("has texts in columns without a type", async () => {
    const data = ["a", "Zürich"].map((text) => new TextEncoder().encode(text));
    const { rows } = await evaluate(() => "", {
      data: write("bytes.parquet", [{ name: "inputs", data, type: "BYTE_ARRAY" }]),
    });
    expect(rows.map(({ example }) => example.inputs)).toEqual(["a", "Zürich"]);
  });

  it("may have bytes in columns that a map leaves out", async () => {
    const path = write("images.parquet", [
      { name: "image", data: [new Uint8Array([0xff, 0xd8])], type: "BYTE_ARRAY" },
      { name: "question", data: ["a"], type: "STRING" },
    ]);
    const { rows } = await evaluate(() => "", { data: path, map: { inputs: "question" } });
    expect(rows.map(({ example }) => example.inputs)).toEqual(["a"]);
    const { message } = await errorOf(evaluate(() => "", { data: path, map: { "inputs.image": "image" } }));
    expect(message).toBe(
      `${path}:1.inputs.image cannot be read: the column "image" has bytes that are not UTF-8; write them as a text, such as Base64.`,
    );
  });

  /** A file as bytes; the values of `id` are damaged, so that reading that column fails. */
  function damaged(): Buffer {
    const path = write("whole.parquet", [
      { name: "id", data: ["row 0", "row 1", "row 2", "row 3", "row 4"], type: "STRING" },
      { name: "inputs.number", data: [1, 2, 3, 4, 5], type: "INT32" },
      { name: "outputs", data: [{ a: 1 }, null, { a: [3] }, {}, {}], type: "JSON", nullable: true },
    ]);
    const bytes = readFileSync(path);
    // The length precedes each text.
    bytes.writeUInt32LE(0x7fffffff, bytes.indexOf("row 0") - 4);
    return bytes;
  }
  const footerOf = (bytes: Buffer) => bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8);

  it("with damaged values and names is an error, and the process continues", async () => {
    const bytes = damaged();
    const unknown = bytes.lastIndexOf("inputs.number");
    const twice = bytes.lastIndexOf("outputs");
    for (const [at, name] of [
      [unknown, "inputs.numbex"],
      [twice, "outputt"],
    ] as const) {
      const other = Buffer.from(bytes);
      other.write(name, at);
      const { code, message } = await errorOf(evaluate(() => "", { data: file("damaged.parquet", other) }));
      expect([code, message]).toEqual([
        "invalid_input",
        expect.stringContaining("damaged.parquet is not valid Parquet, or is damaged: row group"),
      ]);
    }
    // Vitest fails on unhandled rejections, after all promises had a turn.
    await new Promise(setImmediate);
  });

  it("with flipped bits in its footer is read or refused", async () => {
    const bytes = damaged();
    const footer = footerOf(bytes);
    let state = 42;
    const next = (below: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    for (let round = 0; round < 400; round++) {
      const other = Buffer.from(bytes);
      for (let flips = 0; flips <= round % 3; flips++) {
        const at = footer + next(bytes.length - footer);
        other[at] = (other[at] as number) ^ (1 << next(8));
      }
      const outcome = await evaluate(() => "", {
        data: file("flipped.parquet", other),
        progress: false,
      }).catch((error) => error);
      if (outcome instanceof Error) expect(outcome).toMatchObject({ name: "OpenEvalsError" });
    }
    await new Promise(setImmediate);
  });

  it.each<[string, () => string, string]>([
    ["a file that is none", () => file("none.parquet", "inputs"), "none.parquet is not valid Parquet"],
    [
      "a number that JavaScript cannot represent",
      () => write("huge.parquet", [{ name: "inputs", data: [1n, 2n ** 60n], type: "INT64" }]),
      "huge.parquet:2 has the number 1152921504606846976, which JavaScript cannot represent",
    ],
    [
      "a number in a JSON column that JavaScript cannot represent",
      () => {
        const filename = join(folder, "ids.parquet");
        const columnData = [
          { name: "inputs", data: ["a", "b"], type: "STRING" as const },
          { name: "outputs", data: [{ id: 1 }, { id: "x".repeat(18) }], type: "JSON" as const },
        ];
        parquetWriteFile({ filename, codec: "UNCOMPRESSED", columnData });
        const bytes = readFileSync(filename).toString("latin1");
        const number = "12345678901234567891";
        return file("ids.parquet", Buffer.from(bytes.replaceAll(`"${"x".repeat(18)}"`, number), "latin1"));
      },
      'ids.parquet:2 (column "outputs") has the number 12345678901234567891, which JavaScript cannot represent; write it as a text',
    ],
    [
      "a number that JSON cannot represent",
      () => write("nan.parquet", [{ name: "outputs", data: [0.5, Number.NaN], type: "DOUBLE" }]),
      "nan.parquet:2 has the number NaN, which JSON cannot represent; write null.",
    ],
    [
      "a decimal with more digits than a number has",
      () => decimals("inputs", "INT64", [1n, 123_456_789_012_345_678n]),
      'INT64.parquet:2.inputs cannot be read: the column "inputs" has the decimal 123456789012345678e-4, which JavaScript',
    ],
    [
      "a text that is not UTF-8",
      () => {
        const path = write("latin.parquet", [{ name: "inputs", data: ["a", "Zurich"], type: "STRING" }]);
        const bytes = readFileSync(path);
        for (let at = bytes.indexOf("Zurich"); at >= 0; at = bytes.indexOf("Zurich", at))
          bytes[at + 1] = 0xfc;
        return file("latin.parquet", bytes);
      },
      'latin.parquet:2.inputs cannot be read: the column "inputs" has bytes that are not UTF-8',
    ],
    [
      "a column of another name",
      () => write("named.parquet", [{ name: "question", data: ["a"], type: "STRING" }]),
      'named.parquet:1 has the column "question"; columns are id, inputs,',
    ],
  ])("%s is refused", async (_, path, message) => {
    expect((await errorOf(evaluate(() => "", { data: path() }))).message).toContain(message);
  });
});
