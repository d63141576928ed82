/** How the engine sends the requests of a model: within its limits, which are loaded with the first question. */

import type { Alarm } from "../../core/platform/alarm.js";
import type { Fetch } from "../../core/platform/globals.js";

/** The requests of one model, as they go and come. */
export interface Requests {
  /** Lets a request of so many bytes go at once, unless it has to wait for its turn. */
  letsGo(length: number): boolean;
  /** Waits for it, or for the alarm. */
  turn(length: number, alarm: Alarm): Promise<void>;
  /** Sends a request; with the global `fetch`, if none is given. */
  send(fetch: Fetch | undefined, url: string, init: object): unknown;
  /** Takes in how many tokens the prompt and the answer had. */
  used(length: number, input: number, output: number): void;
}

/** Requests without limits. */
export const unlimited: Requests = {
  letsGo: () => true,
  async turn() {},
  send: (fetch = globalThis.fetch, url, init) => fetch(url, init),
  used() {},
};

/** Requests that become what is loaded. */
export function limited(load: () => Promise<Requests>): Requests {
  const requests: Requests = {
    ...unlimited,
    letsGo: () => false,
    async turn(length, alarm) {
      Object.assign(requests, await load());
      await requests.turn(length, alarm);
    },
  };
  return requests;
}
