import type { Engine } from "../engine/engine.js";

/**
 * Messages as a text for a model.
 *
 * @param messages Their JSON text.
 * @param place What errors call them.
 */
export const rendered = (engine: Engine, messages: string, place: string): string =>
  JSON.parse(
    engine.run("rendering", messages.length, (bindings) => bindings.renderTrajectory(messages, place)),
  );
