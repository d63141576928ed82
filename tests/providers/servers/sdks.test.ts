/** Our servers accept the requests of the official SDKs: they reject nothing that the real ones accept. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { KEY, OLDER_AZURE, PROVIDERS } from "../judges.js";
import type { Loopback } from "./loopback.js";
import { AI_SDKS, SDKS } from "./sdks.js";

const schema = {
  type: "object",
  properties: { reasoning: { type: "string" }, score: { type: "boolean" } },
  required: ["reasoning", "score"],
  additionalProperties: false,
};
const question = { system: "You judge.", prompt: "Is it right?", temperature: 0, maxTokens: 500 };

/** The error for a wrong key. Hugging Face's SDK does not repeat the server's message. */
const REFUSED = /key|Unauthorized|credentials|an HTTP error/i;

describe.each([...PROVIDERS, OLDER_AZURE])("$name", ({
  model: named,
  start,
  says,
  shows,
  embedder,
  embeds,
  name,
  structure,
}) => {
  const sdk = SDKS[name]!;
  const model = named.slice(named.indexOf(":") + 1);
  const structured = structure ? {} : { schema };
  let server: Loopback;
  beforeAll(async () => {
    server = await start();
  });
  beforeEach(() => {
    server.script.splice(0, Infinity, says('{"reasoning": "It is.", "score": true}'));
  });
  afterAll(() => server.close());

  it("accepts a request", async () => {
    const answer = await sdk.ask(server.url, KEY, { ...question, ...structured, model });
    expect(JSON.stringify(answer)).toContain("It is.");
  });

  it.runIf(AI_SDKS[name])("accepts a request of the AI SDK, with and without an image", async () => {
    server.script.push(says("It is."));
    for (const shown of [undefined, "image"] as const) {
      const asked = { ...question, ...structured, model, ...(shown && { shows: shown }) };
      expect(JSON.stringify(await AI_SDKS[name]?.ask(server.url, KEY, asked))).toContain("It is.");
    }
  });

  it.each(shows)("accepts a request with an attachment: %s", async (shown) => {
    const answer = await sdk.ask(server.url, KEY, { ...question, model, shows: shown });
    expect(JSON.stringify(answer)).toContain("It is.");
  });

  if (name !== "Ollama") {
    it("refuses another key", async () => {
      await expect(sdk.ask(server.url, "sk-2", { ...question, model })).rejects.toThrow(REFUSED);
    });
  }

  if (embedder && embeds) {
    it("accepts texts to embed", async () => {
      server.script.splice(
        0,
        Infinity,
        embeds((text) => [text.length, 0.5]),
      );
      const answer = await sdk.embed?.(server.url, KEY, embedder, ["a", "bcd"]);
      const numbers = JSON.stringify(answer).match(/\[\d+,0.5\]/g);
      expect(numbers).toEqual(["[1,0.5]", "[3,0.5]"]);
    });
  }
});
