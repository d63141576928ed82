/** The questions of one evaluation, which the engine asks. */

import { jsonOf, parsed } from "../../core/engine/crossing.js";
import type { Engine } from "../../core/engine/engine.js";
import { fromModel, invalidInput, isOurs, reworded } from "../../core/errors.js";
import { sumOfUsage, type TokenUsage } from "../../core/records/usage.js";
import type { EmbeddingUsage } from "../../models/chat/embed.js";
import type { TypicalAnswer } from "../../models/chat/judge-model.js";
import { currentMiddleware } from "../../models/chat/model-middleware.js";
import type { EngineModel } from "../../models/chat/opener.js";
import type { JsonOf, Metadata, VoteRule } from "../../openevals.types.js";
import * as bindings from "../../openevals-judges.js";
import { engineFor, type OpenJudge } from "../judge/model.js";
import { type IndexedPrompt, textOfConfig } from "./prompt.js";
import { typicalAnswer } from "./typical.js";

/** A verdict with its reason. */
export interface Verdict {
  /** 1 for yes, 0 for no. */
  verdict: 0 | 1;
  /** The reason of the judge. */
  reason: string;
}

/** The embeddings of a result. */
export interface EmbeddingPart {
  /** The model, and its usage. */
  metadata: EmbeddingUsage;
}

/** The settings of the questions of an evaluator. */
export interface QuestionSettings {
  /** @internal */
  judge: OpenJudge;
  instructions: Readonly<Partial<Record<string, string>>>;
  maxConcurrency: number;
}

/** The material of a question, without its items. */
interface Material {
  contexts?: readonly string[];
  question?: string | undefined;
  answer?: string;
}

/** The metadata of a question. A mapped type, because an interface is not assignable to a record. */
type QuestionMetadata = Pick<Metadata, keyof Metadata>;

/** The answers to a question, and its usage. */
interface EngineAnswers<T> {
  found: T[];
  metadata: QuestionMetadata;
}

/** The questions of one evaluation, and their usage. */
export class Questions<Settings extends QuestionSettings = QuestionSettings> {
  protected readonly settings: Settings;
  readonly #metadata: (Partial<QuestionMetadata> | undefined)[] = [];
  readonly #embeddings: EmbeddingUsage[] = [];
  /** The questions without an answer. */
  readonly #open = new Set<Promise<unknown>>();

  constructor(settings: Settings) {
    this.settings = settings;
  }

  /** Asks about items; the answers are in their order. */
  async ask<Answer>(
    prompt: IndexedPrompt,
    items: readonly string[],
    { contexts = [], ...material }: Material,
  ): Promise<Answer[]> {
    if (!items.length) return [];
    const { instructions, maxConcurrency } = this.settings;
    const config = textOfConfig(prompt, instructions[prompt.name]);
    const input = jsonOf({ items: [...items], contexts: [...contexts], ...material, maxConcurrency });
    return this.run<Answer>(input.length, typicalAnswer(prompt), (engine, model) =>
      engine.keep(bindings.IndexedQuestion, config).run(model, input as never),
    );
  }

  /** Calls a function of the engine that asks no model. */
  async compute<T>(run: () => T): Promise<T> {
    const engine = await engineFor(this.settings.judge);
    return engine.run("a judged metric", 0, run);
  }

  /** The mean of verdicts or scores. */
  mean(numbers: readonly number[]): Promise<number> {
    return this.#tally("mean", numbers);
  }

  /** 1 if all verdicts are 1, otherwise 0. */
  all(verdicts: readonly number[]): Promise<number> {
    return this.#tally("unanimous", verdicts);
  }

  /** Does work that asks. If it fails, waits for all questions, so that the error has the usage of all. */
  async counted<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      while (this.#open.size) await Promise.allSettled(this.#open);
      const { attempts: _, ...metadata } = this.usage();
      throw isOurs(thrown) && metadata.usage ? reworded(thrown, thrown.message, { metadata }) : thrown;
    }
  }

  /** Adds the usage of embeddings. */
  noteEmbeddings(used: readonly EmbeddingUsage[]): void {
    this.#embeddings.push(...used);
  }

  /** The usage of all questions so far. That of embeddings is also a part, because it has another price. */
  usage(): { model?: string; usage?: TokenUsage; attempts: number; parts?: EmbeddingPart[] } {
    const model = this.#metadata.flatMap((metadata) => metadata?.model ?? []).at(-1);
    const all = [...this.#metadata, ...this.#embeddings];
    const usage = sumOfUsage(all);
    const parts = this.#embeddings.map((metadata) => ({ metadata }));
    return {
      ...this.settings.judge.label,
      ...(model !== undefined && { model }),
      ...(usage && { usage }),
      attempts: all.reduce((sum, metadata) => sum + (metadata?.attempts ?? 0), 0),
      ...(parts.length && { parts }),
    };
  }

  /**
   * Asks the judge in the engine.
   *
   * @internal
   */
  protected async run<T>(
    length: number,
    typical: TypicalAnswer,
    run: (engine: Engine, model: EngineModel) => Promise<JsonOf<EngineAnswers<T>>>,
  ): Promise<T[]> {
    const { judge } = this.settings;
    const engine = await engineFor(judge);
    const asked = engine.wait("a judged metric", length, (own) => {
      currentMiddleware()?.expect?.(typical);
      return run(engine, own(judge.open()));
    });
    this.#open.add(asked);
    try {
      const { found, metadata } = parsed(await asked);
      this.#metadata.push(metadata);
      return found;
    } catch (thrown) {
      const error = fromModel(thrown);
      this.#metadata.push((error as { metadata?: Partial<QuestionMetadata> }).metadata);
      throw error;
    } finally {
      this.#open.delete(asked);
    }
  }

  async #tally(rule: VoteRule, numbers: readonly number[]): Promise<number> {
    const tally = await this.compute(() => bindings.tally(jsonOf(rule), Float64Array.from(numbers)));
    if (!tally) throw invalidInput("Nothing was judged, so there is no score");
    return tally.score;
  }
}
