/** The table of autoevals' names in the guide: their meaning from the documentation of our scorers. */

import { readdirSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { path, TaskError } from "./run.mjs";

/** The evaluators of this package that replace each scorer in new code, by entry point. */
const EQUIVALENTS = {
  Levenshtein: { ".": "levenshteinDistance" },
  LevenshteinScorer: { ".": "levenshteinDistance" },
  ExactMatch: { ".": "exactMatch" },
  NumericDiff: { "./checks": "equalsNumber" },
  ValidJSON: { "./checks": ["validJson", "jsonSchema"] },
  JSONDiff: { ".": "createJsonMatchEvaluator" },
  ListContains: { "./checks": "containsAll" },
  EmbeddingSimilarity: { ".": "createEmbeddingSimilarityEvaluator" },
  AnswerSimilarity: { ".": "createEmbeddingSimilarityEvaluator" },
  Moderation: { ".": "TOXICITY_PROMPT" },
  Factuality: { ".": "CORRECTNESS_PROMPT", "./rag": "factualCorrectness" },
  ClosedQA: { "./recipes": "CheckCriteriaEvaluator" },
  Battle: { "./judges": "createPairwiseJudge" },
  Summary: { "./judges": "createPairwiseJudge" },
  Humor: { ".": "createLLMAsJudge" },
  Possible: { ".": "createLLMAsJudge" },
  Security: { ".": ["PROMPT_INJECTION_PROMPT", "CODE_INJECTION_PROMPT"] },
  Sql: { ".": "createLLMAsJudge" },
  Translation: { ".": "createLLMAsJudge" },
  Faithfulness: { "./rag": "faithfulness" },
  ContextPrecision: { "./rag": "contextPrecision" },
  ContextRecall: { "./rag": "contextRecall" },
  ContextEntityRecall: { "./rag": "contextEntityRecall" },
  ContextRelevancy: { "./rag": "contextRelevance" },
  AnswerRelevancy: { "./rag": "answerRelevancy" },
  AnswerCorrectness: { "./rag": "answerCorrectness" },
  LLMClassifierFromTemplate: { ".": "createLLMAsJudge" },
  init: { ".": "initChatModel" },
};

/** Exports without a row. */
const HELPERS = ["getDefaultModel"];

const load = (file) => import(pathToFileURL(path(`pkg/dist/${file}.js`)).href);

/** The rows: the name, what it scores, and the equivalent. Fails for exports without a row, and for equivalents that are missing. */
export async function autoevalsRows() {
  const names = Object.keys(await load("interop/autoevals")).filter((name) => !HELPERS.includes(name));
  const [without] = names.filter((name) => !Object.hasOwn(EQUIVALENTS, name));
  if (without) throw new TaskError(`Add ${without} to EQUIVALENTS of xtask/autoevals-table.mjs.`);
  const folder = path("pkg-template/src/integrations/interop/autoevals");
  const sources = readdirSync(folder).map((file) => readFileSync(`${folder}/${file}`, "utf8"));
  return Promise.all(
    Object.entries(EQUIVALENTS).map(async ([name, equivalents]) => {
      if (!names.includes(name)) throw new TaskError(`openevals-wasm/interop/autoevals exports no ${name}.`);
      return [`\`${name}\``, meaningOf(name, sources.join("\n")), await listed(equivalents)];
    }),
  );
}

async function listed(equivalents) {
  const parts = await Promise.all(
    Object.entries(equivalents).map(async ([entry, exported]) => {
      const module = await load(entry === "." ? "index" : entry.slice("./".length));
      const all = [exported].flat();
      const [missing] = all.filter((name) => !(name in module));
      if (missing) throw new TaskError(`openevals-wasm${entry.slice(1)} exports no ${missing}.`);
      const written = all.map((name) => `\`${name}\``).join(", ");
      return entry === "." ? written : `${written} of \`${entry.slice(1)}\``;
    }),
  );
  return parts.join("; ");
}

/** The first sentence of the documentation of an export. */
function meaningOf(name, source) {
  const comment = new RegExp(`/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\nexport (?:const|function) ${name}\\b`);
  const [, text = ""] = comment.exec(source) ?? [];
  const [sentence = ""] = /^.*?\.(?= |$)/.exec(text.replaceAll(/\s*\n?\s*\*\s/g, " ").trim()) ?? [];
  if (!sentence) throw new TaskError(`${name} of openevals-wasm/interop/autoevals has no documentation.`);
  return sentence.replace(/\.$/, "").replaceAll(/\{@link (\w+)\}/g, "`$1`");
}
