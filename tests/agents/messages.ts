/** Messages in the forms that packages have. */

import type { Message } from "openevals-wasm/agents";

export interface Called {
  name: string;
  args?: unknown;
  id?: string;
}

export const user = (content = "Hi"): Message => ({ role: "user", content });
export const says = (content = "Well?"): Message => ({ role: "assistant", content });
export const assistant = (...tool_calls: Called[]): Message => ({
  role: "assistant",
  content: "",
  tool_calls,
});
export const call = (name: string, args: unknown = {}, id?: string): Called => ({
  name,
  args,
  ...(id && { id }),
});
export const result = (id: string, content: unknown, more: object = {}): Message => ({
  role: "tool",
  tool_call_id: id,
  content,
  ...more,
});
