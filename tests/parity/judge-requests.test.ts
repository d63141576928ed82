/** The exact requests to an OpenAI client: all kinds of prompts, messages in the data, attachments. */
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import fc from "fast-check";
import { createLLMAsJudge } from "openevals-wasm";
import { test } from "vitest";
import { compare } from "./compare.ts";
import { openevals } from "./reference.ts";

type Options = Parameters<typeof createLLMAsJudge>[0];

interface Case {
  options: Omit<Options, "judge" | "outputSchema">;
  params: Record<string, unknown>;
}

const call = { id: "c1", name: "search", args: { q: "a", n: [1] } };
const openAICall = { id: "c2", type: "function", function: { name: "stop", arguments: "{}" } };
/** Made for each use, because the reference modifies its inputs. */
const messages = fc.constantFrom(
  () => new HumanMessage("hi"),
  () => new HumanMessage({ content: "hi", id: "m1", name: "ada" }),
  () => new SystemMessage("Be kind."),
  () => new AIMessage({ content: "Let me see.", id: "m2", tool_calls: [{ ...call, type: "tool_call" }] }),
  () => new AIMessage({ content: "", additional_kwargs: { tool_calls: [openAICall as never] } }),
  () => new ToolMessage({ content: "found", tool_call_id: "c1", name: "search" }),
  () => ({ role: "user", content: "plain" }),
  () => ({ role: "assistant", content: "", tool_calls: [openAICall] }),
);
const value = fc.oneof(
  fc.constantFrom<() => unknown>(
    () => "Paris",
    () => ({ a: [1, null], b: "{outputs}" }),
    () => [1, "two"],
    () => ({ messages: [] }),
  ),
  messages,
  fc.array(messages, { minLength: 1, maxLength: 3 }).map((list) => () => list.map((make) => make())),
  fc.array(messages, { minLength: 1, maxLength: 3 }).map((list) => () => {
    return { messages: list.map((make) => make()), n: 1 };
  }),
);

const image = "data:image/png;base64,iVBORw0KGgo=";
const attachment = fc.constantFrom<unknown>(
  "https://a.test/b.png",
  { mime_type: "image/png", data: image },
  { mime_type: " Image/PNG ", data: "https://a.test/b.png" },
  { mime_type: "audio/mpeg", data: "AAAA" },
  { mime_type: "audio/x-wav", data: "data:audio/x-wav;base64,AAAA" },
  { mime_type: "application/pdf", data: "data:application/pdf;base64,AAAA" },
  { mime_type: "application/pdf", data: "data:application/pdf;base64,AAAA", name: "a.pdf" },
  { type: "image_url", image_url: { url: image } },
  { type: "text", text: "A caption." },
);
const attachments = fc.oneof(attachment, fc.array(attachment, { minLength: 1, maxLength: 3 }));

const template = fc.constantFrom(
  "Is {outputs} right?",
  "{inputs} {outputs}",
  "Look at {attachments} and say whether {outputs} is right.",
  "{attachments}{outputs}",
  "{outputs} {attachments}",
);
const prompts = fc.oneof(
  { weight: 3, arbitrary: template },
  fc.constantFrom<Options["prompt"]>(
    async ({ inputs, outputs, reference_outputs, context }) => [
      { role: "system", content: "Be strict." },
      // Without their messages, which the reference has modified by then.
      {
        role: "user",
        content: [inputs, outputs, reference_outputs, context].map((each) => typeof each).join(),
      },
    ],
    () => [new SystemMessage("Be strict."), new HumanMessage("Right?")],
    () => [{ role: "user", content: ["Right?", "Sure?"].map((text) => ({ type: "text", text })) }],
    ChatPromptTemplate.fromMessages([
      ["system", "Be strict about {outputs}."],
      ["user", "{inputs}: {context}"],
    ]),
  ),
);

const cases: fc.Arbitrary<Case> = fc
  .record({
    prompt: prompts,
    scale: fc.constantFrom({}, { continuous: true }, { choices: [0, 1] }),
    useReasoning: fc.boolean(),
    few: fc.boolean(),
    inputs: value,
    outputs: value,
    context: value,
    referenceOutputs: fc.option(value, { nil: undefined }),
    attachments: fc.option(attachments, { nil: undefined }),
  })
  .map(({ prompt, scale, useReasoning, few, attachments, ...values }) => {
    const isText = typeof prompt === "string";
    const params = Object.fromEntries(Object.entries(values).map(([name, make]) => [name, make?.()]));
    // The reference appends examples to the content as text, and loses attachments of other prompts.
    const attached = isText ? attachments : undefined;
    const needed = isText && prompt.includes("{attachments}") ? (attached ?? image) : attached;
    const examples = few && needed === undefined && (isText || "invoke" in (prompt as object));
    const fewShotExamples = [{ inputs: "a", outputs: { b: 1 }, score: 1, reasoning: "So." }];
    return {
      options: {
        prompt,
        ...scale,
        useReasoning,
        ...(examples ? { fewShotExamples } : {}),
      } as Case["options"],
      params: { ...params, ...(needed === undefined ? {} : { attachments: needed }) },
    };
  });

/** The request, apart from the descriptions of fields. */
async function sent(
  make: typeof createLLMAsJudge,
  { options, params }: Case,
  key: string,
): Promise<{ key: string; score: unknown }> {
  let body: any;
  const score = "continuous" in options || "choices" in options ? 1 : true;
  const create = async (request: unknown) => {
    body = JSON.parse(JSON.stringify(request));
    return { choices: [{ message: { content: JSON.stringify({ reasoning: "So.", score }) } }] };
  };
  const judge = { chat: { completions: { create } } };
  await make({ ...options, judge, model: "openai:gpt-5.4" } as Options)(structured(params));
  const { json_schema } = body.response_format;
  for (const property of Object.values<any>(json_schema.schema.properties)) delete property.description;
  return { key, score: body };
}

/** A copy of the outer values, since the reference modifies them. */
const structured = (params: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const isHolder = typeof value === "object" && value !== null && "messages" in value;
      return [name, isHolder ? { ...value } : value];
    }),
  );

test("an OpenAI client gets the same request as from the reference", async () => {
  await compare<Case>({
    name: "judge requests",
    cases,
    ours: (input) => sent(createLLMAsJudge, input, "request"),
    reference: async (input) => [
      await sent(openevals.createLLMAsJudge as unknown as typeof createLLMAsJudge, input, "request"),
    ],
    differences: [],
    outcome: ({ score }: any) => typeof score.messages.at(-1).content,
    often: ["string", "object"],
    runs: 2_000,
  });
});
