/** Answers the questions of RAG metrics about the examples. */

import type { JudgeFunction } from "openevals-wasm";
import { RAG_EXAMPLES, type RagExample } from "./examples.js";

/** The example that is shown, if it is one. */
export const exampleOf = (shown: Pick<RagExample, "inputs" | "contexts" | "outputs" | "reference">) =>
  RAG_EXAMPLES.find(
    ({ inputs, contexts, outputs, reference }) =>
      JSON.stringify([inputs, contexts, outputs, reference]) ===
      JSON.stringify([shown.inputs, shown.contexts, shown.outputs, shown.reference]),
  );

/** A judge that knows the answers about the examples. */
export const recorded: JudgeFunction = ({ messages, schema }) => {
  const prompt = messages.map(({ content }) => content).join("\n");
  const example = RAG_EXAMPLES.find((one) => knows(one, prompt));
  if (!example) throw new Error("There is no recorded answer to this. Pick a model to ask.");
  return { answers: answersTo(example, prompt, fieldsOf(schema)) };
};

/** Each question has a sentence, a claim, a context or an answer of its example. */
const knows = ({ claims, contexts, reference }: RagExample, prompt: string): boolean =>
  [...Object.keys(claims), ...contexts, reference].some((text) => prompt.includes(text));

/** The fields of an answer tell the questions apart. */
const fieldsOf = (schema: unknown): string[] =>
  Object.keys((schema as any)?.properties?.answers?.items?.properties ?? {});

function answersTo(example: RagExample, prompt: string, fields: readonly string[]): object[] {
  const { claims, useful, relevant, entities } = example;
  if (fields.includes("claims"))
    return blocks("sentence", prompt).map((text, index) => ({
      index,
      claims: Object.keys(claims[text] ?? {}),
    }));
  if (fields.includes("entities"))
    return blocks("text", prompt).map((text, index) => ({ index, entities: entities[text] ?? [] }));
  if (fields.includes("contexts")) return support(example, prompt);
  return blocks("context", prompt).map((text, index) => {
    const at = example.contexts.indexOf(text);
    if (!fields.includes("sentences")) {
      const [verdict, reason] = useful[at] ?? [0, ""];
      return { index, reason, verdict };
    }
    const [verdict, reason, sentences] = relevant[at] ?? [0, "", []];
    return { index, reason, sentences, verdict };
  });
}

/** Claims are judged by the contexts, or by the other side alone. */
function support({ claims, contexts }: RagExample, prompt: string): object[] {
  const known = Object.assign({}, ...Object.values(claims)) as RagExample["claims"][string];
  const byContexts = blocks("context", prompt)[0] === contexts[0];
  return blocks("claim", prompt).map((claim, index) => {
    const { contexts: by = [], reason = "", other = [0, ""] } = known[claim] ?? {};
    if (byContexts) return { index, reason, contexts: by, verdict: Number(by.length > 0) };
    const [verdict, why] = other;
    return { index, reason: why, contexts: verdict ? [0] : [], verdict };
  });
}

/** The texts in the numbered blocks of a name. */
const blocks = (name: string, prompt: string): string[] =>
  Array.from(
    prompt.matchAll(new RegExp(`<${name} index="\\d+">\\n([\\s\\S]*?)\\n</${name}>`, "g")),
    ([, text = ""]) => text,
  );
