/** Access control: answers only the page that this program serves, at the address that it printed. */

import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** An admitted request: the path below the token, and the query. */
export interface Admitted {
  path: string;
  query: URLSearchParams;
}

/** A refused request, with its HTTP status. */
export interface Refused {
  status: 403 | 404;
}

/**
 * Checks a request. The host name keeps out foreign pages whose name resolves to this machine (DNS rebinding), the origin keeps
 * out their requests, and the token everyone who does not know the address.
 */
export function admit(
  { method, url = "", headers }: IncomingMessage,
  port: number,
  token: string,
): Admitted | Refused {
  const { host = "", origin } = headers;
  if (![`127.0.0.1:${port}`, `localhost:${port}`].includes(host)) return { status: 403 };
  const isOwnOrigin = origin === undefined ? method === "GET" : origin === `http://${host}`;
  if (!isOwnOrigin) return { status: 403 };
  const [, requestToken = "", ...rest] = url.split("?", 1)[0]?.split("/") ?? [];
  if (!isSame(requestToken, token)) return { status: 404 };
  const path = rest.join("/");
  const site = headers["sec-fetch-site"];
  // The page itself may be opened from anywhere; its data is only for the page.
  if (path !== "" && site !== undefined && site !== "same-origin") return { status: 403 };
  return { path, query: new URLSearchParams(url.slice(url.indexOf("?") + 1)) };
}

/** Compares in constant time. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

const digest = (text: string): Uint8Array => createHash("sha256").update(text).digest();
