/** Reads retrieved contexts in the forms of search libraries. */

import { invalidInput } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import { whole } from "../../core/input/counts.js";
import { parseJson } from "../../core/input/json/parse-json.js";
import { wellFormed } from "../../core/input/json/well-formed.js";

/** A retrieved text with its id. */
export interface ContextText {
  /** The text. */
  content: string;
  /** The id that citations use. By default, a context has only its place in the list. */
  id?: string | number | undefined;
  /** Your own data, which is ignored. */
  metadata?: unknown;
}

/**
 * A retrieved context: a text, `{ content, id }`, a document of LangChain (`pageContent`, in Python `page_content`), a node of
 * LlamaIndex (`getContent()`, also in `{ node, score }`), an object with a `text`, or a ranking entry of the AI SDK (`document`).
 */
export type RagContext =
  | string
  | ContextText
  | { pageContent: string; id?: string | undefined }
  | { page_content: string; id?: string | null | undefined }
  | { text: string; id?: string | number | undefined }
  | { getContent(mode?: any): string }
  | { node: { getContent(mode?: any): string } }
  | { document: unknown };

/**
 * Rejects a list that is written as a text, in JSON or as pandas writes lists to CSV: all its contexts would count as one.
 *
 * @throws {@link OpenEvalsError} `invalid_input`
 */
export function rejectWrittenList(value: unknown): void {
  if (typeof value !== "string" || !/^\s*\[\s*['"{].*\]\s*$/s.test(value)) return;
  const [form, advice] =
    parseJson(value) === undefined
      ? ["list as Python prints it", "Lists have to be JSON: in Python, json.dumps() writes them"]
      : ["list in JSON", "Pass the list itself, as JSON.parse() returns it"];
  throw invalidInput(
    `context is the text ${show(value)}, a ${form}. ${advice}. If the text is one context, pass it in a list`,
  );
}

/** Limits that keep a question within the window of models. */
const MAX_CONTEXTS = 1000;
const MAX_CHARACTERS = 2_000_000;

/** What a verdict on a context has besides it. */
export interface ContextId {
  /** The id of the context, if it has one. */
  id?: string;
}

/** The id of a context, to be stored with its verdict. */
export const idOf = (context: ReadContext | undefined): ContextId =>
  context?.id === undefined ? {} : { id: context.id };

/** A context as questions use it. */
export interface ReadContext {
  text: string;
  id?: string;
}

/**
 * The contexts of a row.
 *
 * @throws {@link OpenEvalsError} `invalid_input` for values in other forms, and for more than the limits.
 */
export function readContexts(value: unknown): ReadContext[] {
  const list = Array.isArray(value) ? Array.from(value) : [value];
  if (list.length > MAX_CONTEXTS) {
    throw invalidInput(
      `context has ${list.length} entries; the limit is ${MAX_CONTEXTS}. Pass only the contexts that the application read`,
    );
  }
  const contexts = list.map((context, index) => readContext(context, `context[${index}]`));
  const length = contexts.reduce((sum, { text }) => sum + text.length, 0);
  if (length <= MAX_CHARACTERS) return contexts;
  const [size, limit] = [length, MAX_CHARACTERS].map(whole);
  throw invalidInput(
    `context has ${size} characters; the limit is ${limit}. Pass only the contexts that the application read`,
  );
}

function readContext(context: unknown, place: string): ReadContext {
  const text = textIn(context);
  if (text === undefined) {
    throw invalidInput(
      `${place} is ${show(context)}; a context is a text, or an object with its text as content, pageContent, text or ` +
        "getContent()",
    );
  }
  const { id } = Object(context) as { id?: unknown };
  const hasId = typeof id === "string" || typeof id === "number";
  return { text: wellFormed(text), ...(hasId && { id: String(id) }) };
}

function textIn(context: unknown): string | undefined {
  if (typeof context === "string") return context;
  if (typeof context !== "object" || context === null) return undefined;
  const { content, pageContent, page_content, text, getContent, node, document } = context as Record<
    string,
    unknown
  >;
  const found = content ?? pageContent ?? page_content ?? text;
  if (typeof found === "string") return found;
  // LlamaIndex otherwise adds the metadata to the text.
  if (typeof getContent === "function") return asText((context as any).getContent("NONE"));
  return textIn(node ?? document);
}

const asText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
