/** Reads the messages of prompts. */

import { invalidInput } from "../../core/errors.js";
import { toText } from "../../core/input/text.js";
import { onUse } from "../../core/platform/on-use.js";
import type { ContentPart, PromptMessage } from "../../openevals-judges.types.js";
import { callsOf } from "./calls.js";
import { withoutContent } from "./chat-messages.js";
import { contentOf } from "./content.js";
import type { AnyMessage } from "./forms.js";
import { eachMessage, listIn } from "./list.js";
import type { MessagePlace } from "./place.js";
import { roleOf } from "./roles.js";

/**
 * Reads the messages of a prompt function or a prompt template. Tool calls and results become text, because models accept
 * them only for tools of the same request.
 */
export async function readPromptMessages(returned: unknown): Promise<PromptMessage[]> {
  const list = listIn(returned) ?? ((returned as AnyMessage | undefined)?.role ? [returned] : undefined);
  if (!list?.length) {
    throw invalidInput(
      "The prompt returned no messages; it has to return a list of { role, content }, or an object with it in " +
        '"messages"',
    );
  }
  const readContent = await contentReader();
  return eachMessage(list, "messages", (message, place) => readPromptMessage(message, place, readContent));
}

function readPromptMessage(
  message: AnyMessage,
  place: MessagePlace,
  readContent: ContentReader,
): PromptMessage {
  const { name, tool_call_id } = message;
  const role = roleOf(message);
  const path = place();
  const calls = callsOf(message, place);
  if (message.content === undefined && !calls.length) throw withoutContent(message, place);
  const said = readContent(contentOf(message), `${path}.content`);
  if (role === "tool" || role === "function") {
    const tool = toText(name ?? tool_call_id ?? "", path);
    return { role: "user", content: before(`Result of the tool ${tool}:\n`, said) };
  }
  if (!calls.length) return { role, content: said };
  const text = calls
    .map(({ name, args }) => `Call of the tool ${toText(name, path)}: ${toText(args ?? {}, path)}`)
    .join("\n");
  if (typeof said === "string") return { role, content: said ? `${said}\n${text}` : text };
  return { role, content: [...said, { type: "text", text }] };
}

type ContentReader = (content: unknown, path: string, isSeen?: RegExp) => string | ContentPart[];

/** Returns a reader for the content of messages. It reads only parts whose type is accepted by `isSeen`. */
export async function contentReader(): Promise<ContentReader> {
  const { readParts } = await onUse("The content part reader", () => import("./content-parts.js"));
  return (content, path, isSeen) => {
    if (Array.isArray(content)) return readParts(content, path, isSeen);
    return content == null ? "" : toText(content, path);
  };
}

const before = (text: string, content: string | ContentPart[]): string | ContentPart[] =>
  typeof content === "string" ? text + content : [{ type: "text", text }, ...content];
