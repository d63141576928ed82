/** Replaces the APIs of models: examples run without a key, and their requests are checked. */

type Json = any;

/** For the servers that examples start themselves. */
const network = fetch;

/**
 * The answer of a model: the first of `answers` with the requested keys, or else anything that fits the
 * schema.
 */
export function modelAPIs(answers: unknown[]): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname, hostname } = new URL(request.url);
    const [, answer] = APIS.find(([ending]) => pathname.endsWith(ending)) ?? [];
    if (!answer && hostname === "127.0.0.1") return network(request);
    const body: Json = await request.json();
    if (!answer) throw new Error(`The example asks ${request.url}, which is not the API of a model.`);
    const says = (schema: Json) => {
      const fits = (answer: Json) => Object.keys(answer).every((key) => key in schema.properties);
      const place = answers.findIndex((answer) =>
        schema ? typeof answer === "object" && fits(answer) : typeof answer === "string",
      );
      if (place >= 0) {
        const [next] = answers.splice(place, 1);
        return schema ? JSON.stringify(next) : (next as string);
      }
      return schema ? JSON.stringify(fitting(schema, schema)) : "Well said.";
    };
    return Response.json(answer(body, says));
  };
}

type API = (body: Json, says: (schema: Json) => string) => Json;

const embedded: API = ({ input, model, dimensions }) => ({
  model,
  data: [input].flat().map((text: string, index: number) => {
    const own = vector(text);
    return {
      index,
      embedding: dimensions ? Array.from({ length: dimensions }, (_, at) => own[at] ?? 0) : own,
    };
  }),
  usage: { prompt_tokens: 8, total_tokens: 8 },
});

const APIS: [path: string, answer: API][] = [
  [
    "/chat/completions",
    ({ model, response_format }, says) => ({
      id: "chatcmpl-1",
      model,
      choices: [
        {
          index: 0,
          finish_reason: "stop",
          message: { role: "assistant", content: says(response_format?.json_schema?.schema) },
        },
      ],
      usage: { prompt_tokens: 412, completion_tokens: 38 },
    }),
  ],
  [
    "/responses",
    ({ model, text }, says) => ({
      id: "resp_1",
      model,
      status: "completed",
      output: [
        {
          type: "message",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text: says(text?.format?.schema), annotations: [] }],
        },
      ],
      usage: { input_tokens: 412, output_tokens: 38 },
    }),
  ],
  [
    "/messages",
    ({ model, output_config }, says) => ({
      id: "msg_1",
      type: "message",
      role: "assistant",
      model,
      content: [{ type: "text", text: says(output_config?.format?.schema) }],
      stop_reason: "end_turn",
      usage: { input_tokens: 412, output_tokens: 38 },
    }),
  ],
  [
    ":generateContent",
    ({ generationConfig }, says) => ({
      modelVersion: "gemini",
      candidates: [
        {
          content: { role: "model", parts: [{ text: says(generationConfig?.responseJsonSchema) }] },
          finishReason: "STOP",
        },
      ],
      usageMetadata: { promptTokenCount: 412, candidatesTokenCount: 38 },
    }),
  ],
  [
    "/api/chat",
    ({ model, format }, says) => ({
      model,
      done: true,
      done_reason: "stop",
      message: { role: "assistant", content: says(format) },
      prompt_eval_count: 412,
      eval_count: 38,
    }),
  ],
  ["/embeddings", embedded],
  [
    "/api/embed",
    (body, says) => ({ embeddings: embedded(body, says).data.map((item: Json) => item.embedding) }),
  ],
];

/** How often each vowel occurs: near for texts that are nearly the same. */
const vector = (text: string) => [..."aeiou"].map((vowel) => text.toLowerCase().split(vowel).length);

/** The most that a schema allows. */
function fitting(schema: Json, root: Json): Json {
  if (schema.$ref)
    return fitting(
      schema.$ref
        .split("/")
        .slice(1)
        .reduce((at: Json, key: string) => at[key], root),
      root,
    );
  if ("const" in schema) return schema.const;
  if (schema.enum) return schema.enum.at(-1);
  const option = schema.anyOf?.[0] ?? schema.oneOf?.[0];
  if (option) return fitting(option, root);
  switch ([schema.type].flat()[0]) {
    case "boolean":
      return true;
    case "integer":
    case "number":
      return schema.maximum ?? 1;
    case "array":
      return schema.minItems === 0 ? [] : [fitting(schema.items ?? {}, root)];
    case "object":
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, property]) => [name, fitting(property, root)]),
      );
    case "null":
      return null;
    default:
      return "So it is.";
  }
}
