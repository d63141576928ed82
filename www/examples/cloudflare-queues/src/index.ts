import { OpenEvalsError } from "openevals-wasm";
import { consume, lose } from "./consume.js";
import type { Env, ShardMessage } from "./experiment.js";
import { merge } from "./merge.js";
import { produce } from "./produce.js";

interface Message {
  body: ShardMessage;
  attempts: number;
  ack(): void;
  retry(options: { delaySeconds: number }): void;
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const [, place, id] = new URL(request.url).pathname.split("/");
    if (place !== "experiments") return new Response("Not found", { status: 404 });
    if (request.method !== "POST") return merge(id ?? "", env);
    try {
      return Response.json(await produce(await request.text(), env));
    } catch (error) {
      if (!OpenEvalsError.isInstance(error) || error.code !== "invalid_input") throw error;
      return new Response(error.message, { status: 400 });
    }
  },

  async queue({ queue, messages }: { queue: string; messages: readonly Message[] }, env: Env): Promise<void> {
    for (const message of messages) {
      try {
        if (queue === "lost-shards") await lose(message.body, env);
        else await consume(message.body, message.attempts, env);
        message.ack();
      } catch (error) {
        console.error(error);
        message.retry({ delaySeconds: 30 });
      }
    }
  },
};
