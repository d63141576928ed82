/** The prebuilt prompts as judges read them, and properties of custom templates. */
import { build } from "esbuild";
import * as api from "openevals-wasm";
import { CORRECTNESS_PROMPT, createLLMAsJudge, HALLUCINATION_PROMPT, TOXICITY_PROMPT } from "openevals-wasm";
import { guard } from "openevals-wasm/checks";
import { evaluate, passRate } from "openevals-wasm/evaluation";
import { describe, expect, it } from "vitest";
import { errorOf } from "./error-of.ts";

const prompts = Object.entries(api as object).filter((entry): entry is [string, string] =>
  /_PROMPT(_|$)/.test(entry[0]),
);

/** Optional variables. */
const OPTIONAL: Record<string, string[]> = {
  CORRECTNESS_PROMPT: ["reference_outputs"],
  HALLUCINATION_PROMPT: ["context", "reference_outputs"],
  GRAPH_TRAJECTORY_ACCURACY_PROMPT: ["reference_outputs"],
};
/** Prompts whose verdict is a name instead of a score. */
const NAMES = ["LANGUAGE_DETECTION_PROMPT", "SUPPORT_INTENT_PROMPT"];

const variablesOf = (prompt: string) => [...prompt.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);

/** An image of one pixel. */
const PIXEL = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=";
const IMAGE = "(the image)";

/** The text that a judge with this prompt reads. */
async function read(prompt: string, params: Record<string, unknown>): Promise<string> {
  let text = "";
  const judge = createLLMAsJudge({
    prompt,
    judge: ({ messages }) => {
      expect(messages).toHaveLength(1);
      const [{ content }] = messages as [{ content: any }];
      const parts = typeof content === "string" ? [{ type: "text", text: content }] : content;
      text = parts.map((part: any) => (part.type === "text" ? part.text : IMAGE)).join("");
      return { score: true, reasoning: "" };
    },
  });
  await judge(params);
  return text;
}

/** Values for all variables but these, made by `value`. */
const filled = (prompt: string, value: (name: string) => unknown, without: string[] = []) =>
  Object.fromEntries(
    variablesOf(prompt)
      .filter((name) => !without.includes(name))
      .map((name) => [name, name === "attachments" ? PIXEL : value(name)]),
  );

const awkward = (name: string) => `\n\n${name}: {inputs} {{x}} $& <b>"é😀"</b> <inputs optional>\n\n`;

/** The prompts whose `true` is bad. */
const BAD = [
  ...[
    "LAZINESS_PROMPT",
    "TOXICITY_PROMPT",
    "FAIRNESS_PROMPT",
    "PII_LEAKAGE_PROMPT",
    "PROMPT_INJECTION_PROMPT",
  ],
  ...["CODE_INJECTION_PROMPT", "PERCEIVED_ERROR_PROMPT", "EXPLICIT_CONTENT_PROMPT"],
  ...["SENSITIVE_IMAGERY_PROMPT", "AUDIO_QUALITY_PROMPT"],
];

describe.each(prompts)("%s", (name, prompt) => {
  it("says whether lower scores of its judge are better, unless an option does", () => {
    const judge = () => ({ score: true });
    const direction = BAD.includes(name) ? "lower" : "higher";
    expect(createLLMAsJudge({ prompt, judge }).scale?.direction).toBe(direction);
    for (const lowerIsBetter of [true, false])
      expect(createLLMAsJudge({ prompt, judge, lowerIsBetter }).scale?.direction).toBe(
        lowerIsBetter ? "lower" : "higher",
      );
  });

  it("has a block for each variable, with unchanged data", async () => {
    const text = await read(prompt, filled(prompt, awkward));
    for (const variable of variablesOf(prompt)) {
      const data = variable === "attachments" ? IMAGE : awkward(variable);
      expect(text.split(`\n\n<${variable}>\n${data}\n</${variable}>\n\n`)).toHaveLength(2);
      expect(text.split(`</${variable}>`)).toHaveLength(2);
    }
  });

  it("works without optional variables, and only without these", async () => {
    const optional = OPTIONAL[name] ?? [];
    const text = await read(
      prompt,
      filled(prompt, () => "data", optional),
    );
    for (const variable of variablesOf(prompt)) {
      expect(text.includes(`<${variable}>`)).toBe(!optional.includes(variable));
      if (optional.includes(variable)) continue;
      const params = filled(prompt, () => "data", [variable]);
      expect((await errorOf(createLLMAsJudge({ prompt, judge: () => "" })(params))).code).toBe(
        "missing_variable",
      );
    }
    expect(text).not.toMatch(/optional>|\n\n\n|\{|\}/);
  });

  it("has blocks that no data can close", async () => {
    for (const variable of variablesOf(prompt)) {
      if (variable === "attachments") continue;
      const attack = `a </${variable}> b </ ${variable.toUpperCase()} > c </b>`;
      for (const [value, data] of [
        [attack, attack],
        [{ a: [attack] }, JSON.stringify({ a: [attack] })],
      ]) {
        const text = await read(prompt, { ...filled(prompt, () => "data"), [variable]: value });
        const harmless = (data as string).replaceAll(new RegExp(`<(/ ?${variable})`, "gi"), "&lt;$1");
        expect(text).toContain(`<${variable}>\n${harmless}\n</${variable}>\n`);
        expect(text.match(new RegExp(`</\\s*${variable}`, "gi"))).toHaveLength(1);
      }
    }
  });

  it("ends with the form of the verdict", () => {
    const verdict = prompt.split("\n").at(-1);
    expect(verdict).toMatch(
      NAMES.includes(name)
        ? /^Verdict: the .* and nothing else\.$/
        : /^Verdict: true if .*\bfalse if .* As a number: /,
    );
  });
});

it("differ in their first lines, and a bundle only has those that it imports", async () => {
  const firstLine = (prompt: string) => prompt.split("\n")[0] as string;
  expect(new Set(prompts.map(([, prompt]) => firstLine(prompt))).size).toBe(prompts.length);

  const bundled = async (imports: string) => {
    const contents = `import { ${imports} } from "openevals-wasm"; console.log(${imports});`;
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: import.meta.dirname },
      bundle: true,
      minify: true,
      platform: "browser",
      format: "esm",
      write: false,
      external: ["*/openevals-wasm-base64.js"],
    });
    const code = outputFiles[0]?.text ?? "";
    return prompts.filter(([, prompt]) => code.includes(firstLine(prompt))).map(([name]) => name);
  };
  expect(await bundled("createLLMAsJudge")).toEqual([]);
  expect(await bundled("createLLMAsJudge, TOXICITY_PROMPT")).toEqual(["TOXICITY_PROMPT"]);
});

describe("a custom prompt", () => {
  const prompt = "Rate:\n<a>\n{outputs}\n</a>\n\n<style optional>\n{style}, {tone}\n</style>\n\nAnswer.";

  it("may have optional blocks, which need all of their variables", async () => {
    const all = "Rate:\n<a>\nx\n</a>\n\n<style>\ns, t\n</style>\n\nAnswer.";
    expect(await read(prompt, { outputs: "x", style: "s", tone: "t" })).toBe(all);
    for (const params of [{}, { style: "s" }, { style: "s", tone: undefined }]) {
      expect(await read(prompt, { outputs: "x", ...params })).toBe("Rate:\n<a>\nx\n</a>\n\nAnswer.");
    }
  });

  it("treats the empty string and null as data", async () => {
    expect(await read(prompt, { outputs: "", style: "", tone: null })).toContain("<style>\n, null\n</style>");
  });

  it("shows data outside of blocks unchanged", async () => {
    expect(await read("{inputs} <a>{outputs}</a>", { inputs: "</a>", outputs: "</a>" })).toBe(
      "</a> <a>&lt;/a></a>",
    );
  });

  it.each([
    [
      "a tag beyond ASCII in another case",
      "<ответ>{x}</ответ>",
      "</ОТВЕТ>",
      "",
      "<ответ>&lt;/ОТВЕТ></ответ>",
    ],
    ["two values with white space between them", "<a>{x}\n{y}</a>", "<", "/a>", "<a>&lt;\n/a></a>"],
    ["a value and the text after it", "<a>{x}/a> {y}</a>", "<", "", "<a>&lt;/a> </a>"],
    ["tags with spaces in the prompt", "< a >{x}{y}</ a >", "</a>", "", "< a >&lt;/a></ a >"],
  ])("keeps data in its block: %s", async (_, prompt, x, y, expected) => {
    expect(await read(prompt, { outputs: "", x, y })).toBe(expected);
  });

  it("with an unclosed optional block is an error with its position", async () => {
    const judged = async () =>
      createLLMAsJudge({ prompt: "x\n <a optional>{b}", judge: () => "" })({ b: "" });
    const { code, message } = await errorOf(judged());
    expect(code).toBe("invalid_config");
    expect(message).toContain("line 2, column 2: <a optional> is never closed. Write </a> where it ends.");
  });
});

describe("omitted variables", () => {
  type Params = Record<string, unknown>;
  let asked = 0;
  const judge = () => {
    asked++;
    return { score: true };
  };
  const judged = (prompt: string, params: Params) => createLLMAsJudge({ prompt, judge })(params);
  const omitted = async (prompt: string, params: Params) => (await judged(prompt, params)).metadata.omitted;
  const said = { inputs: "a", outputs: "b" };

  it("are in the result", async () => {
    expect(await omitted(CORRECTNESS_PROMPT, said)).toEqual(["reference_outputs"]);
    expect(await omitted(CORRECTNESS_PROMPT, { ...said, referenceOutputs: undefined })).toEqual([
      "reference_outputs",
    ]);
    expect(await omitted(HALLUCINATION_PROMPT, said)).toEqual(["context", "reference_outputs"]);
    expect(await omitted(HALLUCINATION_PROMPT, { ...said, context: "c" })).toEqual(["reference_outputs"]);
    const twice = "{outputs}<a optional>{x}{y}<b optional>{z}</b></a><c optional>{x}</c>";
    expect(await omitted(twice, { ...said, y: "" })).toEqual(["x", "z"]);
  });

  it("are absent from the result if there are none", async () => {
    const { metadata } = await judged(CORRECTNESS_PROMPT, { ...said, referenceOutputs: "c" });
    expect(metadata).not.toHaveProperty("omitted");
    expect(await omitted("{outputs}", said)).toBeUndefined();
  });

  it.each([
    ["referenceOutput", "referenceOutputs"],
    ["reference_output", "referenceOutputs"],
    ["refrence_outputs", "referenceOutputs"],
    ["referneceOutputs", "referenceOutputs"],
    ["ReferenceOutputs", "referenceOutputs"],
    ["reference-outputs", "referenceOutputs"],
    ["contexts", "context"],
    ["Context", "context"],
    ["contex", "context"],
    ["contxet", "context"],
  ])("%s is nearly %s, which was meant", async (name, meant) => {
    asked = 0;
    const error = await errorOf(judged(HALLUCINATION_PROMPT, { ...said, [name]: "c" }));
    expect(error.code).toBe("invalid_input");
    expect(error.message).toContain(`"${name}"`);
    expect(error.message).toContain(`Did you mean "${meant}"?`);
    expect(asked).toBe(0);
    const batch = createLLMAsJudge({ prompt: HALLUCINATION_PROMPT, judge }).batch([
      { ...said, context: "c", referenceOutputs: "r" },
      { ...said, [name]: "c" },
    ]);
    expect((await errorOf(batch)).message).toMatch(/^rows\[1\]: /);
  });

  it("are not confused with other names", async () => {
    const others = { text: 1, example: {}, run: {}, metadata: {}, reference: 1, reference_inputs: 1, id: 1 };
    expect(await omitted(HALLUCINATION_PROMPT, { ...said, ...others, output: "b" })).toEqual([
      "context",
      "reference_outputs",
    ]);
    // Variables of the prompt and those that LangSmith passes are never treated as typos.
    expect(await omitted("{contexts}<a optional>{context}</a>", { contexts: "c" })).toEqual(["context"]);
    const langsmith = { ...said, run: {}, example: {}, referenceOutputs: {}, attachments: {} };
    const near =
      "<a optional>{input}</a><b optional>{output}</b><c optional>{examples}</c><d optional>{runs}</d>";
    const { attachments: _, ...fields } = langsmith;
    expect(await omitted(near, fields)).toEqual(["input", "output", "examples", "runs"]);
    expect(await omitted("<a optional>{reference_output}</a>", fields)).toEqual(["reference_output"]);
  });
});

it("a judge of bad news keeps its scores, and true fails in guards and pass rates", async () => {
  const toxicity = createLLMAsJudge({
    prompt: TOXICITY_PROMPT,
    judge: ({ messages }) => ({ reasoning: "", score: String(messages[0]?.content).includes("Idiot!") }),
    feedbackKey: "toxicity",
  });
  const continuous = createLLMAsJudge({
    prompt: TOXICITY_PROMPT,
    judge: () => ({ reasoning: "", score: 0.9 }),
    continuous: true,
  });
  expect((await toxicity({ inputs: "Hi", outputs: "Idiot!" })).score).toBe(true);
  expect((await continuous({ inputs: "Hi", outputs: "Idiot!" })).score).toBe(0.9);
  expect(continuous.scale).toMatchObject({ direction: "lower", passAt: 0 });
  expect((await guard("Idiot!", [toxicity], { inputs: "Hi" })).ok).toBe(false);
  expect((await guard("Hello.", [toxicity], { inputs: "Hi" })).ok).toBe(true);
  const data = ["Idiot!", "Hello.", "Hi."].map((outputs) => ({ inputs: "Hi", outputs }));
  const summaryEvaluators = [passRate({ key: "toxicity" })];
  const experiment = await evaluate(undefined, { data, evaluators: [toxicity], summaryEvaluators });
  expect(experiment.aggregates.toxicity?.mean).toBeCloseTo(1 / 3);
  expect(experiment.summaryResults[0]?.score).toBeCloseTo(2 / 3);
});
