/** Asking the browser's own model, by the Prompt API; loaded on use. */

import { OpenEvalsError, type OpenEvalsErrorCode, reasonOf } from "../../core/errors.js";
import { Alarm, LONGEST_MS } from "../../core/platform/alarm.js";
import type { Signal } from "../../core/platform/globals.js";
import type { JudgeRequest } from "./judge-model.js";

/** The options of `createBrowserModel`. */
export interface BrowserModelOptions {
  /**
   * The languages of what is judged and of the answers, as BCP 47 tags such as `"en"`. A browser refuses those that its
   * model does not know. By default it is told none.
   */
  languages?: readonly string[] | undefined;
  /**
   * How predictable answers are, in the words of the browser: `"most-predictable"`, `"predictable"`, `"balanced"`, … The
   * browser decides by default, and browsers that know no such words go by their own.
   */
  samplingMode?: string | undefined;
  /** How long an answer may take, without the download of the model. 120,000 ms by default. */
  timeoutMs?: number | undefined;
  /** Ends what is asked. */
  signal?: Signal | undefined;
  /**
   * Allows the browser to download its model, which takes gigabytes, and is told how much of it there is, from 0 to 1.
   * Browsers begin a download only while they handle what a user did, such as a click. Without it, a model that has not
   * been downloaded is an error.
   */
  onDownload?: ((share: number) => void) | undefined;
}

/** As much of `LanguageModel` as is used here. */
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
 * Asks one question, in a session of its own.
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
      "This browser has no model of its own: there is no LanguageModel. Chrome and Edge have one on desktops, in windows, " +
        "on pages with https",
    );
  }
  const conversation = messages.map(({ role, content }) => ({ role, content: toContent(content) }));
  const known = languages && { languages };
  const types = new Set(
    conversation.flatMap(({ content }) => content.map(({ type }) => type)).concat("text"),
  );
  const options = {
    expectedInputs: Array.from(types, (type) => ({ type, ...(type === "text" && known) })),
    expectedOutputs: [{ type: "text", ...known }],
    ...(samplingMode !== undefined && { samplingMode }),
  };
  let alarm = new Alarm(timeoutMs, signal);
  const setAlarm = (ms: number) => {
    alarm.stop();
    alarm = new Alarm(ms, signal);
  };
  /** What the browser comes to, if the alarm does not ring before. Does not rely on the browser to heed a signal. */
  const inTime = async <T>(work: Promise<T>): Promise<T> => {
    const first = await alarm.orRings(work);
    if (first === alarm) throw alarm;
    return first as T;
  };
  let making: Promise<Session> | undefined;
  try {
    if (signal?.aborted) throw alarm;
    const availability = await inTime(LanguageModel.availability(options));
    checkAvailable(availability, onDownload);
    // A download takes as long as it takes.
    if (availability !== "available") setAlarm(LONGEST_MS);
    // A system message has to be the first thing that a session is told.
    making = LanguageModel.create({
      ...options,
      initialPrompts: conversation.slice(0, -1),
      signal: alarm.signal,
      ...(onDownload && { monitor: monitorFor(onDownload) }),
    });
    const session = await inTime(making);
    if (availability !== "available") setAlarm(timeoutMs);
    const asked = session.prompt(conversation.slice(-1), {
      signal: alarm.signal,
      ...(schema && { responseConstraint: schema }),
    });
    return await inTime(asked);
  } catch (error) {
    if (error instanceof OpenEvalsError) throw error;
    if (signal?.aborted)
      throw failure("aborted", "The judge was aborted", (signal as unknown as AbortSignal).reason);
    if (error === alarm) throw failure("timeout", `The browser's model gave no answer in ${timeoutMs} ms`);
    throw ofBrowser(error);
  } finally {
    alarm.hangUp();
    // It may also come too late.
    making?.then((session) => session.destroy()).catch(() => {});
  }
}

function checkAvailable(availability: string, onDownload: BrowserModelOptions["onDownload"]): void {
  if (availability === "available") return;
  if (availability === "unavailable") {
    throw failure(
      "model_unavailable",
      "This browser has no model of its own for this: the device, the language or what is attached is not supported",
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

/** Has the caller told about the download. What its function throws is not the business of the browser. */
const monitorFor = (onDownload: (share: number) => void) => (monitor: EventTarget) => {
  monitor.addEventListener("downloadprogress", (event) => {
    try {
      onDownload((event as ProgressEvent).loaded);
    } catch {}
  });
};

/** What the names of exceptions of the Prompt API mean. */
const CODES: Record<string, [OpenEvalsErrorCode, string]> = {
  NotAllowedError: [
    "model_unavailable",
    "The browser does not let this page use its model, or wants a click before it downloads it",
  ],
  NotReadableError: ["refused", "The browser withholds what its model answered"],
  NotSupportedError: [
    "invalid_input",
    "The browser's model does not support the language, the schema or what is attached",
  ],
  EncodingError: ["invalid_input", "The browser cannot decode what is attached"],
  QuotaExceededError: ["invalid_input", "The question is longer than the browser's model can read"],
  SyntaxError: ["invalid_judge_output", "The browser's model found no answer that fits the schema"],
};

function ofBrowser(error: unknown): OpenEvalsError {
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
    `The browser's model cannot be given this (${part.type}): it takes pictures and recordings, with their data in base64`,
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
