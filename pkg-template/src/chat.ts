import type { Engine } from "./engine.js";
import { OpenEvalsError, throwing } from "./errors.js";
import { toText } from "./json.js";
import { given, knownOptions } from "./options.js";
import { type Provider, readModel } from "./providers.js";

/** The options of {@link initChatModel}. */
export interface ChatModelOptions {
  /** The key. By default the one in the environment, such as `OPENAI_API_KEY`. It is never part of an error. */
  apiKey?: string | undefined;
  /** Where the API is, such as `http://localhost:8080/v1` or, in a browser, `/api/llm`; no key is needed then. */
  baseURL?: string | undefined;
  /** More headers for every request; they win over those that the package sets. */
  headers?: Record<string, string> | undefined;
  /** Sends the requests in the place of the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
  /**
   * How many more attempts are made when one fails that may succeed later: the network, 408, 409, 429 and 5xx. The
   * pauses between them grow, unless the server says how long to wait. 2 by default.
   */
  maxRetries?: number | undefined;
  /** How long an answer may take, with all attempts and the pauses between them. 60,000 ms by default. */
  timeoutMs?: number | undefined;
  /** How random answers are; the provider decides by default. */
  temperature?: number | undefined;
  /** How many tokens an answer may have; the provider decides by default. */
  maxTokens?: number | undefined;
  /** Ends requests, and the pauses between them. */
  signal?: AbortSignal | undefined;
  /** Merged into the body of every request, such as `{ seed: 7 }` or `{ reasoning_effort: "low" }`. */
  params?: Record<string, unknown> | undefined;
  /** Allows a key in a browser, where every visitor can read it. */
  dangerouslyAllowBrowser?: boolean | undefined;
}

/**
 * A model of the engine.
 *
 * @internal
 */
export type EngineModel = ReturnType<Engine["ChatModel"]["fromProvider"]>;

const OPEN = Symbol.for("openevals-wasm.openChatModel");

/** A language model, made by {@link initChatModel}: a `judge` for {@link createLLMAsJudge}. */
export class ChatModel {
  /** Which model it is: `provider:model`, as it was given. */
  readonly model: string;
  // Private, so that no log and no inspection shows the key.
  readonly #provider: Provider;
  readonly #name: string;
  readonly #options: ChatModelOptions;
  readonly #opened = new WeakMap<Engine, EngineModel>();

  /** @internal */
  constructor(model: string, options: ChatModelOptions) {
    const { provider, name } = readModel(model);
    this.model = model;
    this.#provider = provider;
    this.#name = name;
    this.#options = checked(model, provider, options);
  }

  /**
   * The model in the engine, made when it is first used: only then is the environment asked for a key.
   *
   * @internal
   */
  [OPEN](engine: Engine): EngineModel {
    let opened = this.#opened.get(engine);
    if (!opened) {
      const {
        fetch,
        signal,
        headers = {},
        params,
        maxRetries = 2,
        timeoutMs = 60_000,
        ...options
      } = this.#options;
      const config = {
        dialect: this.#provider.dialect,
        model: this.#name,
        baseURL: options.baseURL ?? this.#provider.baseURL,
        apiKey: this.#key(),
        headers: Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
        maxRetries,
        timeoutMs: Math.ceil(timeoutMs),
        temperature: options.temperature,
        maxTokens: options.maxTokens,
        params,
      };
      const text = toText(config, this.model);
      const shared = signal && (new SharedSignal(signal) as unknown as AbortSignal);
      opened = throwing(() => engine.ChatModel.fromProvider(text, fetch, shared));
      this.#opened.set(engine, opened);
    }
    return opened;
  }

  #key(): string | undefined {
    const { keyVariable } = this.#provider;
    const { apiKey, baseURL, headers = {}, dangerouslyAllowBrowser } = this.#options;
    const fromEnvironment = keyVariable ? environment()[keyVariable] : undefined;
    const key = checkedKey(apiKey ?? fromEnvironment, dangerouslyAllowBrowser);
    const hasHeader = Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
    if (!key && keyVariable && baseURL === undefined && !hasHeader) {
      throw invalid(
        `${this.model} needs a key: set ${keyVariable} in the environment, or pass apiKey to initChatModel. In a ` +
          "browser, pass as baseURL a proxy of your own that adds the key",
      );
    }
    return key;
  }
}

/** As much of a signal as the engine uses, with one listener for all requests: runtimes warn of a leak from eleven on. */
class SharedSignal {
  readonly #signal: AbortSignal;
  readonly #listeners = new Set<() => void>();
  readonly #abort = (): void => {
    for (const listener of this.#listeners) listener();
  };

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  get aborted(): boolean {
    return this.#signal.aborted;
  }

  get reason(): unknown {
    return this.#signal.reason;
  }

  addEventListener(type: "abort", listener: () => void): void {
    if (this.#listeners.size === 0) this.#signal.addEventListener(type, this.#abort);
    this.#listeners.add(listener);
  }

  removeEventListener(type: "abort", listener: () => void): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size === 0) this.#signal.removeEventListener(type, this.#abort);
  }
}

/**
 * Makes a language model for {@link createLLMAsJudge}, reached with `fetch`.
 *
 * @param model `provider:model`, with `openai`, `ollama`, or `openai-compatible` (any server with OpenAI's chat
 * completions, at a `baseURL`). Names that begin like OpenAI's (`gpt-…`, `o3…`) need no provider.
 * @throws {@link OpenEvalsError} `invalid_config` for models and options that cannot work. A missing key is found when
 * the model is first used.
 *
 * @example
 * ```ts
 * import { createLLMAsJudge, initChatModel } from "openevals-wasm";
 *
 * const judge = initChatModel("openai:gpt-5.4", { temperature: 0, maxRetries: 4 });
 * const local = initChatModel("openai-compatible:qwen3", { baseURL: "http://localhost:8080/v1" });
 * const evaluator = createLLMAsJudge({ prompt: "Is this polite? {outputs}", judge });
 * ```
 */
export function initChatModel(model: string, options: ChatModelOptions = {}): ChatModel {
  return new ChatModel(model, options);
}

/**
 * How a chat model is opened; `undefined` for anything else. A symbol, since there may be two copies of the class.
 *
 * @internal
 */
export function openerOf(judge: unknown): ((engine: Engine) => EngineModel) | undefined {
  if (typeof judge !== "object" || judge === null || !(OPEN in judge)) return undefined;
  const model = judge as ChatModel;
  return (engine) => model[OPEN](engine);
}

const OPTIONS = [
  ..."apiKey baseURL headers fetch maxRetries timeoutMs temperature maxTokens signal params".split(" "),
  "dangerouslyAllowBrowser",
];

function checked(model: string, provider: Provider, options: ChatModelOptions): ChatModelOptions {
  knownOptions("initChatModel", options, OPTIONS);
  const { baseURL, params } = options;
  const whole = (least: number) => (value: unknown) => Number.isInteger(value) && (value as number) >= least;
  given("maxRetries", options.maxRetries, "a whole number from 0", whole(0));
  given("maxTokens", options.maxTokens, "a whole number from 1", whole(1));
  given(
    "timeoutMs",
    options.timeoutMs,
    "a number of milliseconds above 0",
    (ms) => ms > 0 && ms <= 2 ** 31 - 1,
  );
  given(
    "temperature",
    options.temperature,
    "a number from 0",
    (value) => Number.isFinite(value) && value >= 0,
  );
  given("fetch", options.fetch, "a function", (value) => typeof value === "function");
  given("signal", options.signal, "an AbortSignal", (value) => typeof value?.addEventListener === "function");
  given(
    "params",
    params,
    "an object",
    (value) => typeof value === "object" && value && !Array.isArray(value),
  );
  if (params?.stream) throw invalid("params.stream cannot be on: judges read whole answers");
  checkHeaders(options.headers);
  checkedKey(options.apiKey, options.dangerouslyAllowBrowser);
  if (baseURL !== undefined) checkBaseURL(baseURL, options.fetch !== undefined);
  else if (!provider.baseURL) throw invalid(`${model} needs a baseURL, such as http://localhost:8080/v1`);
  // A copy: later changes to the object would be half in effect.
  return { ...options };
}

/** What does not fit in a header would make `fetch` throw, with the key in the message. */
const fitsHeader = (value: unknown): boolean =>
  typeof value === "string" && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);

/** The key without the line break that files end with; empty ones count as none. */
function checkedKey(key: unknown, allowBrowser: boolean | undefined): string | undefined {
  if (key === undefined) return undefined;
  const trimmed = typeof key === "string" ? key.trim() : key;
  if (!fitsHeader(trimmed)) throw invalid("apiKey is not a string that fits in a header");
  if (trimmed && !allowBrowser && "window" in globalThis && "document" in globalThis) {
    throw invalid(
      "A key in a browser can be read by every visitor. Pass as baseURL a proxy of your own that adds the key; or, if " +
        "the key is the visitor's own, set dangerouslyAllowBrowser: true",
    );
  }
  return (trimmed as string) || undefined;
}

function checkHeaders(headers: unknown): void {
  if (headers === undefined) return;
  if (typeof headers !== "object" || headers === null || Symbol.iterator in headers) {
    throw invalid("headers have to be an object of names and values");
  }
  for (const [name, value] of Object.entries(headers)) {
    const fits = /^[\w!#$%&'*+.^`|~-]+$/.test(name) && fitsHeader(value);
    if (!fits)
      throw invalid(`The header ${JSON.stringify(name)} has a name or a value that no header can have`);
  }
}

function checkBaseURL(baseURL: unknown, ownFetch: boolean): void {
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
    throw invalid(`baseURL has to begin with http:// or https://${hint}`);
  }
  if (url.username || url.password)
    throw invalid("baseURL must not hold a user or a password; pass them in headers");
  if (url.search || url.hash) throw invalid("baseURL must not have a query or a fragment");
}

const environment = (): Record<string, string | undefined> =>
  (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env ?? {};

const invalid = (message: string): OpenEvalsError => new OpenEvalsError("invalid_config", `${message}.`);
