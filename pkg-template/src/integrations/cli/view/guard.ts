/** Who may ask: the page that this program has served, in the browser of whoever has its address, and nobody else. */

import { createHash, timingSafeEqual } from "node:crypto";
import type { Request } from "node:http";

/** A request that is let in: what is asked for, below the token. */
export interface Admitted {
  path: string;
  query: URLSearchParams;
}

/** Why one is not, as a status of HTTP. */
export interface Refused {
  status: 403 | 404;
}

/**
 * Looks at a request. The name of the host keeps out pages of others whose name has been made to point here (DNS rebinding),
 * the origin keeps out what they send, and the token all who do not know the address.
 */
export function admit({ method, url, headers }: Request, port: number, token: string): Admitted | Refused {
  const { host = "", origin } = headers;
  if (![`127.0.0.1:${port}`, `localhost:${port}`].includes(host)) return { status: 403 };
  const isOwn = origin === undefined ? method === "GET" : origin === `http://${host}`;
  if (!isOwn) return { status: 403 };
  const [, given = "", ...rest] = url.split("?", 1)[0]?.split("/") ?? [];
  if (!isSame(given, token)) return { status: 404 };
  const path = rest.join("/");
  const site = headers["sec-fetch-site"];
  // A page is gone to; what it asks for is asked by itself.
  if (path !== "" && site !== undefined && site !== "same-origin") return { status: 403 };
  return { path, query: new URLSearchParams(url.slice(url.indexOf("?") + 1)) };
}

/** Compares in a time that tells nothing. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

const digest = (text: string): Uint8Array => createHash("sha256").update(text).digest();
