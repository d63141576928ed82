/** Scripted model answers for the gold set, keyed by the subject of the question. */
import type { EvaluationName } from "openevals-wasm/recipes";
import { block, type Question } from "./asked.ts";
import { answeringEach, askedAbout, stepOf } from "./claims.ts";

/** Criteria with their probabilities. */
type Criteria = Record<string, number>;
/** Preferences with the probability and the determination. */
type Preferences = [preference: string, probability: number, determination: string][];
/** The probability of being in scope, and the score of the handling. */
type Guidance = { in_scope?: number; handling?: number; manifest?: string };
/** Tools with their probabilities. */
type Tools = Record<string, number>;
/** Sentences with their claims, each with the probabilities of being supported and of being open-domain. */
type Claims = Record<string, [claim: string, verified: number, openDomain: number][]>;

export type Script = Criteria | Preferences | Guidance | Tools | Claims;

const REASONING = "This is why.";

/** Answers the questions of an evaluation as the script says; an unknown question fails the test. */
export function scripted(name: EvaluationName, script: Script): (question: Question) => object | string {
  const answers: Record<EvaluationName, (question: Question) => object | string> = {
    check_criteria: ({ prompt }) => ({
      reasoning: REASONING,
      probability: known(script as Criteria, block("criterion", prompt)),
    }),
    preference_adherence: (question) => onPreferences(script as Preferences, question),
    guidance: (question) => onGuidance(script as Guidance, question),
    tool_usage: () => ({
      tool_evaluations: Object.entries(script as Tools).map(([tool_name, probability]) => ({
        tool_name,
        reasoning: REASONING,
        probability,
      })),
    }),
    claim_verification: (question) => onClaims(script as Claims, question),
  };
  return answers[name];
}

function onPreferences(script: Preferences, { fields, prompt }: Question): object {
  if (fields.includes("preferences")) {
    return { preferences: script.map(([preference]) => ({ start_line: 1, end_line: 1, preference })) };
  }
  const asked = block("preference", prompt);
  const answers = script.map(([preference, adherence_probability, determination]) => [
    preference,
    { reasoning: REASONING, adherence_probability, determination },
  ]);
  return known(Object.fromEntries(answers), asked);
}

function onGuidance({ in_scope, handling, manifest }: Guidance, { fields }: Question): object | string {
  if (fields.includes("score")) return { reasoning: REASONING, score: known({ handling }, "handling") };
  if (!fields.includes("is_in_scope_probability")) return known({ manifest }, "manifest") as string;
  return {
    capabilities_analysis: REASONING,
    sufficient_capabilities: REASONING,
    in_scope_reasoning: REASONING,
    is_in_scope_probability: known({ in_scope }, "in_scope"),
  };
}

function onClaims(script: Claims, question: Question): object {
  const step = stepOf(question);
  const things = askedAbout(step === "verification" ? "claim" : "sentence", question.prompt);
  const answer = (thing: string) => onClaim(script, step, thing);
  return question.fields.includes("answers") ? answeringEach(things, answer) : answer(things[0] as string);
}

function onClaim(script: Claims, step: string, sentence: string): object {
  if (step === "verification") {
    const claims = Object.values(script).flat();
    const answers = Object.fromEntries(claims.map((claim) => [claim[0], claim]));
    const [, verified_probability, open_domain_probability] = known(answers, sentence);
    return {
      proof: REASONING,
      citations: [],
      verified_probability,
      open_domain_justification: REASONING,
      open_domain_probability,
      is_open_domain: open_domain_probability >= 50,
    };
  }
  const claims = known(script, sentence).map(([claim]) => claim);
  if (step === "selection") {
    return {
      sentence,
      thought_process: REASONING,
      final_submission: `${claims.length ? "Contains" : "Does NOT contain"} a specific and verifiable proposition`,
      sentence_with_verifiable_info: claims.length ? "remains unchanged" : "None",
    };
  }
  if (step === "disambiguation") {
    return {
      incomplete_names_acronyms_abbreviations_reasoning: REASONING,
      linguistic_ambiguity_reasoning: REASONING,
      changes_needed_reasoning: REASONING,
      changes_needed: false,
      decontextualized_sentences: [sentence],
    };
  }
  return {
    sentence,
    referential_terms_to_clarify: "None",
    max_clarified_sentence: sentence,
    range_of_possible_propositions: "1-2",
    specific_verifiable_decontextualized_propositions: claims,
    specific_verifiable_decontextualized_propositions_with_clarifications: claims,
  };
}

function known<T>(answers: Record<string, T>, asked: string): NonNullable<T> {
  const answer = Object.hasOwn(answers, asked) ? answers[asked] : undefined;
  if (answer == null) throw new Error(`the script has no answer for ${JSON.stringify(asked)}`);
  return answer;
}
