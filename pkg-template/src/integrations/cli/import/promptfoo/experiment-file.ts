/** Generates the source code of an experiment from a promptfoo config. */

import { ASK, MODEL_TYPE } from "../application.js";
import { code, fileName, importsOf } from "../imported.js";
import type { Model } from "./models.js";
import type { ImportedPrompt } from "./prompts.js";
import { PARSED, RULES } from "./rules.js";
import { RENDER } from "./template.js";

interface ExperimentParts {
  path: string;
  dataFile: string;
  prompts: readonly ImportedPrompt[];
  models: readonly Model[];
  /** The name of the model that judges. */
  judge: string;
  types: readonly string[];
  /** Names and bodies of functions. */
  functions: readonly (readonly [string, string])[];
  repetitions: number;
}

export function experimentFile(parts: ExperimentParts): string {
  const { path, prompts, models, judge, types, functions } = parts;
  const rules = types.map((type) => [type, RULES[type]!] as const);
  const imports: Record<string, string[]> = { "openevals-wasm/evaluation": ["defineExperiment"] };
  for (const [, rule] of rules)
    for (const [module, names] of Object.entries(rule.imports ?? {}))
      imports[module] = [...(imports[module] ?? []), ...names];
  const helpers = new Set(rules.flatMap(([, { helpers = [] }]) => helpers));
  if (prompts.length) helpers.add(PARSED);
  const codes = rules.map(([type, rule]) => `  ${JSON.stringify(type)}: ${rule.code},\n`).join("");
  const needs = new Set(rules.map(([, rule]) => rule.needs));
  return [
    ...(functions.length ? ["// @ts-nocheck: FUNCTIONS are JavaScript, as in the config."] : []),
    `// Imported from ${fileName(path)}. This file is yours to change.\n`,
    `import { fileURLToPath } from "node:url";\n${importsOf(imports)}`,
    needs.has("judge") ? JUDGE(judge) : "",
    needs.has("embeddings") ? EMBEDDINGS : "",
    ...application(prompts, models),
    functions.length ? FUNCTIONS(functions) : "",
    GRADING(codes, functions.length > 0),
    ...Array.from(helpers, (helper) => `${helper}\n`),
    definition(parts),
  ]
    .filter(Boolean)
    .join("\n");
}

const JUDGE = (model: string) => `/** The model that judges. */
const JUDGE = ${JSON.stringify(model)};
const OUTPUT = "<output>\\n{outputs}\\n</output>";
const RUBRIC = \`Does the output meet the rubric?\\n\\n<rubric>\\n{criterion}\\n</rubric>\\n\\n\${OUTPUT}\`;
const CRITERION = \`Does the output meet the criterion?\\n\\n<criterion>\\n{criterion}\\n</criterion>\\n\\n\${OUTPUT}\`;
const FACTS = \`Does the output agree with the facts, without contradicting them?\\n\\n<facts>\\n{criterion}\\n</facts>\\n\\n\${OUTPUT}\`;
`;

const EMBEDDINGS = `/** The model of embeddings. */
const EMBEDDINGS = "openai:text-embedding-3-large";
`;

/** The source code of the prompts, the models and their requests. */
function application(prompts: readonly ImportedPrompt[], models: readonly Model[]): string[] {
  const [first] = prompts;
  const isAsked = first && models.some(({ url }) => url);
  const templates = Object.fromEntries(prompts.map(({ name, template }) => [name, template]));
  const [model, ...more] = models.map(({ name: _, ...request }) => request);
  const modelsByName = Object.fromEntries(models.map(({ name, ...request }) => [name, request]));
  return [
    prompts.length > 1
      ? `const PROMPTS = ${code(templates)};\n`
      : first
        ? `const PROMPT = ${code(first.template)};\n`
        : "",
    first ? `${RENDER}\n${PROMPT_OF}` : "",
    isAsked
      ? `${MODEL_TYPE}${more.length ? `const MODELS: Record<string, Model> = ${code(modelsByName)}` : `const MODEL: Model = ${code(model)}`};\n`
      : "",
    isAsked ? `${ASK}\n${ANSWER}` : "",
  ];
}

const PROMPT_OF = `/** A prompt with the fields of a row; in JSON, they are put into its texts. */
function promptOf(template: string, vars: any): string {
  const json = parsed(template);
  return typeof json === "object" ? JSON.stringify(filled(json, vars), null, 2) : render(template, vars);
}

function filled(value: any, vars: any): unknown {
  if (typeof value === "string") return render(value, vars);
  if (Array.isArray(value)) return value.map((one) => filled(one, vars));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filled(one, vars)]));
}
`;

const ANSWER = `/** The answer of a model: a text, the calls of tools, or the JSON of its schema. */
async function answer(model: Model, prompt: string): Promise<unknown> {
  const messages = parsed(prompt);
  const { content, tool_calls: calls, ...message } = await ask(
    model,
    Array.isArray(messages) ? messages : [{ role: "user", content: prompt }],
  );
  if (calls?.length) return content ? { ...message, content, tool_calls: calls } : calls;
  return (model.body as any).response_format?.type === "json_schema" ? parsed(content) : content;
}
`;

const FUNCTIONS = (functions: readonly (readonly [string, string])[]) => {
  const list = functions.map(
    ([name, body]) => `  ${JSON.stringify(name)}: (output, context) => {\n${indented(body)}\n  },\n`,
  );
  return `/** The JavaScript of the config, by its place there. */
const FUNCTIONS: Record<string, (output: any, context: any) => any> = {
${list.join("")}};

/** The output of a transform. */
async function transformed(name: string, output: unknown, inputs: any): Promise<unknown> {
  const result = await FUNCTIONS[name]!(output, { vars: inputs });
  if (result == null) throw new Error(\`The transform \${name} returned nothing\`);
  return result;
}
`;
};

/** Indents the body of a function, unless it may have a template literal, in which spaces count. */
const indented = (body: string): string =>
  body.includes("`") ? body : body.replaceAll(/^(?=.)/gm, "    ").trimEnd();

const GRADING = (codes: string, hasFunctions: boolean) => `/** An assertion in the metadata of a row. */
interface Assertion {
  type: string;
  value?: any;
  threshold?: number;
  weight?: number;
  metric?: string;
  not?: boolean;
${hasFunctions ? "  transform?: string;\n" : ""}  assert?: Assertion[];
}

/** How each type of assertion is checked. */
const CHECKS: Record<string, (assertion: Assertion) => (row: any) => any> = {
${codes}};

interface Grade {
  pass: boolean;
  score: number;
  comment?: string;
  metric?: string;
  weight: number;
}

/** All have to pass, or the weighted mean of their scores has to reach the threshold. */
async function gradeAll(assertions: Assertion[], threshold: number | undefined, row: any) {
  const grades = await Promise.all(assertions.map((assertion) => grade(assertion, row)));
  const sum = (list: number[]) => list.reduce((total, one) => total + one, 0);
  const weight = sum(grades.map((one) => one.weight));
  const score = weight ? sum(grades.map((one) => one.weight * one.score)) / weight : 0;
  const pass = threshold === undefined ? grades.every((one) => one.pass) : score >= threshold;
  const failing = grades.filter((one) => !one.pass).map(({ comment }) => comment);
  return { pass, score, grades, comment: failing.join("\\n") };
}

async function grade(assertion: Assertion, row: any): Promise<Grade> {
  const { type, assert, threshold, weight = 1, metric, not = false${hasFunctions ? ", transform" : ""} } = assertion;
  if (assert) {
    const { pass, score, comment } = await gradeAll(assert, threshold, row);
    return { pass: pass || weight === 0, score, comment, metric, weight };
  }
${hasFunctions ? "  const output = transform ? await transformed(transform, row.output, row.inputs) : row.output;" : "  const { output } = row;"}
  const outputs = typeof output === "string" ? output : JSON.stringify(output);
  const result = await CHECKS[type]!(assertion)({ ...row, output, outputs });
  const found = result?.score ?? result;
  const passes = result?.pass ?? (typeof found === "boolean" ? found : found >= (threshold ?? 1));
  return {
    pass: passes !== not || weight === 0,
    score: not && result?.pass === undefined ? 1 - Number(found) : Number(found),
    comment: \`\${not ? "not-" : ""}\${type}: \${result?.comment ?? \`scored \${found}\`}\`,
    metric,
    weight,
  };
}

/** The assertions of a row, and the mean of those with the same metric. */
async function assertions(row: any) {
  const { inputs, outputs, run, example } = row;
  const { assert, threshold${hasFunctions ? ", transform" : ""} } = example.metadata;
  if (!assert.length) return { key: "assertions", score: null };
  const output = ${hasFunctions ? "transform ? await transformed(transform, outputs, inputs) : outputs" : "outputs"};
  const { pass, score, grades, comment } = await gradeAll(assert, threshold, { inputs, output, run, example });
  const metrics = new Set(grades.flatMap(({ metric }) => metric ?? []));
  const ofMetrics = Array.from(metrics, (key) => {
    const own = grades.filter(({ metric }) => metric === key);
    const weight = own.reduce((sum, one) => sum + one.weight, 0);
    const total = own.reduce((sum, one) => sum + one.weight * one.score, 0);
    return { key, score: weight ? total / weight : 0 };
  });
  return [{ key: "assertions", score: pass, comment, metadata: { score } }, ...ofMetrics];
}
`;

function definition({ dataFile, prompts, models, repetitions }: ExperimentParts): string {
  const isAsked = prompts.length > 0 && models.some(({ url }) => url);
  const hasModels = isAsked && models.length > 1;
  const axes = [...(prompts.length > 1 ? ["prompt: PROMPTS"] : []), ...(hasModels ? ["model: MODELS"] : [])];
  const prompt = `promptOf(${prompts.length > 1 ? "matrix.prompt" : "PROMPT"}, inputs)`;
  const asked = `answer(${hasModels ? "matrix.model" : "MODEL"}, ${prompt})`;
  // The provider `echo` beside others.
  const isMixed = isAsked && !models.every(({ url }) => url);
  const answer = !isAsked ? prompt : isMixed ? `matrix.model.url ? ${asked} : ${prompt}` : asked;
  const target =
    models.length && prompts.length
      ? `async (inputs: any${axes.length ? ", { matrix }: any" : ""}) => ${answer}`
      : `async () => {
    throw new Error("Call your application here, and return its answer.");
  }`;
  return `export default defineExperiment({
  data: fileURLToPath(new URL(${JSON.stringify(dataFile)}, import.meta.url)),
${axes.length ? `  matrix: { ${axes.join(", ")} },\n` : ""}  target: ${target},
  evaluators: [assertions],
${repetitions > 1 ? `  numRepetitions: ${repetitions},\n` : ""}});
`;
}
