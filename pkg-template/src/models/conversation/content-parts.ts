/** Converts images, audio and documents in all forms into OpenAI's content parts. Loaded on use. */

import { invalidInput } from "../../core/errors.js";
import type { ContentPart } from "../../openevals-judges.types.js";

/** An attachment for a judge: the URL of an image, `{ mime_type, data }`, or a content part. */
export type Attachment =
  | string
  | {
      /** `image/*`, `audio/*` or `application/pdf`. */
      mime_type: string;
      /** A `data:` URI or base64; or a URL, for images, and for documents if the provider fetches them. */
      data: string;
      /** The file name of a document. */
      name?: string;
    }
  | { type: string; [field: string]: unknown };

/** The fields that are read, of the forms of OpenAI, LangChain, Anthropic, the AI SDK and LangSmith. */
interface Block {
  type?: unknown;
  text?: unknown;
  image_url?: unknown;
  input_audio?: unknown;
  file?: { filename?: string; file_data?: string };
  source?: Block;
  data?: unknown;
  url?: unknown;
  image?: unknown;
  mime_type?: unknown;
  mimeType?: unknown;
  media_type?: unknown;
  mediaType?: unknown;
  name?: unknown;
  filename?: unknown;
}

/** Reads attachments: one or a list. */
export const readAttachments = (attachments: unknown): ContentPart[] =>
  Array.isArray(attachments)
    ? attachments.map((item, index) => toPart(item, `attachments[${index}]`))
    : [toPart(attachments, "attachments")];

/** Reads the parts of a message whose type is accepted by `isSeen`; a string is a text. */
export const readParts = (parts: readonly unknown[], path: string, isSeen?: RegExp): ContentPart[] =>
  Array.from(parts, (part) => (typeof part === "string" ? { type: "text", text: part } : part)).flatMap(
    (part, index) => {
      const { type } = Object(part);
      const isHidden = isSeen && !(typeof type === "string" && isSeen.test(type));
      return isHidden ? [] : toPart(part, `${path}[${index}]`);
    },
  );

/**
 * Reads one attachment or content part.
 *
 * @param path Its name in errors.
 */
export function toPart(item: unknown, path: string): ContentPart {
  const invalid = (problem: string, hint: string) => invalidInput(`${problem}; ${hint}`);
  if (typeof item === "string") return image(item);
  const block = Object(item) as Block;
  const { type, image_url, file } = block;
  if (type === "text" || type === "input_audio") return item as ContentPart;
  if (type === "image_url") {
    return image(typeof image_url === "string" ? image_url : (image_url as { url: string })?.url);
  }
  if (file?.file_data !== undefined) return document(file.file_data, file.filename);
  const source = block.source ?? block;
  const mime = source.mime_type ?? source.mimeType ?? source.media_type ?? source.mediaType;
  const data = source.data ?? source.url ?? source.image;
  const kind = typeof mime === "string" ? mime.toLowerCase().trim() : type === "image" ? "image/png" : "";
  if (typeof data !== "string" || !kind) {
    const found = block === item ? "an object without mime_type and data" : typeof item;
    throw invalid(
      `Unsupported attachment type at ${path}: ${found}`,
      "pass an image's URL, { mime_type, data } with a data: URI or base64, or a content part",
    );
  }
  const uri = /^(data|https?|gs):/.test(data) ? data : `data:${kind};base64,${data}`;
  if (kind.startsWith("image/")) return image(uri);
  if (kind === "application/pdf") return document(uri, block.name ?? block.filename);
  if (kind.startsWith("audio/")) {
    const [, base64] = uri.match(/^data:[^,]*,(.*)$/s) ?? [];
    if (base64 === undefined) throw invalid(`${path} is a URL`, "audio is passed as a data: URI or base64");
    const format = kind.slice("audio/".length);
    return { type: "input_audio", input_audio: { data: base64, format: FORMATS[format] ?? format } };
  }
  throw invalid(
    `Unsupported attachment MIME type at ${path}: ${kind}`,
    "supported are image/*, audio/* and application/pdf",
  );
}

/** Formats with another name in APIs. */
const FORMATS: Record<string, string> = { mpeg: "mp3", wave: "wav", "x-wav": "wav" };

const image = (url: string): ContentPart => ({ type: "image_url", image_url: { url } });

const document = (file_data: string, name: unknown): ContentPart => ({
  type: "file",
  file: { filename: typeof name === "string" ? name : "attachment.pdf", file_data },
});
