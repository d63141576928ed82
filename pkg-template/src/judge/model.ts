/** What a judge asks, whoever it is: a function, a model of the engine, or a model of another package. */

import { type ChatModel, type EngineModel, initChatModel, openerOf } from "../chat/chat.js";
import type { AISDKModel, Ask, LangChainRunnable, OpenAIClient } from "../chat/clients.js";
import { MOST_OF_AN_ANSWER } from "../chat/endpoint.js";
import type { Bindings } from "../engine/engine.js";
import { OpenEvalsError } from "../errors.js";
import { inRun, traced } from "../tracing/hook.js";

/** What a function that judges is asked. */
export interface JudgeRequest {
  /**
   * The messages, the last of which is the filled-in prompt. The content is a string or, where something is attached, a
   * list of OpenAI's content parts.
   */
  messages: { role: "system" | "user" | "assistant"; content: any }[];
  /** The JSON schema that the answer has to fit. */
  schema: Record<string, unknown>;
}

/**
 * A function that judges: returns an object that fits the schema, such as `{ score, reasoning }`, or a text that holds
 * one as JSON.
 */
export type JudgeFunction = (request: JudgeRequest) => object | string | Promise<object | string>;

/**
 * What judges: a function; the result of `initChatModel`, of this package or of LangChain; a chat model of LangChain; a
 * client of the package `openai`, with the name of the model beside it; a language model of the Vercel AI SDK.
 */
export type JudgeModel = JudgeFunction | ChatModel | LangChainRunnable | OpenAIClient | AISDKModel;

/**
 * A judge, to be opened in the engine.
 *
 * @internal
 */
export interface OpenJudge {
  /** The model in the engine, made for one call. */
  open(bindings: Bindings): EngineModel;
  /** What is known of the model without asking it. */
  label: { model?: string };
}

/**
 * Opens another model in the place of a judge's, if it wants to.
 *
 * @internal
 */
export type Interceptor = (
  bindings: Bindings,
  open: OpenJudge["open"],
  judge: JudgeModel | undefined,
  model: string | undefined,
) => EngineModel | undefined;

let intercept: Interceptor | undefined;

/**
 * For caches: is called whenever a judge is about to ask its model.
 *
 * @internal
 */
export const interceptWith = (interceptor: Interceptor): void => {
  intercept = interceptor;
};

/**
 * Finds out what judges, or whatever else a model is to do; throws if nothing can.
 *
 * @param option What messages call the judge.
 * @internal
 */
export function openJudge(
  judge: JudgeModel | undefined,
  model: string | undefined,
  option = "judge",
): OpenJudge {
  if (judge === undefined && model === undefined) {
    throw invalid('A judge needs a model, such as "openai:gpt-5.4", or a judge');
  }
  const ask = askOf(judge, model);
  const open = ask ? opened(ask) : openerOf(judge ?? initChatModel(model as string));
  if (!open) {
    throw invalid(
      `${option} has to be a function, the result of initChatModel, an OpenAI client, a LangChain chat model, or a ` +
        "language model of the AI SDK",
    );
  }
  return {
    open: (bindings) => intercept?.(bindings, open, judge, model) ?? open(bindings),
    // What a function asks is its own business; the model's name is all that is known of it.
    label: typeof judge === "function" && model ? { model } : {},
  };
}

/**
 * How long a judge has taken since `started`, as `performance.now()` tells it; to the microsecond, since more is noise.
 *
 * @internal
 */
export const msSince = (started: number): number => Math.round((performance.now() - started) * 1000) / 1000;

function askOf(judge: JudgeModel | undefined, model: string | undefined): Ask | undefined {
  if (typeof judge === "function") {
    return async (messages, form) => {
      const request = { messages, schema: form?.schema } as JudgeRequest;
      const answer = await judge(request);
      if (typeof answer === "string") return answer;
      if (form) return JSON.stringify(answer) ?? "";
      // Free text may come as a message.
      const { textOf } = await import("../conversation/text.js");
      return textOf((answer as { content?: unknown })?.content);
    };
  }
  return typeof judge === "object" && judge !== null && !openerOf(judge) ? clientOf(judge, model) : undefined;
}

function clientOf(judge: object, model: string | undefined): Ask | undefined {
  const { chat, doGenerate, invoke } = judge as Partial<OpenAIClient & AISDKModel & LangChainRunnable>;
  if (typeof chat?.completions?.create === "function") {
    if (model === undefined) {
      throw invalid('An OpenAI client needs a model, such as model: "gpt-5.4"');
    }
    const create = traced("OpenAI Chat Completion", async (body) => chat.completions.create(body), {
      step: model,
    });
    return through("OpenAI client", (clients, ...asked) => clients.askOpenAI(create, model, ...asked));
  }
  if (typeof doGenerate === "function") {
    const { specificationVersion: version } = judge as AISDKModel;
    if (!/^v[234]$/.test(version)) {
      throw invalid(
        `This language model of the AI SDK has specification ${version}; those from v2 to v4 are supported`,
      );
    }
    return through("AI SDK model", ({ askAISDK }, ...asked) => askAISDK(judge as AISDKModel, ...asked));
  }
  if (typeof invoke !== "function") return undefined;
  return through("LangChain model", (clients, ...asked) =>
    clients.askLangChain(judge as LangChainRunnable, ...asked),
  );
}

/** What asks models of other packages is only loaded when one is there. */
const through =
  (
    name: string,
    ask: (clients: typeof import("../chat/clients.js"), ...asked: Parameters<Ask>) => ReturnType<Ask>,
  ): Ask =>
  async (...asked) => {
    const clients = await import("../chat/clients.js");
    try {
      return await ask(clients, ...asked);
    } catch (error) {
      const { code, message, ...details } = clients.failureOf(error);
      throw new OpenEvalsError(code, `The ${name} failed: ${message}`, details);
    }
  };

function opened(ask: Ask): OpenJudge["open"] {
  let lastForm: string | undefined;
  let form: Parameters<Ask>[1];
  const callback = async (messages: string, formJson: string | undefined): Promise<string> => {
    // Most judges have one form for all answers.
    if (formJson !== lastForm) {
      form = formJson === undefined ? undefined : JSON.parse(formJson);
      lastForm = formJson;
    }
    const answer = await ask(JSON.parse(messages), form);
    const completion = withinLimit(typeof answer === "string" ? answer : JSON.stringify(answer));
    if (typeof answer !== "string") return completion;
    // Halves of surrogate pairs only cross within JSON.
    return /\p{Surrogate}/u.test(completion) ? JSON.stringify({ text: completion }) : `=${completion}`;
  };
  return (bindings) => bindings.ChatModel.fromCallback(inRun(callback));
}

/** Nothing longer crosses into the engine. */
function withinLimit(answer: string): string {
  if (answer.length <= MOST_OF_AN_ANSWER) return answer;
  const [size, limit] = [answer.length, MOST_OF_AN_ANSWER].map((count) => count.toLocaleString("en-US"));
  throw new OpenEvalsError(
    "invalid_judge_output",
    `The judge answered with ${size} characters; more than ${limit} are not read.`,
    { raw: answer.slice(0, 1000), attempts: 1 },
  );
}

const invalid = (message: string): OpenEvalsError => new OpenEvalsError("invalid_config", `${message}.`);
