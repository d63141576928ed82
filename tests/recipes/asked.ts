/** Models that are functions: they answer by the question, and record it. */
import type { JudgeRequest } from "openevals-wasm";
import {
  type EvaluationOutput,
  PreferenceAdherenceEvaluator,
  type RecipeMessage,
} from "openevals-wasm/recipes";

/** A question of a recipe to a model. */
export interface Question {
  /** The fields of the answer, which identify the step of a recipe; empty for free text. */
  fields: string[];
  system: string;
  prompt: string;
  schema: JudgeRequest["schema"];
}

/** A model that answers as the function says, and its questions. */
export function recorded(answer: (question: Question, index: number) => object | string) {
  const asked: Question[] = [];
  const model = ({ messages, schema }: JudgeRequest) => {
    const [system, prompt] = messages.map(({ content }) => content);
    const question = { fields: Object.keys(schema?.properties ?? {}), system, prompt, schema };
    return answer(question, asked.push(question) - 1);
  };
  return { model, asked };
}

/** The content of a block of a prompt. */
export function block(name: string, prompt: string): string {
  const [, inside] = new RegExp(`<${name}>\n([\\s\\S]*?)\n</${name}>`).exec(prompt) ?? [];
  if (inside === undefined) throw new Error(`no block ${name} in ${prompt}`);
  return inside;
}

/** A conversation as models read it, with an answer behind it: without one, nothing is asked. */
export async function reading(messages: RecipeMessage[]): Promise<string> {
  const { model, asked } = recorded(({ fields }) =>
    fields.includes("preferences")
      ? { preferences: [{ start_line: 0, end_line: 0, preference: "p" }] }
      : { reasoning: "r", adherence_probability: 50, determination: "adhered" },
  );
  await new PreferenceAdherenceEvaluator({ model }).evaluate([
    ...messages,
    { role: "assistant", content: "END" },
  ]);
  const text = block("conversation", asked[1]?.prompt ?? "");
  const end = /(^|\n\n)\[\d+\] assistant\n\| END$/;
  if (!end.test(text)) throw new Error(`the answer is not at the end of ${text}`);
  return text.replace(end, "");
}

/** The failure in a result. */
export function failureIn(output: EvaluationOutput | undefined): Error & { code?: string; raw?: string } {
  if (!output?.error) throw new Error(`no failure in ${JSON.stringify(output)}`);
  return output.error;
}
