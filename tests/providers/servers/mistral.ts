/** Mistral's chat completions and embeddings, as strict as its API reference: a member too many is an error. */
import { chatProblem, type Dialect, PARTS } from "./chat-completions.js";
import { embeddingsProblem } from "./embeddings.js";
import { type Loopback, type Recorded, type Refusal, type Step, startLoopback } from "./loopback.js";
import { bearer, IMAGES, isBase64, isDataURI, isJSON, isWebURL, words } from "./rules.js";

const MISTRAL: Dialect = {
  fields: words(
    `model temperature top_p max_tokens stream stop random_seed metadata messages response_format tools
    tool_choice presence_penalty frequency_penalty n prediction parallel_tool_calls reasoning_effort
    prompt_mode guardrails prompt_cache_key service_tier safe_prompt`,
  ),
  formats: () => ["text", "json_object", "json_schema"],
  parts: {
    text: PARTS.text,
    image_url({ image_url }) {
      const url = image_url?.url ?? image_url;
      return isWebURL(url) || isDataURI(url, IMAGES) ? undefined : "Invalid 'image_url'";
    },
    document_url({ document_url }) {
      const valid = isWebURL(document_url) || isDataURI(document_url, ["application/pdf"]);
      return valid ? undefined : "Invalid 'document_url'";
    },
    input_audio: ({ input_audio }) => {
      const valid = isWebURL(input_audio) || isBase64(input_audio);
      return valid ? undefined : "Invalid 'input_audio': it is the base64 itself";
    },
  },
  partFields: ["document_name"],
  messageFields: words("role content tool_calls tool_call_id name prefix"),
  others({ messages, temperature = 0 }) {
    const { role, prefix } = messages.at(-1);
    if (role !== "user" && role !== "tool" && !prefix)
      return `Expected last role User or Tool (or Assistant with prefix True) but got ${role}`;
    if (messages.some((message: { role: string }) => message.role === "developer"))
      return "Input tag 'developer' does not match any of the expected tags";
    return temperature > 1.5 ? "Input should be less than or equal to 1.5" : undefined;
  },
};

const EMBEDDING_FIELDS = words("model input metadata output_dimension output_dtype encoding_format");

/** Starts a server that takes this key. */
export function startMistral(key: string): Promise<Loopback> {
  return startLoopback((request) => check(request, key));
}

/** An error in Mistral's forms: a list of problems for a request, and an error without a name for a key. */
export function failure(status: number, message: string): Step & Refusal {
  const detail = [{ type: "value_error", loc: ["body"], msg: message, input: null }];
  const body =
    status === 422
      ? { object: "error", message: { detail }, type: "invalid_request_error", param: null, code: null }
      : status === 401
        ? { detail: message }
        : { object: "error", message, type: "invalid_request_error", param: null, code: "1300" };
  return { status, headers: { "mistral-correlation-id": "019a" }, body: JSON.stringify(body) };
}

function check({ method, path, headers, body }: Recorded, key: string): Refusal | undefined {
  if (method !== "POST" || !["/v1/chat/completions", "/v1/embeddings"].includes(path))
    return failure(404, "no Route matched with those values");
  if (bearer(headers) !== key) return failure(401, `Unauthorized: ${headers.authorization}`);
  if (!isJSON(headers)) return failure(422, "Input should be a valid dictionary");
  const problem =
    path === "/v1/embeddings" ? embeddingsProblem(body, EMBEDDING_FIELDS) : chatProblem(body, MISTRAL);
  return problem ? failure(422, problem) : undefined;
}
