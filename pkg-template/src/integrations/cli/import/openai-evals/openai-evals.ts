/** Imports evals of OpenAI from saved files: the eval, and its rows as JSON lines. */

import { isRecord } from "../../../../core/input/objects.js";
import { usageError } from "../../cli-error.js";
import { ASK, MODEL_TYPE, OPENAI } from "../application.js";
import { readContent } from "../files.js";
import { code, type Findings, fileName, type Imported, type ImportSource, importsOf } from "../imported.js";
import { hasLogic } from "../promptfoo/template.js";
import { type Criterion, readCriteria } from "./criteria.js";

interface OpenAIRow {
  id: string;
  inputs: Record<string, unknown>;
  outputs?: unknown;
}

export async function importOpenAIEval(
  { path, content, findings }: ImportSource,
  data: string | undefined,
): Promise<Imported> {
  if (!isRecord(content) || !Array.isArray(content.testing_criteria))
    throw usageError(
      `${path} is not an eval of OpenAI; it has to be an object with testing_criteria, or a file of the registry of openai/evals`,
    );
  const source = sourceOf(content);
  const lines = data === undefined ? rowsIn(source) : await readContent(data);
  if (!Array.isArray(lines) || !lines.length)
    throw usageError(`${path} has no rows. Name the file with its rows: --data rows.jsonl`);
  const rows = lines.map((line, index) => rowOf(line, index, data ?? path));
  const criteria = readCriteria(content.testing_criteria, findings);
  const application = rows.every(({ outputs }) => outputs !== undefined)
    ? undefined
    : applicationOf(source, findings);
  return { rows, code: (dataFile) => experimentFile(path, dataFile, criteria, application) };
}

/** The data source of the eval, or of the first run that was saved with it. */
function sourceOf({ data_source, run, runs }: Record<string, unknown>): Record<string, unknown> {
  const [first] = Array.isArray(runs) ? runs : [run];
  const found = data_source ?? (isRecord(first) ? first.data_source : undefined);
  return isRecord(found) ? found : {};
}

const rowsIn = ({ source }: Record<string, unknown>): unknown =>
  isRecord(source) ? source.content : undefined;

function rowOf(line: unknown, index: number, path: string): OpenAIRow {
  const { item, sample } = isRecord(line) ? line : {};
  if (!isRecord(item))
    throw usageError(`Row ${index + 1} of ${path} is not one of an eval; it has to be { "item": { … } }`);
  const outputs = isRecord(sample) ? (sample.output_text ?? sample.output) : undefined;
  return { id: String(index + 1), inputs: item, ...(outputs !== undefined && { outputs }) };
}

/** The application under test: the source code of the target, and the request to its model. */
interface Application {
  target: string;
  model?: object;
  messages?: readonly unknown[];
}

function applicationOf(
  { type, input_messages, model, sampling_params }: Record<string, unknown>,
  findings: Findings,
): Application {
  const template = isRecord(input_messages) ? input_messages.template : undefined;
  if (!Array.isArray(template) || typeof model !== "string") {
    findings.differ(
      "the application",
      "no run has messages and a model. Call your application in the target",
    );
    return {
      target: `async () => {
    throw new Error("Call your application here, and return its answer.");
  }`,
    };
  }
  if (!template.every((message) => isRecord(message) && isText(message.content)))
    findings.skip("input_messages", "its messages are not texts. Build them in the target");
  if (type === "responses")
    findings.differ(
      "the application",
      "the model is asked with chat completions, not with the Responses API",
    );
  if (hasLogic(JSON.stringify(template)))
    findings.skip("input_messages", "its templates have more than variables. Build them in the target");
  const body = { ...samplingSettings(sampling_params, findings), model };
  const request = { ...OPENAI, body };
  return {
    target: "async (item: any) => (await ask(MODEL, messagesOf(item))).content",
    model: request,
    messages: template,
  };
}

const isText = (content: unknown): boolean =>
  typeof content === "string" || (isRecord(content) && typeof content.text === "string");

/** The sampling settings of a run, with the names of a request. */
function samplingSettings(given: unknown, findings: Findings): Record<string, unknown> {
  const settings: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(isRecord(given) ? given : {})) {
    if (value === null) continue;
    if (["tools", "text"].includes(name))
      findings.skip(`sampling_params.${name}`, "it is not supported. Add it to the request in ask()");
    // Runs and requests spell this setting differently.
    else settings[name === "max_completions_tokens" ? "max_completion_tokens" : name] = value;
  }
  return settings;
}

function experimentFile(
  path: string,
  dataFile: string,
  criteria: readonly Criterion[],
  application?: Application,
): string {
  const { target, model, messages } = application ?? {};
  const imports: Record<string, string[]> = { "openevals-wasm/evaluation": ["defineExperiment"] };
  for (const criterion of criteria)
    for (const [module, names] of Object.entries(criterion.imports))
      imports[module] = [...(imports[module] ?? []), ...names];
  const helpers = new Set(criteria.flatMap(({ helper = [] }) => helper));
  const marks = Object.fromEntries(
    criteria.flatMap(({ name, passAt }) => (passAt === undefined ? [] : [[name, passAt]])),
  );
  return [
    `// Imported from ${fileName(path)}. This file is yours to change.\n`,
    `import { fileURLToPath } from "node:url";\n${importsOf(imports)}`,
    TEMPLATE,
    ...(criteria.length ? [NAMED] : []),
    ...(messages
      ? [
          `${MODEL_TYPE}const MODEL: Model = ${code(model)};\n\nconst MESSAGES = ${code(messages)};\n`,
          MESSAGES_OF,
          ASK,
        ]
      : []),
    ...Array.from(helpers, (helper) => `${helper}\n`),
    `export default defineExperiment({
  data: fileURLToPath(new URL(${JSON.stringify(dataFile)}, import.meta.url)),
${target ? `  target: ${target},\n` : ""}  evaluators: [
${criteria.map((one) => `    named(${JSON.stringify(one.name)}, ${one.code}),\n`).join("")}  ],
${Object.keys(marks).length ? `  passAt: ${code(marks)},\n` : ""}});
`,
  ].join("\n");
}

const TEMPLATE = `/** Replaces {{ variables }} by the fields of a row. */
const render = (template: string, vars: any): string =>
  template.replace(/\\{\\{-?\\s*([\\w.]+)\\s*-?\\}\\}/g, (_, path: string) => {
    const value = path.split(".").reduce((inner: any, name) => inner?.[name], vars);
    return typeof value === "object" ? JSON.stringify(value) : String(value ?? "");
  });

/** A template of OpenAI with the fields of a row: {{ item.… }} and {{ sample.output_text }}. */
const filled = (template: string, { inputs, outputs }: any): string =>
  render(template, {
    item: inputs,
    sample: { output_text: outputs },
  });
`;

const NAMED = `/** An evaluator with the name of its criterion, also where it fails. */
const named = (feedbackKey: string, evaluate: (row: any) => any) =>
  Object.assign(async (row: any) => ({ ...(await evaluate(row)), key: feedbackKey }), { feedbackKey });
`;

const MESSAGES_OF = `const messagesOf = (item: object): object[] =>
  MESSAGES.map(({ role, content }: any) => ({ role, content: render(content.text ?? content, { item }) }));
`;
