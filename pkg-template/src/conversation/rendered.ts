/** Conversations and tools as texts for a model, which the engine makes. */

import type { Engine } from "../engine/engine.js";
import { toJson } from "../input/json.js";

/**
 * Messages as a text for a model.
 *
 * @param place What errors call them.
 */
export function renderedMessages(engine: Engine, messages: readonly unknown[], place: string): string {
  const json = toJson(messages, place);
  return JSON.parse(engine.run("rendering", json.length, (bindings) => bindings.renderMessages(json, place)));
}

/** Tools as a list for a model, in which what is said of one cannot be taken for another. */
export function renderedTools(
  engine: Engine,
  tools: readonly { toolName: string; toolText: string }[],
): string {
  const json = JSON.stringify(tools.map(({ toolName, toolText }) => [toolName, toolText]));
  return JSON.parse(engine.run("rendering", json.length, (bindings) => bindings.renderTools(json)));
}
