/** A server with an API like OpenAI's on this machine. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

export interface ModelServer {
  url: string;
  /** The requests so far, each with its key. */
  bodies: any[];
}

/** Starts a server that answers with texts, or with whole responses, and stops it with the tests. */
export async function modelServer(answer: (body: any) => string | object): Promise<ModelServer> {
  const bodies: any[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const body = JSON.parse(text);
    bodies.push({ key: request.headers.authorization, ...body });
    const answered = answer(body);
    const message = { role: "assistant", content: answered };
    const whole = { choices: [{ message, finish_reason: "stop" }] };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(typeof answered === "string" ? whole : answered));
  }).listen(0, "127.0.0.1");
  afterAll(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, bodies };
}
