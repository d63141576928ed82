/** An experiment in a process of its own, which a test kills. Its options come in the environment, its end goes to standard output. */
import { createLLMAsJudge } from "openevals-wasm";
import { evaluate } from "openevals-wasm/evaluation";

const { MODEL: model, STATE_FILE: stateFile } = process.env;
const judge = (feedbackKey) =>
  createLLMAsJudge({ prompt: `Is {outputs} right? That is for ${feedbackKey}.`, model, feedbackKey });

const experiment = await evaluate(undefined, {
  data: ["good", "bad", "good again"].map((outputs) => ({ outputs })),
  evaluators: [judge("first"), judge("second")],
  numRepetitions: 2,
  judgeMode: "batch",
  batch: { stateFile, pollMs: 20 },
});
console.log(JSON.stringify(experiment));
