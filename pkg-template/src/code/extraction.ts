/** Finds the code in what a model answered. */

import { loadEngine } from "../engine/load.js";
import { callbackFailed, OpenEvalsError } from "../errors.js";
import { given, oneOf } from "../input/options.js";
import { createLLMAsJudge, type LLMAsJudgeOptions } from "../judge/judge.js";
import type { Extraction } from "./extract.js";

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

/** Makes what finds the code in outputs; throws where the options cannot work. */
export function extractionOf(options: CodeExtractionOptions): (outputs: any) => Promise<Extraction> {
  const { codeExtractionStrategy: strategy = "none", codeExtractor, model, client } = options;
  oneOf("codeExtractionStrategy", strategy, ["none", "llm", "markdown_code_blocks"]);
  given("codeExtractor", codeExtractor, "a function", (extractor) => typeof extractor === "function");
  if (codeExtractor && strategy !== "none") {
    throw new OpenEvalsError(
      "invalid_config",
      "codeExtractor and codeExtractionStrategy exclude each other.",
    );
  }
  if (strategy === "llm" && model === undefined && client === undefined) {
    throw new OpenEvalsError(
      "invalid_config",
      'codeExtractionStrategy "llm" needs a model, such as "openai:gpt-5.4", or a client.',
    );
  }
  const askModel = strategy === "llm" ? extractor(model, client) : undefined;
  return async (outputs) => {
    const { extract } = await import("./extract.js");
    return extract(outputs, strategy, {
      codeExtractor,
      askModel,
      fromMarkdown,
      callbackFailed,
      OpenEvalsError,
    });
  };
}

async function fromMarkdown(text: string): Promise<string | null> {
  const engine = await loadEngine();
  const json = JSON.stringify(text);
  const code = engine.run("code extraction", json.length, (bindings) => bindings.codeFromMarkdown(json));
  return code === undefined ? null : JSON.parse(code);
}

/** What asks a model for the code in a text. */
function extractor(model: string | undefined, client: CodeExtractionOptions["client"]) {
  return createLLMAsJudge<{ code: string | null }>(
    {
      system: EXTRACTION_PROMPT,
      prompt: "<text>\n{text}\n</text>",
      model,
      judge: client,
      outputSchema: { name: "extracted_code", schema: SCHEMA, strict: true },
    },
    "",
  );
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
