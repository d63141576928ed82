/**
 * The server behind Cloudflare's binding `env.AI`: one request for each `run`, as workerd's class for the
 * binding sends it.
 */
import { PARTS } from "./chat-completions.js";
import {
  type Json,
  type Loopback,
  type Recorded,
  type Refusal,
  type Step,
  startLoopback,
} from "./loopback.js";
import { firstOf, isObject, unknownIn, words } from "./rules.js";

/** A model that knows of schemas, one that does not, and one of another provider behind the gateway. */
export const LLAMA = "@cf/meta/llama-3.3-70b-instruct-fp8-fast";
export const PLAIN = "@cf/mistral/mistral-7b-instruct-v0.1";
export const PARTNER = "openai/gpt-5.4";

const FIELDS = words(
  `messages response_format max_tokens temperature top_p top_k seed repetition_penalty frequency_penalty
  presence_penalty stream tools tool_choice reasoning_effort chat_template_kwargs`,
);

/** Starts a server for requests of workerd through miniflare's proxy. */
export const startWorkersAI = (): Promise<Loopback> => startLoopback(check);

/** An answer of a Cloudflare model. */
export const response = (response: Json, more: object = {}): Step => ({
  headers: { "content-type": "application/json" },
  body: JSON.stringify({
    response,
    usage: { prompt_tokens: 120, completion_tokens: 30, total_tokens: 150 },
    ...more,
  }),
});

/** A failure, of which workerd makes an error. */
export const failure = (status: number, internalCode: number, description: string): Step & Refusal => ({
  status,
  body: JSON.stringify({ internalCode, name: "AiError", message: description, description }),
});

function check({ method, headers, body }: Recorded): Refusal | undefined {
  const told = `${method} ${headers["mf-url"]}`;
  if (told !== "POST https://workers-binding.ai/run?version=3")
    return failure(400, 5000, `There is no ${told}`);
  const model = String(headers["mf-header-cf-consn-model-id"]);
  if (![LLAMA, PLAIN, PARTNER].includes(model)) return failure(400, 5007, `No such model ${model} or task`);
  const problem = inputProblem(body?.inputs) ?? unknownIn(body.options, ["gateway"]);
  if (problem) return failure(400, 5006, `Error: ${problem}`);
  return formatProblem(model, body.inputs.response_format);
}

function inputProblem(inputs: Json): string | undefined {
  if (!isObject(inputs)) return "required properties at '/' are 'messages'";
  const unknown = unknownIn(inputs, FIELDS);
  if (unknown) return `'${unknown}' is not a known property`;
  if (!Array.isArray(inputs.messages) || inputs.messages.length === 0) return "'/messages' must not be empty";
  return firstOf(inputs.messages, ({ role, content, ...more }: Json) => {
    if (!["system", "user", "assistant", "tool"].includes(role)) return `unknown role '${role}'`;
    if (unknownIn(more, ["name", "tool_calls"])) return "a message has an unknown property";
    if (typeof content === "string") return undefined;
    if (!Array.isArray(content)) return "Type mismatch of '/messages/0/content', 'string' not in 'null'";
    return firstOf(content, (part: Json) =>
      ["text", "image_url"].includes(part.type) ? PARTS[part.type]?.(part) : `unknown part '${part.type}'`,
    );
  });
}

function formatProblem(model: string, format: Json): Refusal | undefined {
  if (format === undefined) return undefined;
  if (model === PLAIN) return failure(400, 5025, "This model doesn't support JSON Schema.");
  if (format.type !== "json_schema") return failure(400, 5006, "Error: 'response_format.type' is unknown");
  const { json_schema: given = {} } = format;
  if (model === PARTNER && !(typeof given.name === "string" && isObject(given.schema)))
    return failure(400, 5004, "Missing required parameter: 'response_format.json_schema.name'");
  if (model !== PARTNER && given.type !== "object")
    return failure(400, 5006, "Error: 'response_format.json_schema' is no schema of an object");
  return undefined;
}
