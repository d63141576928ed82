/** Opens judges: a function, a model of the engine, or a model of another package. */

import { jsonOf, parsed } from "../../core/engine/crossing.js";
import type { Engine } from "../../core/engine/engine.js";
import { judgesEngine } from "../../core/engine/judges.js";
import { invalidConfig, type OpenEvalsError } from "../../core/errors.js";
import { readable } from "../../core/input/checks.js";
import { MAX_ANSWER_LENGTH } from "../../core/platform/body.js";
import { onUse } from "../../core/platform/on-use.js";
import { inRun } from "../../core/tracing/hook.js";
import type { ChatModel } from "../../models/chat/chat.js";
import type { AnswerForm, AskClient } from "../../models/chat/clients/client-answers.js";
import type {
  AISDKModel,
  ClientKind,
  LangChainRunnable,
  OpenAIClient,
  PartialLangChainModel,
} from "../../models/chat/clients/clients.js";
import type { WorkersAI } from "../../models/chat/clients/workers-ai.js";
import type {
  JudgeFunction,
  JudgeModel,
  JudgeRequest,
  JudgeSource,
  StructuredOutputMethod,
} from "../../models/chat/judge-model.js";
import { openInCall } from "../../models/chat/model-middleware.js";
import { readModelName } from "../../models/chat/model-name.js";
import { type EngineModel, openerOf } from "../../models/chat/opener.js";
import { CHECK_ACCESS, checkAccess, withAccessOf } from "../../models/chat/providers/check-access.js";
import { ownSignal } from "../../models/chat/signals/experiment-signal.js";
import { textOf } from "../../models/conversation/text.js";
import type { Completion, JsonOf, OutputSchema } from "../../openevals.types.js";
import * as bindings from "../../openevals-judges.js";
import type { Ask } from "../../openevals-judges.types.js";
import { checkJudge, notAJudge } from "./check-judge.js";

/**
 * A judge that can be opened in the engine.
 *
 * @internal
 */
export interface OpenJudge {
  /** Loads the code that reaches the model. */
  ready?: () => Promise<void>;
  /** Makes the engine's model for one call; `ready` has to be done. */
  open(): EngineModel;
  /** The metadata that is known before the model answers. */
  label: { model?: string };
  /** The name of the model, as far as the caller has given it. */
  model: unknown;
}

/**
 * Checks a judge and prepares it for the engine; throws if it is not one.
 *
 * @param option The name of the judge's option, for messages.
 * @internal
 */
export function openJudge(judge: JudgeSource, option = "judge"): OpenJudge {
  return readable(option, () => prepareJudge(judge, option));
}

function prepareJudge(
  { judge: given, model, temperature, ...asked }: JudgeSource,
  option: string,
): OpenJudge {
  if (given === undefined && model === undefined) {
    throw invalidConfig('A judge needs a model, such as "openai:gpt-5.4", or a judge');
  }
  if (given === undefined) return prepareByName(model as string, temperature, asked);
  checkJudge(given, temperature, option);
  const judge = temperature === undefined ? given : (given as ChatModel).at(temperature);
  const open = openerOfAny(judge, model, asked.structuredOutputMethod);
  if (!open) throw notAJudge(option);
  const opened: OpenJudge = {
    open: () => openInCall(open, { judge, model, ...asked }),
    // Only the caller knows which model a function asks.
    label: typeof judge === "function" && model ? { model } : {},
    model: model ?? (judge as Partial<ChatModel>).model,
  };
  return withAccessOf(opened, [judge]);
}

/** A model of a provider. Only these judges load the code that reaches providers, with their first question. */
function prepareByName(
  model: string,
  temperature: number | undefined,
  { structuredOutputMethod, ...asked }: Omit<JudgeSource, "judge" | "model">,
): OpenJudge {
  readModelName(model);
  if (structuredOutputMethod) throw notLangChain();
  let judge: ChatModel | undefined;
  const ready = async () => {
    if (judge) return;
    const { initChatModel } = await onUse("The provider list", () => import("../../models/chat/chat.js"));
    const named = initChatModel(model);
    judge ??= temperature === undefined ? named : named.at(temperature);
  };
  const openModel = () => (openerOf(judge) as NonNullable<ReturnType<typeof openerOf>>)(bindings.ChatModel);
  return withAccessOf(
    {
      ready,
      open: () => openInCall(openModel, { ...asked, judge, model }),
      label: {},
      model,
    },
    [{ [CHECK_ACCESS]: () => ready().then(() => checkAccess(judge)) }],
  );
}

/**
 * The engine, once these judges can be opened in it.
 *
 * @internal
 */
export async function engineFor(...judges: readonly OpenJudge[]): Promise<Engine> {
  for (const { ready } of judges) await ready?.();
  return judgesEngine.load();
}

const notLangChain = (): OpenEvalsError =>
  invalidConfig("structuredOutputMethod is only for chat models of LangChain");

function openerOfAny(
  judge: JudgeModel,
  model: string | undefined,
  method: StructuredOutputMethod | undefined,
): OpenJudge["open"] | undefined {
  if (
    method &&
    typeof (judge as Partial<PartialLangChainModel> | null)?.withStructuredOutput !== "function"
  ) {
    throw notLangChain();
  }
  if (typeof judge === "function") {
    const askOf = adaptAsk<string>((...asked) =>
      askFunction(judge, ...asked).catch(async (thrown) => (await loadClients()).rethrow(thrown)),
    );
    return () => bindings.ChatModel.fromFunction(askOf());
  }
  const open = openerOf(judge);
  if (open) return () => open(bindings.ChatModel);
  const askClient = askOfClient(judge, model, method);
  if (!askClient) return undefined;
  const askOf = adaptAsk(askClient);
  return () => bindings.ChatModel.fromClient(askOf(), undefined);
}

async function askFunction(
  judge: JudgeFunction,
  ...[messages, form, , signal]: Parameters<AskClient>
): Promise<string> {
  const answer = await judge({ messages, schema: form?.schema, ...(signal && { signal }) } as JudgeRequest);
  if (typeof answer === "string") return answer;
  if (form) return JSON.stringify(answer) ?? "";
  // Free text may be returned as a message.
  return textOf((answer as { content?: unknown })?.content);
}

function askOfClient(
  judge: object,
  model: string | undefined,
  method: StructuredOutputMethod | undefined,
): AskClient | undefined {
  const { chat, doGenerate, invoke, run } = judge as Partial<
    OpenAIClient & AISDKModel & LangChainRunnable & WorkersAI
  >;
  if (typeof chat?.completions?.create === "function") {
    const name = requireModel(model, "An OpenAI client", "gpt-5.4");
    return viaClient("OpenAI client", judge, name);
  }
  if (typeof doGenerate === "function") {
    const { specificationVersion: version } = judge as AISDKModel;
    if (!/^v[234]$/.test(version)) {
      throw invalidConfig(`The AI SDK model is of ${version}; v2 to v4 are supported`);
    }
    return viaClient("AI SDK model", judge);
  }
  const isLangChain = typeof invoke === "function" || isLangChainModel(judge as PartialLangChainModel);
  if (!isLangChain && typeof run === "function") {
    const name = requireModel(model, "The binding env.AI", "@cf/openai/gpt-oss-120b");
    return viaClient("Workers AI binding", judge, name);
  }
  if (!isLangChain) return undefined;
  return viaClient("LangChain model", judge, method);
}

/** Requires the name of the model, for clients that need it with each request. */
function requireModel(model: string | undefined, client: string, example: string): string {
  if (model === undefined) throw invalidConfig(`${client} needs a model, such as model: "${example}"`);
  return model;
}

/** Checks only the members that a judge needs, since some tests pass models with nothing else. */
const isLangChainModel = ({ _modelType, withStructuredOutput }: PartialLangChainModel): boolean =>
  typeof withStructuredOutput === "function" && _modelType?.() === "base_chat_model";

type Clients = typeof import("../../models/chat/clients/clients.js");

let loadedClients: Clients | undefined;

// Importing a loaded module again would take as long as the rest of a question.
const loadClients = async (): Promise<Clients> =>
  (loadedClients ??= await onUse(
    "The client adapters",
    () => import("../../models/chat/clients/clients.js"),
  ));

/** Asks a model of another package. The adapters are loaded only if there is one. */
const viaClient =
  (kind: ClientKind, client: object, setting?: string): AskClient =>
  async (...asked) =>
    (await loadClients()).askClient(kind, client, setting, ...asked);

/**
 * Adapts the questions of the engine, as texts, to a function or a client. Returns a function that makes them for one call of a judge:
 * the engine asks later, perhaps in the scope of another call.
 */
function adaptAsk<Answer extends string | Completion>(
  ask: (...asked: Parameters<AskClient>) => Promise<Answer>,
): () => Ask<Answer> {
  let lastSchema: JsonOf<OutputSchema> | undefined;
  let form: AnswerForm | undefined;
  return () => {
    const signal = ownSignal();
    return inRun(async (messages, schema, logprobs) => {
      // Most judges have the same schema for all answers, so the last one is kept.
      if (schema !== lastSchema) {
        form = schema && formOf(parsed(schema));
        lastSchema = schema;
      }
      const answer = await ask(parsed(messages), form, logprobs, signal);
      const text = ((answer as Completion).text ?? answer) as string;
      if (text.length > MAX_ANSWER_LENGTH) throw (await loadClients()).tooLong(text);
      return jsonOf(answer);
    });
  };
}

const formOf = ({ schema, ...form }: OutputSchema): AnswerForm => ({ ...form, schema: JSON.parse(schema) });
