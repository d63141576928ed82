/** Typical answers, from which an estimate derives the next questions. */

import type { TypicalAnswer } from "../../models/chat/judge-model.js";
import type { AnswerField, IndexedPrompt } from "./prompt.js";

/** The fields of an answer about an item: two claims, entities or requirements, one goal, and yes to everything. */
const typicalFields = (text: string, minItems: number): Record<AnswerField, unknown> => ({
  claims: [text, text],
  entities: [`1 ${text}`, `2 ${text}`],
  contexts: [0],
  messages: [0],
  goals: [text],
  requirements: [text, text],
  applies: 1,
  sentences: [],
  questions: Array.from({ length: minItems }, () => ({ question: text, noncommittal: 0 })),
  reason: "",
  verdict: 1,
});

/** The typical answer to a question. */
export const typicalAnswer = ({ item, answer }: IndexedPrompt): TypicalAnswer => {
  const blocks = new RegExp(`<${item} index="(\\d+)">\\n([\\s\\S]*?)\\n</${item}>`, "g");
  const { minItems = 0 } = Object(answer.questions) as { minItems?: number };
  return (prompt) => {
    const answers = Array.from(prompt.matchAll(blocks), ([, index, text = ""]) => {
      const typical = typicalFields(text, minItems);
      const fields = Object.keys(answer).map((field) => [field, typical[field as AnswerField]]);
      return { index: Number(index), ...Object.fromEntries(fields) };
    });
    return JSON.stringify({ answers });
  };
};
