/** Keys: their sources, their checks and their headers. */

import { invalidConfig } from "../../../core/errors.js";
import { isToken } from "../../../core/input/secrets/key-formats.js";
import type { Provider } from "./types.js";

/** AWS credentials, as the AWS SDK returns them. */
export interface AwsCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  /** The session token of temporary credentials. */
  sessionToken?: string | undefined;
}

/** The part of the class `AwsV4Signer` of the package `aws4fetch` used here. */
export type AwsSigner = new (request: any) => { sign(): Promise<{ headers: any }> };

/** The options of models for authentication. */
export interface KeyOptions {
  /**
   * The key, or a function that returns one, for tokens that expire. The function is called before the first attempt at
   * each question, within its `timeoutMs`, and its result is used for all attempts; cache the token in the function. If it
   * throws, the error is the `cause` of a `callback_failed`. Tokens of Entra, Google and Anthropic are recognized by their
   * format and sent as bearer tokens.
   *
   * The default is the key in the environment, such as `OPENAI_API_KEY`. It is also sent to your own `baseURL`, unless that
   * is the address of another provider. If a server or a model repeats the key, plain, escaped or in base64, errors and
   * results have `[redacted]` instead. Keys of fewer than eight characters are replaced only as whole words, and those of
   * fewer than four not at all.
   */
  apiKey?: string | (() => string | Promise<string>) | undefined;
  /**
   * For `bedrock`, instead of a key: the credentials that sign requests (Signature Version 4), or a function that returns
   * them, such as `fromNodeProviderChain()` of `@aws-sdk/credential-providers`. The function is called before the first
   * attempt at each question. The default is `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN` in the
   * environment.
   */
  credentials?: AwsCredentials | (() => AwsCredentials | Promise<AwsCredentials>) | undefined;
  /**
   * For `bedrock`: the class `AwsV4Signer` of the package `aws4fetch`, which signs requests. By default, the package is
   * loaded when a request is signed. Pass the class if your application is bundled and cannot load packages.
   */
  signer?: AwsSigner | undefined;
  /** Allows a key in a browser, where every visitor can read it. The default is `false`. */
  dangerouslyAllowBrowser?: boolean | undefined;
}

/** Checked because `fetch` would throw otherwise, with the key in its message. */
export const fitsHeader = (value: unknown): boolean =>
  typeof value === "string" && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);

/** False for tests in Node that emulate a browser. */
export const isBrowser = (): boolean => {
  const { process } = globalThis as { process?: { versions?: { node?: string } } };
  return "window" in globalThis && "document" in globalThis && !process?.versions?.node;
};

/** Throws for a secret in a browser, where every visitor can read it. */
export function checkBrowser(allowBrowser: boolean | undefined): void {
  if (allowBrowser || !isBrowser()) return;
  throw invalidConfig(
    "A key in a browser can be read by every visitor. Pass as baseURL your own proxy that adds the key; or, if " +
      "the key is the visitor's own, set dangerouslyAllowBrowser: true",
  );
}

/** The key without surrounding spaces, such as a line break at the end of a file; `undefined` if it is empty. */
export function checkedKey(key: unknown, allowBrowser: boolean | undefined): string | undefined {
  if (key === undefined) return undefined;
  const trimmed = typeof key === "string" ? key.trim() : key;
  if (!fitsHeader(trimmed)) throw invalidConfig("apiKey is not a string that fits in a header");
  if (trimmed) checkBrowser(allowBrowser);
  return (trimmed as string) || undefined;
}

/** The header for a key. */
export function keyHeaders(
  { keyHeader, isKey = (key) => !isToken(key) }: Provider,
  key: string,
  isBearer = !isKey(key),
): Record<string, string> {
  return isBearer || !keyHeader ? { authorization: `Bearer ${key}` } : { [keyHeader]: key };
}

/** The first of these variables that is set. */
export function fromEnvironment(names: readonly string[]): string | undefined {
  const { env = {} } =
    (globalThis as { process?: { env?: Record<string, string | undefined> } }).process ?? {};
  return names.map((name) => env[name]?.trim()).find(Boolean);
}
