/** Models and schemas of other packages, with their own types. */
import { createOpenAI } from "@ai-sdk/openai";
import type { Ai } from "@cloudflare/workers-types";
import { ChatAnthropic } from "@langchain/anthropic";
import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { ChatPromptTemplate, type StructuredPrompt } from "@langchain/core/prompts";
import { MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ChatOpenAI } from "@langchain/openai";
import OpenAI from "openai";
import type { ChatCompletionMessageParam, ChatCompletionTool } from "openai/resources/chat/completions";
import type { ResponseInputItem, ResponseOutputItem, Tool } from "openai/resources/responses/responses";
import {
  createGraphTrajectoryLLMAsJudge,
  createLLMAsJudge,
  createTrajectoryMatchEvaluator,
  extractLangGraphTrajectoryFromThread,
  graphTrajectoryStrictMatch,
  type JudgeModel,
} from "openevals-wasm";
import { createToolPolicy, loops } from "openevals-wasm/agents";
import { fromDecisionModel } from "openevals-wasm/interop";
import { type BuiltInConfigs, type EvaluationOutput, evaluate } from "openevals-wasm/recipes";
import { z } from "zod";
import { z as z3 } from "zod3";

const prompt = "Is {outputs} right?";
const judges: JudgeModel[] = [
  new OpenAI({ apiKey: "k" }),
  new ChatOpenAI({ apiKey: "k", model: "gpt-5.4" }),
  new ChatAnthropic({ apiKey: "k", model: "claude-sonnet-4-5" }),
  createOpenAI({ apiKey: "k" })("gpt-5.4"),
  fromDecisionModel(createOpenAI({ apiKey: "k" }).decisionModel("gpt-6-luna")),
];
for (const judge of judges) createLLMAsJudge({ prompt, judge, model: "gpt-5.4" });

/** A function may answer a score alone. */
createLLMAsJudge({ prompt, judge: () => true });
createLLMAsJudge({ prompt, judge: async () => 0.5, continuous: true });

/** In a Worker. */
export const inWorker = ({ AI }: { AI: Ai }) =>
  createLLMAsJudge({ prompt, judge: AI, model: "@cf/meta/llama-3.3-70b-instruct-fp8-fast" });

export async function schemas(): Promise<[string, number]> {
  const judge = judges[0];
  const four = createLLMAsJudge({ prompt, judge, outputSchema: z.object({ tone: z.string() }) });
  const three = createLLMAsJudge({ prompt, judge, outputSchema: z3.object({ stars: z3.number() }) });
  const { tone } = await four({ outputs: "a" });
  const { stars } = await three({ outputs: "a" });
  return [tone, stars];
}

createLLMAsJudge({ prompt: ChatPromptTemplate.fromTemplate("{outputs}"), judge: judges[1] });

/** A structured prompt says what the answer is; the compiler only knows that it is an object. */
export async function structured(hub: StructuredPrompt): Promise<[unknown, string, number | boolean]> {
  const { tone } = await createLLMAsJudge({ prompt: hub, judge: judges[1] })({ outputs: "a" });
  const own = await createLLMAsJudge<{ tone: string }>({ prompt: hub, judge: judges[1] })({ outputs: "a" });
  const plain = ChatPromptTemplate.fromTemplate("{outputs}");
  const { score } = await createLLMAsJudge({ prompt: plain, judge: judges[1] })({ outputs: "a" });
  return [tone, own.tone, score];
}

/** A stub of a LangChain model with only the members that a judge needs. */
createLLMAsJudge({
  prompt,
  judge: {
    _modelType: () => "base_chat_model",
    withStructuredOutput: () => ({ invoke: async () => ({ score: true }) }),
  },
});
createLLMAsJudge({ prompt: async ({ outputs }: { outputs: string }) => [new HumanMessage(outputs)] });
createLLMAsJudge({
  prompt: ({ inputs, outputs }) => [
    { role: "user", content: `${inputs}: ${outputs}` },
    { role: "user", content: [{ type: "image_url", image_url: { url: "https://a.test/b.png" } }] },
  ],
})({ attachments: [{ mime_type: "image/png", data: "AAAA" }, "https://a.test/c.png"] });

export async function graphs() {
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("agent", () => ({ messages: [] }))
    .addEdge(START, "agent")
    .compile({ checkpointer: new MemorySaver() });
  const { inputs, outputs } = await extractLangGraphTrajectoryFromThread(graph, {
    configurable: { thread_id: "1" },
  });
  const judge = createGraphTrajectoryLLMAsJudge({ judge: judges[1] });
  return [
    await judge({ inputs, outputs }),
    await graphTrajectoryStrictMatch({ outputs, referenceOutputs: outputs }),
  ];
}

/** Conversations and tools of other packages, for recipes. */
export async function conversations(
  items: (ResponseInputItem | ResponseOutputItem)[],
  messages: ChatCompletionMessageParam[],
  langChain: BaseMessage[],
  tools: (Tool | ChatCompletionTool)[],
): Promise<EvaluationOutput[]> {
  class Length {
    constructor(readonly config: { most?: number } = {}) {}

    async evaluate(said: readonly object[]): Promise<EvaluationOutput> {
      const applicable = said.length <= (this.config.most ?? 9);
      return { evalName: "length", applicable, score: 100, metadata: {} };
    }
  }
  const configs: BuiltInConfigs = { check_criteria: { criteria: ["It is brief."], model: judges[0] } };
  const evaluations = ["check_criteria", Length] as const;
  const evaluationConfigs = { ...configs, Length: { most: 5 } };
  await evaluate({ messages, tools, evaluations, evaluationConfigs });
  // @ts-expect-error there is no such evaluation
  await evaluate({ messages: langChain, evaluations: ["criteria"], evaluationConfigs: configs });
  const wrong = { check_criteria: { criteria: [5] } };
  // @ts-expect-error criteria are texts
  await evaluate({ messages, evaluations, evaluationConfigs: wrong });
  return evaluate({ messages: [...items, ...messages, ...langChain], tools, evaluations });
}

/** Evaluators of agents take the messages of other packages, and constants whose types are not narrow. */
export function trajectories(
  chat: ChatCompletionMessageParam[],
  items: ResponseInputItem[],
  langChain: BaseMessage[],
) {
  const plain = [
    { role: "user", content: "Refund order 7." },
    { role: "assistant", content: "", tool_calls: [{ function: { name: "refund", arguments: "{}" } }] },
  ];
  const policy = createToolPolicy({ maxCalls: { refund: 1 } });
  const noLoops = loops();
  const match = createTrajectoryMatchEvaluator();
  return [chat, items, langChain, plain, plain as { role: string; content: string }[]].flatMap((outputs) => [
    policy({ outputs }),
    policy.batch([{ outputs: { messages: outputs } }]),
    noLoops({ outputs }),
    match({ outputs, referenceOutputs: outputs }),
    match.batch([{ outputs, referenceOutputs: outputs }]),
  ]);
}
