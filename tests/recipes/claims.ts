/** A text with claims, and a model that finds and verifies them as told. */
import {
  ClaimVerificationEvaluator,
  type ClaimVerificationEvaluatorConfig,
  type ClaimVerificationInput,
  type ClaimVerificationMetrics,
  type VerifiedClaim,
} from "openevals-wasm/recipes";
import { block, type Question } from "./asked.ts";

/** The answer about a claim. */
export interface Verdict {
  proof: string;
  citations: { source_id: string; start_range: number; end_range: number }[];
  verified_probability: number;
  open_domain_justification: string;
  open_domain_probability: number;
  is_open_domain: boolean;
}

/** The part of a question that identifies its step. */
type Asked = Pick<Question, "fields" | "prompt"> & { schema?: Question["schema"] };

/** The step that asks. */
export function stepOf({ fields, schema }: Omit<Asked, "prompt">): string {
  const inEach = schema?.properties as { answers?: { items: { properties: object } } } | undefined;
  const all = [...fields, ...Object.keys(inEach?.answers?.items.properties ?? {})];
  const [step] = Object.entries(STEPS).find(([, field]) => all.includes(field)) ?? [];
  if (!step) throw new Error(`no step has ${all}`);
  return step;
}

/** The subject of a question: one thing, or several at once, each with its number. */
export function askedAbout(name: "sentence" | "claim", prompt: string): string[] {
  if (!prompt.includes(`<${name}s>`)) return [block(name, prompt)];
  const each = new RegExp(`<${name} number="\\d+">\n([\\s\\S]*?)\n</${name}>`, "g");
  return [...block(`${name}s`, prompt).matchAll(each)].map(([, text = ""]) => text);
}

/** The answer to a question that asks about several things at once. */
export const answeringEach = (things: string[], answer: (thing: string) => object): object => ({
  answers: things.map((thing, index) => ({ number: index + 1, ...answer(thing) })),
});

const STEPS = {
  selection: "final_submission",
  disambiguation: "decontextualized_sentences",
  decomposition: "max_clarified_sentence",
  verification: "proof",
};

export const NOTHING = "Does NOT contain a specific and verifiable proposition";
export const SOMETHING = "Contains a specific and verifiable proposition";

/**
 * Answers every step: with the claims of a sentence, by default the sentence itself; and with the verdict on
 * a claim.
 */
export function answering({
  claims = (sentence: string) => [sentence],
  verdict = (_claim: string): Partial<Verdict> => ({}),
} = {}) {
  return (question: Asked): object => {
    const step = stepOf(question);
    const things = askedAbout(step === "verification" ? "claim" : "sentence", question.prompt);
    const answer = (thing: string) => answerAbout(step, thing);
    return question.fields.includes("answers") ? answeringEach(things, answer) : answer(things[0] as string);
  };

  function answerAbout(step: string, sentence: string): object {
    if (step === "verification") {
      return {
        proof: "Line 0 says it.",
        citations: [],
        verified_probability: 90,
        open_domain_justification: "",
        open_domain_probability: 0,
        is_open_domain: false,
        ...verdict(sentence),
      } satisfies Verdict;
    }
    const found = claims(sentence);
    if (step === "selection") {
      return {
        sentence,
        thought_process: "",
        final_submission: found.length ? SOMETHING : NOTHING,
        sentence_with_verifiable_info: found.length ? "remains unchanged" : "None",
      };
    }
    if (step === "disambiguation") {
      return {
        incomplete_names_acronyms_abbreviations_reasoning: "",
        linguistic_ambiguity_reasoning: "",
        changes_needed_reasoning: "",
        changes_needed: false,
        decontextualized_sentences: [sentence],
      };
    }
    return {
      sentence,
      referential_terms_to_clarify: "None",
      max_clarified_sentence: sentence,
      range_of_possible_propositions: "0-9",
      specific_verifiable_decontextualized_propositions: found,
      specific_verifiable_decontextualized_propositions_with_clarifications: found,
    };
  }
}

export const SOURCES = [
  {
    sourceId: "1",
    title: "Wikipedia",
    content: "Paris is the capital of France.\nIt has 2.1 million inhabitants.",
  },
  { sourceId: "notes", title: "Notes", content: "The Louvre is closed on Tuesdays." },
];

export const PARIS: ClaimVerificationInput = {
  text: "Paris is the capital of France. It has 12 million residents. The Louvre is free.",
  userQuestion: "Tell me about Paris",
  sourceContext: SOURCES,
};

export type Result = VerifiedClaim | ClaimVerificationMetrics;

export async function all(run: AsyncIterable<Result>): Promise<Result[]> {
  const results = [];
  for await (const result of run) results.push(result);
  return results;
}

/** All results for an input, with the claims and the metrics apart. */
export async function ran(
  input: ClaimVerificationInput,
  config: ClaimVerificationEvaluatorConfig,
): Promise<{ claims: VerifiedClaim[]; metrics: ClaimVerificationMetrics }> {
  const results = await all(new ClaimVerificationEvaluator(config).run(input));
  return {
    claims: results.slice(0, -1) as VerifiedClaim[],
    metrics: results.at(-1) as ClaimVerificationMetrics,
  };
}

export const cites = (source_id: string, start_range: number, end_range: number) => ({
  source_id,
  start_range,
  end_range,
});
