/** The description of a provider. */

import type { Dialect, Structure } from "../../../openevals.types.js";

/** A kind of attachment; `link` is a document at an address. */
export type Attached = "image" | "audio" | "file" | "link";

/** The properties of a provider. */
export interface Provider {
  /** The format of its API, which the engine implements. */
  dialect: Dialect;
  /**
   * The address of its API. Names in braces are environment variables. Without it, the caller or the environment has to
   * set the address.
   */
  baseURL?: string;
  /** The environment variables with a key, if the provider requires one. The first that is set is used. */
  keys?: string[];
  /** Whether a key is optional. */
  needsNoKey?: true;
  /** The environment variables with a bearer token, which replaces a key. */
  tokens?: string[];
  /** The header of the key, by default `authorization` with a bearer token. */
  keyHeader?: string;
  /** Whether a text is a key. Anything else is a bearer token. By default, tokens are known by their format. */
  isKey?: (text: string) => boolean;
  /** Whether requests without a key are signed with AWS credentials. */
  signs?: true;
  /** The options that are parts of its address, each with its environment variables. */
  places?: { [name in AddressPart]?: string[] };
  /** The base URL, if it has such parts. */
  baseURLAt?: (where: Where) => string;
  /** The path of the chat API, if it has such parts. */
  path?: (where: Where) => string;
  /** The prefix of model names without a slash. */
  folder?: string;
  /** The differences for Claude models. */
  claude?: Partial<Provider>;
  /** The environment variables with the address. */
  addresses?: string[];
  /** Turns such an address into a base URL. */
  toBaseURL?: (address: string) => string;
  /** Its other hosts. */
  hosts?: string[];
  /** The attachments that it accepts; all kinds by default, so that the API decides. */
  attachments?: Attached[];
  /** The models that use OpenAI's Responses API by default, and the attachments that it accepts there. */
  responses?: { models: RegExp; attachments?: Provider["attachments"] };
  /** How it produces structured output; by default the request has the schema. */
  structure?: Structure;
  /** Whether it has embeddings. */
  embeddings?: true;
  /** The headers of every request. */
  header?: Record<string, string>;
  /** The headers of requests from browsers. */
  browserHeader?: Record<string, string>;
  /** The headers with the account, for its own hosts only, and their environment variables. */
  accountHeaders?: Record<string, string>;
}

type AddressPart = "region" | "project" | "location";

/** The values that an address may depend on, besides the name of the model. */
export interface Where {
  /** The option with this name, or its environment variable. */
  place(name: AddressPart, otherwise?: string): string;
  /** The key, unless a function provides it. */
  key(): string | undefined;
}

/** OpenAI's two APIs for chat models. */
export type ChatAPI = "chat" | "responses";
