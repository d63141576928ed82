import { describe } from "vitest";
import { message, startAnthropic } from "./anthropic.js";
import type { Json } from "./loopback.js";
import { having, PDF, PNG, refusing } from "./refusing.js";

const schema = {
  type: "object",
  properties: { score: { type: "boolean" } },
  required: ["score"],
  additionalProperties: false,
};
const good = {
  model: "claude-sonnet-4-5",
  max_tokens: 4096,
  system: "You judge.",
  messages: [{ role: "user", content: "Hello" }],
};
const newest = "claude-opus-5-5";
const change = (members: Json) => having(good, members);
const says = (content: Json, role = "user") => change({ messages: [{ role, content }] });
const source = (type: string, source: Json) => says([{ type, source }]);
const forced = {
  tools: [{ name: "score", input_schema: schema }],
  tool_choice: { type: "tool", name: "score" },
};
const tool = (members: Json) => change({ ...forced, tools: [{ ...forced.tools[0], ...members }] });
const format = (members: Json, model = good.model) =>
  change({ model, output_config: { format: { type: "json_schema", schema: { ...schema, ...members } } } });
const inner = (node: Json) => format({ properties: { score: node } });
const latest = { "anthropic-version": "2026-10-21" };

describe("the messages of Anthropic", () => {
  refusing({
    start: () => startAnthropic("sk-1"),
    path: "/v1/messages",
    headers: { "x-api-key": "sk-1", "anthropic-version": "2023-06-01" },
    answer: message("Hi"),
    messageOf: (answer) => answer.type === "error" && answer.error.message,
    good: [
      ["a question", { body: good }],
      ["the same in the latest version", { body: good, headers: latest }],
      [
        "a key with Bearer",
        { body: good, headers: { "x-api-key": undefined, authorization: "Bearer sk-1" } },
      ],
      ["a temperature in the older version", change({ temperature: 0 })],
      ["a tool that has to be used", change(forced)],
      [
        "a tool and thinking",
        change({
          tools: forced.tools,
          tool_choice: { type: "auto" },
          thinking: { type: "enabled", budget_tokens: 1024 },
        }),
      ],
      ["a schema", format({})],
      ["a schema for a model that always thinks", format({}, newest)],
      ["an image", source("image", { type: "base64", media_type: "image/png", data: PNG })],
      ["an image at an address", source("image", { type: "url", url: "https://example.com/a.png" })],
      ["a document", source("document", { type: "base64", media_type: "application/pdf", data: PDF })],
      ["a document at an address", source("document", { type: "url", url: "https://example.com/a.pdf" })],
    ],
    bad: [
      ["another path", { body: good, path: "/messages" }, 404],
      ["no key", { body: good, headers: { "x-api-key": undefined } }, 401],
      ["another key", { body: good, headers: { "x-api-key": "sk-2" } }, 401],
      ["two keys", { body: good, headers: { authorization: "Bearer sk-1" } }, 401],
      ["no version", { body: good, headers: { "anthropic-version": undefined } }, 400],
      ["a version that there is not", { body: good, headers: { "anthropic-version": "2024-01-01" } }, 400],
      ["an unknown model", change({ model: "gpt-5.4" }), 404],
      ["an unknown member", change({ seed: 1 }), 400],
      ["OpenAI's format", change({ response_format: { type: "json_object" } }), 400],
      ["no limit", change({ max_tokens: undefined }), 400],
      ["a limit of 0", change({ max_tokens: 0 }), 400],
      ["a stream", change({ stream: true }), 400],
      ["a temperature of 2", change({ temperature: 2 }), 400],
      ["any temperature in the latest version", { ...change({ temperature: 1 }), headers: latest }, 400],
      ["any temperature for later models", change({ temperature: 1, model: "claude-opus-4-7" }), 400],
      ["an empty system message", change({ system: "" }), 400],
      ["a system message among the others", says("You judge.", "system"), 400],
      ["no messages", change({ messages: [] }), 400],
      ["an answer at the end", says("Well,", "assistant"), 400],
      ["an empty text", says([{ type: "text", text: " " }]), 400],
      ["an unknown member of a message", change({ messages: [{ ...good.messages[0], name: "I" }] }), 400],
      ["OpenAI's image", says([{ type: "image_url", image_url: { url: "https://example.com/a" } }]), 400],
      ["a recording", says([{ type: "audio", source: { type: "base64" } }]), 400],
      ["an image without its type", source("image", { type: "base64", data: PNG }), 400],
      [
        "an image of another type",
        source("image", { type: "base64", media_type: "image/bmp", data: PNG }),
        400,
      ],
      [
        "an image that is not base64",
        source("image", { type: "base64", media_type: "image/png", data: "-" }),
        400,
      ],
      ["an image at a data URI", source("image", { type: "url", url: "data:image/png;base64,AAAA" }), 400],
      [
        "a document that is an image",
        source("document", { type: "base64", media_type: "image/png", data: PNG }),
        400,
      ],
      ["a tool without a schema", tool({ input_schema: undefined }), 400],
      ["a tool that takes a list", tool({ input_schema: { type: "array" } }), 400],
      ["a tool in OpenAI's form", tool({ function: {} }), 400],
      ["a tool with a blank in its name", tool({ name: "the score" }), 400],
      ["a choice of a tool that there is not", tool({ name: "other" }), 400],
      ["a choice without tools", change({ tool_choice: { type: "auto" } }), 400],
      ["a tool that has to be used by a model that thinks", change({ ...forced, model: newest }), 400],
      [
        "a tool that has to be used while thinking",
        change({
          ...forced,
          thinking: { type: "enabled", budget_tokens: 1024 },
        }),
        400,
      ],
      ["little thinking", change({ thinking: { type: "enabled", budget_tokens: 100 } }), 400],
      ["more thinking than the limit", change({ thinking: { type: "enabled", budget_tokens: 4096 } }), 400],
      ["no thinking where there always is", change({ model: newest, thinking: { type: "disabled" } }), 400],
      [
        "thinking at a temperature",
        change({
          temperature: 0,
          thinking: { type: "enabled", budget_tokens: 1024 },
        }),
        400,
      ],
      ["a schema for a model that has none", format({}, "claude-opus-4-0"), 400],
      ["an open object", format({ additionalProperties: undefined }), 400],
      ["a description beside a reference", inner({ $ref: "#/$defs/a", description: "" }), 400],
      ["a format that is none", inner({ type: "string", format: "iri" }), 400],
      ["a pattern that looks around", inner({ type: "string", pattern: "^(?!a)" }), 400],
      ["a lower bound", inner({ type: "number", minimum: 0 }), 400],
      ["a longest text", inner({ type: "string", maxLength: 5 }), 400],
      ["an open object inside", inner({ type: "array", items: { type: "object" } }), 400],
    ],
  });
});
