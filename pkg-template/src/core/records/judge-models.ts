/** The models and prompts that judged the rows of an experiment. */

import type { JudgeIdentity } from "./calibration.js";
import type { ExperimentRow } from "./types.js";

/** A judge with more prompts writes one for each row, so they do not identify it. */
const MAX_PROMPTS = 10;

/** The number of results of a key that the same models judged, by the same vote. */
export interface JudgedResults {
  models: string[];
  /** The number of judges that voted; 1 without a jury. */
  judges: number;
  /** The numbers of samples of these judges, as far as they are known. */
  samples: number[];
  /** The rule by which a jury or the samples voted, if it is known. */
  voteRule?: string;
  count: number;
}

/** The results of a key, by their judges, and the prompts. */
interface JudgesOfKey {
  results: Map<string, JudgedResults>;
  prompts: Set<string>;
  /** The number of results. */
  count: number;
  /** Whether a later result repeats the prompt of an earlier one. */
  repeatsPrompts: boolean;
}

/** A judge, in words, of each side. */
export interface OtherJudges {
  key: string;
  here: string;
  there: string;
}

/** The models and prompts by key, as the `metadata` of the results has them. */
export class JudgeModels {
  readonly #byKey = new Map<string, JudgesOfKey>();

  constructor(rows: readonly Pick<ExperimentRow, "evaluationResults">[] = []) {
    for (const row of rows) this.add(row);
  }

  add({ evaluationResults }: Pick<ExperimentRow, "evaluationResults">): void {
    for (const { key, metadata, applicable } of evaluationResults) {
      // An evaluator that does not apply may not have voted.
      if (!metadata || applicable === false) continue;
      const [parts, votes] = [listIn(metadata.parts), listIn(metadata.votes)];
      const all = [metadata, ...[...parts, ...votes].map((part) => part?.metadata)];
      const models = [...new Set(all.flatMap(modelsIn))];
      const prompts = all.map((one) => one?.promptHash).filter((hash) => typeof hash === "string");
      if (!models.length && !prompts.length) continue;
      const known: JudgesOfKey = this.#byKey.get(key) ?? {
        ...{ results: new Map(), prompts: new Set(), count: 0, repeatsPrompts: false },
      };
      this.#byKey.set(key, known);
      known.count++;
      known.repeatsPrompts ||= prompts.some((prompt) => known.prompts.has(prompt));
      for (const prompt of prompts) if (known.prompts.size <= MAX_PROMPTS) known.prompts.add(prompt);
      const vote = { models, ...voteIn(metadata) };
      const id = JSON.stringify(vote);
      const { count = 0 } = known.results.get(id) ?? {};
      known.results.set(id, { ...vote, count: count + 1 });
    }
  }

  /** The judge of a key; `undefined` if its results have neither models nor prompts. */
  of(key: string): JudgeIdentity | undefined {
    const known = this.#byKey.get(key);
    if (!known) return undefined;
    const prompts = known.prompts.size > MAX_PROMPTS ? [] : [...known.prompts];
    const results = this.resultsOf(key);
    return {
      models: this.#modelsOf(key),
      prompts,
      judges: [...new Set(results.map(({ judges }) => judges))],
      samples: [...new Set(results.flatMap(({ samples }) => samples))],
      voteRules: [...new Set(results.flatMap(({ voteRule }) => voteRule ?? []))],
    };
  }

  /** The results of a key that have models or prompts, by their judges. */
  resultsOf(key: string): JudgedResults[] {
    return [...(this.#byKey.get(key)?.results.values() ?? [])];
  }

  /**
   * The keys whose results have models here and there, but none in common; or else votes, but none in common; or else prompts, but
   * none in common.
   */
  others(there: JudgeModels): OtherJudges[] {
    return [...this.#byKey.keys()].flatMap((key) => {
      const wordsOf = (judges: JudgeModels): JudgeWords => ({
        models: judges.#modelsOf(key),
        prompts: judges.#fixedPromptsOf(key),
        results: judges.resultsOf(key),
      });
      const [here, other] = [wordsOf(this), wordsOf(there)];
      if (areDifferent(here.models, other.models, isSameModel))
        return [{ key, here: listed(here.models), there: listed(other.models) }];
      if (areDifferent(here.results, other.results, isSameVote))
        return [{ key, here: withVotes(here, other), there: withVotes(other, here) }];
      if (areDifferent(here.prompts, other.prompts))
        return [{ key, here: withPrompts(here), there: withPrompts(other) }];
      return [];
    });
  }

  /** The keys that models judged, in sentences. */
  sentences(): string[] {
    return [...this.#byKey.keys()].flatMap((key) => {
      const models = this.#modelsOf(key);
      return models.length ? [`${listed(models)} judged ${key}.`] : [];
    });
  }

  #modelsOf(key: string): string[] {
    return [...new Set(this.resultsOf(key).flatMap(({ models }) => models))];
  }

  /** The prompts, unless each result has its own: a function may write one for each row. */
  #fixedPromptsOf(key: string): string[] {
    const known = this.#byKey.get(key);
    const areFixed =
      known && known.prompts.size <= MAX_PROMPTS && (known.count === 1 || known.repeatsPrompts);
    return areFixed ? [...known.prompts] : [];
  }
}

interface JudgeWords extends Pick<JudgeIdentity, "models" | "prompts"> {
  results: readonly JudgedResults[];
}

/** Whether both sides are known, and have nothing in common. */
const areDifferent = <Part>(
  here: readonly Part[],
  there: readonly Part[],
  areSame: (one: Part, other: Part) => boolean = Object.is,
): boolean =>
  here.length > 0 && there.length > 0 && !here.some((one) => there.some((other) => areSame(one, other)));

const listed = (names: readonly string[]): string => names.join(" and ");

/** Whether the same judges may have voted on two results: a judge that failed has no model. */
function isSameVote(one: JudgedResults, other: JudgedResults): boolean {
  const [few, many] = one.models.length < other.models.length ? [one, other] : [other, one];
  const areModels = few.models.every((model) => many.models.some((more) => isSameModel(model, more)));
  const isRule = one.voteRule === other.voteRule || !one.voteRule || !other.voteRule;
  return areModels && isRule && one.judges === other.judges && !areDifferent(one.samples, other.samples);
}

/** The models, and what else about the votes is not as on the other side. */
function withVotes({ models, results }: JudgeWords, other: JudgeWords): string {
  const theirs = votesText(other.results);
  const differing = votesText(results).filter((text, index) => text && text !== theirs[index]);
  return `${listed(models) || "a judge"}${differing.length ? ` with ${listed(differing)}` : ""}`;
}

/** The juries, the samples and the rules of votes. */
function votesText(results: readonly JudgedResults[]): string[] {
  const texts = (partsOf: (one: JudgedResults) => string[]) => listed([...new Set(results.flatMap(partsOf))]);
  return [
    texts(({ judges }) => [panelText(judges)]),
    texts(({ samples }) => samples.map(samplesText)),
    texts(({ voteRule }) => (voteRule ? [voteText(voteRule)] : [])),
  ];
}

export const panelText = (judges: number): string => (judges === 1 ? "one judge" : `a jury of ${judges}`);

export const samplesText = (samples: number): string => (samples === 1 ? "one sample" : `${samples} samples`);

export const voteText = (voteRule: string): string => `a ${voteRule} vote`;

const withPrompts = ({ models, prompts }: JudgeWords): string =>
  `${listed(models) || "a judge"} with the ${prompts.length === 1 ? "prompt" : "prompts"} ${listed(prompts)}`;

/** The list in a record, which may be of another version. */
export const listIn = (value: unknown): any[] => (Array.isArray(value) ? value : []);

/** How a result was voted on, as far as its `metadata` has it. */
function voteIn(metadata: Record<string, unknown>): Omit<JudgedResults, "models" | "count"> {
  const votes = listIn(metadata.votes);
  // The samples of one judge are votes without names.
  const isJury = votes.some((vote) => typeof vote?.name === "string");
  const judges = isJury ? votes.filter((vote) => !vote?.error).map((vote) => vote?.metadata) : [metadata];
  const { voteRule } = metadata;
  return {
    judges: isJury ? votes.length : 1,
    samples: [...new Set(judges.flatMap(samplesIn))],
    ...(typeof voteRule === "string" && { voteRule }),
  };
}

/** The number of samples of a judge. Without a rule, votes are of an earlier version, or of G-Eval, which has its own method. */
function samplesIn(metadata: unknown): number | [] {
  const { votes, voteRule } = Object(metadata) as Record<string, unknown>;
  if (!listIn(votes).length) return 1;
  return typeof voteRule === "string" ? listIn(votes).length : [];
}

/** The models in the `metadata` of a judge; that of a jury has several. */
export function modelsIn(metadata: unknown): string[] {
  const { model, models } = Object(metadata) as Record<string, unknown>;
  return [model, ...(Array.isArray(models) ? models : [])].filter((name) => typeof name === "string");
}

/** Whether two names are of the same model, perhaps one of them dated: `gpt-5.4` and `gpt-5.4-2026-03-01`. */
export function isSameModel(one: string, other: string): boolean {
  const [a, b] = [partsOfName(one), partsOfName(other)];
  return a.name === b.name && (a.version === b.version || a.isAlias || b.isAlias);
}

/** The parts of a name, without the vendor of a gateway: `openai/gpt-5.4` is `gpt-5.4`. */
function partsOfName(model: string) {
  const [, name, version = "latest"] =
    /^(?:.*\/)?(.*?)(?:[-@](latest|\d{4}-\d\d-\d\d|\d\d-\d{4}|\d\d-\d\d|\d{8}|\d{6}|\d{3,4}))?$/s.exec(
      model,
    ) ?? [];
  return { name, version, isAlias: version === "latest" };
}
