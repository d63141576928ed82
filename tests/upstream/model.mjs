/**
 * A scripted server instead of OpenAI and of LangSmith's prompt hub: upstream's tests ask real models, but
 * the opinions of models are not compared here.
 */

import { createServer } from "node:http";

/** The opinions of the model. A test passes if it does with one of them. */
export const OPINIONS = ["yes", "no", "half"];

const NUMBERS = { yes: 1, no: 0, half: 0.5 };

/** A value that fits a JSON schema. */
function fitting(schema, opinion, said, root = schema) {
  const { type, enum: values, anyOf, oneOf, $ref, properties = {} } = schema ?? {};
  const go = (inner) => fitting(inner, opinion, said, root);
  if ($ref)
    return go(
      $ref
        .slice(2)
        .split("/")
        .reduce((at, name) => at[name], root),
    );
  const choice = anyOf ?? oneOf;
  if (choice) return go(choice.find((one) => one.type !== "null") ?? choice[0]);
  if (values) {
    const sorted = values.every((value) => typeof value === "number")
      ? values.toSorted((a, b) => a - b)
      : values;
    return sorted.at({ yes: -1, no: 0, half: Math.floor(sorted.length / 2) }[opinion]);
  }
  const types = [type].flat();
  if (types.includes("object"))
    return Object.fromEntries(
      Object.entries(properties).map(([name, inner]) => [name, name === "code" ? said.code : go(inner)]),
    );
  if (types.includes("boolean")) return opinion === "yes";
  if (types.includes("number") || types.includes("integer")) return NUMBERS[opinion];
  if (types.includes("array")) return [];
  return "Because.";
}

const textOf = (content) =>
  typeof content === "string" ? content : (content ?? []).map(({ text = "" }) => text).join("\n");

/** The code in the last message, for questions about that. */
function codeIn(messages) {
  const text = textOf(messages.at(-1).content).replace(/<\/?text>/g, "");
  const blocks = Array.from(text.matchAll(/```(\w*)\n(.*?)```/gs), ([, language, code]) => ({
    language,
    code,
  }));
  const found = blocks.filter(({ language }) => !/^(sh|bash|shell|json)$/.test(language));
  if (found.length) return found.map(({ code }) => code).join("\n");
  return text.match(/\b(?:function \w+\(|def \w+\(|import \w|from \w+ import ).*/s)?.[0] ?? null;
}

/** The tool that is called: the one that has to be, or else the first, as the answer to a user. */
function toolFor(messages, tools, choice) {
  const forced = choice?.function?.name ?? choice?.name;
  if (forced) return tools.find((tool) => (tool.function ?? tool).name === forced);
  const isAsked = messages.at(-1).role === "user" || choice === "required";
  return choice !== "none" && isAsked ? tools?.[0] : undefined;
}

function chat({ messages, model, response_format, tools, tool_choice }, opinion) {
  const said = { code: codeIn(messages) };
  const schema = response_format?.json_schema?.schema;
  const tool = toolFor(messages, tools, tool_choice);
  const { name, parameters } = tool?.function ?? {};
  const call = tool && {
    id: `call_${messages.length}`,
    type: "function",
    function: { name, arguments: JSON.stringify(fitting(parameters, opinion, said)) },
  };
  const content = call ? null : schema ? JSON.stringify(fitting(schema, opinion, said)) : "Tell me more.";
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1767225600,
    model,
    choices: [
      {
        index: 0,
        finish_reason: call ? "tool_calls" : "stop",
        message: { role: "assistant", content, refusal: null, ...(call && { tool_calls: [call] }) },
      },
    ],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  };
}

function responses({ model, input, text, tools, tool_choice }, opinion) {
  const messages = typeof input === "string" ? [{ content: input }] : input;
  const said = { code: codeIn(messages) };
  const schema = text?.format?.schema;
  const answer = schema ? JSON.stringify(fitting(schema, opinion, said)) : "Tell me more.";
  const content = [{ type: "output_text", text: answer, annotations: [] }];
  const tool = toolFor(messages, tools, tool_choice);
  const output = tool
    ? {
        id: `fc_${messages.length}`,
        type: "function_call",
        status: "completed",
        call_id: `call_${messages.length}`,
        name: tool.name,
        arguments: JSON.stringify(fitting(tool.parameters, opinion, said)),
      }
    : { id: "msg_1", type: "message", role: "assistant", status: "completed", content };
  return {
    id: "resp_1",
    object: "response",
    created_at: 1767225600,
    status: "completed",
    model,
    output: [output],
    usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
  };
}

/** Texts with the same words are alike. */
function embeddings({ input, model, encoding_format }) {
  const data = [input].flat().map((text, index) => {
    const vector = new Float32Array(64);
    for (const word of String(text).toLowerCase().split(/\W+/)) {
      let hash = 0;
      for (const letter of word) hash = (hash * 31 + letter.charCodeAt(0)) % 64;
      vector[hash] += 1;
    }
    const embedding =
      encoding_format === "base64" ? Buffer.from(vector.buffer).toString("base64") : Array.from(vector);
    return { object: "embedding", index, embedding };
  });
  return { object: "list", model, data, usage: { prompt_tokens: 1, total_tokens: 1 } };
}

const TIME = "2026-01-01T00:00:00Z";

/** The answer of LangSmith for a prompt. */
const repo = (name) => ({
  id: "00000000-0000-0000-0000-000000000001",
  tenant_id: "00000000-0000-0000-0000-000000000002",
  repo_handle: name,
  full_name: `upstream/${name}`,
  owner: "upstream",
  created_at: TIME,
  updated_at: TIME,
  is_public: false,
  is_archived: false,
  tags: [],
  num_likes: 0,
  num_downloads: 0,
  num_views: 0,
  num_commits: 0,
});

/** LangSmith, as far as tests ask for prompts that they have put there before. */
function hub(method, path, body, prompts) {
  const [, kind, name, version] = path.match(/^\/(repos|commits)\/[^/]+\/([^/]+)(?:\/(.+))?/) ?? [];
  if (path.endsWith("/settings"))
    return { id: "t", tenant_handle: "upstream", display_name: "upstream", created_at: TIME };
  if (method === "POST" && kind === "commits") {
    prompts.set(name, body.manifest);
    return { commit: { commit_hash: "0".repeat(64) } };
  }
  if (kind === "commits" && !version) return { commits: [], total: 0 };
  if (kind === "commits" && prompts.has(name))
    return { commit_hash: "0".repeat(64), manifest: prompts.get(name), examples: [] };
  if (method === "POST" && /^\/repos\/?$/.test(path)) {
    prompts.set(body.repo_handle, undefined);
    return { repo: repo(body.repo_handle) };
  }
  if (kind === "repos" && prompts.has(name)) return { repo: repo(name) };
  if (path.endsWith("/info")) return { version: "0.10.0", batch_ingest_config: {} };
  return undefined;
}

/** Starts it. `setOpinion` sets the opinion of the model from then on. */
export async function startModel() {
  let opinion = "yes";
  const prompts = new Map();
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const body = text.startsWith("{") ? JSON.parse(text) : undefined;
    const path = new URL(request.url, "http://localhost").pathname;
    let answer;
    if (path.endsWith("/chat/completions")) answer = chat(body, opinion);
    else if (path.endsWith("/responses")) answer = responses(body, opinion);
    else if (path.endsWith("/embeddings")) answer = embeddings(body);
    else answer = hub(request.method, path, body, prompts);
    response.writeHead(answer ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? { detail: "not found" }));
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${server.address().port}`;
  return {
    /** The keys and addresses that tests find instead of real ones. */
    env: {
      OPENAI_API_KEY: "stand-in",
      OPENAI_BASE_URL: `${url}/v1`,
      LANGSMITH_API_KEY: "stand-in",
      LANGSMITH_ENDPOINT: url,
      LANGSMITH_TEST_TRACKING: "false",
      LANGSMITH_TRACING: "false",
      E2B_API_KEY: "stand-in",
    },
    setOpinion: (next) => {
      opinion = next;
    },
    close: () => new Promise((closed) => server.close(closed)),
  };
}
