/** Prompts as functions or templates, messages in the data, and attachments. */
import { AIMessage, ChatMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { ChatPromptTemplate, StructuredPrompt } from "@langchain/core/prompts";
import { createLLMAsJudge, type JudgeRequest } from "openevals-wasm";
import { describe, expect, it } from "vitest";
import { errorOf } from "./error-of.ts";

type Options = Parameters<typeof createLLMAsJudge>[0];

/** The request of a judge with this prompt. */
async function asked(
  prompt: Options["prompt"],
  params: Record<string, unknown> = {},
  options: Partial<Options> = {},
): Promise<JudgeRequest["messages"]> {
  let messages: JudgeRequest["messages"] = [];
  const judge = (request: JudgeRequest) => {
    messages = request.messages;
    return { score: true };
  };
  await createLLMAsJudge({ ...options, prompt, judge } as Options)(params);
  return messages;
}

const PIXEL = "data:image/png;base64,iVBORw0KGgo=";

describe("a prompt function", () => {
  it("gets the arguments of the evaluator, with both spellings of the reference", async () => {
    let params: unknown;
    const prompt = (given: unknown) => {
      params = given;
      return [{ role: "user" as const, content: "Is it right?" }];
    };
    const outputs = { n: 1 };
    await asked(prompt, { inputs: "a", outputs, referenceOutputs: "r", context: [1] });
    expect(params).toEqual({
      inputs: "a",
      outputs,
      referenceOutputs: "r",
      reference_outputs: "r",
      context: [1],
    });
    expect((params as { outputs: unknown }).outputs).toBe(outputs);
  });

  it("may be asynchronous, and returns messages of any kind", async () => {
    const prompt = async ({ outputs }: { outputs: string }) => [
      { role: "developer" as const, content: "Be {strict}." },
      new HumanMessage(`Is ${outputs} right?`),
      new AIMessage("Of which country?"),
      { role: "user" as const, content: [{ type: "text", text: "France. " }, PIXEL] },
    ];
    expect(await asked(prompt, { outputs: "Paris" })).toEqual([
      { role: "system", content: "Be {strict}." },
      { role: "user", content: "Is Paris right?" },
      { role: "assistant", content: "Of which country?" },
      {
        role: "user",
        content: [
          { type: "text", text: "France. " },
          { type: "text", text: PIXEL },
        ],
      },
    ]);
  });

  it("may return tool calls and results, which become text", async () => {
    const calls = [{ id: "c1", type: "function", function: { name: "search", arguments: '{"q":1}' } }];
    const messages = [
      { role: "user" as const, content: "Judge this conversation." },
      { role: "assistant" as const, content: "", tool_calls: calls },
      new ToolMessage({ content: "found", tool_call_id: "c1", name: "search" }),
      new AIMessage({ content: "Done.", tool_calls: [{ id: "c2", name: "stop", args: {} }] }),
    ];
    expect(await asked(() => messages)).toEqual([
      { role: "user", content: "Judge this conversation." },
      { role: "assistant", content: 'Call of the tool search: {"q":1}' },
      { role: "user", content: "Result of the tool search:\nfound" },
      { role: "assistant", content: "Done.\nCall of the tool stop: {}" },
    ]);
  });

  it("may return attachments", async () => {
    const prompt = ({ attachments }: { attachments: string }) => [
      { role: "user" as const, content: [{ type: "image_url", image_url: attachments }] },
    ];
    expect(await asked(prompt, { attachments: "https://a.test/b.png" })).toEqual([
      { role: "user", content: [{ type: "image_url", image_url: { url: "https://a.test/b.png" } }] },
    ]);
  });

  it("gets examples appended to its last user message", async () => {
    const fewShotExamples = [{ inputs: "i", outputs: "o", score: true }];
    const prompt = () => [
      { role: "user" as const, content: [{ type: "image_url", image_url: { url: PIXEL } }] },
      { role: "assistant" as const, content: "Seen." },
    ];
    const [user] = await asked(prompt, {}, { fewShotExamples });
    expect(user?.content).toEqual([
      { type: "image_url", image_url: { url: PIXEL } },
      {
        type: "text",
        text: '\n\n<example>\n<input>"i"</input>\n<output>"o"</output>\n<score>true</score>\n</example>',
      },
    ]);
    const none = () => [{ role: "system" as const, content: "Be strict." }];
    const error = await errorOf(createLLMAsJudge({ prompt: none, judge: () => "", fewShotExamples })({}));
    expect(error).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("fewShotExamples"),
    });
  });

  it.each([
    ["nothing", undefined, "returned no messages"],
    ["no messages", [], "returned no messages"],
    ["a text", "Is it right?", "returned no messages"],
    ["an unknown role", [new ChatMessage("x", "critic")], "role system, user or assistant"],
    [
      "an unknown part",
      [{ role: "user", content: [{ type: "video" }] }],
      "Unsupported attachment type at messages[0].content[0]",
    ],
  ])("that returns %s is an error", async (_, returned, words) => {
    const error = await errorOf(createLLMAsJudge({ prompt: () => returned as never, judge: () => "" })({}));
    expect(error).toMatchObject({ code: "invalid_input", message: expect.stringContaining(words) });
  });

  it("that throws is callback_failed, with the cause", async () => {
    const prompt = () => {
      throw new RangeError("boom");
    };
    const error = await errorOf(createLLMAsJudge({ prompt, judge: () => "" })({}));
    expect(error).toMatchObject({ code: "callback_failed", message: "The prompt function failed: boom" });
    expect(error.cause).toBeInstanceOf(RangeError);
  });
});

describe("a prompt that would hide the answer", () => {
  const params = { inputs: "1 + 1", outputs: "2" };
  it.each([
    [
      "Is {{outputs}} right?",
      'The prompt has "{{outputs}}", which is text: the judge would not see outputs. Write {outputs};',
    ],
    [
      "Is {{ output }} an answer to {inputs}?",
      'has "{{ output }}", which is text: the judge would not see outputs.',
    ],
    ["Is {{input}} a question? {outputs}", 'has "{{input}}", which is text: the judge would not see inputs.'],
    ["Is it right?", "The prompt has no variable, so the judge would not see the outputs. Write {outputs}"],
    ["Is it {{right}}?", "The prompt has no variable"],
  ])("%s is refused", async (prompt, message) => {
    let asked = 0;
    const judge = () => {
      asked++;
      return { score: true };
    };
    const error = await errorOf(createLLMAsJudge({ prompt, judge, useReasoning: false })(params));
    expect(error).toMatchObject({ code: "invalid_config", message: expect.stringContaining(message) });
    expect(asked).toBe(0);
  });

  it.each([
    ["Is {{outputs}} about {outputs}?", params, "Is {outputs} about 2?"],
    ["Is {{{outputs}}} right?", params, "Is {2} right?"],
    ["Is this a question? {inputs}", params, "Is this a question? 1 + 1"],
    ['Answer {{"a": 1}} of {{n}}: {outputs}', params, 'Answer {"a": 1} of {n}: 2'],
    ["Is the weather fine?", { inputs: "today" }, "Is the weather fine?"],
  ])("%s is asked", async (prompt, given, content) => {
    expect(await asked(prompt, given)).toEqual([{ role: "user", content }]);
  });

  it("is none with attachments, which follow the prompt", async () => {
    const [message] = await asked("What is in the picture?", { outputs: "A cat.", attachments: PIXEL });
    expect(message?.content).toHaveLength(2);
  });
});

describe("a prompt template of LangChain", () => {
  it("is filled in with variables as text", async () => {
    const prompt = ChatPromptTemplate.fromMessages([
      ["system", "Compare with {reference_outputs}."],
      ["user", "{inputs}: {outputs} ({context})"],
    ]);
    const params = { inputs: "a", outputs: { b: [1] }, referenceOutputs: "r", context: 7 };
    expect(await asked(prompt, params)).toEqual([
      { role: "system", content: "Compare with r." },
      { role: "user", content: 'a: {"b":[1]} (7)' },
    ]);
  });

  it("with a missing variable is an error with the template's message", async () => {
    const prompt = ChatPromptTemplate.fromTemplate("{inputs} {context}");
    const error = await errorOf(createLLMAsJudge({ prompt, judge: () => "" })({ inputs: "a" }));
    expect(error).toMatchObject({ code: "callback_failed", message: expect.stringContaining("context") });
  });

  it("with a schema determines the answer", async () => {
    const schema = {
      title: "Tone",
      type: "object",
      properties: { tone: { type: "string" } },
      required: ["tone"],
      additionalProperties: false,
    };
    const prompt = StructuredPrompt.fromMessagesAndSchema(
      [["user", "What is the tone of {outputs}?"]],
      schema,
    );
    let asks: unknown;
    const judge = createLLMAsJudge({
      prompt,
      judge: ({ schema }) => {
        asks = schema;
        return { tone: "kind" };
      },
    });
    expect(await judge({ outputs: "Gladly." })).toEqual({ tone: "kind" });
    expect(asks).toEqual(schema);
  });

  it("takes no attachments", async () => {
    const prompt = ChatPromptTemplate.fromTemplate("{inputs}");
    const error = await errorOf(
      createLLMAsJudge({ prompt, judge: () => "" })({ inputs: "", attachments: PIXEL }),
    );
    expect(error).toMatchObject({ code: "invalid_input", message: expect.stringContaining("attachments") });
  });
});

describe("LangChain messages in the data", () => {
  const messages = [
    new SystemMessage("s"),
    new HumanMessage({ content: "hi", id: "m1", name: "bob" }),
    new AIMessage({ content: "", id: "m2", tool_calls: [{ id: "c1", name: "f", args: { a: 1 } }] }),
    new ToolMessage({ content: "r", tool_call_id: "c1", name: "f" }),
  ];
  const text =
    '[{"role":"system","content":"s"},{"role":"user","content":"hi","name":"bob","id":"m1"},' +
    '{"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\\"a\\":1}"}}],"id":"m2"},' +
    '{"role":"tool","content":"r","name":"f","tool_call_id":"c1"}]';

  it("are in the prompt in OpenAI's format", async () => {
    const prompt = "{inputs}|{outputs}|{messages}";
    const [user] = await asked(prompt, {
      inputs: messages,
      outputs: { messages, n: 1 },
      messages: messages[0],
    });
    expect(user?.content).toBe(`${text}|{"messages":${text},"n":1}|{"role":"system","content":"s"}`);
  });
});

describe("attachments", () => {
  const seen = async (attachments: unknown, prompt = "") => {
    const [message] = await asked(prompt, { attachments });
    return message?.content;
  };

  it.each([
    ["a URL", "https://a.test/b.png", "https://a.test/b.png"],
    ["a data: URI", { mime_type: "image/png", data: PIXEL }, PIXEL],
    ["base64", { mime_type: "image/png", data: "iVBORw0KGgo=" }, PIXEL],
    ["OpenAI's part", { type: "image_url", image_url: { url: PIXEL } }, PIXEL],
    [
      "LangChain's block",
      { type: "image", source_type: "base64", mime_type: "image/png", data: "iVBORw0KGgo=" },
      PIXEL,
    ],
    ["LangChain's block with a URL", { type: "image", url: "https://a.test/b.png" }, "https://a.test/b.png"],
    [
      "Anthropic's block",
      { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } },
      PIXEL,
    ],
    ["the AI SDK's part", { type: "file", mediaType: "image/png", data: "iVBORw0KGgo=" }, PIXEL],
  ])("an image as %s", async (_, attachment, url) => {
    expect(await seen(attachment)).toEqual([{ type: "image_url", image_url: { url } }]);
  });

  it.each([
    ["audio/wav", "wav"],
    ["audio/x-wav", "wav"],
    ["Audio/MPEG", "mp3"],
    ["audio/mp3", "mp3"],
    ["audio/flac", "flac"],
  ])("a recording of type %s", async (mime_type, format) => {
    const part = [{ type: "input_audio", input_audio: { data: "UklGRg==", format } }];
    expect(await seen({ mime_type, data: "UklGRg==" })).toEqual(part);
    expect(await seen({ mime_type, data: `data:${mime_type};base64,UklGRg==` })).toEqual(part);
  });

  it("a document, with or without a name", async () => {
    const file_data = "data:application/pdf;base64,JVBERi0=";
    const part = (filename: string) => [{ type: "file", file: { filename, file_data } }];
    expect(await seen({ mime_type: "application/pdf", data: file_data })).toEqual(part("attachment.pdf"));
    expect(await seen({ mime_type: "application/pdf", data: "JVBERi0=", name: "a.pdf" })).toEqual(
      part("a.pdf"),
    );
    expect(await seen({ type: "file", file: { filename: "b.pdf", file_data } })).toEqual(part("b.pdf"));
  });

  it("are inserted where the prompt says, or at its end", async () => {
    const image = { type: "image_url", image_url: { url: PIXEL } };
    const text = (text: string) => ({ type: "text", text });
    expect(await seen([PIXEL, PIXEL], "Look: {attachments} Nice?")).toEqual([
      text("Look: "),
      image,
      image,
      text(" Nice?"),
    ]);
    expect(await seen(PIXEL, "Nice?")).toEqual([text("Nice?"), image]);
    expect(await seen([], "Nice?")).toBe("Nice?");
  });

  it("are required by a prompt with a place for them", async () => {
    const error = await errorOf(createLLMAsJudge({ prompt: "{attachments}", judge: () => "" })({}));
    expect(error).toMatchObject({
      code: "missing_variable",
      message: expect.stringContaining("{attachments}"),
    });
  });

  it.each([
    [7, "Unsupported attachment type at attachments: number"],
    [[PIXEL, {}], "Unsupported attachment type at attachments[1]"],
    [{ mime_type: "video/mp4", data: "AA==" }, "Unsupported attachment MIME type at attachments: video/mp4"],
    [{ mime_type: "image/png", data: new Uint8Array(4) }, "Unsupported attachment type at attachments"],
    [{ mime_type: "audio/wav", data: "https://a.test/b.wav" }, "attachments is a URL; audio is passed"],
  ])("%j is an error", async (attachments, words) => {
    const error = await errorOf(
      createLLMAsJudge({ prompt: "", judge: () => "" })({ attachments: attachments as never }),
    );
    expect(error).toMatchObject({ code: "invalid_input", message: expect.stringContaining(words) });
  });
});
