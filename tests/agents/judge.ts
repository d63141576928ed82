/** A scripted judge, which knows a question by its instructions. */

import type { JudgeRequest } from "openevals-wasm";
import type { AgentQuestionName } from "openevals-wasm/agents";
import { blocksOf } from "../rag/judge.ts";

/** The answers about an item, by question. */
export type AgentScript = Partial<Record<AgentQuestionName, (item: string, index: number) => object>>;

/** The options with the judge, and the questions that it was asked: their names, items and prompts. */
export function scripted(script: AgentScript) {
  const asked: { name: string; items: string[]; prompt: string }[] = [];
  const judge = ({ messages }: JudgeRequest) => {
    const name = messages[0]?.content.split("\n")[0] as AgentQuestionName;
    const prompt = messages.at(-1)?.content as string;
    const found = ITEMS.flatMap((item) => blocksOf(item, prompt));
    asked.push({ name, items: found.map(([, text]) => text), prompt });
    const answers = found.map(([index, text]) => ({ index, ...script[name]?.(text, index) }));
    return { answers };
  };
  const instructions = Object.fromEntries(Object.keys(script).map((name) => [name, name]));
  return { options: { judge, instructions }, asked };
}

const ITEMS = ["request", "task", "outcome", "call", "turn"];

/** A verdict with a reason, and more. */
export const verdict = (verdict: 0 | 1, more: object = {}) => ({ reason: "r", verdict, ...more });
