/**
 * The cost of a judge call without the model: its own CPU time. The reference always asks a stub of an OpenAI
 * client.
 */
import { pair } from "./builders.mjs";
import { completionOf, judgement, stubClient, usual } from "./inputs.mjs";

/** The stub's answer, asked for and read. */
function answerRead(completion) {
  const client = stubClient(completion);
  return async () => JSON.parse((await client.chat.completions.create()).choices[0].message.content);
}

function judge(name, aim, options, completion = judgement.completion) {
  const { prompt, input } = judgement;
  const client = () => ({ judge: stubClient(completion), model: "stub" });
  const evaluator = (library) =>
    // Only ours has it.
    library.createLLMAsJudge({ prompt, ...(library.initChatModel ? options(library) : client()) });
  return pair(
    name,
    aim,
    evaluator,
    () => input,
    () => answerRead(completion),
  );
}

export const judgeClient = judge("a judge call's own CPU, OpenAI client", { ratio: 8 }, () => ({
  judge: stubClient(),
  model: "stub",
}));

export const judgeCallback = judge("a judge call's own CPU, callback", { ratio: 12 }, () => ({
  judge: async () => ({ score: true, reasoning: "Same." }),
}));

// The reference's stub makes no HTTP response, which takes most of the time here.
const fetchJudge = (name, aim, apiKey, completion) =>
  judge(
    name,
    aim,
    ({ initChatModel }) => ({
      judge: initChatModel("openai:stub", { apiKey, fetch: async () => Response.json(completion) }),
    }),
    completion,
  );

export const judgeFetch = fetchJudge(
  "a judge call's own CPU, fetch provider",
  { ratio: 2 },
  "none",
  judgement.completion,
);

const usualAnswer = completionOf(usual.reasoning);

export const judgeUsualClient = judge(
  "a judge call's own CPU, OpenAI client with a key, 100 words",
  undefined,
  () => ({ judge: { apiKey: usual.key, ...stubClient(usualAnswer) }, model: "stub" }),
  usualAnswer,
);

export const judgeUsualFetch = fetchJudge(
  "a judge call's own CPU, fetch provider with a key, 100 words",
  undefined,
  usual.key,
  usualAnswer,
);
