/** The steps of metrics: questions to a model, which the engine asks, and arithmetic. */

import { jsonOf, parsed } from "../../core/engine/crossing.js";
import type { Engine } from "../../core/engine/engine.js";
import { fromModel } from "../../core/errors.js";
import { onUse } from "../../core/platform/on-use.js";
import { sumOfUsage, type TokenUsage } from "../../core/records/usage.js";
import type { TypicalAnswer } from "../../models/chat/judge-model.js";
import { currentMiddleware } from "../../models/chat/model-middleware.js";
import type { EngineModel } from "../../models/chat/opener.js";
import type { ClaimExtractionConfig, JsonOf, Metadata } from "../../openevals.types.js";
import * as bindings from "../../openevals-judges.js";
import { engineFor, type OpenJudge } from "../judge/model.js";
import { CLAIMS } from "./questions/claims.js";
import { configOf, type RagQuestion, textOfConfig } from "./questions/question.js";
import { SUPPORT } from "./questions/support.js";
import { typicalAnswer } from "./questions/typical.js";

/** The most sentences in the question for their claims. */
const MOST_SENTENCES = 40;

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

/** The verdict on a claim. */
export interface JudgedClaim extends Claim {
  /** 1 if the contexts support the claim, otherwise 0. */
  verdict: 0 | 1;
  /** The reason of the judge. */
  reason: string;
  /** The indices of the contexts that support the claim. */
  contexts: number[];
}

/** A verdict on something else, with its reason. */
export interface Verdict {
  verdict: 0 | 1;
  reason: string;
}

/** The settings of the questions of an evaluator. */
export interface StepSettings {
  /** @internal */
  judge: OpenJudge;
  extraction: ClaimExtractionMode;
  instructions: Readonly<Partial<Record<string, string>>>;
  maxConcurrency: number;
}

/** What is asked besides the items. */
interface Material {
  contexts?: readonly string[];
  question?: string | undefined;
  answer?: string;
}

/** What questions took. A mapped type, because an interface is not assignable to a record. */
type Taken = Pick<Metadata, keyof Metadata>;

/** What a step found, and what it took. */
interface Found<T> {
  found: T[];
  metadata: Taken;
}

/** The steps of one evaluation. Claims of a text are extracted only once. */
export class Steps {
  readonly #settings: StepSettings;
  readonly #claims = new Map<string, Promise<Claim[]>>();
  readonly #taken: Taken[] = [];

  constructor(settings: StepSettings) {
    this.#settings = settings;
  }

  /** The claims of a text; those that the caller knows are not extracted. */
  claims(
    text: string,
    question: string | undefined,
    known: readonly string[] | undefined,
  ): Promise<readonly Claim[]> {
    if (known) return Promise.resolve(known.map((claim) => ({ claim })));
    let claims = this.#claims.get(text);
    if (!claims) {
      claims = this.#extracted(text, question);
      this.#claims.set(text, claims);
    }
    return claims;
  }

  /** Judges whether texts support claims. Empty texts support none. */
  async support(claims: readonly Claim[], contexts: readonly string[]): Promise<JudgedClaim[]> {
    if (!contexts.some((context) => context.trim())) {
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

  /** Asks about items; the answers are in their order. */
  async ask<Answer>(
    question: RagQuestion,
    items: readonly string[],
    { contexts = [], ...material }: Material,
  ): Promise<Answer[]> {
    if (!items.length) return [];
    const { instructions, maxConcurrency } = this.#settings;
    const config = textOfConfig(question, instructions[question.name]);
    const input = jsonOf({ items: [...items], contexts: [...contexts], ...material, maxConcurrency });
    return this.#run<Answer>(input.length, typicalAnswer(question), (engine, model) =>
      engine.keep(bindings.IndexedQuestion, config).run(model, input as never),
    );
  }

  /** Calls a function of the engine that asks no model. */
  async compute<T>(run: () => T): Promise<T> {
    const engine = await engineFor(this.#settings.judge);
    return engine.run("a RAG metric", 0, run);
  }

  /** The mean of verdicts or scores. */
  async mean(numbers: readonly number[]): Promise<number> {
    const tally = await this.compute(() => bindings.tally(jsonOf("mean"), Float64Array.from(numbers)));
    return tally?.score ?? 0;
  }

  /** What all questions so far took. */
  taken(): { model?: string; usage?: TokenUsage; attempts: number } {
    const model = this.#taken.flatMap(({ model }) => model ?? []).at(-1);
    const usage = sumOfUsage(this.#taken);
    return {
      ...this.#settings.judge.label,
      ...(model !== undefined && { model }),
      ...(usage && { usage }),
      attempts: this.#taken.reduce((sum, { attempts }) => sum + attempts, 0),
    };
  }

  async #extracted(text: string, question: string | undefined): Promise<Claim[]> {
    if (!/[\p{L}\p{N}]/u.test(text)) return [];
    const { extraction, instructions, maxConcurrency } = this.#settings;
    const fast = () => ({ sentences: configOf(CLAIMS, instructions.claims, MOST_SENTENCES), steps: [] });
    const thorough = async () => {
      const { extractionSteps } = await onUse(
        "The thorough extraction of claims",
        () => import("../recipes/questions/claim-verification/extraction.js"),
      );
      return { sentences: undefined, steps: Object.values(extractionSteps()) };
    };
    const config: JsonOf<ClaimExtractionConfig> = jsonOf(extraction === "fast" ? fast() : await thorough());
    const input = jsonOf({ text, question, maxConcurrency });
    // The usual answers of a thorough extraction are unknown.
    const typical = extraction === "fast" ? typicalAnswer(CLAIMS) : () => undefined;
    return this.#run<Claim>(text.length, typical, (engine, model) =>
      engine.keep(bindings.ClaimExtraction, config).run(model, input as never),
    );
  }

  async #run<T>(
    length: number,
    typical: TypicalAnswer,
    run: (engine: Engine, model: EngineModel) => Promise<JsonOf<Found<T>>>,
  ): Promise<T[]> {
    const { judge } = this.#settings;
    const engine = await engineFor(judge);
    try {
      const text = await engine.wait("a RAG metric", length, (own) => {
        currentMiddleware()?.expect?.(typical);
        return run(engine, own(judge.open()));
      });
      const { found, metadata } = parsed(text);
      this.#taken.push(metadata);
      return found;
    } catch (error) {
      throw fromModel(error);
    }
  }
}
