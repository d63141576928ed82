/** Builds the addresses of APIs, from all common spellings of a base URL. */

import { isGoogleKey } from "../../../core/input/secrets/key-formats.js";
import type { Dialect } from "../../../openevals.types.js";
import type { Provider, Where } from "./types.js";

/** The address with no slashes at its end. A regular expression would take quadratic time for many slashes. */
function withoutTrailingSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === "/") end--;
  return address.slice(0, end);
}

/** Adds a path to an address that may already have a part of it. */
export const below =
  (path: string) =>
  (address: string): string => {
    const stem = withoutTrailingSlashes(address);
    const start = [path, path.replace(/\/v1$/, "")].find((start) => stem.endsWith(start)) ?? "";
    return stem + path.slice(start.length);
  };

/** The same for an address that may also be the name of an Azure resource in this domain. */
export const ofResource = (domain: string, path: string) => (address: string) =>
  below(path)(/^[\w-]+$/.test(address) ? `https://${address}.${domain}` : address);

/** With a key instead of a token, Vertex AI is in express mode, without a project. */
const isExpress = ({ key }: Where) => isGoogleKey(key() ?? "");

export function vertexAt(where: Where): string {
  const location = isExpress(where) ? "global" : where.place("location", "global");
  if (location === "global") return "https://aiplatform.googleapis.com";
  const isOneRegion = location.includes("-");
  return `https://${isOneRegion ? `${location}-aiplatform` : `aiplatform.${location}.rep`}.googleapis.com`;
}

export const vertexPath = (version: string, method: string) => (where: Where) => {
  const within = isExpress(where)
    ? ""
    : `/projects/${where.place("project")}/locations/${where.place("location", "global")}`;
  return `/${version}${within}/{model}:${method}`;
};

/** `OLLAMA_HOST` is the listening address of the server: it may have no scheme or port, and may mean every interface. */
export function ollamaAt(address: string): string {
  if (/^https?:/.test(address)) return address;
  const [, host, port = "11434", path] = /^([^/]*?)(?::(\d+))?(\/.*)?$/.exec(address) ?? [];
  return `http://${!host || host === "0.0.0.0" ? "127.0.0.1" : host}:${port}${path ?? ""}`;
}

/** The paths of dialects below the base URL, for chat and embeddings, if they differ from OpenAI's. */
const PATHS: { [dialect in Dialect]?: readonly [chat: string, embeddings: string] } = {
  anthropic: ["/v1/messages", ""],
  google: ["/v1beta/{model}:generateContent", "/v1beta/{model}:batchEmbedContents"],
  ollama: ["/api/chat", "/api/embed"],
  bedrock: ["/model/{model}/converse", ""],
  responses: ["/responses", ""],
};

/**
 * The address of requests: the path of the dialect below a base URL, whose query stays at the end. A base URL may already
 * have the path, or its first segment, such as a version or `/api`, which is not repeated.
 */
export function urlOf(
  { dialect, path: pathAt, folder }: Provider,
  baseURL: string,
  model: string,
  purpose: "chat" | "embeddings",
  where: Where,
): string {
  const [base = "", query = ""] = baseURL.split(/(?=\?)/, 2);
  const [chat, embeddings] = PATHS[dialect] ?? ["/chat/completions", "/embeddings"];
  const path = pathAt?.(where) ?? (purpose === "chat" ? chat : embeddings);
  // The older Azure API has deployments in the path, except for responses.
  const stem = withoutTrailingSlashes(base).replace(
    dialect === "responses" ? /\/deployments\/[^/]+$/ : "",
    "",
  );
  if (stem.endsWith(path)) return stem + query;
  const [first = "", last = ""] = [path.split("/")[1], stem.split("/").at(-1)];
  // Names of Amazon may have colons and slashes; those of Google are paths.
  const name = folder ? model : encodeURIComponent(model);
  const doubled = first === last || (/^v1/.test(first) && /^v1/.test(last));
  return stem + (doubled ? path.slice(first.length + 1) : path).replace("{model}", () => name) + query;
}

const hostOf = (url = "") => /^https?:\/\/([^/?#]*)/i.exec(url)?.[1]?.toLowerCase();

/** Whether an address belongs to the provider. */
export function isAddressOf({ baseURL, hosts = [] }: Provider, url: string): boolean {
  const host = hostOf(url);
  return host !== undefined && [hostOf(baseURL), ...hosts].includes(host);
}
