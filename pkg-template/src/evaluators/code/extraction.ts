/** Extracts the code from a model's answer. */

import { invalidConfig } from "../../core/errors.js";
import { aFunction, aString, type OptionChecks, oneOf } from "../../core/input/checks.js";
import { onUse } from "../../core/platform/on-use.js";
import { withAccessOf } from "../../models/chat/providers/check-access.js";
import { makeJudge } from "../judge/judge.js";
import { aStructuredOutputMethod } from "../judge/option-checks.js";
import type { CodeExtractionOptions, CodeLanguage, Extraction } from "./types.js";

/** The checks of the options for extraction. */
export const EXTRACTION_OPTIONS: OptionChecks<
  Pick<
    CodeExtractionOptions,
    "codeExtractionStrategy" | "codeExtractor" | "cacheKey" | "structuredOutputMethod"
  >
> = {
  codeExtractionStrategy: oneOf(["none", "llm", "markdown_code_blocks"]),
  codeExtractor: aFunction,
  cacheKey: aString,
  structuredOutputMethod: aStructuredOutputMethod,
};

/**
 * Makes the function that extracts the code.
 *
 * @param options Options that are already checked, each on its own.
 * @param language The language of the code: comments alone are not code. If it is unknown, they are.
 * @throws {@link OpenEvalsError} `invalid_config` for options that exclude each other.
 */
export function extractionOf(
  options: CodeExtractionOptions,
  language: CodeLanguage | undefined,
): (outputs: any) => Promise<Extraction> {
  const { codeExtractionStrategy: strategy = "none", codeExtractor, model, client } = options;
  if (codeExtractor && strategy !== "none") {
    throw invalidConfig("codeExtractor and codeExtractionStrategy exclude each other; set one of them");
  }
  if (strategy === "llm" && model === undefined && client === undefined) {
    throw invalidConfig('codeExtractionStrategy "llm" needs a model, such as "openai:gpt-5.4", or a client');
  }
  const askModel = strategy === "llm" ? extractor(options) : undefined;
  const find = async (outputs: unknown): Promise<Extraction> => {
    const { extract } = await onUse("The code extractor", () => import("./extract.js"));
    return extract(outputs, { language, strategy, codeExtractor, askModel });
  };
  return withAccessOf(find, [askModel]);
}

/** Makes the judge that extracts code with a model. */
function extractor({ model, client, cacheKey, structuredOutputMethod }: CodeExtractionOptions) {
  return makeJudge<{ code: string | null }>(
    {
      system: EXTRACTION_PROMPT,
      prompt: "<text>\n{text}\n</text>",
      model,
      judge: client,
      cacheKey,
      structuredOutputMethod,
      outputSchema: { name: "extracted_code", schema: SCHEMA, strict: true },
    },
    { runName: "" },
  );
}

const EXTRACTION_PROMPT = `You extract program code from a text.

Return all program code that the text presents as one script, in its original order.
- Keep it unchanged, however wrong it looks: it is run and checked next, and every correction, completion or \
reformatting would falsify the result.
- Leave out commands for a shell, such as those that install packages, and the output of programs.
- If the text contains no program code, return null.`;

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
