/** Tests that the test servers reject the same requests as the real ones. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Answer, Json, Loopback } from "./loopback.js";

/** A request that a server accepts or refuses. */
export interface Trial {
  body: Json;
  headers?: Record<string, string | undefined>;
  path?: string;
}

/** The same request with other top-level members. */
export const having = (body: Json, members: Json): Trial => ({ body: { ...body, ...members } });

/** An image, an audio file and a document, each of minimal size. */
export const PNG = "iVBORw0KGgo=";
export const WAV = "UklGRg==";
export const PDF = "JVBERi0xLjQ=";
export const URI = {
  image: `data:image/png;base64,${PNG}`,
  audio: `data:audio/wav;base64,${WAV}`,
  file: `data:application/pdf;base64,${PDF}`,
};

/**
 * Tests that a server accepts the `good` requests, and refuses the `bad` ones with a status and a message.
 */
export function refusing(options: {
  start(): Promise<Loopback>;
  path: string;
  headers?: Record<string, string>;
  answer: Answer;
  /** The place of the error message in this API. */
  messageOf(answer: Json): Json;
  good: [name: string, trial: Trial][];
  bad: [name: string, trial: Trial, status: number][];
}): void {
  let server: Loopback;
  beforeAll(async () => {
    server = await options.start();
  });
  afterAll(() => server.close());

  async function send({ body, headers, path = options.path }: Trial) {
    const all = { "content-type": "application/json", ...options.headers, ...headers };
    const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    server.script.splice(0, Infinity, options.answer);
    const text = JSON.stringify(body);
    const response = await fetch(`${server.url}${path}`, { method: "POST", headers: given, body: text });
    return { status: response.status, answer: (await response.json()) as Json };
  }

  it.each(options.good)("accepts %s", async (_, trial) => {
    const { status, answer } = await send(trial);
    expect({ status, message: status === 200 ? "" : options.messageOf(answer) }).toEqual({
      status: 200,
      message: "",
    });
  });

  it.each(options.bad)("refuses %s", async (_, trial, expected) => {
    const { status, answer } = await send(trial);
    expect(status).toBe(expected);
    expect(options.messageOf(answer)).toEqual(expect.any(String));
    expect(server.script).toHaveLength(1); // It was the check that answered.
  });
}
