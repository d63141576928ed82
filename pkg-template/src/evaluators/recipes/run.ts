/** Running recipes in the engine. */

import { parsed } from "../../core/engine/crossing.js";
import type { Engine } from "../../core/engine/engine.js";
import { judgesEngine } from "../../core/engine/judges.js";
import { fromModel } from "../../core/errors.js";
import type { EngineModel } from "../../models/chat/chat.js";
import type { JsonOf } from "../../openevals.types.js";
import type { Bindings } from "../../openevals-judges.js";
import type { Opener } from "./models.js";

/**
 * Runs a recipe, and gives what it finds out.
 *
 * @param name What errors call it.
 * @param input The text that it is run with.
 * @param run Makes the call; `open` gives a model for as long as that takes.
 */
export async function runRecipe<Result>(
  name: string,
  input: string,
  run: (engine: Engine<Bindings>, open: (opener: Opener) => EngineModel) => Promise<JsonOf<Result>>,
): Promise<Result> {
  const engine = judgesEngine.loaded ?? (await judgesEngine.load());
  try {
    return parsed(
      await engine.wait(name, input.length, (bindings, own) =>
        run(engine, (opener) => own(opener(bindings))),
      ),
    );
  } catch (error) {
    throw fromModel(error);
  }
}
