/** Recognises the forms of messages by fields that only they have. */

/** A message or an item in any form. Check the type of each field that you read. */
export type AnyMessage = Record<string, any>;

/** A message of LangChain, which the package never imports. */
export interface LangChainShape {
  getType?(): string;
  _getType?(): string;
}

/** Whether a message is an instance of a LangChain class. */
export const isLangChainMessage = (message: unknown): message is LangChainShape =>
  typeof ((message as LangChainShape | null)?.getType ?? (message as LangChainShape | null)?._getType) ===
  "function";

/** Whether a value is a message of LangChain, a list with one, or an object with such a list in `messages`. */
export function hasLangChainMessages(value: unknown): boolean {
  try {
    const list = Array.isArray(value)
      ? value
      : (value as { messages?: unknown } | null | undefined)?.messages;
    return Array.isArray(list) ? list.some(isLangChainMessage) : isLangChainMessage(value);
  } catch {
    // A getter threw; the JSON writer reports where.
    return false;
  }
}

/** Whether it is an item of OpenAI's Responses API other than a message: all but two such types have an underscore. */
export const isItem = ({ role, type }: AnyMessage): boolean =>
  role == null && typeof type === "string" && /_|^(reasoning|compaction)$/.test(type);
