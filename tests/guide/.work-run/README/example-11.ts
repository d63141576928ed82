const __report = globalThis.__report;
import { type EvaluationOutput, evaluate, type RecipeMessage } from "openevals-wasm/recipes";

const model = "openai:gpt-5.4"; // or a chat model, a function, whatever createLLMAsJudge takes

class ResponseLengthEvaluator { // one of your own
  async evaluate(messages: readonly RecipeMessage[]): Promise<EvaluationOutput> {
    const { length } = String(messages.at(-1)?.content);
    return { evalName: "response_length", applicable: true, score: Math.max(0, 100 - length / 25), metadata: {} };
  }
}

const outputs = await evaluate({
  messages: [ // items of the Responses API, messages of the Chat Completions API, LangChain's, or all of them mixed
    { role: "system", content: "You can search the web. The user likes short answers." },
    { role: "user", content: "What material has the best elasticity for sports equipment?" },
    { type: "function_call", call_id: "call_1", name: "search", arguments: '{"query":"elastic materials"}' },
    { type: "function_call_output", call_id: "call_1", output: "Polyurethane elastomers return 85 % of the energy." },
    { role: "assistant", content: "Polyurethane elastomers: they return 85 % of the energy." },
  ],
  tools: [{ type: "function", name: "search", description: "Search the web", parameters: { type: "object" } }],
  evaluations: ["check_criteria", "claim_verification", "guidance", "preference_adherence", "tool_usage", ResponseLengthEvaluator],
  evaluationConfigs: {
    check_criteria: { model, criteria: ["The response is at least one paragraph long"] },
    claim_verification: { model, verificationModel: "openai:gpt-5.4-mini" },
    guidance: { model, capabilityManifest: "CAN search the web. CANNOT order anything." },
    preference_adherence: { model },
    tool_usage: { model, toolThresholds: { search: 70 } },
  },
  maxConcurrency: 6,
}); __report(0, outputs);
// [{ evalName: "check_criteria", applicable: true, score: 12, feedback: "…", metadata: { … } }, …]

export {};
