import { typedWork } from "../../core/errors.js";
import {
  aDuration,
  aFunction,
  aListOfStrings,
  aSignal,
  aString,
  type Checks,
  checkOptions,
} from "../../core/input/checks.js";
import { onUse } from "../../core/platform/on-use.js";
import type { BrowserModelOptions } from "./browser-session.js";
import type { JudgeFunction } from "./judge-model.js";

const OPTIONS: Checks<BrowserModelOptions> = {
  languages: aListOfStrings,
  samplingMode: aString,
  timeoutMs: aDuration,
  signal: aSignal,
  onDownload: aFunction,
};

/**
 * Makes a judge of the model that the browser itself has: a `judge` for {@link createLLMAsJudge}, and a `model` for the
 * recipes. Nothing is sent over a network, and no key is needed.
 *
 * It asks `LanguageModel` of the Prompt API (https://webmachinelearning.github.io/prompt-api/), which Chrome and Edge have
 * on desktops, in windows and not in workers; the schema of the answer goes along as `responseConstraint`. Each question
 * is a session of its own, so that no answer depends on those before it. Attachments are pictures and recordings with
 * their data. It is tested against a stand-in of that API, which refuses what its draft of 2026 refuses.
 *
 * @returns A function; give the evaluator a `cacheKey` where an experiment has a cache. Evaluators throw
 * {@link OpenEvalsError} `model_unavailable` where there is no such model, `model_downloading` where it has to be
 * downloaded first, `timeout`, `aborted`, `refused` for an answer that the browser withholds, `invalid_input` for what is
 * longer than the model can read, or is attached and not supported, and `provider_error` for any other failure.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work.
 *
 * @example
 * ```ts
 * import { createBrowserModel, createLLMAsJudge, OpenEvalsError } from "openevals-wasm";
 *
 * const polite = createLLMAsJudge({ prompt: "Is this polite? {outputs}", judge: createBrowserModel() });
 *
 * export async function score(outputs: string) {
 *   try {
 *     return await polite({ outputs });
 *   } catch (error) {
 *     if (OpenEvalsError.isInstance(error) && error.code === "model_unavailable") return undefined;
 *     throw error;
 *   }
 * }
 * ```
 */
export function createBrowserModel(options: BrowserModelOptions = {}): JudgeFunction {
  const checked = checkOptions("createBrowserModel", options, OPTIONS);
  return (request) =>
    typedWork("The browser's model", async () => {
      const { askBrowser } = await onUse(
        "The session with the browser's model",
        () => import("./browser-session.js"),
      );
      return askBrowser(request, checked);
    });
}
