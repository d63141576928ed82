/** The common part of chat models and embeddings: addresses, keys and request options. */

import { judgesEngine } from "../../../core/engine/judges.js";
import { invalidConfig } from "../../../core/errors.js";
import {
  aDuration,
  aFunction,
  anObject,
  anything,
  aSignal,
  check,
  checkOptions,
  MAX_U32,
  type OptionChecks,
  readable,
  wholeFrom,
} from "../../../core/input/checks.js";
import { SecretsReader } from "../../../core/input/secrets/secrets.js";
import { toText } from "../../../core/input/text.js";
import { MAX_ANSWER_LENGTH } from "../../../core/platform/body.js";
import type { Fetch, Signal } from "../../../core/platform/globals.js";
import { onUse } from "../../../core/platform/on-use.js";
import { firstOf, SharedSignal } from "../../../core/shared-signal.js";
import type { EndpointConfig } from "../../../openevals.types.js";
import type { OpenAccess } from "../../../openevals-judges.types.js";
import { limited, type Requests } from "../limited.js";
import { shownName } from "../model-name.js";
import { readModel, withApi } from "../served-model.js";
import { currentSignal } from "../signals/experiment-signal.js";
import { Slots } from "../slots.js";
import { isAddressOf, urlOf } from "./addresses.js";
import {
  checkBrowser,
  checkedKey,
  fitsHeader,
  fromEnvironment,
  isBrowser,
  type KeyOptions,
  keyHeaders,
} from "./key.js";
import { isAddressOfAnother } from "./providers.js";
import type { ChatAPI, Provider, Where } from "./types.js";

/** The options that {@link initChatModel} and {@link initEmbeddings} share. */
export interface EndpointOptions extends KeyOptions {
  /**
   * The address of the API, such as `http://localhost:8080/v1` or, in a browser, `/api/llm`. With it, no key is required.
   * A query (`https://….openai.azure.com/openai/deployments/NAME?api-version=…`) stays at the end of every address.
   * Redirects with status 307 or 308 are followed within the same origin, except in browsers, which hide their target.
   * The default is the variable of the provider in the environment (`OPENAI_BASE_URL`, `ANTHROPIC_BASE_URL`,
   * `AZURE_OPENAI_ENDPOINT`, `OLLAMA_HOST`, …), or else the provider's own address.
   */
  baseURL?: string | undefined;
  /** For `bedrock`: the AWS region. The default is `AWS_REGION` or `AWS_DEFAULT_REGION` in the environment. */
  region?: string | undefined;
  /** For `vertex`: the Google Cloud project. The default is `GOOGLE_CLOUD_PROJECT` in the environment. */
  project?: string | undefined;
  /** For `vertex`: the location. The default is `GOOGLE_CLOUD_LOCATION` in the environment, or else `global`. */
  location?: string | undefined;
  /** Headers for every request. They override those that the package sets. */
  headers?: Record<string, string> | undefined;
  /** Sends the requests instead of the global `fetch`. */
  fetch?: Fetch | undefined;
  /**
   * How often a failed request is sent again, if the network failed or the status is 408, 409, 429 or 5xx. The pauses
   * between attempts grow, unless the server says how long to wait. The default is 2.
   */
  maxRetries?: number | undefined;
  /**
   * The time limit of an answer in milliseconds, for all attempts and the pauses between them together. Waiting for
   * `maxConcurrency` or for rate limits does not count. When a judge asks again because an answer is unusable, the time
   * starts again, as it does for each step of a recipe. The default is 300,000 for chat models, because many of them
   * reason for minutes, and 60,000 for embeddings. The global `fetch` of Node waits at most 300,000 ms for the first
   * byte, so a longer limit needs your own `fetch`.
   */
  timeoutMs?: number | undefined;
  /**
   * The most bytes that an answer may have after decompression. Reading stops there, with a `provider_error`. The default
   * is 8,000,000.
   */
  maxResponseBytes?: number | undefined;
  /**
   * The most requests of this model that are in flight at the same time. Others wait in the order of arrival; waiting does
   * not count towards `timeoutMs`. There is no limit by default.
   */
  maxConcurrency?: number | undefined;
  /**
   * The most requests in a minute, spread evenly: 600 a minute are sent as 10 a second, and after a pause up to 10 more at
   * once. It applies to all models with the same name, address and key in this process; if they set different limits, the
   * lowest applies. Limits that a provider reports in the headers of its answers are kept without this option. Set it for a
   * provider that reports none, or to use only a part of a limit. Waiting does not count towards `timeoutMs`. There is no
   * limit by default.
   */
  requestsPerMinute?: number | undefined;
  /**
   * The most tokens in a minute, of requests and answers together, as for {@link requestsPerMinute}. The tokens of a
   * request are estimated before it is sent: from earlier answers, and before the first one as a quarter of its bytes
   * plus `maxTokens`.
   */
  tokensPerMinute?: number | undefined;
  /** Ends requests, the pauses between them, and the waiting for limits. */
  signal?: Signal | undefined;
  /** Fields that are merged into the body of every request, such as `{ seed: 7 }` or `{ reasoning_effort: "low" }`. */
  params?: Record<string, unknown> | undefined;
}

/** The arguments with which the engine reaches a model. */
type EndpointArguments = [
  fetch: Fetch | undefined,
  signal: Signal | undefined,
  slots: { acquire(): ReturnType<Slots["acquire"]> } | undefined,
  open: OpenAccess | undefined,
  requests: Requests,
];

/** Names that are a part of addresses, without characters that end the host. */
const aName = check("a name", (value) => typeof value === "string" && /^(?!\.+$)[\w.:-]+$/.test(value));

/** Options marked `anything` are checked by {@link Endpoint}, together with others. */
export const ENDPOINT_OPTIONS: OptionChecks<EndpointOptions> = {
  apiKey: anything,
  credentials: anything,
  // Checks that it is a constructor without calling it.
  signer: check("a class", (value) => !!Reflect.construct(Object, [], value)),
  region: aName,
  project: aName,
  location: aName,
  baseURL: anything,
  headers: anything,
  fetch: aFunction,
  maxRetries: wholeFrom(0),
  timeoutMs: aDuration,
  maxResponseBytes: wholeFrom(1),
  maxConcurrency: wholeFrom(1),
  requestsPerMinute: wholeFrom(1),
  tokensPerMinute: wholeFrom(1),
  signal: aSignal,
  params: anObject,
  dangerouslyAllowBrowser: anything,
};

const BROWSER_KEY = "pass as baseURL your own proxy that adds it, or the visitor's key as apiKey";

/** Options that only some providers have. */
const CLOUD_OPTIONS = ["region", "credentials", "signer", "project", "location"] as const;

/** The default of `maxRetries`. */
export const MAX_RETRIES = 2;

/** The defaults of `timeoutMs`. */
export const TIMEOUTS_MS = { chat: 300_000, embeddings: 60_000 };

/**
 * A model and its address, key and request options.
 *
 * @internal
 */
export class Endpoint<Options extends EndpointOptions & { api?: ChatAPI | undefined }> {
  readonly provider: Provider;
  readonly options: Options;
  readonly #purpose: "chat" | "embeddings";
  readonly #model: string;
  readonly #id: string;
  readonly #name: string;
  readonly #requests = limited(async () => {
    const { requestsWithin } = await onUse("The rate limiter", () => import("../limits/requests.js"));
    return requestsWithin(this.config(), this.options);
  });
  /** Questions in a failed engine never end, so each engine has its own slots. */
  #slots: { engine: object | undefined; slots: Slots } | undefined;

  constructor(
    purpose: "chat" | "embeddings",
    model: string,
    options: Options,
    checks: OptionChecks<Options>,
  ) {
    const { id, provider, name } = readModel(model);
    // Copied, because only some later changes of the object would have an effect.
    const maker = purpose === "chat" ? "initChatModel" : "initEmbeddings";
    this.options = checkOptions(maker, options, checks);
    readable(maker, () => checkTogether(model, provider, this.options));
    this.#purpose = purpose;
    this.#model = model;
    this.#id = id;
    this.#name = name;
    this.provider = purpose === "chat" ? withApi(this.options.api, id, provider, name) : provider;
  }

  /** The configuration for the engine. Looks for a key in the environment. */
  config(): EndpointConfig {
    const { params, maxRetries = MAX_RETRIES, timeoutMs = TIMEOUTS_MS[this.#purpose] } = this.options;
    const { maxResponseBytes = MAX_ANSWER_LENGTH } = this.options;
    const paramsText = params && toText(params, `${this.#model}.params`);
    return {
      dialect: this.provider.dialect,
      provider: this.#id,
      model: this.#name,
      ...this.#address(paramsText),
      maxRetries: inU32(maxRetries),
      timeoutMs: Math.ceil(timeoutMs),
      maxResponseBytes: inU32(maxResponseBytes),
      params: paramsText,
    };
  }

  /** Throws if the key or the address is missing. Sends nothing, and calls no function that provides a key. */
  async checkAccess(): Promise<void> {
    this.config();
    const { apiKey, credentials } = this.options;
    if (typeof apiKey !== "function" && typeof credentials !== "function") await this.open?.();
  }

  /** The arguments with which the engine reaches the model. */
  reach(): EndpointArguments {
    const [own, outer] = [this.options.signal, currentSignal()].map(
      (signal) => signal && SharedSignal.of(signal),
    );
    const signal = firstOf(own, outer);
    const slots = this.#slotsOfEngine();
    const ownSlots = slots && { acquire: () => slots.acquire(signal) };
    return [
      this.options.fetch,
      signal as unknown as AbortSignal | undefined,
      ownSlots,
      this.open,
      this.#requests,
    ];
  }

  /** Provides the access of each question, if a function provides the key or requests are signed. */
  get open(): OpenAccess | undefined {
    const needsAccess = typeof this.options.apiKey === "function" || (this.provider.signs && !this.#key);
    if (!needsAccess || this.#hasOwnKey) return undefined;
    const [model, region] = [this.#model, () => this.#where.place("region")];
    const asked = { model, region, provider: this.provider, options: this.options };
    return async () => (await onUse("The provider access", () => import("./access.js"))).openAccess(asked);
  }

  #slotsOfEngine(): Slots | undefined {
    const { maxConcurrency } = this.options;
    if (maxConcurrency === undefined) return undefined;
    const engine = judgesEngine.loaded;
    if (!this.#slots || this.#slots.engine !== engine) {
      const isInUse = () => judgesEngine.loaded === engine;
      this.#slots = { engine, slots: new Slots(maxConcurrency, isInUse) };
    }
    return this.#slots.slots;
  }

  /** The address of requests, unless it is the provider's default. */
  get ownAddress(): string | undefined {
    const url = this.#url();
    const { baseURL } = this.provider;
    return baseURL && url === this.#url(baseURL) ? undefined : url;
  }

  #url(baseURL = this.#baseURL()): string {
    return urlOf(this.provider, baseURL, this.#name, this.#purpose, this.#where);
  }

  #baseURL(): string {
    const { addresses = [], toBaseURL = (address: string) => address, baseURL, baseURLAt } = this.provider;
    if (this.options.baseURL !== undefined) return this.options.baseURL;
    const address = fromEnvironment(addresses);
    if (address) {
      const url = toBaseURL(address);
      checkBaseURL(addresses.join(" or "), url, false);
      return url;
    }
    if (baseURLAt) return baseURLAt(this.#where);
    const missing = (variable = "") =>
      invalidConfig(`${this.#model} needs an address: set ${variable} in the environment, or pass baseURL`);
    if (!baseURL) throw missing(addresses[0]);
    return baseURL.replace(/\{(\w+)\}/g, (_, variable: string) => {
      const value = fromEnvironment([variable]);
      if (!value) throw missing(variable);
      return encodeURIComponent(value);
    });
  }

  /** The values that an address may depend on. */
  get #where(): Where {
    const { places = {} } = this.provider;
    return {
      key: () => this.#key?.text,
      place: (name, otherwise) => {
        const variables = places[name] ?? [];
        const place = this.options[name] ?? fromEnvironment(variables) ?? otherwise;
        if (place !== undefined && aName.test(place)) return place;
        throw invalidConfig(
          `${this.#model} needs a ${name}: set ${variables.join(" or ")} in the environment, or pass ${name}`,
        );
      },
    };
  }

  /** The caller's headers, with names in lower case. */
  get #ownHeaders(): Record<string, string> {
    const { headers = {} } = this.options;
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  }

  get #hasOwnKey(): boolean {
    const own = this.#ownHeaders;
    return (this.provider.keyHeader ?? "authorization") in own || "authorization" in own;
  }

  /** The key, unless a function provides it. */
  get #key(): { text: string; headers: Record<string, string> } | undefined {
    const { apiKey, baseURL, dangerouslyAllowBrowser } = this.options;
    if (typeof apiKey === "function") return undefined;
    const { keys = [], tokens = [] } = this.provider;
    const isOtherProvider = baseURL !== undefined && isAddressOfAnother(this.provider, baseURL);
    const find = (names: string[]) =>
      this.#hasOwnKey || isOtherProvider ? undefined : fromEnvironment(names);
    const key = apiKey ?? find(keys);
    const token = key === undefined ? find(tokens) : undefined;
    const text = checkedKey(key ?? token, dangerouslyAllowBrowser);
    return text
      ? { text, headers: keyHeaders(this.provider, text, token !== undefined || undefined) }
      : undefined;
  }

  /** The address, the headers, and the secrets in both and in `params`. */
  #address(params: string | undefined) {
    const { keys = [], needsNoKey, signs, header, browserHeader } = this.provider;
    const { apiKey, baseURL, dangerouslyAllowBrowser } = this.options;
    const key = this.#key;
    const hasKey = key || typeof apiKey === "function" || this.#hasOwnKey;
    if (!hasKey && keys.length > 0 && !needsNoKey && !signs && baseURL === undefined) {
      throw invalidConfig(
        `${this.#model} needs a key: ${isBrowser() ? BROWSER_KEY : `set ${keys.join(" or ")} in the environment, or pass apiKey`}`,
      );
    }
    const url = this.#url();
    const own = { ...(isAddressOf(this.provider, url) && accountOf(this.provider)), ...this.#ownHeaders };
    const sent: Record<string, string> = {
      "content-type": "application/json",
      ...header,
      ...key?.headers,
      ...(dangerouslyAllowBrowser && browserHeader),
      ...own,
    };
    const secrets = new SecretsReader();
    if (key) secrets.value("key", key.text);
    for (const [name, value] of Object.entries(own)) secrets.value(name, value);
    secrets.address(this.#baseURL());
    if (params) secrets.members(JSON.parse(params));
    return { url, headers: Object.entries(sent), ...secrets.found };
  }
}

/** Checks of options that depend on each other or on the provider. */
function checkTogether(model: string, provider: Provider, options: EndpointOptions): void {
  const { baseURL, params } = options;
  if (params?.stream) throw invalidConfig("params.stream is not supported: the response is read at once");
  if (params?.background)
    throw invalidConfig("params.background is not supported: the call waits for the answer");
  const own = { ...provider.places, ...(provider.signs && { credentials: true, signer: true }) };
  for (const name of CLOUD_OPTIONS) {
    if (options[name] !== undefined && !(name in own))
      throw invalidConfig(`${name} is not an option of ${model}`);
  }
  checkHeaders(options.headers);
  const { apiKey, dangerouslyAllowBrowser } = options;
  if (typeof apiKey === "function") checkBrowser(dangerouslyAllowBrowser);
  else checkedKey(apiKey, dangerouslyAllowBrowser);
  if (baseURL !== undefined) checkBaseURL("baseURL", baseURL, options.fetch !== undefined);
  else if (!provider.baseURL && !provider.addresses) {
    throw invalidConfig(`${model} needs a baseURL, such as http://localhost:8080/v1`);
  }
}

/** Limited to 32 bits, which the engine counts in. */
const inU32 = (count: number): number => Math.min(count, MAX_U32);

function checkHeaders(headers: unknown): void {
  if (headers === undefined) return;
  if (typeof headers !== "object" || headers === null || Symbol.iterator in headers) {
    throw invalidConfig("headers have to be an object of names and values");
  }
  for (const [name, value] of Object.entries(headers)) {
    const [start = ""] = /^[\w!#$%&'*+.^`|~-]*/.exec(name) ?? [];
    // The rest may be a key, such as in { "Authorization: Bearer sk-…": "" }.
    if (!name || start !== name)
      throw invalidConfig(
        `headers has a name that is not valid after "${shownName(start)}". Write names and values apart, such as { Authorization: "Bearer …" }`,
      );
    if (!fitsHeader(value))
      throw invalidConfig(`The header ${JSON.stringify(name)} has a value that is not valid in a header`);
  }
}

function checkBaseURL(name: string, baseURL: unknown, ownFetch: boolean): void {
  const relative = typeof baseURL === "string" && /^\.{0,2}\//.test(baseURL);
  if (relative && (ownFetch || "location" in globalThis)) return;
  let url: URL | undefined;
  try {
    if (typeof baseURL === "string") url = new URL(baseURL);
  } catch {
    // Not a URL: reported below.
  }
  if (!url || !/^https?:$/.test(url.protocol)) {
    const hint = relative ? ": outside of a browser there is no page that it could be relative to" : "";
    throw invalidConfig(`${name} has to begin with http:// or https://${hint}`);
  }
  if (url.username || url.password)
    throw invalidConfig(`${name} must not contain credentials; pass them in headers`);
  if (url.hash) throw invalidConfig(`${name} must not have a fragment`);
}

/** The headers with the account, from the environment. */
function accountOf({ accountHeaders = {} }: Provider): Record<string, string> {
  const found = Object.entries(accountHeaders).map(([header, name]) => [header, fromEnvironment([name])]);
  return Object.fromEntries(found.filter(([, value]) => fitsHeader(value)));
}
