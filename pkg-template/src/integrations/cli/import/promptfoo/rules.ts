/** The assertions of promptfoo that can be imported, and the source code that checks them. */

import { isRecord } from "../../../../core/input/objects.js";

/** How one type of assertion is imported. */
export interface Rule {
  /** Source code: a function that makes the evaluator of an assertion. */
  code: string;
  /** Names that the code imports, by module. */
  imports?: Readonly<Record<string, readonly string[]>>;
  /** Source code of functions that `code` calls. */
  helpers?: readonly string[];
  /** Reads the value of an assertion for the data. Types without a value have no such function. */
  read?(value: unknown): ReadValue;
  /** Whether the value may be missing. */
  isOptional?: true;
  /** The valid values, for messages: "the value has to be …". */
  wanted?: string;
  /** The threshold of promptfoo, if the assertion has none. */
  threshold?: number;
  /** The difference from promptfoo. */
  differs?: string;
  /** The kind of model that the code asks. */
  needs?: "judge" | "embeddings";
}

type ReadValue = { value: unknown } | "invalid";

const CORE = "openevals-wasm";
const CHECKS = "openevals-wasm/checks";
const TEXT = "openevals-wasm/text";

const A_TEXT = "a text";
const text = (value: unknown): ReadValue => (typeof value === "string" ? { value } : "invalid");
const textOrNumber = (value: unknown): ReadValue =>
  typeof value === "number" || (typeof value === "string" && value !== "")
    ? { value: String(value) }
    : "invalid";
const texts = (value: unknown): ReadValue => {
  const list = typeof value === "string" ? commaSeparated(value) : value;
  return Array.isArray(list) && list.length && list.every((one) => !isRecord(one) && one !== "")
    ? { value: list.map(String) }
    : "invalid";
};
const textOrTexts = (value: unknown): ReadValue => (Array.isArray(value) ? texts(value) : text(value));

/** A JSON schema, which may be given as text. */
function schema(given: unknown): ReadValue {
  const value = typeof given === "string" ? parsedOrUndefined(given) : given;
  return isRecord(value) ? { value } : "invalid";
}

function parsedOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The items of a list such as `a, "b, c"`. Quotes protect commas; inside, quotes are doubled. */
export const commaSeparated = (value: string): string[] =>
  Array.from(value.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]+))\s*(?:,|$)/g), ([, quoted, bare]) =>
    quoted === undefined ? (bare as string).trim() : quoted.replaceAll('""', '"'),
  ).filter(Boolean);

const containing = (name: string, isMany: boolean, ignoreCase: boolean): Rule => ({
  code: `({ value }) => ${name}(value${ignoreCase ? ", { ignoreCase: true }" : ""})`,
  imports: { [CHECKS]: [name] },
  read: isMany ? texts : textOrNumber,
  wanted: isMany ? "a list of texts that are not empty" : "a text or a number",
});

const JUDGED = "asks a judge with its own prompt, so verdicts can differ";

const judged = (prompt: string): Rule => ({
  code: `({ value, threshold }) => (row) =>
    judge(${prompt}, threshold !== undefined)({ ...row, criterion: value })`,
  imports: { [CORE]: ["createLLMAsJudge"] },
  helpers: [
    `const judge = (prompt: string, continuous: boolean) =>
  createLLMAsJudge({ prompt, model: JUDGE, continuous });`,
  ],
  read: text,
  wanted: A_TEXT,
  differs: JUDGED,
  needs: "judge",
});

const EMBEDDINGS: Rule = {
  code: `({ value }) => async ({ outputs }) => {
    const references = [value].flat();
    const results = await Promise.all(
      references.map((referenceOutputs) => similarity({ outputs, referenceOutputs })),
    );
    return Math.max(...results.map(({ score }) => Number(score)));
  }`,
  imports: { [CORE]: ["createEmbeddingSimilarityEvaluator", "initEmbeddings"] },
  helpers: [
    `const similarity = createEmbeddingSimilarityEvaluator({ embeddings: initEmbeddings(EMBEDDINGS) });`,
  ],
  read: textOrTexts,
  wanted: "a text or a list of texts",
  threshold: 0.75,
  needs: "embeddings",
};

/** Source code that parses JSON and returns other text unchanged. */
export const PARSED = `function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}`;

/** The rules by type of assertion, without `not-`. */
export const RULES: Readonly<Record<string, Rule>> = {
  equals: {
    code: `({ value }) => ({ outputs }) =>
    exactMatch({
      outputs: typeof value === "object" ? parsed(outputs) : outputs,
      referenceOutputs: value,
    })`,
    imports: { [CORE]: ["exactMatch"] },
    helpers: [PARSED],
    read(value) {
      if (value === undefined || value === null) return "invalid";
      return { value: typeof value === "object" ? value : String(value) };
    },
    wanted: "a text, a number, a list or an object",
  },
  contains: containing("contains", false, false),
  icontains: containing("contains", false, true),
  "contains-all": containing("containsAll", true, false),
  "icontains-all": containing("containsAll", true, true),
  "contains-any": containing("containsAny", true, false),
  "icontains-any": containing("containsAny", true, true),
  "starts-with": {
    code: "({ value }) => startsWith(value)",
    imports: { [CHECKS]: ["startsWith"] },
    read: (value) => (value === "" ? "invalid" : text(value)),
    wanted: A_TEXT,
  },
  regex: {
    code: "({ value }) => ({ outputs }) => new RegExp(value).test(outputs)",
    read: (value) => (typeof value === "string" && value && isPattern(value) ? { value } : "invalid"),
    wanted: "a valid pattern",
  },
  javascript: {
    code: `({ value, threshold, not }) => async ({ output, inputs }) => {
    try {
      const result = await FUNCTIONS[value]!(output, { vars: inputs });
      if (typeof result === "boolean") return result;
      if (typeof result === "number") return { pass: threshold === undefined ? result > 0 : result >= threshold, score: result };
      if (typeof result?.pass === "boolean" && typeof result.score === "number") return { ...result, comment: result.reason };
      throw new Error(\`it returned \${JSON.stringify(result)}\`);
    } catch (error) {
      // As in promptfoo, an assertion that throws fails.
      return { pass: Boolean(not), score: 0, comment: String(error) };
    }
  }`,
    read: text,
    wanted: "JavaScript",
  },
  "is-json": {
    code: "({ value }) => (value ? jsonSchema(value) : validJson())",
    imports: { [CHECKS]: ["jsonSchema", "validJson"] },
    read: schema,
    isOptional: true,
    wanted: "a JSON schema",
  },
  "contains-json": {
    code: "({ value }) => ({ outputs }) => hasJson(outputs, value)",
    helpers: [
      PARSED,
      `/** Whether a text contains a JSON object, of a schema if there is one. */
async function hasJson(text: string, schema?: object): Promise<boolean> {
  const check = schema && jsonSchema(schema);
  const open: number[] = [];
  const pairs: [start: number, end: number][] = [];
  for (const { 0: brace, index } of text.matchAll(/[{}]/g)) {
    if (brace === "{") open.push(index);
    else if (open.length) pairs.push([open.pop()!, index + 1]);
  }
  let last = 0;
  let length = 0;
  for (const [start, end] of pairs.sort(([one], [other]) => one - other)) {
    if (start < last) continue;
    length += end - start;
    if (length > 10_000_000) throw new Error("The answer has too many braces in braces to look for JSON");
    const json = text.slice(start, end);
    if (typeof parsed(json) === "string") continue;
    if (!check || (await check({ outputs: json })).score) return true;
    last = end;
  }
  return false;
}`,
    ],
    imports: { [CHECKS]: ["jsonSchema"] },
    read: schema,
    isOptional: true,
    wanted: "a JSON schema",
    differs: "accepts strict JSON only; promptfoo also accepts YAML in braces",
  },
  "is-xml": {
    code: "() => validXml()",
    imports: { [CHECKS]: ["validXml"] },
    read: () => "invalid",
    isOptional: true,
    wanted: "missing, because required elements are not checked",
    differs: "needs the package saxes",
  },
  "is-sql": {
    code: "() => validSql()",
    imports: { [CHECKS]: ["validSql"] },
    read: () => "invalid",
    isOptional: true,
    wanted: "missing, because dialects and allowed tables are not checked",
    differs: "uses the default dialect of validSql and needs node-sql-parser",
  },
  "is-refusal": {
    code: `() => async (row) => (row.outputs.trim() ? !(await noRefusal()(row)).score : true)`,
    imports: { [CHECKS]: ["noRefusal"] },
    differs: "looks for refusals in six languages, so verdicts can differ",
  },
  levenshtein: {
    code: `({ value, threshold = 5 }) => async ({ outputs }) => {
    const length = Math.max(outputs.length, value.length);
    const { score } = await levenshteinDistance({ outputs, referenceOutputs: value });
    return Math.round((1 - Number(score)) * length) <= threshold;
  }`,
    imports: { [CORE]: ["levenshteinDistance"] },
    read: text,
    wanted: A_TEXT,
  },
  "rouge-n": {
    code: "({ value }) => ({ outputs }) => rouge({ outputs, referenceOutputs: value })",
    imports: { [TEXT]: ["createRougeEvaluator"] },
    helpers: [
      `const rouge = createRougeEvaluator({
  type: "rouge1",
  tokenizer: (text) => text.toLowerCase().match(/[\\p{L}\\p{N}]+|[^\\s\\p{L}\\p{N}]/gu) ?? [],
});`,
    ],
    read: text,
    wanted: A_TEXT,
    threshold: 0.75,
    differs: "splits contractions such as don't in another way than promptfoo's Treebank tokenizer",
  },
  bleu: {
    code: "({ value }) => ({ outputs }) => bleu({ outputs, referenceOutputs: value })",
    imports: { [TEXT]: ["createBleuEvaluator"] },
    helpers: [
      `const bleu = createBleuEvaluator({
  tokenize: "none",
  lowercase: true,
  smoothMethod: "floor",
  smoothValue: 1e-7,
});`,
    ],
    read: textOrTexts,
    wanted: "a text or a list of texts",
    threshold: 0.5,
  },
  "word-count": {
    code: `({ value }) => ({ outputs }) => {
    const count = outputs.split(/\\s+/).filter(Boolean).length;
    return count >= (value.min ?? 0) && count <= (value.max ?? Infinity);
  }`,
    read: wordLimits,
    wanted: "a number, or an object with min and max",
  },
  latency: {
    code: "({ threshold = 0 }) => latency({ max: threshold })",
    imports: { [CHECKS]: ["latency"] },
  },
  similar: EMBEDDINGS,
  "similar:cosine": EMBEDDINGS,
  "llm-rubric": judged("RUBRIC"),
  "model-graded-closedqa": judged("CRITERION"),
  factuality: judged("FACTS"),
  "model-graded-factuality": judged("FACTS"),
};

function isPattern(value: string): boolean {
  try {
    return Boolean(new RegExp(value));
  } catch {
    return false;
  }
}

function wordLimits(value: unknown): ReadValue {
  if (isRecord(value)) {
    const { min, max } = value;
    const areNumbers = [min, max].every((limit) => limit === undefined || typeof limit === "number");
    return areNumbers && (min !== undefined || max !== undefined) ? { value: { min, max } } : "invalid";
  }
  const exact = typeof value === "string" && value.trim() ? Number(value) : value;
  return typeof exact === "number" && Number.isFinite(exact)
    ? { value: { min: exact, max: exact } }
    : "invalid";
}
