/** The steps of metrics: the claims of texts, and whether contexts support them. */

import { jsonOf } from "../../core/engine/crossing.js";
import { onUse } from "../../core/platform/on-use.js";
import type { ClaimExtractionConfig, JsonOf } from "../../openevals.types.js";
import * as bindings from "../../openevals-judges.js";
import { configOf } from "../item-verdicts/prompt.js";
import { type QuestionSettings, Questions, type Verdict } from "../item-verdicts/questions.js";
import { typicalAnswer } from "../item-verdicts/typical.js";
import { hasText } from "./comments.js";
import { CLAIMS } from "./questions/claims.js";
import { SUPPORT } from "./questions/support.js";

/** How many sentences a question about claims has at most. */
const MAX_SENTENCES = 40;

/** How claims are extracted. */
export type ClaimExtractionMode = "fast" | "thorough";

/** A claim of a text, with the place of its sentence in code units, if it was extracted. */
export interface Claim {
  /** The claim. */
  claim: string;
  /** The start of its sentence: `text.slice(start, end)` is the sentence. */
  start?: number;
  /** The end of its sentence, exclusive. */
  end?: number;
}

/** The verdict on a claim: 1 if the contexts support it. */
export interface JudgedClaim extends Claim, Verdict {
  /** The indices of the contexts that support the claim. */
  contexts: number[];
}

/** The settings of the questions of an evaluator. */
export interface StepSettings extends QuestionSettings {
  extraction: ClaimExtractionMode;
}

/** The steps of one evaluation. Claims of a text are extracted only once. */
export class Steps extends Questions<StepSettings> {
  readonly #claims = new Map<string, Promise<Claim[]>>();

  /** The claims of a text: those in the row, or those that a model extracts. */
  claims(
    text: string,
    question: string | undefined,
    givenClaims: readonly string[] | undefined,
  ): Promise<readonly Claim[]> {
    if (givenClaims) return Promise.resolve(givenClaims.map((claim) => ({ claim })));
    let claims = this.#claims.get(text);
    if (!claims) {
      claims = this.#extract(text, question);
      this.#claims.set(text, claims);
    }
    return claims;
  }

  /** Judges whether texts support claims. Empty texts support none. */
  async support(claims: readonly Claim[], contexts: readonly string[]): Promise<JudgedClaim[]> {
    if (!contexts.some(hasText)) {
      const unsupported = { verdict: 0 as const, reason: "There is no context.", contexts: [] };
      return claims.map((claim) => ({ ...claim, ...unsupported }));
    }
    const items = claims.map(({ claim }) => claim);
    const answers = await this.ask<JudgedClaim>(SUPPORT, items, { contexts });
    return answers.map(({ reason, contexts, verdict }, index) => ({
      ...(claims[index] as Claim),
      verdict,
      reason,
      contexts: verdict ? [...new Set(contexts)].sort((a, b) => a - b) : [],
    }));
  }

  async #extract(text: string, question: string | undefined): Promise<Claim[]> {
    if (!/[\p{L}\p{N}]/u.test(text)) return [];
    const { extraction, instructions, maxConcurrency } = this.settings;
    const fast = () => ({ sentences: configOf(CLAIMS, instructions.claims, MAX_SENTENCES), steps: [] });
    const thorough = async () => {
      const { extractionSteps } = await onUse(
        "The thorough claim extractor",
        () => import("../recipes/questions/claim-verification/extraction.js"),
      );
      return { sentences: undefined, steps: Object.values(extractionSteps()) };
    };
    const config: JsonOf<ClaimExtractionConfig> = jsonOf(extraction === "fast" ? fast() : await thorough());
    const input = jsonOf({ text, question, maxConcurrency });
    // The usual answers of a thorough extraction are unknown.
    const typical = extraction === "fast" ? typicalAnswer(CLAIMS) : () => undefined;
    return this.run<Claim>(text.length, typical, (engine, model) =>
      engine.keep(bindings.ClaimExtraction, config).run(model, input as never),
    );
  }
}
