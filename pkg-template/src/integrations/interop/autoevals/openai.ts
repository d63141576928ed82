/** Scorers that ask OpenAI for something other than a chat. */

import { invalidConfig, invalidInput, OpenEvalsError } from "../../../core/errors.js";
import { expectedIn, makeScorer, type ScorerWithPartial } from "./scorer.js";
import { clientFor, embeddingsFor, type ModelArgs } from "./settings.js";

/** The arguments of {@link EmbeddingSimilarity}, besides `output` and `expected`. */
export interface EmbeddingSimilarityArgs extends Omit<ModelArgs, "temperature" | "maxTokens"> {
  /** A text that is added before both texts, such as the subject. */
  prefix?: string;
  /** The similarity that scores 0; 0.7 by default. */
  expectedMin?: number;
}

/** Scores the cosine similarity of two texts, scaled so that `expectedMin` scores 0 and the same direction scores 1. */
export const EmbeddingSimilarity: ScorerWithPartial<string, EmbeddingSimilarityArgs> =
  /* @__PURE__ */ makeScorer("EmbeddingSimilarity", async (args) => ({
    score: await similarity("EmbeddingSimilarity", args, args.expectedMin ?? 0.7),
  }));

/** Scores the cosine similarity of two texts; a negative one is 0. */
export const AnswerSimilarity: ScorerWithPartial<
  string,
  Omit<EmbeddingSimilarityArgs, "expectedMin">
> = /* @__PURE__ */ makeScorer("AnswerSimilarity", async (args) => ({
  score: await similarity("AnswerSimilarity", args, 0),
}));

async function similarity(
  name: string,
  args: EmbeddingSimilarityArgs & { output: string; expected?: string },
  least: number,
): Promise<number> {
  const { output, prefix = "" } = args;
  if (!(least < 1)) throw invalidInput(`expectedMin of ${name} has to be below 1`);
  const texts = [`${prefix}${output}`, `${prefix}${expectedIn(name, args)}`];
  const embeddings = embeddingsFor(name, args);
  const [one, other] = await Promise.all(texts.map((text) => embeddings.embedQuery(text)));
  const cosine = dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other));
  if (Number.isFinite(cosine)) return Math.min(1, Math.max(0, (cosine - least) / (1 - least)));
  throw invalidInput(`The embeddings of ${name} have to be lists of the same length, of finite numbers`);
}

const dot = (one: ArrayLike<number> | undefined, other: ArrayLike<number> | undefined): number =>
  one?.length === other?.length
    ? Array.from(one ?? []).reduce((sum, number, index) => sum + number * Number(other?.[index]), 0)
    : Number.NaN;

/** The arguments of {@link Moderation}, besides `output`. */
export interface ModerationArgs extends Pick<ModelArgs, "client"> {
  /** The score of a category above which the text fails. By default, OpenAI's own verdict counts. */
  threshold?: number;
}

/** Scores 1 for a text that OpenAI's moderation API does not flag, else 0. It needs a client of the package `openai`. */
export const Moderation: ScorerWithPartial<string, ModerationArgs> = /* @__PURE__ */ makeScorer(
  "Moderation",
  async ({ output, threshold, ...args }) => {
    const { moderations } = clientFor(args);
    if (typeof moderations?.create !== "function")
      throw invalidConfig(
        "Moderation asks OpenAI's moderation API. Pass a client of the package openai to init(), or as `client`",
      );
    const answer = await moderations.create({ input: output });
    const { flagged, category_scores } = Object(answer?.results?.[0]);
    if (typeof flagged !== "boolean")
      throw new OpenEvalsError("provider_error", "The moderation API answered without a verdict.");
    const scores = Object.values(category_scores ?? {}) as number[];
    const fails = threshold === undefined ? flagged : scores.some((score) => score > threshold);
    return { score: fails ? 0 : 1, metadata: { threshold, category_scores } };
  },
);
