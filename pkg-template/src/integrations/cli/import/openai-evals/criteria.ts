/** The testing criteria of an eval of OpenAI. */

import { isRecord } from "../../../../core/input/objects.js";
import type { Findings } from "../imported.js";
import { Names } from "../names.js";
import { hasLogic } from "../promptfoo/template.js";

/** A criterion as an evaluator in source code. */
export interface Criterion {
  name: string;
  code: string;
  imports: Readonly<Record<string, readonly string[]>>;
  helper?: string;
  passAt?: number;
}

type Fields = Record<string, unknown>;
/** Reads a criterion, or returns the reason why it is skipped. */
type ReadCriterion = (fields: Fields, differ: (how: string) => void) => Omit<Criterion, "name"> | string;

const CORE = "openevals-wasm";
const quoted = (value: unknown): string => JSON.stringify(value);

const OPERATIONS: Readonly<Record<string, [string, string]>> = {
  eq: ["exactMatch({ outputs, referenceOutputs })", "exactMatch"],
  ne: ["not(exactMatch)({ outputs, referenceOutputs })", "not"],
  like: ["contains(referenceOutputs)({ outputs })", "contains"],
  ilike: ["contains(referenceOutputs, { ignoreCase: true })({ outputs })", "contains"],
};

const pair = ({ input, reference }: Fields, call: string): string =>
  `(row) => {
      const outputs = filled(${quoted(input)}, row);
      const referenceOutputs = filled(${quoted(reference)}, row);
      return ${call};
    }`;

const stringCheck: ReadCriterion = (fields) => {
  const { input, reference, operation } = fields;
  const found = Object.hasOwn(OPERATIONS, String(operation)) ? OPERATIONS[String(operation)] : undefined;
  if (!found) return `its operation has to be one of ${Object.keys(OPERATIONS).join(", ")}`;
  if (typeof input !== "string" || typeof reference !== "string")
    return "its input and reference have to be texts";
  const [call, imported] = found;
  const imports: Record<string, string[]> =
    operation === "eq"
      ? { [CORE]: ["exactMatch"] }
      : { ...(operation === "ne" && { [CORE]: ["exactMatch"] }), "openevals-wasm/checks": [imported] };
  return { code: pair(fields, call), imports };
};

const textSimilarity: ReadCriterion = (fields, differ) => {
  const { input, reference, evaluation_metric: metric, pass_threshold: passAt } = fields;
  if (typeof input !== "string" || typeof reference !== "string")
    return "its input and reference have to be texts";
  const passMark = typeof passAt === "number" ? { passAt } : {};
  const values = "({ outputs, referenceOutputs })";
  const [, kind] = /^rouge_([1-5l])$/.exec(String(metric)) ?? [];
  if (kind !== undefined) {
    const type = `rouge${kind.toUpperCase()}`;
    const call = `createRougeEvaluator({ type: ${quoted(type)} })${values}`;
    return {
      code: pair(fields, call),
      imports: { "openevals-wasm/text": ["createRougeEvaluator"] },
      ...passMark,
    };
  }
  if (metric === "fuzzy_match") {
    differ("fuzzy_match is the Levenshtein similarity here, so scores can differ");
    return {
      code: pair(fields, `levenshteinDistance${values}`),
      imports: { [CORE]: ["levenshteinDistance"] },
      ...passMark,
    };
  }
  if (metric === "bleu") {
    differ("bleu is that of sacrebleu, so scores can differ");
    return {
      code: pair(fields, `bleu${values}`),
      imports: { "openevals-wasm/text": ["bleu"] },
      ...passMark,
    };
  }
  if (metric === "cosine")
    return {
      code: pair(fields, `similarity${values}`),
      imports: { [CORE]: ["createEmbeddingSimilarityEvaluator", "initEmbeddings"] },
      helper: `const similarity = createEmbeddingSimilarityEvaluator({
  embeddings: initEmbeddings("openai:text-embedding-3-large"),
});`,
      ...passMark,
    };
  return `the metric ${String(metric)} is not supported. See openevals-wasm/text`;
};

/** The text of the messages of a judge. */
function promptOf(input: unknown): string | undefined {
  if (typeof input === "string") return input;
  if (!Array.isArray(input) || !input.length) return undefined;
  const texts = input.map((message) => {
    const content = isRecord(message) ? message.content : undefined;
    return isRecord(content) ? content.text : content;
  });
  return texts.every((text) => typeof text === "string") ? texts.join("\n\n") : undefined;
}

const judgeOf = (model: unknown): string =>
  quoted(typeof model === "string" ? `openai:${model}` : "openai:gpt-5.4-mini");

const JUDGE = `const judge = (model: string, instructions: string, continuous: boolean) =>
  createLLMAsJudge({ prompt: "{instructions}", model, continuous })({ instructions });`;

const judging = (model: unknown, prompt: string, continuous = false): string =>
  `judge(${judgeOf(model)}, filled(${quoted(prompt)}, row), ${continuous})`;

const labelModel: ReadCriterion = ({ model, input, labels, passing_labels: passing }, differ) => {
  const prompt = promptOf(input);
  if (prompt === undefined) return "its input has to be messages of texts";
  if (!Array.isArray(labels) || !Array.isArray(passing) || !passing.length)
    return "it has to have labels and passing_labels";
  differ("the judge says whether its label passes, not which label it is");
  const question = `The labels are ${labels.join(", ")}. Is the right label ${passing.join(" or ")}?`;
  return {
    code: `(row) => ${judging(model, `${prompt}\n\n${question}`)}`,
    imports: { [CORE]: ["createLLMAsJudge"] },
    helper: JUDGE,
  };
};

const scoreModel: ReadCriterion = ({ model, input, range = [0, 1], pass_threshold: passAt }) => {
  const prompt = promptOf(input);
  if (prompt === undefined) return "its input has to be messages of texts";
  const [low, high] = Array.isArray(range) ? range : [];
  if (typeof low !== "number" || typeof high !== "number" || low >= high)
    return "its range has to be two numbers";
  const scale = `Give the score as a share of the range from ${low} to ${high}: 0 for ${low}, 1 for ${high}.`;
  const isUnit = low === 0 && high === 1;
  const judge = judging(model, isUnit ? prompt : `${prompt}\n\n${scale}`, true);
  const scaled = `async (row) => {
      const result = await ${judge};
      return { ...result, score: ${low} + ${high - low} * Number(result.score) };
    }`;
  return {
    code: isUnit ? `(row) => ${judge}` : scaled,
    imports: { [CORE]: ["createLLMAsJudge"] },
    helper: JUDGE,
    ...(typeof passAt === "number" && { passAt }),
  };
};

const READERS: Readonly<Record<string, ReadCriterion>> = {
  string_check: stringCheck,
  text_similarity: textSimilarity,
  label_model: labelModel,
  score_model: scoreModel,
};

export function readCriteria(given: readonly unknown[], findings: Findings): Criterion[] {
  const criteria: Criterion[] = [];
  const names = new Names();
  for (const [index, criterion] of given.entries()) {
    const place = `testing_criteria[${index}]`;
    const { type, name } = isRecord(criterion) ? criterion : {};
    const reader = Object.hasOwn(READERS, String(type)) ? READERS[String(type)] : undefined;
    if (!reader || !isRecord(criterion)) {
      const why = type === "python" ? "python runs code" : `${String(type)} is not supported`;
      findings.skip(place, `${why}. Write it as a function in evaluators`);
      continue;
    }
    if (hasLogic(JSON.stringify(criterion))) {
      findings.skip(place, "its templates have more than variables. Write it as a function in evaluators");
      continue;
    }
    if (/sample\.(?!output_text\b)/.test(JSON.stringify(criterion))) {
      findings.skip(place, "of samples, only output_text is read. Write it as a function in evaluators");
      continue;
    }
    const key = names.unique(typeof name === "string" && name ? name : String(type));
    const read = reader(criterion, (how) => findings.differ(place, how));
    if (typeof read === "string") findings.skip(place, read);
    else criteria.push({ name: key, ...read });
  }
  return criteria;
}
