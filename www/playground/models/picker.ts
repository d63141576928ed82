/** Who is asked: a rule of the bench, the browser's own model, one of this machine, or a provider. */

import { createBrowserModel, initChatModel, type JudgeModel } from "openevals-wasm";
import { h, say } from "../../shared/dom.js";
import { Choice, Line, Switch } from "../../shared/editor.js";
import type { State } from "../bench.js";
import type { Wire } from "./wire.js";

export type Kind = "rule" | "browser" | "local" | "provider";

/** What else a bench can judge by, without a model. */
export interface OwnRule {
  name: string;
  element: HTMLElement;
}

/** How an application gets the same model. */
export interface ModelCode {
  imports: string[];
  /** A line of options. */
  option: string;
}

const PROVIDERS: Record<string, { name: string; model: string }> = {
  openai: { name: "OpenAI", model: "gpt-5.4" },
  anthropic: { name: "Anthropic", model: "claude-sonnet-5-5" },
  "google-genai": { name: "Google Gemini", model: "gemini-3.8-flash" },
  mistralai: { name: "Mistral", model: "mistral-medium-latest" },
  groq: { name: "Groq", model: "openai/gpt-oss-120b" },
  openrouter: { name: "OpenRouter", model: "openai/gpt-5.4" },
  deepseek: { name: "DeepSeek", model: "deepseek-chat" },
  xai: { name: "xAI", model: "grok-4" },
  together: { name: "Together", model: "openai/gpt-oss-120b" },
  fireworks: { name: "Fireworks", model: "accounts/fireworks/models/gpt-oss-120b" },
  "openai-compatible": { name: "Any other, like OpenAI's", model: "" },
};

const LOCAL: Record<string, { name: string; prefix: string; baseURL: string; model: string; hint: string }> =
  {
    ollama: {
      name: "Ollama",
      prefix: "ollama",
      baseURL: "http://localhost:11434",
      model: "llama3.3",
      hint: `Ollama answers pages that it knows: start it with OLLAMA_ORIGINS=${location.origin}`,
    },
    lmstudio: {
      name: "LM Studio",
      prefix: "openai-compatible",
      baseURL: "http://localhost:1234/v1",
      model: "qwen3-8b",
      hint: "LM Studio answers pages when CORS is enabled in the settings of its server.",
    },
  };

/** Chrome and Edge have it, on desktops. */
const hasBrowserModel = "LanguageModel" in globalThis;

export class ModelPicker {
  readonly element: HTMLElement;
  readonly #kind: Switch<Kind>;
  readonly #provider: Choice;
  readonly #local: Choice;
  readonly #model: Line;
  readonly #baseURL: Line;
  readonly #key: Line;
  readonly #retries: Line;
  readonly #hint = h("p", { class: "hint" });
  readonly #fields = h("div", { class: "field-grid" });
  readonly #rule: OwnRule | undefined;

  constructor(changed: () => void, rule?: OwnRule) {
    this.#rule = rule;
    const input = () => {
      this.#arrange();
      changed();
    };
    const names = (table: Record<string, { name: string }>) =>
      Object.fromEntries(Object.entries(table).map(([id, { name }]) => [id, name]));
    const kinds = {
      rule: rule?.name ?? "",
      browser: "This browser",
      local: "This machine",
      provider: "A provider",
    };
    if (!rule) delete (kinds as Partial<typeof kinds>).rule;
    this.#kind = new Switch<Kind>("Who judges", kinds, input);
    this.#provider = new Choice("Provider", names(PROVIDERS), () => {
      this.#model.value = PROVIDERS[this.#provider.value]?.model ?? "";
      input();
    });
    this.#local = new Choice("Server", names(LOCAL), () => {
      this.#model.value = LOCAL[this.#local.value]?.model ?? "";
      this.#baseURL.value = "";
      input();
    });
    this.#model = new Line("Model", {}, input);
    this.#baseURL = new Line("Address", { inputmode: "url" }, input);
    // No name, so that no browser offers to keep it.
    this.#key = new Line("Key", { type: "password", autocomplete: "off" }, input);
    this.#retries = new Line("Retries", { type: "number", min: 0, max: 5, value: 2 }, input);
    if (!hasBrowserModel) {
      const radio = this.#kind.element.querySelector<HTMLInputElement>("[value=browser]");
      if (radio) radio.disabled = true;
    }
    this.element = h(
      "div",
      { class: "picker" },
      h("p", { class: "label" }, "Who judges"),
      this.#kind.element,
      this.#fields,
      rule?.element,
      this.#hint,
      h(
        "p",
        { class: "hint", hidden: hasBrowserModel },
        "This browser has no built-in model; Chrome and Edge have one on desktops.",
      ),
    );
  }

  get kind(): Kind {
    return this.#kind.value;
  }

  /** The key, which must not be shown. */
  get key(): string {
    return this.kind === "provider" ? this.#key.value.trim() : "";
  }

  open(state: State): void {
    this.#kind.value = state.judge ?? "";
    if (this.kind === "browser" && !hasBrowserModel) this.#kind.value = "";
    this.#provider.value = state.provider ?? "openai";
    this.#local.value = state.server ?? "ollama";
    this.#model.value = state.model ?? this.#usualModel();
    this.#baseURL.value = state.address ?? "";
    this.#retries.value = state.retries ?? "2";
    this.#lastKind = this.kind;
    this.#arrange();
  }

  /** What a link holds of it: everything but the key. */
  state(): State {
    const { kind } = this;
    const own = this.#baseURL.value.trim();
    return {
      judge: kind,
      ...(kind === "provider" && { provider: this.#provider.value, model: this.#model.value }),
      ...(kind === "local" && { server: this.#local.value, model: this.#model.value }),
      ...(own && (kind === "provider" || kind === "local") && { address: own }),
      ...(this.#retries.value !== "2" && kind !== "rule" && { retries: this.#retries.value }),
    };
  }

  /** The model; throws for what cannot be one. Not to be called for a rule. */
  make(wire: Wire, signal?: AbortSignal): JudgeModel {
    if (this.kind === "browser") {
      return createBrowserModel({
        languages: ["en"],
        ...(signal && { signal }),
        onDownload: (share) =>
          say(this.#hint, `The browser downloads its model: ${Math.round(share * 100)}%`),
      });
    }
    const { prefix, baseURL } = this.#where();
    return initChatModel(`${prefix}:${this.#model.value.trim()}`, {
      ...(baseURL && { baseURL }),
      ...(this.kind === "provider" && { apiKey: this.key || "YOUR_KEY", dangerouslyAllowBrowser: true }),
      maxRetries: Number(this.#retries.value) || 0,
      fetch: wire.fetch,
      ...(signal && { signal }),
    });
  }

  /** What is missing before anybody can be asked. */
  missing(): string | undefined {
    if (this.kind === "rule" || this.kind === "browser") return undefined;
    if (!this.#model.value.trim()) return "Name a model first.";
    const needsKey = this.kind === "provider" && this.#provider.value !== "openai-compatible";
    return needsKey && !this.key ? "Enter a key first." : undefined;
  }

  code(): ModelCode {
    if (this.kind === "browser")
      return { imports: ["createBrowserModel"], option: "judge: createBrowserModel()," };
    const { prefix, baseURL } = this.#where();
    const model = JSON.stringify(`${prefix}:${this.#model.value.trim()}`);
    const isUsual =
      !baseURL || (this.kind === "local" && prefix === "ollama" && baseURL === LOCAL.ollama?.baseURL);
    if (isUsual && this.#retries.value === "2") return { imports: [], option: `model: ${model},` };
    const options = [
      ...(isUsual ? [] : [`baseURL: ${JSON.stringify(baseURL)}`]),
      ...(this.#retries.value === "2" ? [] : [`maxRetries: ${Number(this.#retries.value) || 0}`]),
    ];
    return {
      imports: ["initChatModel"],
      option: `judge: initChatModel(${model}, { ${options.join(", ")} }),`,
    };
  }

  #where(): { prefix: string; baseURL: string } {
    const own = this.#baseURL.value.trim();
    if (this.kind === "provider") return { prefix: this.#provider.value, baseURL: own };
    const server = LOCAL[this.#local.value] as (typeof LOCAL)[string];
    return { prefix: server.prefix, baseURL: own || server.baseURL };
  }

  #usualModel(): string {
    return (this.kind === "local" ? LOCAL[this.#local.value] : PROVIDERS[this.#provider.value])?.model ?? "";
  }

  #lastKind: Kind | undefined;
  readonly #keys = new Map<string, string>();
  #place = "";

  /** A key is for one provider at one address: no link and no choice sends it anywhere else. */
  #keepKey(): void {
    const place = `${this.#provider.value} ${this.#baseURL.value.trim()}`;
    if (place === this.#place) this.#keys.set(place, this.#key.value);
    else this.#key.value = this.#keys.get(place) ?? "";
    this.#place = place;
  }

  /** Shows the fields of who was chosen. */
  #arrange(): void {
    const { kind } = this;
    if (this.#lastKind !== kind) {
      if (this.#lastKind) this.#model.value = this.#usualModel();
      this.#lastKind = kind;
    }
    this.#keepKey();
    const provider = [this.#provider, this.#model, this.#baseURL, this.#key, this.#retries];
    const shown = {
      rule: [],
      browser: [],
      local: [this.#local, this.#model, this.#baseURL, this.#retries],
      provider,
    };
    const elements = shown[kind].map(({ element }) => element);
    const isShown = Array.from(this.#fields.children);
    // What one types in keeps the focus.
    if (isShown.length !== elements.length || isShown.some((child, index) => child !== elements[index]))
      this.#fields.replaceChildren(...elements);
    this.#fields.hidden = elements.length === 0;
    if (this.#rule) this.#rule.element.hidden = kind !== "rule";
    const usual = kind === "local" ? LOCAL[this.#local.value]?.baseURL : "that of the provider";
    this.#baseURL.field.placeholder =
      kind === "provider" && this.#provider.value === "openai-compatible" ? "https://…/v1" : (usual ?? "");
    say(this.#hint, this.#hintOf(kind));
    if (kind === "browser") void this.#askBrowser();
  }

  /** Says whether the browser has its model here. */
  async #askBrowser(): Promise<void> {
    const { LanguageModel } = globalThis as {
      LanguageModel?: { availability(options: object): Promise<string> };
    };
    const text = { type: "text", languages: ["en"] };
    const state = await LanguageModel?.availability({
      expectedInputs: [text],
      expectedOutputs: [text],
    }).catch(() => "");
    if (this.kind !== "browser") return;
    if (state === "unavailable")
      say(this.#hint, "This browser has the Prompt API, but no model for it on this device.");
    else if (state === "downloadable")
      say(this.#hint, "The first question downloads the model: some gigabytes, once.");
  }

  #hintOf(kind: Kind): string {
    if (kind === "rule") return "";
    if (kind === "browser")
      return "Chrome's Prompt API: nothing is sent over the network. The first question may download the model.";
    if (kind === "local") return LOCAL[this.#local.value]?.hint ?? "";
    return "The key stays in the memory of this tab: it is in no link, in no storage, and goes to this provider only.";
  }
}
