/** The providers of promptfoo that have an API like OpenAI's. */

import { OPENAI } from "../application.js";
import { type Findings, isObject } from "../imported.js";

/** How a model is asked, in the experiment. */
export interface Model {
  name: string;
  /** The address of the API; empty for the provider that repeats its prompt. */
  url: string;
  /** The environment variable with another address. */
  urlFrom?: string;
  /** The environment variable with the key. */
  key?: string;
  body: Record<string, unknown>;
}

/** Addresses and keys, by the first part of a provider's id. */
const APIS: Readonly<Record<string, Pick<Model, "url" | "urlFrom" | "key"> & { kinds?: readonly string[] }>> =
  {
    openai: { ...OPENAI, kinds: ["chat", "responses"] },
    anthropic: { url: "https://api.anthropic.com/v1", key: "ANTHROPIC_API_KEY", kinds: ["messages"] },
    google: { url: "https://generativelanguage.googleapis.com/v1beta/openai", key: "GEMINI_API_KEY" },
    ollama: { url: "http://localhost:11434/v1", kinds: ["chat"] },
    mistral: { url: "https://api.mistral.ai/v1", key: "MISTRAL_API_KEY" },
    groq: { url: "https://api.groq.com/openai/v1", key: "GROQ_API_KEY" },
    deepseek: { url: "https://api.deepseek.com/v1", key: "DEEPSEEK_API_KEY" },
    openrouter: { url: "https://openrouter.ai/api/v1", key: "OPENROUTER_API_KEY" },
    xai: { url: "https://api.x.ai/v1", key: "XAI_API_KEY" },
  };

const BODY = [
  "temperature",
  "max_tokens",
  "max_completion_tokens",
  "top_p",
  "seed",
  "stop",
  "frequency_penalty",
];
const SETTINGS = [...BODY, "presence_penalty", "reasoning_effort", "response_format"];

/** The models of `providers` or `targets`. */
export function readModels(given: unknown, place: string, findings: Findings): Model[] {
  const list = given === undefined ? [] : Array.isArray(given) ? given : [given];
  return list.flatMap((one, index) => {
    const { id, label, config, ...rest } = providerOf(one);
    const where = `${place}[${index}]`;
    const leave = (reason: string) => {
      findings.leave(where, reason);
      return [];
    };
    if (typeof id !== "string")
      return leave("it is not the id of a provider. Call your application in the target");
    const shown = id.slice(0, 60);
    const other = Object.keys(rest).find((name) => !["delay"].includes(name));
    if (other) return leave(`${shown} has ${other}, which is not supported`);
    if (id === "echo") return [{ name: typeof label === "string" ? label : id, url: "", body: {} }];
    const [api = "", ...parts] = id.split(":");
    const known = Object.hasOwn(APIS, api) ? APIS[api] : undefined;
    const kind = parts.length > 1 && known?.kinds?.includes(parts[0] as string) ? parts.shift() : undefined;
    const model = parts.join(":");
    const isOther = !kind && parts.length > 1 && api !== "ollama" && api !== "openrouter";
    if (!known || !model || isOther)
      return leave(`the provider ${shown} is not supported. Call your application in the target`);
    return [
      withConfig(
        { name: typeof label === "string" ? label : id, ...known, body: { model } },
        config,
        where,
        findings,
      ),
    ];
  });
}

function providerOf(one: unknown): Record<string, unknown> {
  if (!isObject(one)) return { id: one };
  const [key, ...more] = Object.keys(one);
  // { "openai:gpt-5.4": { config } }
  if (!("id" in one) && key !== undefined && !more.length && isObject(one[key]))
    return { id: key, ...one[key] };
  return one;
}

function withConfig(
  { name, body, url, urlFrom, key }: Model,
  config: unknown,
  place: string,
  findings: Findings,
): Model {
  const model: Model = { name, url, ...(urlFrom && { urlFrom }), ...(key && { key }), body };
  for (const [setting, value] of Object.entries(isObject(config) ? config : {})) {
    if (SETTINGS.includes(setting)) model.body[setting] = value;
    else if (setting === "apiBaseUrl" && typeof value === "string") {
      model.url = value;
      delete model.urlFrom;
    } else if (setting === "apiKeyEnvar" && typeof value === "string") model.key = value;
    else if (/key|token|secret|password/i.test(setting) && setting !== "max_tokens")
      findings.differ(
        `${place}.config.${setting}`,
        "secrets are not copied; set the environment variable of the provider",
      );
    else
      findings.leave(
        `${place}.config.${setting}`,
        "this setting is not supported. Add it to the request in ask()",
      );
  }
  return model;
}

/** How judging differs where the config names the model of a judge. */
export function judgeOf(provider: unknown): string {
  const { id } = providerOf(provider);
  const shown = typeof id === "string" ? ` instead of ${id.slice(0, 60)}` : "";
  return `all judges ask the model in JUDGE${shown}`;
}
