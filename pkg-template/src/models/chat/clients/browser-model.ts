import { typedWork } from "../../../core/errors.js";
import {
  aDuration,
  aFunction,
  aListOfStrings,
  aSignal,
  aString,
  checkOptions,
  type OptionChecks,
} from "../../../core/input/checks.js";
import { onUse } from "../../../core/platform/on-use.js";
import type { JudgeFunction } from "../judge-model.js";
import type { BrowserModelOptions } from "./browser-session.js";

const OPTIONS: OptionChecks<BrowserModelOptions> = {
  languages: aListOfStrings,
  samplingMode: aString,
  timeoutMs: aDuration,
  signal: aSignal,
  onDownload: aFunction,
};

/**
 * Makes a judge of the browser's built-in model: a `judge` for {@link createLLMAsJudge}, and a `model` for recipes. It sends
 * nothing over a network and needs no key.
 *
 * It uses `LanguageModel` of the Prompt API (https://webmachinelearning.github.io/prompt-api/), which Chrome and Edge have on
 * desktops, in windows but not in workers. The schema of the answer is passed as `responseConstraint`. Each question has
 * its own session, so that answers do not depend on each other. Attachments can be images and audio, with their data. It is
 * tested against an implementation of that API that follows its draft of 2026.
 *
 * @returns A function. In an experiment with a cache, the evaluator needs a `cacheKey`. Evaluators throw
 * {@link OpenEvalsError} `model_unavailable` if there is no model, `model_downloading` if it has to be downloaded first,
 * `timeout`, `aborted`, `refused` if the browser withholds the answer, `invalid_input` for input that is too long or
 * attachments that are not supported, and `provider_error` for other failures.
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
