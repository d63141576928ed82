import { initChatModel, initEmbeddings, listProviders } from "openevals-wasm";
import { describe, expect, it } from "vitest";

const providers = listProviders();
const named = (name: string) => providers.find(({ id }) => id === name);
/** All that is missing is a key. */
const baseURL = "https://a.test/v1";

describe("the list of providers", () => {
  it("has the fields that tools need", () => {
    expect(named("google-genai")).toEqual({
      id: "google-genai",
      aliases: ["google", "gemini"],
      baseURL: "https://generativelanguage.googleapis.com",
      baseURLVariables: ["GOOGLE_GEMINI_BASE_URL"],
      apiKeyVariables: ["GOOGLE_API_KEY", "GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
      needsKey: true,
      structuredOutput: "schema",
      attachments: ["image", "audio", "file"],
      embeddings: true,
    });
    expect(named("lm-studio")).toMatchObject({ needsKey: false, attachments: ["image"] });
    expect(named("cloudflare")).toMatchObject({
      baseURL: "https://api.cloudflare.com/client/v4/accounts/{CLOUDFLARE_ACCOUNT_ID}/ai/v1",
      structuredOutput: "json_object",
    });
    expect(named("openai-compatible")).not.toHaveProperty("baseURL");
  });

  it("is deeply frozen", () => {
    const frozen = (value: unknown): boolean =>
      typeof value !== "object" || (Object.isFrozen(value) && Object.values(value as object).every(frozen));
    expect(frozen(providers)).toBe(true);
    expect(() => (providers[0]?.aliases as string[]).push("mine")).toThrow(TypeError);
  });

  it("has unique names", () => {
    const names = providers.flatMap(({ id, aliases }) => [id, ...aliases]);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(providers)("holds for $id", ({ id, aliases, embeddings }) => {
    for (const name of [id, ...aliases, id.replaceAll("-", "_")]) {
      expect(initChatModel(`${name}:m`, { baseURL }).model).toBe(`${name}:m`);
    }
    if (embeddings) initEmbeddings(`${id}:m`, { baseURL });
    else expect(() => initEmbeddings(`${id}:m`, { baseURL })).toThrow("embeddings");
  });
});
