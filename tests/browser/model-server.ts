/** A model on loopback that speaks OpenAI's chat completions to a page, as far as the page's bench needs it. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

type Answer = { status?: number; body: object } | "never";

export interface Model {
  url: string;
  requests: { headers: IncomingHttpHeaders; body: string }[];
  /** The answers, in order. */
  answers: Answer[];
  /** The answer to a question when that list is empty. */
  reply?: (question: { messages: any[]; schema: object }) => object;
  /** An answer with this object as its content. */
  content(content: object): Answer;
  close(): Promise<void>;
}

export async function modelServer(): Promise<Model> {
  const model: Model = {
    url: "",
    requests: [],
    answers: [],
    content: (content) => ({
      body: {
        model: "small-1",
        choices: [
          {
            message: { role: "assistant", content: JSON.stringify(content) },
            finish_reason: "stop",
          },
        ],
        usage: { prompt_tokens: 12, completion_tokens: 7, total_tokens: 19 },
      },
    }),
    async close() {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
  const server = createServer(async (request, response) => {
    const cors = {
      "access-control-allow-origin": "*",
      "access-control-allow-headers": "authorization, content-type",
    };
    if (request.method === "OPTIONS") {
      response.writeHead(204, cors).end();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    model.requests.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    const answer = model.answers.shift() ?? replyOf(model) ?? { status: 404, body: {} };
    if (answer === "never") return;
    response.writeHead(answer.status ?? 200, { ...cors, "content-type": "application/json" });
    response.end(JSON.stringify(answer.body));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  model.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return model;
}

/** The reply to the last request. */
function replyOf({ reply, requests, content }: Model): Answer | undefined {
  const { messages, response_format } = JSON.parse(requests.at(-1)?.body || "{}");
  return reply && content(reply({ messages, schema: response_format?.json_schema?.schema ?? {} }));
}
