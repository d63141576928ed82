/** A scripted judge, which answers the questions of RAG metrics from tables. */
import type { JudgeRequest } from "openevals-wasm";

/** Whether each context supports a claim: `"claim": [indices]`. */
export interface RagScript {
  /** The claims of each sentence. */
  claims?: Record<string, readonly string[]>;
  /** The texts of contexts that support a claim. */
  support?: Record<string, readonly string[]>;
  /** The contexts that are useful for an answer. */
  useful?: readonly string[];
  /** The sentences of relevant contexts, by context. */
  relevant?: Record<string, readonly string[]>;
  /** The entities of texts. */
  entities?: Record<string, readonly string[]>;
  /** Generated questions, and whether the answer is noncommittal. */
  questions?: readonly (readonly [question: string, noncommittal: 0 | 1])[];
}

export interface Asked {
  /** The questions, by the fields of an answer. */
  about: keyof RagScript;
  items: string[];
  contexts: string[];
  prompt: string;
}

const BLOCK = (name: string) => new RegExp(`<${name} index="(\\d+)">\\n([\\s\\S]*?)\\n</${name}>`, "g");

/** The numbered blocks of a name. */
export const blocksOf = (name: string, prompt: string): [index: number, text: string][] =>
  Array.from(prompt.matchAll(BLOCK(name)), ([, index, text = ""]) => [Number(index), text]);

/** The subject of a question. */
export function readAsked({ messages, schema }: JudgeRequest): Asked {
  const fields = Object.keys((schema as any).properties.answers.items.properties);
  const prompt = messages.at(-1)!.content as string;
  const has = (field: string) => fields.includes(field);
  const about: keyof RagScript = has("claims")
    ? "claims"
    : has("contexts")
      ? "support"
      : has("sentences")
        ? "relevant"
        : has("entities")
          ? "entities"
          : has("questions")
            ? "questions"
            : "useful";
  const item = { claims: "sentence", support: "claim", entities: "text", questions: "text" }[about as string];
  const items = blocksOf(item ?? "context", prompt).map(([, text]) => text);
  const contexts = about === "support" ? blocksOf("context", prompt).map(([, text]) => text) : [];
  return { about, items, contexts, prompt };
}

/** The judge, and its questions. An unknown item fails the test. */
export function scripted(script: RagScript) {
  const asked: Asked[] = [];
  const judge = (request: JudgeRequest) => {
    const question = readAsked(request);
    asked.push(question);
    const { about, contexts, prompt } = question;
    const name = { claims: "sentence", support: "claim", entities: "text", questions: "text" }[
      about as string
    ];
    const answers = blocksOf(name ?? "context", prompt).map(([index, item]) => {
      const known = <T>(table: Record<string, T> | undefined): T => {
        if (!table || !(item in table)) throw new Error(`The script does not know ${item}`);
        return table[item] as T;
      };
      if (about === "claims") return { index, claims: known(script.claims) };
      if (about === "entities") return { index, entities: known(script.entities) };
      if (about === "questions") {
        const questions = script.questions?.map(([question, noncommittal]) => ({ question, noncommittal }));
        return { index, questions };
      }
      const reason = `About ${item}`;
      if (about === "useful") return { index, reason, verdict: Number(script.useful?.includes(item)) };
      if (about === "relevant") {
        const sentences = script.relevant?.[item];
        return { index, reason, sentences: sentences ?? [], verdict: Number(sentences !== undefined) };
      }
      const by = known(script.support).flatMap((text) =>
        contexts.includes(text) ? contexts.indexOf(text) : [],
      );
      return { index, reason, contexts: by, verdict: Number(by.length > 0) };
    });
    return { answers };
  };
  return { judge, asked };
}
