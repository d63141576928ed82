/**
 * An experiment in its own process, which a test kills. Its options come from the environment; the end is
 * reported on standard output.
 */
import { createLLMAsJudge } from "openevals-wasm";
import { evaluate } from "openevals-wasm/evaluation";

const { MODEL: model, STATE_FILE: stateFile } = process.env;
const judge = (feedbackKey) =>
  createLLMAsJudge({ prompt: `Is {outputs} right? That is for ${feedbackKey}.`, model, feedbackKey });

const experiment = await evaluate(undefined, {
  data: ["good", "bad", "good again"].map((outputs) => ({ outputs })),
  evaluators: [judge("first"), judge("second")],
  numRepetitions: 2,
  judges: { mode: "batch", batch: { stateFile, pollMs: 20 } },
});
console.log(JSON.stringify(experiment));
