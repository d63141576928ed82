/** Extracts code; loaded on use. */

import { jsonOf, parsed } from "../../core/engine/crossing.js";
import { judgesEngine } from "../../core/engine/judges.js";
import { invalidInput, OpenEvalsError } from "../../core/errors.js";
import { callUserFunction } from "../../core/user-function.js";
import { textOf } from "../../models/conversation/text.js";
import * as bindings from "../../openevals-judges.js";
import type { CodeExtractionStrategy, CodeExtractor, CodeLanguage, Extraction } from "./types.js";

/** How to extract the code: with the function, else with the model, else by the strategy. */
interface ExtractionMethod {
  language: CodeLanguage | undefined;
  strategy: CodeExtractionStrategy;
  codeExtractor: CodeExtractor | undefined;
  askModel: ((variables: { text: string }) => Promise<{ code: string | null }>) | undefined;
}

/** Comments and empty statements. Strings need no attention: their quotes remain. */
const WITHOUT_EFFECT = {
  typescript: /^#!.*|\/\/.*|\/\*[\s\S]*?\*\/|;/g,
  python: /#[^\r\n]*/g,
};

/** Extracts the code from outputs. A compiler accepts an empty file, so white space and comments are not code. */
export async function extract(outputs: any, method: ExtractionMethod): Promise<Extraction> {
  const found = await find(outputs, method);
  if (!("code" in found)) return found;
  const { language } = method;
  const rest = language ? found.code.replace(WITHOUT_EFFECT[language], "") : found.code;
  return rest.trim() ? found : { failure: "the code is empty" };
}

async function find(
  outputs: any,
  { strategy, codeExtractor, askModel }: ExtractionMethod,
): Promise<Extraction> {
  if (codeExtractor) return byFunction(codeExtractor, outputs);
  const text = textOfOutputs(outputs);
  if (askModel) {
    const { code } = await askModel({ text });
    return code == null ? { failure: "the model found none" } : { code };
  }
  if (strategy === "none") return { code: text };
  const json = jsonOf(text);
  const code = await judgesEngine.run("code extraction", json.length, () => bindings.codeFromMarkdown(json));
  return code === undefined ? { failure: "the outputs have no code block" } : { code: parsed(code) };
}

async function byFunction(extractor: CodeExtractor, outputs: any): Promise<Extraction> {
  const code: unknown = await callUserFunction("codeExtractor", () => extractor(outputs));
  if (typeof code === "string") return { code };
  if (code === null) return { failure: "codeExtractor found none" };
  throw new OpenEvalsError(
    "callback_failed",
    `codeExtractor returned ${typeof code}; it has to return the code as a string, or null if there is none.`,
  );
}

/** The text of outputs: a string, a message, or the last of `messages`. */
function textOfOutputs(outputs: unknown): string {
  if (typeof outputs === "string") return outputs;
  const { content, messages } = (outputs ?? {}) as { content?: unknown; messages?: unknown };
  const last = Array.isArray(messages) ? messages.at(-1)?.content : undefined;
  const found = content === undefined ? last : content;
  if (typeof found === "string" || Array.isArray(found)) return textOf(found);
  throw invalidInput(
    "outputs have to be a string, a message whose content is text, or an object whose messages end with one",
  );
}
