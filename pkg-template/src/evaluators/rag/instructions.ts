import type { RagQuestionName } from "./evaluator.js";
import { CLAIMS } from "./questions/claims.js";
import { ENTITIES } from "./questions/entities.js";
import { questionsFor } from "./questions/generated.js";
import { RELEVANCE } from "./questions/relevance.js";
import { SUPPORT } from "./questions/support.js";
import { USEFULNESS } from "./questions/usefulness.js";

/**
 * The instructions of each question that RAG metrics ask: the rubric with its edge cases. Replace them with the option
 * `instructions`; the material and the form of the answer are added to them.
 */
export const RAG_INSTRUCTIONS: Readonly<Record<RagQuestionName, string>> = /* @__PURE__ */ (() => ({
  claims: CLAIMS.instructions,
  support: SUPPORT.instructions,
  usefulness: USEFULNESS.instructions,
  relevance: RELEVANCE.instructions,
  entities: ENTITIES.instructions,
  questions: questionsFor(3).instructions,
}))();
