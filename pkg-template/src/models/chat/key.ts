/** Keys: where they come from, what they may be, and the header that holds them. */

import { invalidConfig } from "../../core/errors.js";
import type { Provider } from "./types.js";

/** Credentials of AWS, in the form in which its SDK has them. */
export interface AwsCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  /** Belongs to credentials that expire. */
  sessionToken?: string | undefined;
}

/** As much of the class `AwsV4Signer` of the package `aws4fetch` as is used here. */
export type AwsSigner = new (request: any) => { sign(): Promise<{ headers: any }> };

/** The options of models that say who asks. */
export interface KeyOptions {
  /**
   * The key, or a function that gives one, for tokens that expire. It is asked before the first attempt at each question,
   * within its `timeoutMs`, and its answer holds for all attempts; keep the token yourself as long as it is good. What it
   * throws is the `cause` of a `callback_failed`. Tokens of Entra, of Google and of Anthropic are known by their look,
   * and sent as bearers where keys have a header of their own.
   *
   * By default the key in the environment, such as `OPENAI_API_KEY`, which also goes to a `baseURL` of your own, unless
   * that is the address of another provider. Where a server or a model repeats it, plain, escaped or in base64, errors and
   * results have `[redacted]`; a short one is looked for as a word, one of fewer than four characters not at all.
   */
  apiKey?: string | (() => string | Promise<string>) | undefined;
  /**
   * For `bedrock`, in the place of a key: the credentials that requests are signed with (Signature Version 4), or a
   * function that gives them, such as `fromNodeProviderChain()` of `@aws-sdk/credential-providers`; it is asked before the
   * first attempt at each question. By default `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN` in the
   * environment.
   */
  credentials?: AwsCredentials | (() => AwsCredentials | Promise<AwsCredentials>) | undefined;
  /**
   * For `bedrock`: the class `AwsV4Signer` of the package `aws4fetch`, which signs requests. By default that package is
   * loaded when a request is signed; where an application is bundled, and nothing can be loaded, it has to be passed.
   */
  signer?: AwsSigner | undefined;
  /** Allows a key in a browser, where every visitor can read it. */
  dangerouslyAllowBrowser?: boolean | undefined;
}

/** What does not fit in a header would make `fetch` throw, with the key in the message. */
export const fitsHeader = (value: unknown): boolean =>
  typeof value === "string" && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);

/** Tests in Node may play a browser, and are none. */
export const isBrowser = (): boolean => {
  const { process } = globalThis as { process?: { versions?: { node?: string } } };
  return "window" in globalThis && "document" in globalThis && !process?.versions?.node;
};

/** Refuses what is secret where every visitor can read it. */
export function checkBrowser(allowBrowser: boolean | undefined): void {
  if (allowBrowser || !isBrowser()) return;
  throw invalidConfig(
    "A key in a browser can be read by every visitor. Pass as baseURL a proxy of your own that adds the key; or, if " +
      "the key is the visitor's own, set dangerouslyAllowBrowser: true",
  );
}

/** The key without the line break that files end with; empty ones count as none. */
export function checkedKey(key: unknown, allowBrowser: boolean | undefined): string | undefined {
  if (key === undefined) return undefined;
  const trimmed = typeof key === "string" ? key.trim() : key;
  if (!fitsHeader(trimmed)) throw invalidConfig("apiKey is not a string that fits in a header");
  if (trimmed) checkBrowser(allowBrowser);
  return (trimmed as string) || undefined;
}

/** The look of all that is no token of Entra, of Google or of Anthropic. */
const A_KEY = /^(?!eyJ|ya29\.|sk-ant-oat)/;

/** The header that holds a key. */
export function keyHeaders(
  { keyHeader, keyLook = A_KEY }: Provider,
  key: string,
  isToken = !keyLook.test(key),
): Record<string, string> {
  return isToken || !keyHeader ? { authorization: `Bearer ${key}` } : { [keyHeader]: key };
}

/** The first of these variables that is set. */
export function fromEnvironment(names: readonly string[]): string | undefined {
  const { env = {} } =
    (globalThis as { process?: { env?: Record<string, string | undefined> } }).process ?? {};
  return names.map((name) => env[name]?.trim()).find(Boolean);
}
