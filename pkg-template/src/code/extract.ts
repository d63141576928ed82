/** The work of finding code; loaded on use, so it is handed what it needs of all that is always loaded. */

import { textOf } from "../conversation/text.js";
import type { CodeExtractionStrategy, CodeExtractor } from "./extraction.js";

/** The code in outputs, or why there is none. */
export type Extraction = { code: string } | { failure: string };

/** What the work is done with. */
interface Given {
  codeExtractor: CodeExtractor | undefined;
  askModel: ((variables: { text: string }) => Promise<{ code: string | null }>) | undefined;
  fromMarkdown: (text: string) => Promise<string | null>;
  callbackFailed: typeof import("../errors.js").callbackFailed;
  OpenEvalsError: typeof import("../errors.js").OpenEvalsError;
}

/** Finds the code in outputs. */
export async function extract(
  outputs: any,
  strategy: CodeExtractionStrategy,
  given: Given,
): Promise<Extraction> {
  const { codeExtractor, askModel, fromMarkdown } = given;
  if (codeExtractor) return byFunction(codeExtractor, outputs, given);
  const text = textOfOutputs(outputs, given);
  if (askModel) {
    const { code } = await askModel({ text });
    return code?.trim() ? { code } : { failure: "the model found none" };
  }
  if (strategy === "none") return { code: text };
  const code = await fromMarkdown(text);
  return code === null ? { failure: "the outputs have no code block" } : { code };
}

async function byFunction(
  extractor: CodeExtractor,
  outputs: any,
  { callbackFailed, OpenEvalsError }: Given,
): Promise<Extraction> {
  let code: unknown;
  try {
    code = await extractor(outputs);
  } catch (error) {
    throw callbackFailed("codeExtractor", error);
  }
  if (typeof code === "string") return { code };
  if (code === null) return { failure: "codeExtractor found none" };
  throw new OpenEvalsError(
    "callback_failed",
    `codeExtractor returned ${typeof code}; it has to return the code as a string, or null where there is none.`,
  );
}

/** The text of outputs: a string, a message, or the last of `messages`. */
function textOfOutputs(outputs: unknown, { OpenEvalsError }: Given): string {
  if (typeof outputs === "string") return outputs;
  const { content, messages } = (outputs ?? {}) as { content?: unknown; messages?: unknown };
  const last = Array.isArray(messages) ? messages.at(-1)?.content : undefined;
  const said = content === undefined ? last : content;
  if (typeof said === "string" || Array.isArray(said)) return textOf(said);
  throw new OpenEvalsError(
    "invalid_input",
    "outputs have to be a string, a message whose content is text, or an object whose messages end with one.",
  );
}
