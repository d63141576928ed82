/** An agent that looks up the weather in two towns at once, and its model: a server that speaks OpenAI's chat API. */

import { trace } from "@opentelemetry/api";
import type OpenAI from "openai";
import { serve } from "./http.ts";

const call = (id: string, city: string) => ({
  id,
  type: "function" as const,
  function: { name: "get_weather", arguments: `{"city":"${city}"}` },
});

/** The model's nth answer in a conversation: calls, an answer, and another one. */
const TURNS = [
  { content: null, tool_calls: [call("call_1", "Paris"), call("call_2", "Rome")] },
  { content: "Rain in Paris, sun in Rome." },
  { content: "You are welcome." },
];

/** The server, which counts the answers in its requests. */
export const weatherModel = () =>
  serve(({ path, body }) => {
    if (path !== "/chat/completions") return { status: 404 };
    const { messages, model } = JSON.parse(body) as OpenAI.ChatCompletionCreateParams;
    const turn = messages.filter(({ role }) => role === "assistant").length;
    const message = { role: "assistant", refusal: null, ...TURNS[turn] };
    const finish_reason = message.tool_calls ? "tool_calls" : "stop";
    return {
      json: {
        id: `chatcmpl-${turn + 1}`,
        object: "chat.completion",
        created: 1_700_000_000,
        model,
        choices: [{ index: 0, message, finish_reason, logprobs: null }],
        usage: { prompt_tokens: 10 * (turn + 1), completion_tokens: turn + 1, total_tokens: 11 * (turn + 1) },
      },
    };
  });

export const SYSTEM = "You know the weather.";
export const QUESTION = "What is the weather in Paris and Rome?";
export const weatherIn = (city: string) => (city === "Paris" ? "rain" : "sun");

/**
 * Asks, runs the tools, and thanks, all in one trace. LangSmith serializes its arguments later, so it gets
 * copies.
 */
export async function talk(client: OpenAI) {
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: "system", content: SYSTEM },
    { role: "user", content: QUESTION },
  ];
  await trace.getTracer("agent").startActiveSpan("agent", async (span) => {
    for (const thanks of [false, true]) {
      if (thanks) messages.push({ role: "user", content: "Thanks!" });
      for (let calls = true; calls; ) {
        const completion = await client.chat.completions.create({
          model: "gpt-5.4",
          messages: [...messages],
        });
        const { message } = completion.choices[0] as OpenAI.ChatCompletion.Choice;
        messages.push(message);
        calls = !!message.tool_calls?.length;
        for (const each of message.tool_calls ?? []) {
          if (each.type !== "function") continue;
          const { city } = JSON.parse(each.function.arguments) as { city: string };
          messages.push({ role: "tool", tool_call_id: each.id, content: weatherIn(city) });
        }
      }
    }
    span.end();
  });
}

/** The messages of the agent, in OpenAI's form. */
export const CONVERSATION = [
  { role: "system", content: SYSTEM },
  { role: "user", content: QUESTION },
  { role: "assistant", content: "", tool_calls: [call("call_1", "Paris"), call("call_2", "Rome")] },
  { role: "tool", tool_call_id: "call_1", content: "rain" },
  { role: "tool", tool_call_id: "call_2", content: "sun" },
  { role: "assistant", content: "Rain in Paris, sun in Rome." },
  { role: "user", content: "Thanks!" },
  { role: "assistant", content: "You are welcome." },
];
