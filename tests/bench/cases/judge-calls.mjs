/** Many judge calls at a server, in an experiment, beside a loop of `fetch` that sends and reads as much. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { judgement } from "./inputs.mjs";

const CONCURRENCY = 50;
const CALLS = 2_000;

/** A server in its own process, which ends with this one. */
export async function judgeServer(latencyMs = 0) {
  const server = fork(new URL("../judge-server.mjs", import.meta.url), [String(latencyMs)]);
  const [port] = await once(server, "message");
  server.unref();
  server.channel.unref();
  return `http://127.0.0.1:${port}/v1`;
}

/** An experiment whose judge is asked so often. */
export async function judging(url, calls) {
  const { createLLMAsJudge, initChatModel } = await import("openevals-wasm");
  const { evaluate } = await import("openevals-wasm/evaluation");
  const model = initChatModel("openai:stub", { apiKey: "none", baseURL: url });
  const judge = createLLMAsJudge({ prompt: judgement.prompt, judge: model });
  const options = {
    evaluators: [judge],
    maxConcurrency: CONCURRENCY,
    output: { keepRows: false },
    progress: false,
  };
  return () => evaluate(undefined, { ...options, data: rows(calls) });
}

function* rows(count) {
  const { inputs, outputs, referenceOutputs } = judgement.input;
  for (let i = 0; i < count; i++) yield { inputs, outputs, referenceOutputs };
}

/** The same requests, whose answers are read. */
export async function fetching(url, calls) {
  const body = await bodyOf();
  const headers = { "content-type": "application/json", authorization: "Bearer none" };
  let left = 0;
  const ask = async () => {
    while (left-- > 0) {
      const response = await fetch(`${url}/chat/completions`, { method: "POST", headers, body });
      JSON.parse((await response.json()).choices[0].message.content);
    }
  };
  return async () => {
    left = calls;
    await Promise.all(Array.from({ length: CONCURRENCY }, ask));
  };
}

/** The request of the judge. */
async function bodyOf() {
  const { createLLMAsJudge, initChatModel } = await import("openevals-wasm");
  let sent;
  const fetch = async (_, init) => {
    sent = init.body;
    return Response.json(judgement.completion);
  };
  const judge = initChatModel("openai:stub", { apiKey: "none", fetch });
  await createLLMAsJudge({ prompt: judgement.prompt, judge })(judgement.input);
  return sent;
}

export const judgeCalls = {
  name: `evaluate(), a judge at a server, ${CONCURRENCY} at a time, per call`,
  aim: { overFloor: { times: 1.3, plus: 0 } },
  rows: CALLS,
  answer: ({ aggregates }) => [aggregates.score.mean, aggregates.score.count],
  sides: {
    ours: async () => judging(await judgeServer(), CALLS),
    floor: async () => fetching(await judgeServer(), CALLS),
  },
};
