/** The providers of promptfoo that have an API like OpenAI's. */

import { listProviders } from "../../../../api.js";
import { isRecord } from "../../../../core/input/objects.js";
import { OPENAI } from "../application.js";
import { readReferenced } from "../files.js";
import { Findings } from "../imported.js";
import { Names } from "../names.js";
import { hasTemplate } from "./template.js";

/** A model of the experiment, and how to call it. */
export interface Model {
  name: string;
  /** The address of the API; empty for `echo`, the provider that returns the prompt. */
  url: string;
  /** The environment variable with another address. */
  urlFrom?: string;
  /** The environment variable with the key. */
  key?: string;
  body: Record<string, unknown>;
}

/** An API, by the first part of a provider's id. */
interface Api extends Pick<Model, "url" | "urlFrom" | "key"> {
  /** Optional middle parts of the id, such as `chat`. */
  kinds?: readonly string[];
  /** Whether names of models may contain colons. */
  hasColons?: true;
  /** promptfoo's default parameters. */
  defaults?: Record<string, unknown>;
}

/** promptfoo's default parameters for APIs that it treats like OpenAI's. */
const LIKE_OPENAI = { defaults: { temperature: 0, max_tokens: 1024 } };

const APIS: Readonly<Record<string, Api>> = {
  openai: { ...OPENAI, ...LIKE_OPENAI, kinds: ["chat", "responses"] },
  anthropic: {
    url: "https://api.anthropic.com/v1",
    key: "ANTHROPIC_API_KEY",
    kinds: ["messages"],
    ...LIKE_OPENAI,
  },
  google: { url: "https://generativelanguage.googleapis.com/v1beta/openai", key: "GEMINI_API_KEY" },
  ollama: { url: "http://localhost:11434/v1", kinds: ["chat"], hasColons: true },
  mistral: { url: "https://api.mistral.ai/v1", key: "MISTRAL_API_KEY", defaults: { max_tokens: 1024 } },
  groq: { url: "https://api.groq.com/openai/v1", key: "GROQ_API_KEY", ...LIKE_OPENAI },
  deepseek: { url: "https://api.deepseek.com/v1", key: "DEEPSEEK_API_KEY", ...LIKE_OPENAI },
  openrouter: {
    url: "https://openrouter.ai/api/v1",
    key: "OPENROUTER_API_KEY",
    hasColons: true,
    ...LIKE_OPENAI,
  },
  xai: { url: "https://api.x.ai/v1", key: "XAI_API_KEY", ...LIKE_OPENAI },
  azure: { url: "", key: "AZURE_API_KEY", kinds: ["chat"], ...LIKE_OPENAI },
  perplexity: { url: "https://api.perplexity.ai", key: "PERPLEXITY_API_KEY", ...LIKE_OPENAI },
  cerebras: { url: "https://api.cerebras.ai/v1", key: "CEREBRAS_API_KEY", ...LIKE_OPENAI },
  togetherai: {
    url: "https://api.together.xyz/v1",
    key: "TOGETHER_API_KEY",
    kinds: ["chat"],
    ...LIKE_OPENAI,
  },
  hyperbolic: { url: "https://api.hyperbolic.xyz/v1", key: "HYPERBOLIC_API_KEY", ...LIKE_OPENAI },
  llamaapi: {
    url: "https://api.llama.com/compat/v1",
    key: "LLAMA_API_KEY",
    kinds: ["chat"],
    ...LIKE_OPENAI,
  },
  github: { url: "https://models.github.ai/inference", key: "GITHUB_TOKEN", ...LIKE_OPENAI },
  vercel: { url: "https://ai-gateway.vercel.sh/v1", key: "VERCEL_AI_GATEWAY_API_KEY" },
  truefoundry: {
    url: "https://llm-gateway.truefoundry.com",
    key: "TRUEFOUNDRY_API_KEY",
    kinds: ["chat"],
    ...LIKE_OPENAI,
  },
  litellm: { url: "http://localhost:4000", kinds: ["chat"], ...LIKE_OPENAI },
};

/** Names after `openai:` and `anthropic:` that are agents or other services. */
const NOT_MODELS =
  /^(?:agents|assistant|chatkit|codex(?:-.*)?|completions?|embeddings?|image|moderation|realtime|speech|transcription|video|claude-agent-sdk|claude-code)(?::|$)/;

/** Models that choose the temperature, and count the tokens of their reasoning. */
const REASONING = /(?:^|\/)(?:o[134]|gpt-5)/;
const OWN_TEMPERATURE = /deepseek-reasoner|claude-(?:opus-4-[7-9]|\w+-[5-9])/;

const SETTINGS = [
  ...["temperature", "max_tokens", "max_completion_tokens", "top_p", "seed", "stop", "frequency_penalty"],
  ...["presence_penalty", "reasoning_effort", "response_format", "verbosity", "service_tier", "user"],
  ...["tools", "tool_choice", "parallel_tool_calls"],
];

/** The models of `providers` or `targets`. */
export async function readModels(
  given: unknown,
  place: string,
  path: string,
  findings: Findings,
): Promise<Model[]> {
  const models: Model[] = [];
  const names = new Names();
  for (const { provider, where } of await listProviderEntries(given, place, path, findings)) {
    const { id, label, config, ...rest } = providerOf(provider);
    if (typeof id !== "string") {
      findings.skip(where, "it is not the id of a provider. Call your application in the target");
      continue;
    }
    const shown = id.slice(0, 60);
    const other = Object.keys(rest).find((name) => !["delay"].includes(name));
    if (other) {
      findings.skip(where, `${shown} has ${other}, which is not supported. Call it in the target`);
      continue;
    }
    const name = names.unique(typeof label === "string" ? label : id);
    if (id === "echo") {
      models.push({ name, url: "", body: {} });
      continue;
    }
    const model = modelOf(id, name, where, findings);
    if (!model)
      findings.skip(where, `the provider ${shown} is not supported. Call your application in the target`);
    else models.push(await withConfig(model, id, fieldsOf(config), { place: where, path, findings }));
  }
  return models;
}

const fieldsOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});

/** The providers of a list, of which some may be in files. */
async function listProviderEntries(
  given: unknown,
  place: string,
  path: string,
  findings: Findings,
): Promise<{ provider: unknown; where: string }[]> {
  const list = given === undefined ? [] : Array.isArray(given) ? given : [given];
  const found = list.map(async (provider, index) => {
    const where = `${place}[${index}]`;
    const [, file] = /^file:\/\/(.+\.(?:json|ya?ml))$/.exec(String(provider)) ?? [];
    if (file === undefined) return [{ provider, where }];
    const content = await readReferenced(file, path, where, findings);
    return (content === undefined ? [] : [content].flat()).map((inner) => ({ provider: inner, where }));
  });
  return (await Promise.all(found)).flat();
}

/** The model of an id such as `openai:chat:gpt-5.4`. */
function modelOf(id: string, name: string, place: string, findings: Findings): Model | undefined {
  const [start = "", ...parts] = id.split(":");
  const api = Object.hasOwn(APIS, start) ? APIS[start] : undefined;
  if (!api || NOT_MODELS.test(parts.join(":"))) return undefined;
  const { kinds = [], hasColons, defaults, ...access } = api;
  const kind = parts.length > 1 && kinds.includes(parts[0] as string) ? parts.shift() : undefined;
  const model = parts.join(":");
  if (!model || (parts.length > 1 && !kind && !hasColons)) return undefined;
  if (kind === "responses")
    findings.differ(place, "the model is asked with chat completions, not with the Responses API");
  const isSet = !REASONING.test(model) && !OWN_TEMPERATURE.test(model);
  return { name, ...access, body: { model, ...(isSet && defaults) } };
}

/** The fields of a provider, which may be given as its id only, or as an object with the id as key. */
export function providerOf(provider: unknown): Record<string, unknown> {
  if (!isRecord(provider)) return { id: provider };
  const [key, ...more] = Object.keys(provider);
  // { "openai:gpt-5.4": { config } }
  if (!("id" in provider) && key !== undefined && !more.length && isRecord(provider[key]))
    return { id: key, ...provider[key] };
  return provider;
}

interface ModelSource {
  place: string;
  path: string;
  findings: Findings;
}

async function withConfig(
  model: Model,
  id: string,
  config: Record<string, unknown>,
  source: ModelSource,
): Promise<Model> {
  const { place, findings } = source;
  const skip = (setting: string, reason: string) => findings.skip(`${place}.config.${setting}`, reason);
  const { passthrough, ...settings } = config;
  for (const [setting, given] of Object.entries({ ...settings, ...fieldsOf(passthrough) })) {
    const value = await settingOf(given, `${place}.config.${setting}`, source);
    if (value === undefined) continue;
    if (setting === "tools" && !areFunctions(value))
      skip(setting, "only tools in the form of chat completions are taken. Call the model in the target");
    else if (SETTINGS.includes(setting)) model.body[setting] = value;
    else if (["apiBaseUrl", "apiHost"].includes(setting) && typeof value === "string") {
      const address = withoutSecrets(setting === "apiHost" ? addressAt(id, value) : value);
      if (address === undefined) {
        skip(setting, "it is not an address that begins with http:// or https://");
        continue;
      }
      if (address.hasSecrets)
        findings.differ(
          `${place}.config.${setting}`,
          "its user, password and query are not copied, because they may be secrets",
        );
      model.url = address.url;
      delete model.urlFrom;
    } else if (setting === "apiKeyEnvar" && typeof value === "string") model.key = value;
    else if (setting === "apiVersion" && id.startsWith("azure:"))
      findings.differ(`${place}.config.${setting}`, "the v1 API of Azure is called, which has no versions");
    else if (SECRET.test(setting) && typeof value === "string")
      findings.differ(
        `${place}.config.${setting}`,
        "secrets are not copied; set the environment variable of the provider",
      );
    else if (Object.hasOwn(fieldsOf(passthrough), setting)) model.body[setting] = value;
    else skip(setting, "this setting is not supported. Add it to the request in ask()");
  }
  if (!model.url) findings.skip(`${place}.config`, "it has no apiHost, which is the address of the resource");
  // These models refuse them, so promptfoo does not send them.
  if (REASONING.test(String(model.body.model))) {
    delete model.body.temperature;
    delete model.body.max_tokens;
  }
  return model;
}

const SECRET = /key|token|secret|password|authorization/i;

/** An address without its user, password, query and fragment. */
function withoutSecrets(address: string): { url: string; hasSecrets: boolean } | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  const { username, password, search, hash } = url;
  if (!username && !password && !search && !hash) return { url: address, hasSecrets: false };
  return { url: `${url.origin}${url.pathname}`, hasSecrets: true };
}

const addressAt = (id: string, host: string): string =>
  `https://${host.replace(/^https?:\/\//, "").replace(/\/$/, "")}${id.startsWith("azure:") ? "/openai/v1" : "/v1"}`;

/** The value of a setting, which may be in a file; `undefined` if it is skipped. */
async function settingOf(value: unknown, place: string, { path, findings }: ModelSource): Promise<unknown> {
  if (hasTemplate(value))
    return void findings.skip(place, "it has a template. Write the value into the config");
  if (typeof value !== "string" || !value.startsWith("file://")) return value;
  if (/\.(?:json|ya?ml)$/.test(value)) return readReferenced(value.slice(7), path, place, findings);
  findings.skip(place, "it is in a file that is neither JSON nor YAML. Write the value into the config");
}

/** Whether tools have the form of chat completions. */
const areFunctions = (tools: unknown): boolean =>
  Array.isArray(tools) &&
  tools.every((one) => isRecord(one) && one.type === "function" && isRecord(one.function));

/** The name for `initChatModel` of the model of an id; `undefined` if it has none. */
export function modelName(id: string): string | undefined {
  const [start = ""] = id.split(":");
  const found = modelOf(id, id, "", new Findings());
  const isKnown = listProviders().some((one) => [one.id, ...one.aliases].includes(start));
  return found && isKnown ? `${start}:${found.body.model}` : undefined;
}
