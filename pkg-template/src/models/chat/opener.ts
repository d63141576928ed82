/** Opens models of this package in the engine. Separate from them, so that judges by a function do not load them. */

import type { Fetch, Signal } from "../../core/platform/globals.js";
import type { EndpointConfig } from "../../openevals.types.js";
import type * as bindings from "../../openevals-judges.js";
import type { OpenAccess } from "../../openevals-judges.types.js";
import type { ChatModel, ChatModelOptions } from "./chat.js";

/**
 * A model of the engine.
 *
 * @internal
 */
export type EngineModel = bindings.ChatModel;

/**
 * The class of the engine that asks. A model may come from the other build of the package (CommonJS or ES modules),
 * which has its own engine.
 *
 * @internal
 */
export type EngineModels = typeof bindings.ChatModel;

/**
 * Takes the requests of a model instead of the network, without a time limit.
 *
 * @internal
 */
export interface Relay {
  fetch: Fetch;
  /** Ends the waiting. Calls fail with its reason. */
  signal: Signal;
}

/**
 * Returns the relay of a model, or `undefined` to use the network.
 *
 * @internal
 */
export type Relaying = (
  endpoint: EndpointConfig,
  options: ChatModelOptions,
  open: OpenAccess | undefined,
) => Relay | undefined;

/**
 * The name of the property with the function that opens a model. A symbol, because there may be two copies of the class.
 *
 * @internal
 */
export const OPEN = Symbol.for("openevals-wasm.openChatModel");

/**
 * The function that opens a chat model; `undefined` for anything else.
 *
 * @internal
 */
export const openerOf = (
  judge: unknown,
): ((models: EngineModels, relaying?: Relaying) => EngineModel) | undefined =>
  (Object(judge) as Partial<ChatModel>)[OPEN];
