/** What of a message is text. */

/**
 * The text of a content: a string, or the parts of it that are texts, in the forms of OpenAI's, Anthropic's and
 * LangChain's APIs, or refusals. What a model thought, and what tools are called with and answer, are none.
 *
 * @param between Stands between the texts of parts; nothing, since models give one answer in several.
 */
export function textOf(content: unknown, between = ""): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map(textOfPart)
    .filter((text) => typeof text === "string" && text)
    .join(between);
}

function textOfPart(part: unknown): unknown {
  if (typeof part !== "object" || !part) return part;
  const { type, text, refusal } = part as { type?: unknown; text?: unknown; refusal?: unknown };
  return TEXTS.includes(type ?? "text") ? text : refusal;
}

const TEXTS: unknown[] = ["text", "input_text", "output_text"];
