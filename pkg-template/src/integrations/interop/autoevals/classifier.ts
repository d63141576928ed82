/** Scorers that ask a model to choose, and score the choice. */

import { createLLMAsJudge, type JudgeMetadata } from "../../../api.js";
import { invalidConfig } from "../../../core/errors.js";
import {
  aFlag,
  anObject,
  aString,
  checkOptions,
  fromZero,
  type OptionChecks,
  required,
  wholeFrom,
} from "../../../core/input/checks.js";
import { definedFields } from "../../../core/input/objects.js";
import { resultsIn } from "../../../evaluators/calls/answers.js";
import { makeScorer, type ScorerWithPartial } from "./scorer.js";
import { judgeFor, type ModelArgs } from "./settings.js";

/** The options of {@link LLMClassifierFromTemplate}. */
export interface LLMClassifierOptions {
  /** The name of the scorer. */
  name: string;
  /** The prompt, with `{{input}}`, `{{output}}`, `{{expected}}`, other arguments, and paths such as `{{input.question}}`. */
  promptTemplate: string;
  /** The score of each choice. */
  choiceScores: Record<string, number>;
  /** The model that judges, unless a call names one. */
  model?: string | undefined;
  /** Whether the model explains its choice, which becomes `metadata.rationale`; `true` by default. */
  useCoT?: boolean | undefined;
  /** The sampling temperature. */
  temperature?: number | undefined;
  /** The most tokens of an answer. */
  maxTokens?: number | undefined;
}

/** The arguments of a classifier: those that select the model, and the variables of its prompt. */
export type LLMClassifierArgs<Variables> = ModelArgs & {
  /** Whether the model explains its choice. */
  useCoT?: boolean;
} & Variables;

const OPTIONS: OptionChecks<LLMClassifierOptions> = {
  name: required(aString),
  promptTemplate: required(aString),
  choiceScores: required(anObject),
  model: aString,
  useCoT: aFlag,
  temperature: fromZero,
  maxTokens: wholeFrom(1),
};

/**
 * Makes a scorer that asks a model to choose one of the keys of `choiceScores`.
 *
 * @returns A scorer with the `choice`, the `rationale`, the `model` and its `usage` in `metadata`.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work, and for sections such as `{{#list}}`. The scorer
 * throws the errors of `createLLMAsJudge`: `missing_variable` for an argument that the prompt names, `invalid_judge_output` if the
 * model makes no valid choice twice, and those of requests.
 *
 * @example
 * ```ts
 * import { LLMClassifierFromTemplate } from "openevals-wasm/interop/autoevals";
 *
 * const Polite = LLMClassifierFromTemplate<{ input: string }>({
 *   name: "Polite",
 *   promptTemplate: "Is {{output}} a polite answer to {{input}}?",
 *   choiceScores: { Yes: 1, Partly: 0.5, No: 0 },
 * });
 * const client = () => ({ reasons: "It greets.", choice: "Partly" });
 * const { score } = await Polite({ input: "Hello?", output: "Hi.", client });
 * console.log(score); // 0.5
 * ```
 */
export function LLMClassifierFromTemplate<Variables = Record<string, unknown>>(
  options: LLMClassifierOptions,
): ScorerWithPartial<any, LLMClassifierArgs<Variables>> {
  const read = checkOptions("LLMClassifierFromTemplate", options, OPTIONS);
  const { text, paths } = templateOf(read.name, read.promptTemplate);
  return classifier(read, text, (args) =>
    Object.fromEntries([...paths].map(([variable, path]) => [variable, valueAt(args, path)])),
  );
}

/** Makes a classifier from the template of a judge, with its variables in braces. */
export function classifier<Variables>(
  { name, choiceScores, ...defaults }: Omit<LLMClassifierOptions, "promptTemplate">,
  template: string,
  variables: (args: Record<string, unknown>) => Record<string, unknown> = (args) => args,
): ScorerWithPartial<any, LLMClassifierArgs<Variables>> {
  const choices = Object.keys(choiceScores);
  if (!choices.length || !Object.values(choiceScores).every(Number.isFinite))
    throw invalidConfig(`choiceScores of ${name} needs a number for each choice`);
  const choiceList = choices.map((choice) => JSON.stringify(choice)).join(", ");
  const prompt = `${template}\n\nAnswer with one of these choices: ${choiceList.replace(/[{}]/g, "$&$&")}.`;
  return makeScorer(name, async (args: any) => {
    const {
      useCoT = true,
      model,
      client,
      temperature,
      maxTokens,
      ...rest
    } = { ...defaults, ...(definedFields(args) as any) };
    const judge = createLLMAsJudge<{ choice: string; reasons?: string }>({
      prompt,
      outputSchema: schemaOf(choices, useCoT),
      ...judgeFor(name, { ...rest, model, client, temperature, maxTokens }),
    });
    const answer = await judge(variables(rest));
    const { choice, reasons } = answer;
    const [result] = resultsIn(answer) as { metadata: JudgeMetadata }[];
    return {
      score: choiceScores[choice] as number,
      metadata: { choice, ...(reasons !== undefined && { rationale: reasons }), ...result?.metadata },
    };
  });
}

const schemaOf = (choices: readonly string[], withReasons: boolean): object => ({
  type: "object",
  properties: {
    ...(withReasons && {
      reasons: { type: "string", description: "Your reasoning, step by step, before you choose." },
    }),
    choice: { type: "string", enum: choices, description: "Your choice." },
  },
  required: withReasons ? ["reasons", "choice"] : ["choice"],
  additionalProperties: false,
});

/** A template with `{{variables}}` as the template of a judge, with the path of each variable. */
function templateOf(name: string, template: string): { text: string; paths: Map<string, string[]> } {
  const section = /\{\{\s*[#^/>!=&]/.exec(template);
  if (section)
    throw invalidConfig(
      `The template of ${name} has ${section[0]}, but only variables such as {{input}} are supported`,
    );
  const paths = new Map<string, string[]>();
  const text = template.replace(/\{\{\{?\s*([\w.]+)\s*\}?\}\}|[{}]/g, (found, path?: string) => {
    if (path === undefined) return found + found;
    const variable = path.replaceAll(".", "__");
    paths.set(variable, path.split("."));
    return `{${variable}}`;
  });
  return { text, paths };
}

const valueAt = (args: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, key) => {
    const object = Object(value);
    return Object.hasOwn(object, key) ? object[key] : undefined;
  }, args);
