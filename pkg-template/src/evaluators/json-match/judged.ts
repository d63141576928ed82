/** JSON match with a judge for the values of some keys. */

import { parsed } from "../../core/engine/crossing.js";
import { fromEngine, isOurs, reworded } from "../../core/errors.js";
import type { JsonPair } from "../../core/input/json/json.js";
import { msSince } from "../../core/platform/elapsed.js";
import type { EvaluatorResult } from "../../core/types.js";
import type { JudgeSource } from "../../models/chat/judge-model.js";
import { withAccessOf } from "../../models/chat/providers/check-access.js";
import type { JsonMatchConfig, JsonOf, RowScores } from "../../openevals.types.js";
import * as bindings from "../../openevals-judges.js";
import { engineFor, openJudge } from "../judge/model.js";

/** Scores a row, given the scores of the values that evaluators have compared. */
export type JudgedMatch = (
  row: { json: Pick<JsonPair["json"], "length" | "take">; second: number },
  leaves: Float64Array,
) => Promise<EvaluatorResult[]>;

/** Makes the function that scores a row. */
export function judgedMatch(config: JsonOf<JsonMatchConfig>, judge: JudgeSource): JudgedMatch {
  const opened = openJudge(judge);
  const { label } = opened;
  const match: JudgedMatch = async ({ json, second }, leaves) => {
    const engine = await engineFor(opened);
    const started = performance.now();
    let answer: RowScores;
    try {
      answer = await engine.wait("a JSON match", json.length, (own) => {
        return engine
          .keep(bindings.JudgedMatch, config)
          .score(own(opened.open()), json.take(), second, leaves);
      });
    } catch (error) {
      const { cause, message } = error as { cause?: unknown; message: string };
      // The error of another package's model has the details, and the engine's message has the keys.
      throw isOurs(cause) ? reworded(cause, message) : fromEngine(error, cause);
    }
    const latencyMs = msSince(started);
    const { keys, scores } = answer;
    return parsed(keys)
      .flat()
      .map(({ key, metadata, ...comment }, index) => {
        const result = { key, score: scores[index] as number, ...comment };
        return metadata ? { ...result, metadata: { ...label, ...metadata, latencyMs } } : result;
      });
  };
  return withAccessOf(match, [opened]);
}
