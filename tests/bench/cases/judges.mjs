/**
 * The cost of a judge call without the model: its own CPU time. The reference always asks a stub of an OpenAI
 * client.
 */
import { pair } from "./builders.mjs";
import { judgement, stubClient } from "./inputs.mjs";

/** The stub's answer, asked for and read. */
function answerRead() {
  const client = stubClient();
  return async () => JSON.parse((await client.chat.completions.create()).choices[0].message.content);
}

function judge(name, aim, options) {
  const { prompt, input } = judgement;
  const client = () => ({ judge: stubClient(), model: "stub" });
  const evaluator = (library) =>
    // Only ours has it.
    library.createLLMAsJudge({ prompt, ...(library.initChatModel ? options(library) : client()) });
  return pair(name, aim, evaluator, () => input, answerRead);
}

export const judgeClient = judge("a judge call's own CPU, OpenAI client", { ratio: 8 }, () => ({
  judge: stubClient(),
  model: "stub",
}));

export const judgeCallback = judge("a judge call's own CPU, callback", { ratio: 12 }, () => ({
  judge: async () => ({ score: true, reasoning: "Same." }),
}));

// The reference's stub makes no HTTP response, which takes most of the time here.
export const judgeFetch = judge(
  "a judge call's own CPU, fetch provider",
  { ratio: 2 },
  ({ initChatModel }) => ({
    judge: initChatModel("openai:stub", {
      apiKey: "none",
      fetch: async () => Response.json(judgement.completion),
    }),
  }),
);
