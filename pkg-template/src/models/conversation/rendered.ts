/** Renders conversations as texts for a model, with the engine. */

import { parsed } from "../../core/engine/crossing.js";
import type { Engine } from "../../core/engine/engine.js";
import { toJson } from "../../core/input/json/json.js";
import * as bindings from "../../openevals.js";

/**
 * Renders messages as a text for a model.
 *
 * @param place The name of the messages in errors.
 */
export function renderedMessages(engine: Engine, messages: readonly unknown[], place: string): string {
  const json = toJson(messages, place);
  return parsed(engine.run("rendering", json.length, () => bindings.renderMessages(json, place)));
}
