/** What chat models and embeddings have in common: where they are, who asks, and how persistently. */

import { judgesEngine } from "../../core/engine/judges.js";
import { invalidConfig } from "../../core/errors.js";
import {
  aDuration,
  aFunction,
  anObject,
  anything,
  aSignal,
  type Checks,
  check,
  checkOptions,
  readable,
  wholeFrom,
} from "../../core/input/checks.js";
import { toText } from "../../core/input/json.js";
import type { Fetch, Signal } from "../../core/platform/globals.js";
import { onUse } from "../../core/platform/on-use.js";
import type { EndpointConfig } from "../../openevals.types.js";
import type { OpenAccess } from "../../openevals-judges.types.js";
import { isOf, urlOf } from "./addresses.js";
import { MOST_OF_AN_ANSWER } from "./body.js";
import { Semaphore, SharedSignal } from "./concurrency.js";
import {
  checkBrowser,
  checkedKey,
  fitsHeader,
  fromEnvironment,
  isBrowser,
  type KeyOptions,
  keyHeaders,
} from "./key.js";
import { limited, type Requests } from "./limited.js";
import { isOfAnother } from "./providers.js";
import { SecretsReader } from "./secrets.js";
import { readModel, through } from "./served-model.js";
import type { ChatAPI, Provider, Where } from "./types.js";

/** The options that {@link initChatModel} and {@link initEmbeddings} share. */
export interface EndpointOptions extends KeyOptions {
  /**
   * Where the API is, such as `http://localhost:8080/v1` or, in a browser, `/api/llm`; no key is needed then. It may
   * have a query (`https://….openai.azure.com/openai/deployments/NAME?api-version=…`), which stays at the end of every
   * address. Redirects are only followed within its origin, with 307 and 308, and not at all by browsers, which do not
   * say where they lead. By default what the environment says (`OPENAI_BASE_URL`, `ANTHROPIC_BASE_URL`, `AZURE_OPENAI_ENDPOINT`,
   * `OLLAMA_HOST`, …), else the address of the provider.
   */
  baseURL?: string | undefined;
  /** For `bedrock`: where in AWS the model is. By default `AWS_REGION` or `AWS_DEFAULT_REGION` of the environment. */
  region?: string | undefined;
  /** For `vertex`: the project of Google Cloud. By default `GOOGLE_CLOUD_PROJECT` of the environment. */
  project?: string | undefined;
  /** For `vertex`: the location. By default `GOOGLE_CLOUD_LOCATION` of the environment, or else `global`. */
  location?: string | undefined;
  /** More headers for every request; they win over those that the package sets. */
  headers?: Record<string, string> | undefined;
  /** Sends the requests in the place of the global `fetch`. */
  fetch?: Fetch | undefined;
  /**
   * How many more attempts are made when one fails that may succeed later: the network, 408, 409, 429 and 5xx. The
   * pauses between them grow, unless the server says how long to wait. 2 by default.
   */
  maxRetries?: number | undefined;
  /**
   * How long an answer may take, from the first attempt to the last byte of the one that succeeds: the time for all
   * attempts, and the pauses between them, not for each. Waiting for a turn (`maxConcurrency`, and the limits of the
   * provider) is no part of it. A judge
   * that asks again, since an answer is of no use, begins anew, and so does each step of a recipe. 300,000 ms by default
   * for chat models, since most of today's think before they answer, some for minutes (`fetch` of Node waits no longer
   * for the beginning of an answer, so more is only of use with a `fetch` of your own); 60,000 ms for embeddings.
   */
  timeoutMs?: number | undefined;
  /**
   * How many bytes an answer may have, after decompression. A longer one is not read to its end, and is a
   * `provider_error`. 8,000,000 by default.
   */
  maxResponseBytes?: number | undefined;
  /**
   * How many requests may be under way at once, of all that use this model; the others wait in the order of their
   * arrival, which does not count as part of `timeoutMs`. No limit by default.
   */
  maxConcurrency?: number | undefined;
  /**
   * How many requests may be sent in a minute, and how many tokens they and their answers may have, evenly spread: 600 a
   * minute are ten a second. It counts for all models of the same name, address and key in this process; of those that say
   * different things, the narrowest. Tokens are estimated before a request is sent (a quarter of its bytes, and
   * `maxTokens`), and counted by what answers tell. What providers tell of their limits in the headers of their answers is
   * kept to as well, and needs no option; this is for those that tell nothing, and for a share of one's own. Waiting
   * counts for no `timeoutMs`. No limits by default.
   */
  requestsPerMinute?: number | undefined;
  /** See {@link requestsPerMinute}. */
  tokensPerMinute?: number | undefined;
  /** Ends requests, the pauses between them, and the waiting for a turn. */
  signal?: Signal | undefined;
  /** Merged into the body of every request, such as `{ seed: 7 }` or `{ reasoning_effort: "low" }`. */
  params?: Record<string, unknown> | undefined;
}

/** What the engine reaches a model with. */
type EndpointArguments = [
  fetch: Fetch | undefined,
  signal: Signal | undefined,
  turnstile: Semaphore | undefined,
  open: OpenAccess | undefined,
  requests: Requests,
];

/** What stands in addresses, and never ends the host in them. */
const aName = check("a name", (value) => typeof value === "string" && /^(?!\.+$)[\w.:-]+$/.test(value));

/** Those of what is checked together are checked by {@link Endpoint}. */
export const ENDPOINT_OPTIONS: Checks<EndpointOptions> = {
  apiKey: anything,
  credentials: anything,
  // Asks whether it could be made without making one.
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

const BROWSER_KEY = "pass as baseURL a proxy of your own that adds it, or the visitor's own key as apiKey";

/** Those that only some providers have. */
const CLOUD_OPTIONS = ["region", "credentials", "signer", "project", "location"] as const;

/** How long all attempts may take, if nothing else is said. */
export const TIMEOUTS_MS = { chat: 300_000, embeddings: 60_000 };

/**
 * A model, and how it is reached.
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
    const { requestsWithin } = await onUse("The limits of requests", () => import("./limits/requests.js"));
    return requestsWithin(this.config(), this.options);
  });
  #signal: SharedSignal | undefined;
  /** Those inside an engine that is gone never leave, so each engine has its own. */
  #turnstile: { of: object | undefined; turnstile: Semaphore } | undefined;

  constructor(purpose: "chat" | "embeddings", model: string, options: Options, checks: Checks<Options>) {
    const { id, provider, name } = readModel(model);
    // A copy: later changes to the object would be half in effect.
    this.options = checkOptions(purpose === "chat" ? "initChatModel" : "initEmbeddings", options, checks);
    readable("initChatModel", () => checkTogether(model, provider, this.options));
    this.#purpose = purpose;
    this.#model = model;
    this.#id = id;
    this.#name = name;
    this.provider = purpose === "chat" ? through(this.options.api, id, provider, name) : provider;
  }

  /** What the engine is told. Asks the environment for a key. */
  config(): EndpointConfig {
    const { params, maxRetries = 2, timeoutMs = TIMEOUTS_MS[this.#purpose] } = this.options;
    const { maxResponseBytes = MOST_OF_AN_ANSWER } = this.options;
    return {
      dialect: this.provider.dialect,
      provider: this.#id,
      model: this.#name,
      ...this.#address(),
      maxRetries: fitting(maxRetries),
      timeoutMs: Math.ceil(timeoutMs),
      maxResponseBytes: fitting(maxResponseBytes),
      params: params && toText(params, `${this.#model}.params`),
    };
  }

  /** Refuses a missing key or address without sending anything. Functions that give a key are not called. */
  async checkAccess(): Promise<void> {
    this.config();
    const { apiKey, credentials } = this.options;
    if (typeof apiKey !== "function" && typeof credentials !== "function") await this.open?.();
  }

  /** What the engine reaches the model with. */
  reach(): EndpointArguments {
    const { fetch, signal } = this.options;
    this.#signal ??= signal && SharedSignal.of(signal);
    const entry = this.#entry();
    return [fetch, this.#signal as unknown as AbortSignal | undefined, entry, this.open, this.#requests];
  }

  /** What is asked before each question, if a key or a signature is. */
  get open(): OpenAccess | undefined {
    const asks = typeof this.options.apiKey === "function" || (this.provider.signs && !this.#key);
    if (!asks || this.#hasOwnKey) return undefined;
    const [model, region] = [this.#model, () => this.#where.place("region")];
    const asked = { model, region, provider: this.provider, options: this.options };
    return async () =>
      (await onUse("The access to the provider", () => import("./access.js"))).openAccess(asked);
  }

  #entry(): Semaphore | undefined {
    const { maxConcurrency } = this.options;
    if (maxConcurrency === undefined) return undefined;
    const of = judgesEngine.loaded;
    if (!this.#turnstile || this.#turnstile.of !== of) {
      this.#turnstile = { of, turnstile: new Semaphore(maxConcurrency, this.#signal) };
    }
    return this.#turnstile.turnstile;
  }

  /** Where requests go, if that is not the address of the provider. */
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

  /** What the address depends on. */
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

  /** The headers of the caller's, by their names in lower case. */
  get #ownHeaders(): Record<string, string> {
    const { headers = {} } = this.options;
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  }

  get #hasOwnKey(): boolean {
    const own = this.#ownHeaders;
    return (this.provider.keyHeader ?? "authorization") in own || "authorization" in own;
  }

  /** The key, if it is known and not asked for. */
  get #key(): { text: string; headers: Record<string, string> } | undefined {
    const { apiKey, baseURL, dangerouslyAllowBrowser } = this.options;
    if (typeof apiKey === "function") return undefined;
    const { keys = [], tokens = [] } = this.provider;
    const isElsewhere = baseURL !== undefined && isOfAnother(this.provider, baseURL);
    const find = (names: string[]) => (this.#hasOwnKey || isElsewhere ? undefined : fromEnvironment(names));
    const key = apiKey ?? find(keys);
    const token = key === undefined ? find(tokens) : undefined;
    const text = checkedKey(key ?? token, dangerouslyAllowBrowser);
    return text
      ? { text, headers: keyHeaders(this.provider, text, token !== undefined || undefined) }
      : undefined;
  }

  /** The address, the headers, and what in them is secret. */
  #address() {
    const { keys = [], needsNoKey, signs, header, browserHeader } = this.provider;
    const { apiKey, baseURL, dangerouslyAllowBrowser } = this.options;
    const key = this.#key;
    const isKnown = key || typeof apiKey === "function" || this.#hasOwnKey;
    if (!isKnown && keys.length > 0 && !needsNoKey && !signs && baseURL === undefined) {
      throw invalidConfig(
        `${this.#model} needs a key: ${isBrowser() ? BROWSER_KEY : `set ${keys.join(" or ")} in the environment, or pass apiKey`}`,
      );
    }
    const url = this.#url();
    const own = { ...(isOf(this.provider, url) && accountOf(this.provider)), ...this.#ownHeaders };
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
    return { url, headers: Object.entries(sent), ...secrets.found };
  }
}

/** What an option's own check does not find, or says in other words. */
function checkTogether(model: string, provider: Provider, options: EndpointOptions): void {
  const { baseURL, params } = options;
  if (params?.stream) throw invalidConfig("params.stream cannot be on: answers are read whole");
  const own = { ...provider.places, ...(provider.signs && { credentials: true, signer: true }) };
  for (const name of CLOUD_OPTIONS) {
    if (options[name] !== undefined && !(name in own))
      throw invalidConfig(`${name} is no option of ${model}`);
  }
  if (params?.background) throw invalidConfig("params.background cannot be on: answers are waited for");
  checkHeaders(options.headers);
  const { apiKey, dangerouslyAllowBrowser } = options;
  if (typeof apiKey === "function") checkBrowser(dangerouslyAllowBrowser);
  else checkedKey(apiKey, dangerouslyAllowBrowser);
  if (baseURL !== undefined) checkBaseURL("baseURL", baseURL, options.fetch !== undefined);
  else if (!provider.baseURL && !provider.addresses) {
    throw invalidConfig(`${model} needs a baseURL, such as http://localhost:8080/v1`);
  }
}

/** The largest number that the engine counts to, for what is larger: no more bytes would fit in a string. */
const fitting = (count: number): number => Math.min(count, 2 ** 32 - 1);

function checkHeaders(headers: unknown): void {
  if (headers === undefined) return;
  if (typeof headers !== "object" || headers === null || Symbol.iterator in headers) {
    throw invalidConfig("headers have to be an object of names and values");
  }
  for (const [name, value] of Object.entries(headers)) {
    const fits = /^[\w!#$%&'*+.^`|~-]+$/.test(name) && fitsHeader(value);
    if (!fits)
      throw invalidConfig(`The header ${JSON.stringify(name)} has a name or a value that no header can have`);
  }
}

function checkBaseURL(name: string, baseURL: unknown, ownFetch: boolean): void {
  const relative = typeof baseURL === "string" && /^\.{0,2}\//.test(baseURL);
  if (relative && (ownFetch || "location" in globalThis)) return;
  let url: URL | undefined;
  try {
    if (typeof baseURL === "string") url = new URL(baseURL);
  } catch {
    // Not a URL: said below.
  }
  if (!url || !/^https?:$/.test(url.protocol)) {
    const hint = relative ? ": outside of a browser there is no page that it could be relative to" : "";
    throw invalidConfig(`${name} has to begin with http:// or https://${hint}`);
  }
  if (url.username || url.password)
    throw invalidConfig(`${name} must not hold a user or a password; pass them in headers`);
  if (url.hash) throw invalidConfig(`${name} must not have a fragment`);
}

/** The headers that say whose account it is, as far as the environment does. */
function accountOf({ accountHeaders = {} }: Provider): Record<string, string> {
  const found = Object.entries(accountHeaders).map(([header, name]) => [header, fromEnvironment([name])]);
  return Object.fromEntries(found.filter(([, value]) => fitsHeader(value)));
}
