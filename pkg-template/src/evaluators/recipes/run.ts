/** Runs recipes in the engine. */

import { parsed } from "../../core/engine/crossing.js";
import type { Engine } from "../../core/engine/engine.js";
import { fromModel } from "../../core/errors.js";
import type { EngineModel } from "../../models/chat/opener.js";
import type { JsonOf } from "../../openevals.types.js";
import { engineFor, type OpenJudge } from "../judge/model.js";

/**
 * Runs a recipe and returns its result.
 *
 * @param name The name of the recipe in errors.
 * @param input The JSON text of its input.
 * @param judges The judges that answer its questions.
 * @param run Calls the engine with a model for each judge.
 */
export async function runRecipe<Result, Judges extends readonly OpenJudge[]>(
  name: string,
  input: string,
  judges: readonly [...Judges],
  run: (engine: Engine, ...models: { [Index in keyof Judges]: EngineModel }) => Promise<JsonOf<Result>>,
): Promise<Result> {
  const engine = await engineFor(...judges);
  try {
    return parsed(
      await engine.wait(name, input.length, (own) => {
        const models = judges.map((judge) => own(judge.open()));
        return run(engine, ...(models as { [Index in keyof Judges]: EngineModel }));
      }),
    );
  } catch (error) {
    throw fromModel(error);
  }
}
