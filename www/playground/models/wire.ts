/** What goes over the wire: requests as they are sent, and answers as they come. */

/** One request, with what came back. */
export interface Exchange {
  method: string;
  url: string;
  headers: [string, string][];
  body: string;
  /** Missing as long as there is no answer. */
  status?: number;
  answer?: string;
  failure?: string;
  startedAt: number;
  tookMs?: number;
}

/** The longest answer that is kept to be shown. */
const LONGEST = 200_000;

/** Records requests; `changed` is called with each thing that happens. */
export class Wire {
  readonly exchanges: Exchange[] = [];
  readonly #changed: () => void;
  readonly #isDry: boolean;

  /** @param isDry Whether nothing is sent: each request fails, and is kept. */
  constructor(changed: () => void = () => {}, isDry = false) {
    this.#changed = changed;
    this.#isDry = isDry;
  }

  /** In the place of `fetch`. */
  readonly fetch: typeof fetch = async (url, init = {}) => {
    const exchange: Exchange = {
      method: init.method ?? "GET",
      url: String(url instanceof Request ? url.url : url),
      headers: [...new Headers(init.headers)],
      body: typeof init.body === "string" ? init.body : await new Response(init.body).text(),
      startedAt: performance.now(),
    };
    this.exchanges.push(exchange);
    this.#changed();
    if (this.#isDry) throw new Error("Nothing is sent.");
    try {
      const response = await fetch(url, init);
      exchange.status = response.status;
      const copy = response.clone();
      // The evaluator does not wait for what is shown.
      void copy.text().then(
        (text) => this.#finish(exchange, { answer: text.slice(0, LONGEST) }),
        () => this.#finish(exchange, {}),
      );
      return response;
    } catch (error) {
      this.#finish(exchange, { failure: (error as Error).message });
      throw error;
    }
  };

  #finish(exchange: Exchange, outcome: Partial<Exchange>): void {
    Object.assign(exchange, outcome, { tookMs: performance.now() - exchange.startedAt });
    this.#changed();
  }
}

/** A request as text, without the key. */
export function requestText({ method, url, headers, body }: Exchange, key: string): string {
  const head = headers.map(([name, value]) => `${name}: ${value}`);
  return hidden([`${method} ${url}`, ...head, "", indented(body)].join("\n"), key);
}

/** A text in which the key does not stand. */
export const hidden = (text: string, key: string): string => (key ? text.replaceAll(key, "•••") : text);

/** JSON in lines, where it is JSON. */
export function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
