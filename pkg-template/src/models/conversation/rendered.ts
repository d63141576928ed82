/** Conversations as texts for a model, which the engine makes. */

import { parsed } from "../../core/engine/crossing.js";
import type { Engine } from "../../core/engine/engine.js";
import { toJson } from "../../core/input/json.js";
import * as bindings from "../../openevals.js";

/**
 * Messages as a text for a model.
 *
 * @param place What errors call them.
 */
export function renderedMessages(engine: Engine, messages: readonly unknown[], place: string): string {
  const json = toJson(messages, place);
  return parsed(engine.run("rendering", json.length, () => bindings.renderMessages(json, place)));
}
