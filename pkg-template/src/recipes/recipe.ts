/** Running recipes in the engine. */

import type { EngineModel } from "../chat/chat.js";
import type { Bindings } from "../engine/engine.js";
import { loadEngine, loadedEngine } from "../engine/load.js";
import { fromModel, OpenEvalsError } from "../errors.js";
import { toJson } from "../input/json.js";
import { show } from "../input/options.js";
import { openJudge } from "../judge/model.js";
import type { Report } from "./parts.js";
import type { BaseEvaluatorConfig, EvaluationOutput, RecipeResult } from "./types.js";

/** A question of a recipe: what a model reads, and the form of its answer. */
export interface Step {
  /** The system message. */
  system: string;
  /** The template of the user message. */
  prompt: string;
  /** The JSON schema of the answer; without one, the answer is free text. */
  schema?: object;
}

/** What opens a model in the engine. */
export type Opener = (bindings: Bindings) => EngineModel;

/** The model of evaluators that are given none. */
export const DEFAULT_MODEL = "openai:gpt-5.4";

/** What answers the questions of an evaluator with this configuration. */
export function openerFor({ model, judge }: BaseEvaluatorConfig): Opener {
  if (model !== undefined && typeof model !== "string") return openJudge(model, undefined, "model").open;
  return openJudge(judge, model ?? (judge ? undefined : DEFAULT_MODEL)).open;
}

/** A recipe of the engine with its options. */
export class Recipe<Result = RecipeResult> {
  readonly #name: string;
  readonly #config: string;
  readonly #open: Opener;
  readonly #openVerifier: Opener;

  constructor(name: string, steps: Record<string, Step>, options: object, open: Opener, verifier = open) {
    const asText = ([step, { schema, ...texts }]: [string, Step]) => [
      step,
      // As text, since the order of its properties counts.
      { ...texts, schema: JSON.stringify(schema) },
    ];
    this.#name = name;
    this.#config = toJson({ ...options, steps: Object.fromEntries(Object.entries(steps).map(asText)) }, name);
    this.#open = open;
    this.#openVerifier = verifier;
  }

  /** What the engine finds out; `report` gets what is found before the rest. */
  async run(input: object, report: Report = async () => false): Promise<Result> {
    const texts = toJson(input, this.#name);
    const engine = loadedEngine() ?? (await loadEngine());
    try {
      return JSON.parse(
        await engine.wait(this.#name, texts.length, (bindings, own) => {
          const models = [own(this.#open(bindings)), own(this.#openVerifier(bindings))] as const;
          return bindings.runRecipe(this.#name, this.#config, texts, ...models, report);
        }),
      );
    } catch (error) {
      throw fromModel(error);
    }
  }
}

/** What a recipe finds out where there is no answer to evaluate. */
export const NOTHING: RecipeResult = { applicable: false, score: 0 };

/** Whether a value is a score, a threshold, or a probability in percent. */
export const isScore = (value: unknown): boolean => typeof value === "number" && value >= 0 && value <= 100;

/** Refuses the input of `run` where one of these is not a text. */
export function textsIn<Input extends object>(input: Input, names: readonly (string & keyof Input)[]): Input {
  for (const name of names) {
    const value = input?.[name];
    if (typeof value !== "string") {
      throw new OpenEvalsError("invalid_input", `run got ${show(value)} as ${name}, which has to be a text.`);
    }
  }
  return input;
}

/** A result in the form that all evaluations have. */
export function toOutput(evalName: string, result: RecipeResult): EvaluationOutput {
  const { applicable, score, feedback, ...metadata } = result;
  return { evalName, applicable, score, ...(feedback === undefined ? {} : { feedback }), metadata };
}
