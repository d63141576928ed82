import { type ChatModel, type EngineModel, initChatModel, openerOf } from "./chat.js";
import { type Engine, loadEngine, loadedEngine } from "./engine.js";
import { fromEngine, OpenEvalsError, throwing } from "./errors.js";
import { toText } from "./json.js";
import { given, knownOptions } from "./options.js";
import type { ChatCompletionMessage, FewShotExample } from "./types.js";

/** What a function that judges is asked. */
export interface JudgeRequest {
  /** The messages, the last of which is the filled-in prompt. */
  messages: { role: "system" | "user" | "assistant"; content: string }[];
  /** The JSON schema that the answer has to fit; the same object in every call of a judge. */
  schema: Record<string, unknown>;
}

/**
 * A function that judges: returns an object that fits the schema, such as `{ score, reasoning }`, or a text that holds
 * one as JSON.
 */
export type JudgeFunction = (request: JudgeRequest) => object | string | Promise<object | string>;

/** The options of {@link createLLMAsJudge}. */
export interface LLMAsJudgeOptions {
  /**
   * What the judge reads: `{inputs}`, `{outputs}`, `{reference_outputs}` and any other variable are replaced by what
   * the evaluator is called with, `{{` and `}}` stand for braces. (What `openevals` also takes, prompt functions and
   * templates with `invoke()`, is refused with `invalid_config` for now.)
   */
  prompt:
    | string
    | LangChainRunnable
    | ((...args: any[]) => ChatCompletionMessage[] | Promise<ChatCompletionMessage[]>);
  /** The `key` of the result; `score` by default. */
  feedbackKey?: string | undefined;
  /** The model that judges, as for {@link initChatModel}: `openai:gpt-5.4`, `ollama:llama3.3`. */
  model?: string | undefined;
  /** A system message, in front of the prompt. */
  system?: string | undefined;
  /**
   * What judges, in the place of `model`: a function, or a model with options from {@link initChatModel}. (Clients of
   * other packages, which `openevals` takes, are refused with `invalid_config` for now.)
   */
  judge?: JudgeFunction | ChatModel | LangChainRunnable | OpenAIClient | undefined;
  /** Whether the score is a number from 0 to 1 instead of `true` or `false`. */
  continuous?: boolean | undefined;
  /** The only scores there are, such as `[0, 0.5, 1]`, instead of `true` or `false`. */
  choices?: number[] | undefined;
  /** Whether the judge explains its score, which becomes the `comment`; `true` by default. */
  useReasoning?: boolean | undefined;
  /** Examples of scores, put behind the prompt. */
  fewShotExamples?: FewShotExample[] | undefined;
}

/** What an evaluator made by {@link createLLMAsJudge} is called with. Values that are not strings are put in as JSON. */
export interface JudgeParams {
  /** What the application was asked: `{inputs}`. */
  inputs?: unknown;
  /** What it answered: `{outputs}`. */
  outputs?: unknown;
  /** What it should have answered: `{reference_outputs}`. */
  referenceOutputs?: unknown;
  /** Accepted in the place of `referenceOutputs`, as the Python packages spell it. */
  reference_outputs?: unknown;
  /** Any other variable of the prompt. */
  [variable: string]: unknown;
}

/** What a score took. */
export type JudgeMetadata = {
  /** The model that judged, by the name that its provider gives it. */
  model?: string;
  /** The tokens that were used, where the provider tells. */
  usage?: { inputTokens: number; outputTokens: number };
  /** How long it took. */
  latencyMs: number;
  /** How many requests were sent: retries, and asking again after an answer that could not be used, count. */
  attempts: number;
};

/** The result of a judge. A type and not an interface, so that it is also a `Record<string, unknown>`. */
export type JudgeResult = {
  /** The `feedbackKey`. */
  key: string;
  /** The score. */
  score: number | boolean;
  /** Why. */
  comment?: string;
  /** What it took. */
  metadata: JudgeMetadata;
  /** The id of the traced run that gave the score. */
  sourceRunId?: string;
};

/** An evaluator that asks a model. */
export interface LLMAsJudge<Result = JudgeResult> {
  (params: JudgeParams): Promise<Result>;
  /**
   * Judges many rows, all at the same time; the results are in their order. One row that cannot be judged rejects the
   * batch; the error names it.
   */
  batch(rows: readonly JudgeParams[]): Promise<Result[]>;
}

/** A model or a prompt of LangChain. */
interface LangChainRunnable {
  invoke(...args: any[]): Promise<any>;
}

/** The client of the package `openai`. */
interface OpenAIClient {
  chat: { completions: { create(...args: any[]): any } };
}

/**
 * Makes an evaluator that asks a language model for a score.
 *
 * The answer is checked: where its meaning is plain, slips of form (prose around the JSON, a number as text) are read
 * over; otherwise the judge is asked once more, with what was wrong. A failure is never a score.
 *
 * @returns An evaluator whose result is `{ key, score, comment, metadata }`; with an `outputSchema`, the object that the
 * judge answered.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The evaluator throws `missing_variable`
 * when the prompt names one that was not passed, `invalid_judge_output` with the `raw` answer when it cannot be used
 * after the judge was asked again, `refused` when the model declines, `callback_failed` with the `cause` when the
 * function throws, and what requests fail with: `provider_error`, `rate_limited`, `timeout`, `aborted`.
 *
 * @example
 * ```ts
 * import { createLLMAsJudge } from "openevals-wasm";
 *
 * const polite = createLLMAsJudge({
 *   prompt: "Is this answer polite?\n<answer>{outputs}</answer>",
 *   feedbackKey: "politeness",
 *   judge: async ({ messages }) => ({ score: !messages[0]?.content.includes("!"), reasoning: "I looked for shouting." }),
 * });
 * const { score, comment } = await polite({ outputs: "Gladly. Here it is." });
 * console.log(score, comment); // true I looked for shouting.
 * ```
 *
 * @example With a model
 * ```ts
 * import { createLLMAsJudge } from "openevals-wasm";
 *
 * const correct = createLLMAsJudge({
 *   prompt: "How right is {outputs} as an answer to {inputs}? The right answer is {reference_outputs}.",
 *   model: "ollama:llama3.3",
 *   continuous: true,
 * });
 * export const score = () => correct({ inputs: "1 + 1", outputs: "two", referenceOutputs: "2" });
 * ```
 */
export function createLLMAsJudge(options: LLMAsJudgeOptions & { outputSchema?: undefined }): LLMAsJudge;
/**
 * Makes an evaluator that asks a language model for an object of your own form.
 *
 * @param options With `outputSchema`, a JSON schema or OpenAI's `{ name, schema, strict }`.
 * @returns An evaluator whose result is the object, checked against the schema.
 *
 * @example
 * ```ts
 * import { createLLMAsJudge } from "openevals-wasm";
 *
 * const review = createLLMAsJudge<{ tone: string }>({
 *   prompt: "What is the tone of {outputs}?",
 *   judge: () => ({ tone: "kind" }),
 *   outputSchema: { type: "object", properties: { tone: { type: "string" } }, required: ["tone"] },
 * });
 * const { tone } = await review({ outputs: "Gladly." });
 * console.log(tone); // kind
 * ```
 */
export function createLLMAsJudge<Output = Record<string, unknown>>(
  options: LLMAsJudgeOptions & { outputSchema: object },
): LLMAsJudge<Output>;
export function createLLMAsJudge(
  options: LLMAsJudgeOptions & { outputSchema?: object | undefined },
): LLMAsJudge<unknown> {
  const { config, feedbackKey, open, label } = readOptions(options);
  let judge: InstanceType<Engine["Judge"]> | undefined;
  let model: EngineModel | undefined;

  const evaluate = async (params: JudgeParams): Promise<unknown> => {
    const variables = readVariables(params);
    const engine = loadedEngine() ?? (await loadEngine());
    judge ??= throwing(() => new engine.Judge(JSON.stringify(config)));
    model ??= open(engine);
    const started = performance.now();
    let answer: Answer;
    try {
      answer = JSON.parse(await judge.evaluate(model, variables));
    } catch (error) {
      throw fromEngine(error, (error as { cause?: unknown })?.cause);
    }
    if (config.outputSchema !== undefined) return answer.verdict;
    const { score, reasoning } = answer.verdict as Verdict;
    const latencyMs = Math.round((performance.now() - started) * 1000) / 1000;
    const metadata: JudgeMetadata = { ...label, ...answer.metadata, latencyMs };
    const comment = reasoning === undefined ? undefined : { comment: reasoning };
    return { key: feedbackKey, score, ...comment, metadata } satisfies JudgeResult;
  };

  return Object.assign(evaluate, {
    async batch(rows: readonly JudgeParams[]): Promise<unknown[]> {
      if (!Array.isArray(rows))
        throw new OpenEvalsError("invalid_input", "A judge's batch needs a list of rows.");
      return Promise.all(
        rows.map((row, index) => evaluate(row).catch((error) => Promise.reject(inRow(index, error)))),
      );
    },
  });
}

interface Verdict {
  score: number | boolean;
  reasoning?: string;
}

/** What the engine answers. */
interface Answer {
  verdict: unknown;
  metadata: Omit<JudgeMetadata, "latencyMs">;
}

const OPTIONS = [
  ..."prompt feedbackKey model system judge continuous choices useReasoning fewShotExamples outputSchema".split(
    " ",
  ),
];

function readOptions(options: LLMAsJudgeOptions & { outputSchema?: object | undefined }) {
  if (typeof options !== "object" || options === null)
    throw invalid("createLLMAsJudge needs an object of options");
  knownOptions("createLLMAsJudge", options, OPTIONS);
  const { prompt, feedbackKey = "score", model, system, judge, continuous = false, choices } = options;
  const { useReasoning = true, fewShotExamples = [], outputSchema } = options;
  checkPrompt(prompt);
  for (const [name, value] of Object.entries({ feedbackKey, system, model })) {
    given(name, value, "a string", (text) => typeof text === "string");
  }
  for (const [name, value] of Object.entries({ continuous, useReasoning })) {
    given(name, value, "true or false", (flag) => typeof flag === "boolean");
  }
  given("choices", choices, "a list of at least one number", (list) => {
    return Array.isArray(list) && list.length > 0 && list.every(Number.isFinite);
  });
  given("fewShotExamples", fewShotExamples, "a list of { inputs, outputs, score, reasoning }", (list) => {
    return Array.isArray(list) && list.every((example) => typeof example === "object" && example !== null);
  });
  given("outputSchema", outputSchema, "a JSON schema", (schema) => {
    return typeof schema === "object" && schema !== null && !Array.isArray(schema) && !("parse" in schema);
  });
  if (continuous && choices)
    throw invalid("continuous and choices exclude each other: scores are one or the other");
  if (outputSchema && (continuous || choices)) {
    throw invalid("outputSchema says what the answer is, so continuous and choices would be without effect");
  }
  const open = opener(judge, model);
  const config = {
    prompt,
    system,
    continuous,
    choices,
    useReasoning,
    fewShotExamples: fewShotExamples.map(readExample),
    outputSchema: outputSchema && readSchema(outputSchema),
  };
  // What a function asks is its own business; the model's name is all that is known of it.
  const label = typeof judge === "function" && model !== undefined ? { model } : {};
  return { config, feedbackKey, open, label };
}

/** The same test that the engine makes, which is not loaded yet when a judge is made. */
function checkPrompt(prompt: unknown): asserts prompt is string {
  if (typeof prompt === "function" || (typeof prompt === "object" && prompt !== null && "invoke" in prompt)) {
    throw invalid(
      "Prompt functions and prompt templates are not supported yet; pass a string with {variables}",
    );
  }
  if (typeof prompt !== "string")
    throw invalid(`prompt has to be a string with {variables}, not ${typeof prompt}`);
  for (const { 0: braces, index } of prompt.matchAll(/\{\{|\}\}|\{[^}]*\}|[{}]/g)) {
    if (braces.length > 1) continue;
    const lines = prompt.slice(0, index).split("\n");
    const problem = braces === "{" ? '"{" is never closed' : '"}" closes nothing';
    throw invalid(
      `The prompt has a brace without a partner at line ${lines.length}, column ${[...(lines.at(-1) ?? "")].length + 1}: ` +
        `${problem}. Write {{ or }} for a brace that stands for itself`,
    );
  }
}

/** A JSON schema as it is, or in OpenAI's form. As text, since the order of its properties counts. */
function readSchema(outputSchema: object) {
  const { name, schema, strict } = outputSchema as { name?: unknown; schema?: unknown; strict?: unknown };
  if (typeof name !== "string" || typeof schema !== "object" || schema === null) {
    return { schema: toText(outputSchema, "outputSchema") };
  }
  return {
    name,
    schema: toText(schema, "outputSchema.schema"),
    strict: typeof strict === "boolean" ? strict : undefined,
  };
}

/** Where the engine gets its model from. */
function opener(
  judge: LLMAsJudgeOptions["judge"],
  model: string | undefined,
): (engine: Engine) => EngineModel {
  if (typeof judge === "function") {
    let schema: JudgeRequest["schema"] | undefined;
    const ask = async (messages: string, schemaJson: string): Promise<string> => {
      // A judge has one schema.
      schema ??= JSON.parse(schemaJson) as JudgeRequest["schema"];
      const answer = await judge({ messages: JSON.parse(messages), schema });
      return typeof answer === "string" ? answer : (JSON.stringify(answer) ?? "");
    };
    return (engine) => engine.ChatModel.fromCallback(ask);
  }
  if (judge === undefined && model === undefined) {
    throw invalid(
      'A judge needs a model, such as "openai:gpt-5.4", or a judge: a function or the result of initChatModel',
    );
  }
  const open = openerOf(judge ?? initChatModel(model as string));
  if (!open) {
    throw invalid(
      "judge has to be a function or the result of initChatModel; clients of other packages are not supported yet",
    );
  }
  return open;
}

function readExample({ inputs, outputs, score, reasoning }: FewShotExample, index: number) {
  const json = (value: unknown, name: string) =>
    typeof value === "string" ? JSON.stringify(value) : toText(value, `fewShotExamples[${index}].${name}`);
  return {
    inputs: json(inputs, "inputs"),
    outputs: json(outputs, "outputs"),
    reasoning: reasoning ? String(reasoning) : undefined,
    score: score === undefined ? undefined : String(score),
  };
}

/** The JSON text of the variables, each of them as text. What is `undefined` counts as not passed. */
function readVariables(params: JudgeParams): string {
  if (typeof params !== "object" || params === null) {
    throw new OpenEvalsError(
      "invalid_input",
      `A judge was called with ${params === null ? "null" : typeof params}. Call it with { inputs, outputs, … }.`,
    );
  }
  const variables: Record<string, string> = {};
  for (const name of Object.keys(params)) {
    const value = params[name];
    if (value === undefined) continue;
    variables[name === "referenceOutputs" ? "reference_outputs" : name] = toText(value, name);
  }
  return JSON.stringify(variables);
}

/** The error of a batch: a new one, since rows may share theirs. */
export function inRow(index: number, error: unknown): unknown {
  if (!(error instanceof OpenEvalsError)) return error;
  const { code, message, cause, status, requestId, attempts, raw } = error;
  const details = Object.entries({ cause, status, requestId, attempts, raw }).filter(
    ([, value]) => value !== undefined,
  );
  return new OpenEvalsError(code, `rows[${index}]: ${message}`, Object.fromEntries(details));
}

const invalid = (message: string): OpenEvalsError => new OpenEvalsError("invalid_config", `${message}.`);
