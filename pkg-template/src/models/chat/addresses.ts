/** Where the APIs of providers are, in all the forms in which people write that. */

import type { Provider, Where } from "./types.js";

/** The address without the slashes at its end; a regular expression would try each of many as the first. */
function without(address: string): string {
  let end = address.length;
  while (address[end - 1] === "/") end--;
  return address.slice(0, end);
}

/** An address with this path, of which it may have some already: people paste what they have. */
export const below =
  (path: string) =>
  (address: string): string => {
    const stem = without(address);
    const start = [path, path.replace(/\/v1$/, "")].find((start) => stem.endsWith(start)) ?? "";
    return stem + path.slice(start.length);
  };

/** The same for one that may also be the name of a resource of Azure's, in this domain. */
export const ofResource = (domain: string, path: string) => (address: string) =>
  below(path)(/^[\w-]+$/.test(address) ? `https://${address}.${domain}` : address);

/** Google's API keys; all else that it takes are tokens. With a key, Vertex AI is in its express mode: without a project. */
export const GOOGLE_KEY = /^(AIza|AQ\.)/;
const isExpress = ({ key }: Where) => GOOGLE_KEY.test(key() ?? "");

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

/** `OLLAMA_HOST` tells a server where to listen: it may lack the scheme and the port, and mean every interface. */
export function ollamaAt(address: string): string {
  if (/^https?:/.test(address)) return address;
  const [, host, port = "11434", path] = /^([^/]*?)(?::(\d+))?(\/.*)?$/.exec(address) ?? [];
  return `http://${!host || host === "0.0.0.0" ? "127.0.0.1" : host}:${port}${path ?? ""}`;
}

/** What dialects add to a base URL, for chat and for embeddings, where it is not what OpenAI's does. */
const PATHS: { [dialect: string]: readonly [chat: string, embeddings: string] } = {
  anthropic: ["/v1/messages", ""],
  google: ["/v1beta/{model}:generateContent", "/v1beta/{model}:batchEmbedContents"],
  ollama: ["/api/chat", "/api/embed"],
  bedrock: ["/model/{model}/converse", ""],
  responses: ["/responses", ""],
};

/**
 * Where requests go: a path of the dialect below a base URL, whose query stays at the end. Some write the base with
 * the first segment of the path, a version or `/api`, and some without; neither doubles it.
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
  // Azure's older API has deployments in the path, but not for responses.
  const stem = without(base).replace(dialect === "responses" ? /\/deployments\/[^/]+$/ : "", "");
  const [first = "", last = ""] = [path.split("/")[1], stem.split("/").at(-1)];
  // Names of Amazon's may have colons and slashes; Google's are paths.
  const name = folder ? model : encodeURIComponent(model);
  const doubled = first === last || (/^v1/.test(first) && /^v1/.test(last));
  return stem + (doubled ? path.slice(first.length + 1) : path).replace("{model}", () => name) + query;
}

const hostOf = (url = "") => /^https?:\/\/([^/?#]*)/i.exec(url)?.[1]?.toLowerCase();

/** Whether an address is one of the provider's own. */
export function isOf({ baseURL, hosts = [] }: Provider, url: string): boolean {
  const host = hostOf(url);
  return host !== undefined && [hostOf(baseURL), ...hosts].includes(host);
}
