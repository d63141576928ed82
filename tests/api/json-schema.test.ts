/** Validation of judges' answers against schemas: the JSON Schema Test Suite, and slow patterns. */
import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { createLLMAsJudge } from "openevals-wasm";
import { jsonSchema } from "openevals-wasm/checks";
import { describe, expect, it, test } from "vitest";
import { errorOf } from "./error-of.ts";

interface Group {
  description: string;
  schema: object | boolean;
  tests: { description: string; data: unknown; valid: boolean }[];
}

const suite = new URL("json-schema-suite/", import.meta.url);
const files = ["", "optional/", "optional/format/"].flatMap((folder) =>
  readdirSync(new URL(folder, suite))
    .filter((file) => file.endsWith(".json"))
    .map((file) => folder + file),
);
const groupsOf = (file: string): Group[] => JSON.parse(readFileSync(new URL(file, suite), "utf8"));

/** A judge with this answer. The suite has schemas that are not objects, which judges do not accept. */
const answering = (outputSchema: object | boolean, answer: string) =>
  createLLMAsJudge({
    prompt: "",
    judge: () => answer,
    outputSchema: typeof outputSchema === "boolean" ? { allOf: [outputSchema] } : outputSchema,
  });

/** Whether an answer is valid, or the message if the schema is not supported. */
async function fits(schema: object | boolean, data: unknown): Promise<boolean | string> {
  const judge = answering(schema, JSON.stringify(data));
  try {
    // A string that does not fit is parsed as JSON, if that fits.
    return JSON.stringify(await judge({})) === JSON.stringify(data);
  } catch (error: any) {
    if (error.code === "invalid_judge_output") return false;
    if (error.code === "invalid_config") return error.message;
    throw error;
  }
}

/** The same by the check, which accepts every schema, and values as text. */
async function passes(schema: object | boolean, data: unknown): Promise<boolean | string> {
  try {
    return (await jsonSchema(schema)({ outputs: JSON.stringify(data) })).score;
  } catch (error: any) {
    if (error.code === "invalid_config") return error.message;
    throw error;
  }
}

/** Known differences from the suite: `file`, `file: group` or `file: group: test`, with the reason. */
const DIFFERENCES: Record<string, string> = {
  "format.json":
    "Formats are checked, which the specification leaves open: the files in optional/format say how.",
  "optional/format/idn-hostname.json": "It is refused.",
  "optional/format/hostname.json: validation of A-label (punycode) host names":
    "What stands behind xn-- is not decoded.",
  "optional/refOfUnknownKeyword.json": "Nobody knows that there is a schema, so the reference is refused.",
  "optional/dependencies-compatibility.json": "A keyword of older drafts, which is refused.",
};

/** Groups whose data have an integer that JavaScript cannot represent: as an answer it is refused. */
const CHANGED = ["maximum", "minimum"].map((bound) => `optional/bignum.json: ${bound} integer comparison`);

/** The messages for a reference to another document, and for an unsupported metaschema. */
const REMOTE = /it refers to another document|\$schema is ".*", but has to be a draft of json-schema.org/;

describe("the JSON Schema Test Suite", () => {
  let remote = 0;

  it.each(files)("%s", async (file) => {
    const others: string[] = [];
    for (const { description: group, schema, tests } of groupsOf(file)) {
      for (const { description, data, valid } of tests) {
        const found = await fits(schema, data);
        const checked = await passes(schema, data);
        if (CHANGED.includes(`${file}: ${group}`)) {
          expect([found, checked]).toEqual([false, valid]);
          continue;
        }
        if (typeof checked === "string" ? !REMOTE.test(checked) && checked === found : checked !== found)
          others.push(`${file}: ${group}: ${description}: the check says ${checked}`);
        const name = `${file}: ${group}: ${description}`;
        const isKnown = [file, `${file}: ${group}`].some((known) => known in DIFFERENCES);
        if (typeof found === "string" && REMOTE.test(found)) remote++;
        else if (found !== valid && !isKnown) others.push(`${name}: ${found}`);
      }
    }
    expect(others).toEqual([]);
  });

  it("has no other references to other documents than the known ones", () => {
    expect(remote).toBe(58);
  });
});

describe("an unsupported schema is refused before a judge is asked", () => {
  const cases: [string, object, string][] = [
    [
      "a reference to another document",
      { properties: { a: { $ref: "https://example.com/a" } } },
      "#/properties/a/$ref: https://example.com/a is not supported: it refers to another document; put the schema into $defs",
    ],
    [
      "a reference to nothing",
      { items: { $ref: "#/$defs/a" } },
      "#/items/$ref: #/$defs/a is not supported: there is no schema at that place",
    ],
    [
      "a list of items",
      { items: [{}] },
      "#/items is [{}], but has to be a schema; use prefixItems for one for each item",
    ],
    [
      "a keyword of an older draft",
      { allOf: [{ additionalItems: false }] },
      "#/allOf/0/additionalItems: additionalItems is not supported: use items, and prefixItems for the items before them",
    ],
    [
      "a limit that is none",
      { properties: { a: { minimum: "1" } } },
      '#/properties/a/minimum is "1", but has to be a number',
    ],
    [
      "a type that there is none of",
      { type: "text" },
      '#/type is "text", but has to be a type, such as "string"',
    ],
    [
      "no expression",
      { properties: { a: { pattern: "(" } } },
      "#/properties/a/pattern: pattern ( is not supported: Invalid regular expression",
    ],
    [
      "an expression that refers back",
      { patternProperties: { "(a)\\1": {} } },
      "#/patternProperties: pattern (a)\\1 is not supported: it has a backreference",
    ],
    [
      "one that looks behind",
      { pattern: "(?<=a)b" },
      "#/pattern: pattern (?<=a)b is not supported: it has a lookbehind",
    ],
    [
      "one that repeats too much",
      { pattern: "(a{300}){300}" },
      "#/pattern: pattern (a{300}){300} is not supported: it has too many repetitions",
    ],
    ["a count that is none", { pattern: "a{,5}" }, "#/pattern: pattern a{,5} is not supported"],
    ["an anchor of other languages", { pattern: "\\Aa" }, "#/pattern: pattern \\Aa is not supported"],
    [
      "an address of two schemas",
      { $defs: { a: { $id: "urn:a", type: "string" }, b: { $id: "urn:a", type: "number" } } },
      "#/$defs/b: $id is not supported: another schema has the same, and differs",
    ],
    [
      "a name of two schemas",
      { $defs: { a: { $anchor: "n", type: "string" }, b: { $anchor: "n", type: "number" } } },
      "#/$defs/b: $anchor is not supported: another schema has the same, and differs",
    ],
    ["flags within", { pattern: "(?i:a)" }, "#/pattern: pattern (?i:a) is not supported"],
    [
      "a format without rules here",
      { format: "idn-hostname" },
      "#/format: format idn-hostname is not supported",
    ],
  ];

  const endless: [string, object, string][] = [
    ["itself", { $ref: "#" }, "#/$ref: #"],
    ["one that is made of it", { allOf: [{ $ref: "#" }] }, "#/allOf/0/$ref: #"],
    ["what it excludes", { not: { $ref: "#" } }, "#/not/$ref: #"],
    ["itself by a name", { $dynamicAnchor: "a", $dynamicRef: "#a" }, "#/$dynamicRef: #a"],
    [
      "another that leads back",
      { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
      "#/$defs/a/$ref: #/$defs/b",
    ],
  ];
  for (const [what, schema, place] of endless) {
    const message = `${place} is not supported: it refers back to itself for the same value, without end`;
    cases.push([`a reference without end to ${what}`, schema, message]);
  }

  it("a long pattern is shortened in messages", async () => {
    for (const pattern of [`(${"a".repeat(1e6)}`, `(?<=${"a".repeat(1e6)})`]) {
      const { message } = await errorOf(answering({ pattern }, "1")({}));
      expect(message).toMatch(/^outputSchema: #\/pattern: pattern \((\?<=)?a+….* is not supported: /);
      expect(message.length).toBeLessThan(700);
    }
  });

  it.each(cases)("%s", async (_, outputSchema, message) => {
    let asked = 0;
    const judge = createLLMAsJudge({ prompt: "", judge: () => `${asked++}`, outputSchema });
    for (const _time of ["first", "second"]) {
      const error = await errorOf(judge({}));
      expect(error).toMatchObject({
        code: "invalid_config",
        message: expect.stringContaining(`outputSchema: ${message}`),
      });
    }
    expect(asked).toBe(0);
  });
});

describe("messages name the mismatch", () => {
  const cases: [object, unknown, string][] = [
    [
      { properties: { a: { minLength: 3 } } },
      { a: "ab" },
      '"a" has 2 characters, but has to have at least 3',
    ],
    [{ properties: { a: { pattern: "^b" } } }, { a: "ab" }, '"a" is "ab", but has to be of the pattern ^b'],
    [
      { properties: { a: { format: "date" } } },
      { a: "May" },
      '"a" is "May", but has to be of the format date',
    ],
    [{ items: { multipleOf: 0.01 } }, [0.29, 0.295], '"[1]" is 0.295, but has to be a multiple of 0.01'],
    [{ uniqueItems: true }, [1, 2, 1], "the answer has 1 more than once"],
    [{ not: { required: ["a"] } }, { a: 1 }, 'the answer is {"a":1}, which fits the schema under "not"'],
    [
      { oneOf: [{ minimum: 1 }, { minimum: 2 }] },
      2,
      'the answer is 2, which fits more than one schema of "oneOf"',
    ],
    [{ exclusiveMaximum: 1 }, 1, "the answer is 1, but has to be less than 1"],
    [{ contains: { const: 1 } }, [2], 'the answer has no element that fits "contains"'],
    [
      { propertyNames: { maxLength: 1 } },
      { ab: 1 },
      '"ab" has a name that does not fit: it has 2 characters',
    ],
  ];

  it.each(cases)("%j %j", async (schema, data, message) => {
    const error = await errorOf(answering(schema, JSON.stringify(data))({}));
    expect(error).toMatchObject({ code: "invalid_judge_output", message: expect.stringContaining(message) });
  });
});

describe("recursive schemas", () => {
  /** An expression may be told with or without a note. */
  const operation = (more: object) => ({
    properties: { op: { const: "-" }, arg: { $ref: "#/$defs/e" }, ...more },
    required: ["op", "arg"],
    additionalProperties: false,
  });
  const expression = {
    $ref: "#/$defs/e",
    $defs: { e: { anyOf: [operation({}), operation({ note: {} }), { type: "number" }] } },
  };

  it("are validated in linear time", async () => {
    let data: unknown = 1;
    for (let level = 0; level < 900; level++) data = { op: "-", arg: data, note: "" };
    const started = performance.now();
    expect(await fits(expression, data)).toBe(true);
    const levels = Object.fromEntries(
      Array.from({ length: 30 }, (_, level) => {
        const next = level === 29 ? { type: "number" } : { $ref: `#/$defs/d${level + 1}` };
        return [`d${level}`, { allOf: [next, next] }];
      }),
    );
    expect(await fits({ additionalProperties: { $ref: "#/$defs/d0" }, $defs: levels }, { a: 1 })).toBe(true);
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it("accept values of any depth", async () => {
    let text = "1";
    for (let level = 0; level < 400; level++) text = `{"c":[${text}]}`;
    const schema = { type: ["object", "number"], properties: { c: { items: { $ref: "#" } } } };
    expect(await fits(schema, JSON.parse(text))).toBe(true);
    expect(await fits(schema, JSON.parse(text.replace("1", "null")))).toBe(false);
  });

  it("accept names in values of any depth", async () => {
    let text = "1";
    for (let level = 0; level < 300; level++) text = `{"c":[${text}]}`;
    const chain = Array.from({ length: 350 }, (_, link) => [`n${link}`, { $ref: `#/$defs/n${link + 1}` }]);
    const schema = {
      properties: { c: { items: { $ref: "#" } } },
      propertyNames: { $ref: "#/$defs/n0" },
      $defs: { ...Object.fromEntries(chain), n350: { maxLength: 1 } },
    };
    expect(await fits(schema, JSON.parse(text))).toBe(true);
    expect(await fits(schema, JSON.parse(text.replace("1", '{"long":1}')))).toBe(false);
  });

  it("with endless recursion found during validation do not cause another request", async () => {
    const inner = { $id: "b", $dynamicRef: "#d", $defs: { c: { $dynamicAnchor: "d" } } };
    const outputSchema = { $id: "a", $dynamicAnchor: "d", $ref: "b", $defs: { b: inner } };
    const error = await errorOf(answering(outputSchema, "{}")({}));
    expect(error).toMatchObject({
      code: "invalid_judge_output",
      message:
        "The judge's answer cannot be used: the answer cannot be checked: the schema refers to itself without end. It answered: {}",
      attempts: 1,
      raw: "{}",
    });
  });
});

test("a schema that occurs twice with its address is one", async () => {
  const address = {
    $id: "urn:address",
    type: "object",
    properties: { city: { $anchor: "c", type: "string" } },
  };
  const schema = { properties: { from: address, to: address, by: { $ref: "urn:address#c" } } };
  expect(await fits(schema, { from: { city: "Oslo" }, to: {}, by: "train" })).toBe(true);
  expect(await fits(schema, { from: { city: "Oslo" }, to: {}, by: 1 })).toBe(false);
});

describe("patterns", () => {
  const texts = (pattern: string) => ({ properties: { text: { pattern } } });

  it("with catastrophic backtracking do not hang", async () => {
    for (const pattern of ["^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "(.*a){20}$", "^(?=(a+)+$)", "(a*)*b"]) {
      const text = `${"a".repeat(5_000)}!`;
      expect([pattern, await fits(texts(pattern), { text })]).toEqual([pattern, false]);
    }
  });

  it("report texts that are too long for them", async () => {
    const text = "a".repeat(200_000);
    const error = await errorOf(answering(texts("(?=a*b)"), JSON.stringify({ text }))({}));
    expect(error.message).toContain("cannot be matched with the pattern (?=a*b): it takes too many steps");
  });

  it.each([
    ["^\\S+\\-\\d{2}$", "ab-12", "ab12"],
    ["\\@", "a@b", "ab"],
    ["\\_", "_", "-"],
    ["^{a}$", "{a}", "a"],
    ["^a{1$", "a{1", "a"],
    ["^[\\w-\\.]+@([\\w-]+\\.)+[\\w-]{2,4}$", "a-b.c@d.org", "a/b@d.org"],
    ["^[\\@\\_-z.-\\d]]$", "-]", "A]"],
    ["^[\\\\w-z\\@]$", "x", "-"],
    ["^\\😀.\\-$", "😀😀-", "😀-"],
  ])("that are written without the flag u are read: %s", async (pattern, fitting, other) => {
    for (const text of [fitting, other]) {
      expect([text, await fits(texts(pattern), { text })]).toEqual([text, text === fitting]);
    }
  });

  it("match the same texts as in JavaScript", async () => {
    const atom = fc.constantFrom(
      "a",
      "b",
      "\\d",
      "\\w",
      "[^a]",
      "[a-b]",
      ".",
      "^",
      "$",
      "\\b",
      "\\B",
      "é",
      "\\u{1F600}",
      "\\ud83d\\ude00",
      "\\.",
      "\\p{L}",
      "\\x61",
    );
    const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
      part: fc.oneof(
        { depthSize: "small" },
        atom,
        fc
          .tuple(fc.constantFrom("(", "(?:", "(?=", "(?!", "(?<n>"), tie("pattern"))
          .map(([open, inner]) => `${open}${inner})`),
        fc
          .tuple(
            fc.constantFrom("a", ".", "\\w", "[ab]"),
            fc.constantFrom("*", "+", "?", "*?", "{2}", "{0,2}", "{1,}"),
          )
          .map(([one, count]) => one + count),
        tie("pattern").map((inner) => `(?:${inner})*`),
      ),
      pattern: fc
        .array(
          fc.array(tie("part"), { maxLength: 4 }).map((parts) => parts.join("")),
          { minLength: 1, maxLength: 2 },
        )
        .map((options) => options.join("|")),
    }));
    const text = fc.string({ unit: fc.constantFrom("a", "b", "1", "é", "😀", ".", "\n", " "), maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(pattern, fc.array(text, { minLength: 1, maxLength: 4 }), async (pattern, list) => {
        let expression: RegExp;
        try {
          expression = new RegExp(pattern, "u");
        } catch {
          return; // a name of a group twice
        }
        for (const text of list) {
          expect([pattern, text, await fits(texts(pattern), { text })]).toEqual([
            pattern,
            text,
            expression.test(text),
          ]);
        }
      }),
      { numRuns: 300 },
    );
  });
});
