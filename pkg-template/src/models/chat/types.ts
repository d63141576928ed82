/** What is known of a provider. */

import type { Dialect, Structure } from "../../openevals.types.js";

/** A kind of attachment; `link` is a document at an address. */
export type Attached = "image" | "audio" | "file" | "link";

/** What distinguishes one provider from another. */
export interface Provider {
  /** How its API is spoken to; the engine knows the dialects. */
  dialect: Dialect;
  /**
   * Where its API is; without it, the caller or the environment has to say. What stands there in braces is a variable of
   * the environment.
   */
  baseURL?: string;
  /** The environment variables that hold a key, for providers that ask for one; the first that is set counts. */
  keys?: string[];
  /** Whether it is often asked without a key. */
  needsNoKey?: true;
  /** The environment variables that hold what it takes as a bearer in the place of a key. */
  tokens?: string[];
  /** The header that holds the key; `authorization`, as a bearer, by default. What does not look like a key is a bearer. */
  keyHeader?: string;
  keyLook?: RegExp;
  /** Whether requests without a key are signed with credentials of AWS. */
  signs?: true;
  /** The options that are parts of its address, each with the environment variables for it. */
  places?: { [name in AddressPart]?: string[] };
  /** The base URL and the path below it, for chat, where they have such parts. */
  baseURLAt?: (where: Where) => string;
  path?: (where: Where) => string;
  /** What stands before the name of a model that has no slash. */
  folder?: string;
  /** What is different for Claude. */
  claude?: Partial<Provider>;
  /** The environment variables that say where the API is, and how what they say becomes a base URL. */
  addresses?: string[];
  toBaseURL?: (address: string) => string;
  /** Its other hosts, if it has any. */
  hosts?: string[];
  /** What it takes besides text; all kinds by default, so that the API itself decides. */
  attachments?: Attached[];
  /** Which of its models are asked through OpenAI's Responses API unless the caller says otherwise, and what that takes. */
  responses?: { models: RegExp; attachments?: Provider["attachments"] };
  /** How it gets an answer into a form; it is given the schema by default. */
  structure?: Structure;
  /** Whether it has embeddings. */
  embeddings?: true;
  /** A header that every request needs, and one that it wants from browsers. */
  header?: Record<string, string>;
  browserHeader?: Record<string, string>;
  /** The environment variables that say whose account it is, by the headers that tell its own hosts. */
  accountHeaders?: Record<string, string>;
}

type AddressPart = "region" | "project" | "location";

/** What an address may depend on, besides the name of the model. */
export interface Where {
  /** The option of this name, or what stands in the environment. */
  place(name: AddressPart, otherwise?: string): string;
  /** The key, unless it is asked for. */
  key(): string | undefined;
}

/** OpenAI's two APIs for chat models. */
export type ChatAPI = "chat" | "responses";
