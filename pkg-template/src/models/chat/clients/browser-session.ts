/** Asks the browser's built-in model through the Prompt API. Loaded on use. */

import { OpenEvalsError, type OpenEvalsErrorCode, reasonOf } from "../../../core/errors.js";
import { Deadline, MAX_MS } from "../../../core/platform/deadline.js";
import type { Signal } from "../../../core/platform/globals.js";
import type { JudgeRequest } from "../judge-model.js";

/** The options of `createBrowserModel`. */
export interface BrowserModelOptions {
  /**
   * The languages of the judged texts and of the answers, as BCP 47 tags such as `"en"`. A browser rejects languages that
   * its model does not know. None are passed by default.
   */
  languages?: readonly string[] | undefined;
  /**
   * How predictable answers are: `"most-predictable"`, `"predictable"`, `"balanced"` or another value that the browser
   * knows. By default, and in browsers without this option, the browser decides.
   */
  samplingMode?: string | undefined;
  /** The time limit of an answer in milliseconds, without the download of the model. The default is 120,000. */
  timeoutMs?: number | undefined;
  /** Aborts the question. */
  signal?: Signal | undefined;
  /**
   * Allows the browser to download its model, which takes gigabytes. It is called with the progress, from 0 to 1. Browsers
   * start a download only while they handle a user action, such as a click. Without this option, a model that is not
   * downloaded yet is an error.
   */
  onDownload?: ((share: number) => void) | undefined;
}

/** The part of `LanguageModel` used here. */
interface LanguageModelApi {
  availability(options: object): Promise<string>;
  create(options: object): Promise<Session>;
}

interface Session {
  prompt(messages: object[], options: object): Promise<string>;
  destroy(): unknown;
}

interface Content {
  type: "text" | "image" | "audio";
  value: unknown;
}

const TIMEOUT_MS = 120_000;

/**
 * Asks one question, in its own session.
 *
 * @throws {@link OpenEvalsError}
 */
export async function askBrowser(
  { messages, schema }: Pick<JudgeRequest, "messages"> & Partial<JudgeRequest>,
  { languages, samplingMode, timeoutMs = TIMEOUT_MS, signal, onDownload }: BrowserModelOptions,
): Promise<string> {
  const { LanguageModel } = globalThis as { LanguageModel?: LanguageModelApi };
  if (typeof LanguageModel?.create !== "function") {
    throw failure(
      "model_unavailable",
      "This browser has no built-in model: there is no LanguageModel. Chrome and Edge have one on desktops, in windows, " +
        "on pages with https",
    );
  }
  const conversation = messages.map(({ role, content }) => ({ role, content: toContent(content) }));
  const languageOptions = languages && { languages };
  const types = new Set(
    conversation.flatMap(({ content }) => content.map(({ type }) => type)).concat("text"),
  );
  const options = {
    expectedInputs: Array.from(types, (type) => ({ type, ...(type === "text" && languageOptions) })),
    expectedOutputs: [{ type: "text", ...languageOptions }],
    ...(samplingMode !== undefined && { samplingMode }),
  };
  let deadline = new Deadline(timeoutMs, signal);
  const restart = (ms: number) => {
    deadline.stop();
    deadline = new Deadline(ms, signal);
  };
  /** The result of `work`, unless the deadline is reached first, even where the browser ignores signals. */
  const inTime = async <T>(work: Promise<T>): Promise<T> => {
    const first = await deadline.race(work);
    if (first === deadline) throw deadline;
    return first as T;
  };
  let opening: Promise<Session> | undefined;
  try {
    if (signal?.aborted) throw deadline;
    const availability = await inTime(LanguageModel.availability(options));
    checkAvailable(availability, onDownload);
    // A download has no time limit.
    if (availability !== "available") restart(MAX_MS);
    // Only a session's first message may be a system message.
    opening = LanguageModel.create({
      ...options,
      initialPrompts: conversation.slice(0, -1),
      signal: deadline.signal,
      ...(onDownload && { monitor: monitorFor(onDownload) }),
    });
    const session = await inTime(opening);
    if (availability !== "available") restart(timeoutMs);
    const asked = session.prompt(conversation.slice(-1), {
      signal: deadline.signal,
      ...(schema && { responseConstraint: schema }),
    });
    return await inTime(asked);
  } catch (error) {
    if (error instanceof OpenEvalsError) throw error;
    if (signal?.aborted)
      throw failure("aborted", "The judge was aborted", (signal as unknown as AbortSignal).reason);
    if (error === deadline) throw failure("timeout", `The browser's model gave no answer in ${timeoutMs} ms`);
    throw fromBrowser(error);
  } finally {
    deadline.cancel();
    // The session may also arrive after the deadline.
    opening?.then((session) => session.destroy()).catch(() => {});
  }
}

function checkAvailable(availability: string, onDownload: BrowserModelOptions["onDownload"]): void {
  if (availability === "available") return;
  if (availability === "unavailable") {
    throw failure(
      "model_unavailable",
      "This browser has no built-in model for this: the device, the language or an attachment is not supported",
    );
  }
  if (!onDownload) {
    const state = availability === "downloading" ? "is being downloaded" : "has not been downloaded yet";
    throw failure(
      "model_downloading",
      `The browser's model ${state}. Pass onDownload, and ask while a click is handled, to have it downloaded`,
    );
  }
}

/** Reports the download to the caller. Errors of the caller's function are ignored. */
const monitorFor = (onDownload: (share: number) => void) => (monitor: EventTarget) => {
  monitor.addEventListener("downloadprogress", (event) => {
    try {
      onDownload((event as ProgressEvent).loaded);
    } catch {}
  });
};

/** The meaning of the exceptions of the Prompt API, by name. */
const CODES: Record<string, [OpenEvalsErrorCode, string]> = {
  NotAllowedError: [
    "model_unavailable",
    "The browser does not let this page use its model, or requires a click before the download",
  ],
  NotReadableError: ["refused", "The browser withholds the answer of its model"],
  NotSupportedError: [
    "invalid_input",
    "The browser's model does not support the language, the schema or an attachment",
  ],
  EncodingError: ["invalid_input", "The browser cannot decode an attachment"],
  QuotaExceededError: ["invalid_input", "The question is longer than the browser's model can read"],
  SyntaxError: ["invalid_judge_output", "The browser's model found no answer that fits the schema"],
};

function fromBrowser(error: unknown): OpenEvalsError {
  const { name = "" } = Object(error) as { name?: string };
  const [code, message] = CODES[name] ?? ["provider_error", "The browser's model failed"];
  return failure(code, `${message}: ${reasonOf(error)}`, error);
}

/** The content of a message in the form of the Prompt API. */
const toContent = (content: unknown): Content[] =>
  typeof content === "string" ? [{ type: "text", value: content }] : (content as any[]).map(toPart);

function toPart(part: any): Content {
  if (part.type === "text") return { type: "text", value: part.text };
  if (part.type === "image_url") {
    const [, mime, base64] = /^data:([^;,]*);base64,(.*)$/s.exec(part.image_url.url) ?? [];
    if (base64 !== undefined)
      return { type: "image", value: new Blob([bytesOf(base64)], { type: mime ?? "" }) };
  }
  if (part.type === "input_audio") return { type: "audio", value: bytesOf(part.input_audio.data).buffer };
  throw failure(
    "invalid_input",
    `The browser's model does not accept a part of type ${part.type}. Pass images and audio, with their data in base64`,
  );
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

const failure = (code: OpenEvalsErrorCode, message: string, cause?: unknown): OpenEvalsError =>
  new OpenEvalsError(
    code,
    /[.!?]$/.test(message) ? message : `${message}.`,
    cause === undefined ? {} : { cause },
  );
