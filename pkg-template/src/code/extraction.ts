/** Finds the code in what a model answered. */

import { loadEngine, loadedEngine } from "../engine.js";
import { callbackFailed, OpenEvalsError, throwing } from "../errors.js";
import { given, oneOf } from "../input/options.js";
import { createLLMAsJudge, type LLMAsJudgeOptions } from "../judge/judge.js";

/**
 * How code is found in outputs: `none`, they are code and nothing else; `markdown_code_blocks`, it stands in their
 * fenced blocks, but for those of shells and JSON; `llm`, a model takes it out.
 */
export type CodeExtractionStrategy = "none" | "llm" | "markdown_code_blocks";

/** Finds the code in outputs, which come as they were passed; returns `null` where there is none. */
export type CodeExtractor = (
  outputs: string | Record<string, unknown>,
) => string | null | Promise<string | null>;

/** The options that all evaluators of code have. */
export interface CodeExtractionOptions {
  /** How code is found in the outputs; `none` by default. */
  codeExtractionStrategy?: CodeExtractionStrategy | undefined;
  /** Finds the code, in the place of a strategy. */
  codeExtractor?: CodeExtractor | undefined;
  /** The model that takes the code out with the strategy `llm`, as for {@link initChatModel}. */
  model?: string | undefined;
  /** What takes the code out with the strategy `llm`, in the place of `model`: all that can be a `judge`. */
  client?: LLMAsJudgeOptions["judge"];
}

/** The code in outputs, or why there is none. */
type Extraction = { code: string } | { failure: string };

/** Makes what finds the code in outputs; throws where the options cannot work. */
export function extractionOf(options: CodeExtractionOptions): (outputs: any) => Promise<Extraction> {
  const { codeExtractionStrategy: strategy = "none", codeExtractor, model, client } = options;
  oneOf("codeExtractionStrategy", strategy, ["none", "llm", "markdown_code_blocks"]);
  given("codeExtractor", codeExtractor, "a function", (extractor) => typeof extractor === "function");
  if (codeExtractor) {
    if (strategy === "none") return (outputs) => byFunction(codeExtractor, outputs);
    throw new OpenEvalsError(
      "invalid_config",
      "codeExtractor and codeExtractionStrategy exclude each other.",
    );
  }
  if (strategy === "markdown_code_blocks") return async (outputs) => fromMarkdown(textOf(outputs));
  if (strategy === "none") return async (outputs) => ({ code: textOf(outputs) });
  if (model === undefined && client === undefined) {
    throw new OpenEvalsError(
      "invalid_config",
      'codeExtractionStrategy "llm" needs a model, such as "openai:gpt-5.4", or a client.',
    );
  }
  return byModel(model, client);
}

async function byFunction(extractor: CodeExtractor, outputs: any): Promise<Extraction> {
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

async function fromMarkdown(text: string): Promise<Extraction> {
  const engine = loadedEngine() ?? (await loadEngine());
  const code = throwing(() => engine.codeFromMarkdown(JSON.stringify(text)));
  return code === undefined ? { failure: "the outputs have no code block" } : { code: JSON.parse(code) };
}

function byModel(model: string | undefined, client: CodeExtractionOptions["client"]) {
  const extract = createLLMAsJudge<{ code: string | null }>({
    system: EXTRACTION_PROMPT,
    prompt: "<text>\n{text}\n</text>",
    model,
    judge: client,
    outputSchema: { name: "extracted_code", schema: SCHEMA, strict: true },
  });
  return async (outputs: any): Promise<Extraction> => {
    const { code } = await extract({ text: textOf(outputs) });
    return code?.trim() ? { code } : { failure: "the model found none" };
  };
}

const EXTRACTION_PROMPT = `You take program code out of a text.

Return all program code that the text presents as one script, in the order in which it stands there.
- Keep it exactly as it is, however wrong it looks: it is run and checked next, and every correction, completion or \
reformatting would falsify the result.
- Leave out what is typed into a shell, such as commands that install packages, and what programs print.
- If there is no program code in the text, return null.`;

const SCHEMA = {
  type: "object",
  properties: {
    code: {
      type: ["string", "null"],
      description: "The code, unchanged; null if there is none.",
    },
  },
  required: ["code"],
  additionalProperties: false,
};

/** The text of outputs: a string, a message, or the last of `messages`. */
function textOf(outputs: unknown): string {
  if (typeof outputs === "string") return outputs;
  const { content, messages } = (outputs ?? {}) as { content?: unknown; messages?: unknown };
  const last = Array.isArray(messages) ? messages.at(-1)?.content : undefined;
  const said = content === undefined ? last : content;
  if (typeof said === "string") return said;
  if (Array.isArray(said)) {
    const texts = said.map((part) => (typeof part === "string" ? part : part?.text));
    return texts.filter((text) => typeof text === "string").join("");
  }
  throw new OpenEvalsError(
    "invalid_input",
    "outputs have to be a string, a message whose content is text, or an object whose messages end with one.",
  );
}
