/** Typical answers, from which an estimate derives the next questions. */

import type { TypicalAnswer } from "../../models/chat/judge-model.js";
import type { IndexedPrompt } from "./prompt.js";

/** The answer to a question: two claims, entities or requirements for each item, one goal, and yes to everything. */
export const typicalAnswer = ({ item, answer }: IndexedPrompt): TypicalAnswer => {
  const blocks = new RegExp(`<${item} index="(\\d+)">\\n([\\s\\S]*?)\\n</${item}>`, "g");
  const { minItems = 0 } = Object(answer.questions) as { minItems?: number };
  return (prompt) => {
    const answers = Array.from(prompt.matchAll(blocks), ([, index, text = ""]) => {
      const values: Record<string, unknown> = {
        claims: [text, text],
        entities: [`1 ${text}`, `2 ${text}`],
        contexts: [0],
        messages: [0],
        goals: [text],
        requirements: [text, text],
        applies: 1,
        sentences: [],
        questions: Array.from({ length: minItems }, () => ({ question: text, noncommittal: 1 })),
        reason: "",
        verdict: 1,
      };
      const fields = Object.keys(answer).map((field) => [field, values[field]]);
      return { index: Number(index), ...Object.fromEntries(fields) };
    });
    return JSON.stringify({ answers });
  };
};
