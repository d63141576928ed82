/** The identity of a judge or of embeddings in a cache: everything that may change their answers, without secrets. */

import { fnv1a } from "../../../core/input/hash.js";
import { isCredential } from "../../../core/input/secrets/key-formats.js";
import { isSecretName } from "../../../core/input/secrets/secret-names.js";
import { isSecret } from "../../../core/input/secrets/secrets.js";
import { embedOf } from "../../../models/chat/embed.js";
import type { JudgeSource } from "../../../models/chat/judge-model.js";
import { openerOf } from "../../../models/chat/opener.js";

/** Plain data, which is kept with the answers. */
export type Identity = {
  name?: unknown;
  address?: unknown;
  structuredOutputMethod?: string | undefined;
  cacheKey?: string | undefined;
};

type ModelFields = Record<string, unknown>;

/** Deeper settings are ignored: they belong to other objects. */
const MAX_DEPTH = 8;

/** The identity of a judge; `undefined` without one, such as for a function without a `cacheKey`. */
export async function identityOf({
  judge,
  model,
  cacheKey,
  structuredOutputMethod,
}: JudgeSource): Promise<Identity | undefined> {
  const described =
    typeof judge === "object" ? await describe(judge as object as ModelFields, model) : undefined;
  if (!described && cacheKey === undefined) return undefined;
  return { ...(described ?? { name: model }), structuredOutputMethod, cacheKey };
}

/** The identity of embeddings; `undefined` for a function, and for an object without the name of a model. */
export function embeddingsIdentityOf(embeddings: unknown): Identity | undefined {
  if (typeof embeddings !== "object" || embeddings === null) return undefined;
  const fields = embeddings as ModelFields;
  const name = nameOf(fields);
  if (typeof name !== "string") return undefined;
  return {
    name,
    ...(embedOf(embeddings) ? describeEndpoint(fields) : { settings: publicFields(fields, 0) }),
  };
}

/** The settings of a model of this package. */
function describeEndpoint({ settings }: ModelFields): ModelFields {
  const { params, address, headers, ...others } = settings as ModelFields;
  return {
    ...others,
    params: publicPart("params", params),
    address: publicAddress(address),
    headers: publicHeaders(headers),
  };
}

/** The name for comparing it with recorded answers, with its address if that is not the provider's. */
export const shownIdentity = ({ name, cacheKey, address }: Identity): string =>
  `${name ?? cacheKey}${address === undefined ? "" : ` at ${address}`}`;

async function describe(judge: ModelFields, model: string | undefined): Promise<ModelFields | undefined> {
  if (openerOf(judge)) return { name: judge.model, ...describeEndpoint(judge) };
  if ("chat" in judge) return describeOpenAI(judge, model);
  if ("doGenerate" in judge) return describeAISDK(judge);
  const name = model ?? nameOf(judge);
  return name === undefined ? undefined : { name, ...describeLangChain(judge, 0) };
}

function describeOpenAI(
  { baseURL, deploymentName, apiVersion, _options }: ModelFields,
  name: string | undefined,
): ModelFields | undefined {
  const { defaultHeaders, defaultQuery } = Object(_options);
  const address = publicAddress(baseURL);
  const query = publicPart("query", defaultQuery);
  if (!address) return undefined;
  return { name, address, deploymentName, apiVersion, headers: publicHeaders(defaultHeaders), query };
}

async function describeAISDK({
  modelId,
  provider,
  config,
  settings,
}: ModelFields): Promise<ModelFields | undefined> {
  const { url, baseURL, baseUrl, headers } = Object(config);
  const address = publicAddress(
    (await resolved(url, { path: "", modelId })) ?? (await resolved(baseURL)) ?? (await resolved(baseUrl)),
  );
  if (!address) return undefined;
  const sent = publicHeaders(await resolved(headers));
  return { name: modelId, provider, address, headers: sent, settings: publicPart("settings", settings) };
}

/** The value, or the result of a function for it; `undefined` if that needs a missing key. */
async function resolved(value: unknown, ...args: unknown[]): Promise<unknown> {
  try {
    return await (typeof value === "function" ? value(...args) : value);
  } catch {
    return undefined;
  }
}

/** The name of a LangChain model, or of the model that it wraps. */
function nameOf(model: ModelFields): unknown {
  const { model: own, modelName, _defaultConfig, bound, runnable } = model;
  const name = own ?? modelName ?? Object(_defaultConfig).model;
  const inner = bound ?? runnable;
  return name ?? (typeof inner === "object" && inner ? nameOf(inner as ModelFields) : undefined);
}

/** Some settings are only in the options, others (from the environment) only in the model. */
function describeLangChain(model: ModelFields, depth: number): ModelFields {
  const { lc_kwargs, temperature, baseUrl, apiUrl, endpoint, clientConfig, defaultOptions, _defaultConfig } =
    model;
  const settings = {
    baseUrl,
    apiUrl,
    endpoint,
    clientConfig,
    defaultOptions,
    _defaultConfig,
    made: lc_kwargs,
  };
  return { temperature, ...(publicPart("settings", settings, depth) as ModelFields | undefined) };
}

/** Plain data without values that are secret by their name or form. */
function publicPart(name: string, value: unknown, depth = 0): unknown {
  if (typeof value === "string") {
    if (isSecretName(name) || isCredential(value)) return undefined;
    return /^https?:/i.test(value) ? publicAddress(value) : value;
  }
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) return undefined;
  if (Array.isArray(value)) return value.map((element) => publicPart(name, element, depth + 1));
  if ("lc_kwargs" in value) return describeLangChain(value as ModelFields, depth + 1);
  if (/headers$/i.test(name)) return publicHeaders(value);
  // Instances of classes are parts of the client without plain data.
  if (![Object.prototype, null].includes(Object.getPrototypeOf(value))) return undefined;
  return publicFields(value, depth + 1);
}

const publicFields = (fields: object, depth: number): ModelFields =>
  Object.fromEntries(Object.entries(fields).map(([name, member]) => [name, publicPart(name, member, depth)]));

/**
 * Digests of the headers that may change answers: any value may be secret. Those that certainly are secret are left out, because
 * another key is not another model.
 */
function publicHeaders(headers: unknown): ModelFields | undefined {
  if (typeof headers !== "object" || headers === null) return undefined;
  const entries: [string, unknown][] =
    Symbol.iterator in headers ? [...(headers as Iterable<[string, unknown]>)] : Object.entries(headers);
  const kept = entries.flatMap(([given, value]): [string, string][] => {
    const name = String(given).toLowerCase();
    // The version of the client does not identify the model.
    if (typeof value !== "string" || name === "user-agent" || isSecretName(name) || isSecret(value))
      return [];
    return [[name, (fnv1a(value) >>> 0).toString(16)]];
  });
  return kept.length ? Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1))) : undefined;
}

/** The address without user, password, and parts of the path or query that look like a key. */
function publicAddress(address: unknown): string | undefined {
  if (typeof address !== "string") return undefined;
  const [base = "", query] = (address.split("#")[0] as string).split("?", 2);
  const [, scheme = "", host = "", path = ""] = /^(?:(\w+:\/\/)([^/]*))?(.*)$/s.exec(base) ?? [];
  const segments = path.split("/").filter(Boolean);
  const shown = segments.map((segment) => `/${isSecret(segment) ? "…" : segment}`).join("");
  const parameters = [...new URLSearchParams(query)].filter(
    ([name, value]) => !isSecretName(name) && !isSecret(value),
  );
  const rest = parameters.length ? `?${new URLSearchParams(parameters)}` : "";
  return scheme + host.slice(host.lastIndexOf("@") + 1) + shown + rest;
}
