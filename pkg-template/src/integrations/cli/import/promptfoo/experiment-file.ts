/** Writes the experiment of a promptfoo config. */

import { ASK, MODEL_TYPE } from "../application.js";
import { code, fileName, importsOf } from "../imported.js";
import type { Model } from "./models.js";
import type { ImportedPrompt } from "./prompts.js";
import { RULES } from "./rules.js";
import { RENDER } from "./template.js";

interface ExperimentParts {
  path: string;
  dataFile: string;
  prompts: readonly ImportedPrompt[];
  models: readonly Model[];
  types: readonly string[];
}

export function experimentFile({ path, dataFile, prompts, models, types }: ExperimentParts): string {
  const rules = types.map((type) => [type, RULES[type]!] as const);
  const imports: Record<string, string[]> = { "openevals-wasm/evaluation": ["defineExperiment"] };
  for (const [, rule] of rules)
    for (const [module, names] of Object.entries(rule.imports ?? {}))
      imports[module] = [...(imports[module] ?? []), ...names];
  const helpers = new Set(rules.flatMap(([, { helper = [] }]) => helper));
  const codes = rules.map(([type, rule]) => `  ${JSON.stringify(type)}: ${rule.code},\n`).join("");
  const isJudged = codes.includes("judge(");
  return [
    `// Imported from ${fileName(path)}. This file is yours to change.\n`,
    `import { fileURLToPath } from "node:url";\n${importsOf(imports)}`,
    isJudged ? JUDGE : "",
    codes.includes("similarity(") ? EMBEDDINGS : "",
    ...application(prompts, models),
    GRADING(codes),
    ...Array.from(helpers, (helper) => `${helper}\n`),
    definition(dataFile, prompts, models),
  ]
    .filter(Boolean)
    .join("\n");
}

const JUDGE = `/** The model that judges. */
const JUDGE = "openai:gpt-5.4-mini";
const OUTPUT = "<output>\\n{outputs}\\n</output>";
const RUBRIC = \`Does the output meet the rubric?\\n\\n<rubric>\\n{criterion}\\n</rubric>\\n\\n\${OUTPUT}\`;
const CRITERION = \`Does the output meet the criterion?\\n\\n<criterion>\\n{criterion}\\n</criterion>\\n\\n\${OUTPUT}\`;
const FACTS = \`Does the output agree with the facts, without contradicting them?\\n\\n<facts>\\n{criterion}\\n</facts>\\n\\n\${OUTPUT}\`;
`;

const EMBEDDINGS = `/** The model of embeddings. */
const EMBEDDINGS = "openai:text-embedding-3-large";
`;

/** The prompts, the models, and how they are asked. */
function application(prompts: readonly ImportedPrompt[], models: readonly Model[]): string[] {
  const isAsked = models.some(({ url }) => url);
  const [first] = prompts;
  const templates = Object.fromEntries(prompts.map(({ name, template }) => [name, template]));
  const [model, ...more] = models.map(({ name: _, ...request }) => request);
  const known = Object.fromEntries(models.map(({ name, ...request }) => [name, request]));
  return [
    prompts.length > 1
      ? `const PROMPTS = ${code(templates)};\n`
      : first
        ? `const PROMPT = ${code(first.template)};\n`
        : "",
    first ? RENDER : "",
    isAsked
      ? `${MODEL_TYPE}${more.length ? `const MODELS: Record<string, Model> = ${code(known)}` : `const MODEL: Model = ${code(model)}`};\n`
      : "",
    isAsked ? `${ASK}\n${MESSAGES_OF}` : "",
  ];
}

const MESSAGES_OF = `/** A prompt may be messages as JSON. */
function messagesOf(template: string, vars: any): object[] {
  try {
    const messages = JSON.parse(template);
    if (Array.isArray(messages))
      return messages.map(({ role, content }) => ({ role, content: render(content, vars) }));
  } catch {}
  return [{ role: "user", content: render(template, vars) }];
}
`;

const GRADING = (codes: string) => `/** An assertion in the metadata of a row. */
interface Assertion {
  type: string;
  value?: any;
  threshold?: number;
  weight?: number;
  metric?: string;
  not?: boolean;
  assert?: Assertion[];
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
  const { type, assert, threshold, weight = 1, metric, not = false } = assertion;
  if (assert) {
    const { pass, score, comment } = await gradeAll(assert, threshold, row);
    return { pass: pass || weight === 0, score, comment, metric, weight };
  }
  const outputs = typeof row.outputs === "string" ? row.outputs : JSON.stringify(row.outputs);
  // A spread has neither: they are not enumerable.
  const { run, example } = row;
  const result = await CHECKS[type]!(assertion)({ ...row, run, example, outputs });
  const found = result?.score ?? result;
  const passes = typeof found === "boolean" ? found : found >= (threshold ?? 1);
  return {
    pass: passes !== not || weight === 0,
    score: not ? 1 - Number(found) : Number(found),
    comment: \`\${not ? "not-" : ""}\${type}: \${result?.comment ?? \`scored \${found}\`}\`,
    metric,
    weight,
  };
}

/** The assertions of a row, and the mean of those with the same metric. */
async function assertions(row: any) {
  const { assert, threshold } = row.example.metadata;
  if (!assert.length) return { key: "assertions", score: null };
  const { pass, score, grades, comment } = await gradeAll(assert, threshold, row);
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

function definition(dataFile: string, prompts: readonly ImportedPrompt[], models: readonly Model[]): string {
  const isAsked = models.some(({ url }) => url);
  const hasModels = isAsked && models.length > 1;
  const axes = [...(prompts.length > 1 ? ["prompt: PROMPTS"] : []), ...(hasModels ? ["model: MODELS"] : [])];
  const filling = `(${prompts.length > 1 ? "matrix.prompt" : "PROMPT"}, inputs)`;
  const asked = `ask(${hasModels ? "matrix.model" : "MODEL"}, messagesOf${filling})`;
  // The provider `echo` beside others.
  const isMixed = isAsked && !models.every(({ url }) => url);
  const answer = !isAsked
    ? `render${filling}`
    : isMixed
      ? `matrix.model.url ? ${asked} : render${filling}`
      : asked;
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
});
`;
}
