/** The forms of messages, told apart by what only they have. */

/** A message or an item in any form: whoever reads a field looks what it is. */
export type AnyMessage = Record<string, any>;

/** LangChain's messages; the package never imports LangChain. */
export interface LangChainShape {
  getType?(): string;
  _getType?(): string;
}

/** Whether it is an instance of one of LangChain's classes. */
export const isLangChainMessage = (message: object): message is LangChainShape =>
  typeof (message as LangChainShape).getType === "function" ||
  typeof (message as LangChainShape)._getType === "function";

/** Whether it is an item of OpenAI's Responses API that is no message: its type has an underscore, but for two. */
export const isItem = ({ role, type }: AnyMessage): boolean =>
  role === undefined && typeof type === "string" && /_|^(reasoning|compaction)$/.test(type);
