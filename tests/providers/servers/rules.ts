/** The common part of the checks of requests. */
import type { IncomingHttpHeaders } from "node:http";
import type { Json } from "./loopback.js";

/** The words of a text, as a list of names. */
export const words = (text: string): string[] => text.split(/\s+/).filter(Boolean);

export const isObject = (value: Json): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The first member of an object that is not in the list. */
export const unknownIn = (object: Json, known: readonly string[]): string | undefined =>
  Object.keys(object).find((name) => !known.includes(name));

/** Whether a text is complete base64: `atob` of some runtimes accepts truncated text. */
export const isBase64 = (text: Json): boolean =>
  typeof text === "string" && text !== "" && /^(?:[\w+/]{4})*(?:[\w+/]{2}==|[\w+/]{3}=)?$/.test(text);

/** Whether a text is a `data:` URI in base64 of one of the types. */
export function isDataURI(uri: Json, types: readonly string[]): boolean {
  const [, type = "", data] = /^data:([\w.+/-]+);base64,(.*)$/s.exec(uri) ?? [];
  return types.includes(type) && isBase64(data);
}

export const isWebURL = (url: Json): boolean => typeof url === "string" && /^https?:\/\/[^\s/]+/.test(url);

export const IMAGES = words("image/png image/jpeg image/gif image/webp");

/** The key of `Authorization: Bearer KEY`. */
export const bearer = ({ authorization }: IncomingHttpHeaders): string | undefined =>
  authorization?.match(/^Bearer (.+)$/)?.[1];

export const isJSON = (headers: IncomingHttpHeaders): boolean =>
  headers["content-type"]?.startsWith("application/json") ?? false;

/** The first problem of a list. */
export function firstOf<T>(list: readonly T[], problem: (entry: T, index: number) => string | undefined) {
  for (const [index, entry] of list.entries()) {
    const found = problem(entry, index);
    if (found) return found;
  }
  return undefined;
}
