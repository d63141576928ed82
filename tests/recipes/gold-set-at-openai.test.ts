/**
 * The gold set once more, with a provider that is as strict as OpenAI about requests, and reports token
 * usage.
 */
import { initChatModel, type JudgeRequest } from "openevals-wasm";
import { evaluate } from "openevals-wasm/recipes";
import { expect, it, onTestFinished } from "vitest";
import { completion, startOpenAI } from "../providers/servers/openai.ts";
import { recorded } from "./asked.ts";
import { conversations, expectations } from "./gold-set.ts";
import { scripted } from "./gold-set-scripts.ts";

it.each(conversations)("%s", async (_, { messages, tools, expected }) => {
  for (const [evalName, { applicable, score: [from, to] = [0, 0], calls, config, script }] of expectations(
    expected,
  )) {
    const server = await startOpenAI("sk-gold");
    onTestFinished(() => server.close());
    const { model: answer } = recorded(scripted(evalName, script));
    for (let call = 0; call < calls; call++) {
      server.script.push(({ body }) => {
        const { messages, response_format } = body;
        const schema = response_format?.json_schema?.schema;
        const answered = answer({ messages, schema } as JudgeRequest);
        return completion(typeof answered === "string" ? answered : JSON.stringify(answered));
      });
    }
    const model = initChatModel("openai:gpt-5.4", {
      baseURL: `${server.url}/v1`,
      apiKey: "sk-gold",
      maxRetries: 0,
    });
    const evaluationConfigs = { [evalName]: { ...config, model } };
    const [output] = await evaluate({ messages, tools, evaluations: [evalName], evaluationConfigs });
    expect(output).not.toHaveProperty("error");
    expect(output).toMatchObject({ evalName, applicable });
    if (applicable) {
      expect(output?.score).toBeGreaterThanOrEqual(from);
      expect(output?.score).toBeLessThanOrEqual(to);
    }
    expect(server.requests).toHaveLength(calls);
    const usage = { inputTokens: 120 * calls, outputTokens: 30 * calls };
    expect(output?.metadata.usage).toEqual(calls ? usage : undefined);
    // Only a manifest is free text. Questions with a schema keep to the rules of the strict mode, which the
    // server checks.
    const formats = server.requests.flatMap(({ body }) => body.response_format ?? []);
    expect(formats.length).toBe("manifest" in script ? calls - 1 : calls);
    expect(formats.every(({ json_schema }) => json_schema.strict === true)).toBe(true);
  }
});
