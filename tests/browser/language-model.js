// A stand-in for `LanguageModel` of the Prompt API, as its draft of 2026 has it
// (https://webmachinelearning.github.io/prompt-api/): it refuses what that refuses. `script` says what happens.
(() => {
  const script = {
    availability: "available",
    answers: [],
    prompts: [],
    created: 0,
    open: 0,
    downloads: [0.5, 1],
  };
  const refuse = (name, message) => {
    throw name === "TypeError" ? new TypeError(message) : new DOMException(message, name);
  };
  const TYPES = ["text", "image", "audio", "tool-call", "tool-response"];
  const MODES = ["most-predictable", "predictable", "balanced", "creative", "most-creative"];

  function checkOptions({ expectedInputs = [], expectedOutputs = [], samplingMode, topK, temperature }) {
    if (samplingMode !== undefined && !MODES.includes(samplingMode))
      refuse("TypeError", "no such samplingMode");
    if (topK !== undefined || temperature !== undefined) refuse("TypeError", "only extensions have these");
    for (const { type, languages = [] } of [...expectedInputs, ...expectedOutputs]) {
      if (!TYPES.includes(type)) refuse("TypeError", "no such type");
      for (const tag of languages) new Intl.Locale(tag);
    }
    return new Set(["text", ...expectedInputs.map(({ type }) => type)]);
  }

  function checkMessages(messages, types, isFirst) {
    if (!Array.isArray(messages)) refuse("TypeError", "a stand-in takes lists of messages only");
    messages.forEach(({ role, content }, index) => {
      if (!["system", "user", "assistant"].includes(role)) refuse("TypeError", "no such role");
      if (role === "system" && !(isFirst && index === 0))
        refuse("TypeError", "a system prompt has to be first");
      const parts = typeof content === "string" ? [{ type: "text", value: content }] : content;
      for (const { type, value } of parts) {
        if (!types.has(type)) refuse("NotSupportedError", `${type} was not expected`);
        if (role === "assistant" && type !== "text") refuse("NotSupportedError", "assistants write text");
        if (type === "text" && typeof value !== "string") refuse("TypeError", "text is a string");
        if (type === "image" && !(value instanceof Blob)) refuse("TypeError", "an image is a Blob here");
        if (type === "audio" && !(value instanceof Blob || value instanceof ArrayBuffer))
          refuse("TypeError", "a recording is bytes");
      }
    });
  }

  /** Rejects as a signal says, or settles as `work` does. */
  const until = (signal, work) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      signal?.addEventListener("abort", () => reject(signal.reason));
      work.then(resolve, reject);
    });

  class Session extends EventTarget {
    #types;
    #initial;
    #destroyed = new AbortController();

    constructor(types, initial) {
      super();
      this.#types = types;
      this.#initial = initial;
    }

    async prompt(messages, { responseConstraint, signal, omitResponseConstraintInput } = {}) {
      checkMessages(messages, this.#types, this.#initial.length === 0);
      if (omitResponseConstraintInput && !responseConstraint)
        refuse("TypeError", "there is no constraint to omit");
      if (responseConstraint !== undefined && typeof responseConstraint !== "object")
        refuse("TypeError", "a constraint is an object");
      const all = [...this.#initial, ...messages];
      script.prompts.push({ messages: all, responseConstraint });
      const answer = script.answers.shift();
      const work = new Promise((resolve, reject) => {
        if (answer === "never") return;
        if (answer?.error) reject(new DOMException(answer.message ?? "", answer.error));
        else resolve(typeof answer === "string" ? answer : JSON.stringify(answer));
      });
      return until(signal, until(this.#destroyed.signal, work));
    }

    destroy() {
      if (!this.#destroyed.signal.aborted) script.open--;
      this.#destroyed.abort(new DOMException("destroyed", "AbortError"));
    }
  }

  globalThis.script = script;
  Object.defineProperty(globalThis, "LanguageModel", {
    configurable: true,
    value: class LanguageModel {
      constructor() {
        refuse("TypeError", "Illegal constructor");
      }

      static async availability(options = {}) {
        const types = checkOptions(options);
        return types.has("audio") ? "unavailable" : script.availability;
      }

      static async create({ initialPrompts = [], signal, monitor, ...options } = {}) {
        const types = checkOptions(options);
        checkMessages(initialPrompts, types, true);
        signal?.throwIfAborted();
        if (script.availability === "unavailable") refuse("NotSupportedError", "unavailable");
        if (script.availability !== "available") {
          const target = new EventTarget();
          monitor?.(target);
          if (script.availability === "downloadable" && !navigator.userActivation.isActive)
            refuse("NotAllowedError", "a user has to act first");
          for (const loaded of script.downloads)
            target.dispatchEvent(
              new ProgressEvent("downloadprogress", { loaded, total: 1, lengthComputable: true }),
            );
          script.availability = "available";
        }
        script.created++;
        script.open++;
        return new Session(types, initialPrompts);
      }
    },
  });
})();
