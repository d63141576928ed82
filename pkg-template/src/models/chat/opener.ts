/** How models of this package are opened in the engine. Apart from them, so that who has none does not load one. */

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
 * What takes the requests of a model in the place of the network, for as long as it likes.
 *
 * @internal
 */
export interface Relay {
  fetch: Fetch;
  /** Ends the waiting. A call fails with what it was aborted with. */
  signal: Signal;
}

/**
 * Relays a model; or leaves it as it is.
 *
 * @internal
 */
export type Relaying = (
  endpoint: EndpointConfig,
  options: ChatModelOptions,
  open: OpenAccess | undefined,
) => Relay | undefined;

/**
 * By which a model is opened. A symbol, since there may be two copies of the class.
 *
 * @internal
 */
export const OPEN = Symbol.for("openevals-wasm.openChatModel");

/**
 * How a chat model is opened; `undefined` for anything else.
 *
 * @internal
 */
export function openerOf(judge: unknown): ((relaying?: Relaying) => EngineModel) | undefined {
  if (typeof judge !== "object" || judge === null || !(OPEN in judge)) return undefined;
  const model = judge as ChatModel;
  return (relaying) => model[OPEN](relaying);
}
