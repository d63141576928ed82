/** How the engine sends the requests of a model: within its rate limits, which are loaded with the first request. */

import type { Deadline } from "../../core/platform/deadline.js";
import type { Fetch } from "../../core/platform/globals.js";

/** Sends the requests of one model. */
export interface Requests {
  /** Admits a request with a body of `length` bytes, unless it has to wait. */
  tryAcquire(length: number): boolean;
  /** Waits until the request is admitted, or until the deadline. */
  acquire(length: number, deadline: Deadline): Promise<void>;
  /** Sends an admitted request, by default with the global `fetch`. */
  send(fetch: Fetch | undefined, url: string, init: object): unknown;
  /** Records the tokens of a prompt and its answer. */
  used(length: number, input: number, output: number): void;
}

/** Requests without limits. */
export const unlimited: Requests = {
  tryAcquire: () => true,
  async acquire() {},
  send: (fetch = globalThis.fetch, url, init) => fetch(url, init),
  used() {},
};

/** Requests that load their limits when the first one is acquired. */
export function limited(load: () => Promise<Requests>): Requests {
  const requests: Requests = {
    ...unlimited,
    tryAcquire: () => false,
    async acquire(length, deadline) {
      Object.assign(requests, await load());
      await requests.acquire(length, deadline);
    },
  };
  return requests;
}
