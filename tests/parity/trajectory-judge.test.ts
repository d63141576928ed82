/** Judges of trajectories read the same content as with the reference, in another format. */
import fc from "fast-check";
import { createGraphTrajectoryLLMAsJudge, createTrajectoryLLMAsJudge } from "openevals-wasm";
import { test } from "vitest";
import { compare } from "./compare.ts";
import { agentevals, openevals } from "./reference.ts";

interface Call {
  name: string;
  args: Record<string, unknown>;
}
interface Message {
  role: string;
  content: string;
  calls: Call[];
}
interface Case {
  messages: Message[];
  wrapped: boolean;
  feedbackKey: string | undefined;
  answer: { score: boolean; reasoning: string };
}

// Without angle brackets, which the reference does not escape: a text could pass for one of its tags.
const said = fc.constantFrom(
  "",
  "Oslo",
  "How warm is it?",
  "4 °C, é\u{1f600}",
  '{"a": 1}',
  "{outputs}",
  "a\nb",
  "-> | [2]",
);
const args = fc.record({ city: said, days: fc.integer({ min: 0, max: 9 }) }, { requiredKeys: [] });
const message: fc.Arbitrary<Message> = fc.record({
  role: fc.constantFrom("user", "assistant", "tool", "system"),
  content: said,
  calls: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    {
      weight: 1,
      arbitrary: fc.array(fc.record({ name: fc.constantFrom("weather", "search_web"), args }), {
        maxLength: 2,
      }),
    },
  ),
});
const cases: fc.Arbitrary<Case> = fc.record({
  messages: fc.array(message, { minLength: 1, maxLength: 4 }),
  wrapped: fc.boolean(),
  feedbackKey: fc.constantFrom(undefined, "fine"),
  answer: fc.record({ score: fc.boolean(), reasoning: said }),
});

const written = ({ messages, wrapped }: Case): any => {
  const list = messages.map(({ role, content, calls }, index) => ({
    role,
    content,
    ...(role === "assistant" &&
      calls.length > 0 && {
        tool_calls: calls.map(({ name, args: given }, position) => ({
          id: `call_${position}`,
          type: "function",
          function: { name, arguments: JSON.stringify(given) },
        })),
      }),
    ...(role === "tool" && { tool_call_id: `call_${index}` }),
  }));
  return wrapped ? { messages: list } : list;
};

type Made = { key: string; score: unknown; comment?: string };

/** The compared values: the result, and the content of each message without its markup. */
const seen = ({ key, score, comment }: Made, messages: unknown) => ({
  key,
  score: { score, comment, messages },
});

/** Parses roles, texts, calls and ids from our format. */
const readOurs = (text: string) =>
  text
    .split(/(?:^|\n\n)\[\d+\] /)
    .slice(1)
    .map((block) => {
      const [head = "", ...sections] = block.split("\n-> call of ");
      const [first = "", ...lines] = head.split("\n");
      const unmarked = (quote: string[]) => quote.map((line) => line.replace(/^\| /, "")).join("\n");
      const [role, , , id] = first.split(" ");
      return {
        role,
        id: id?.slice(0, -1),
        content: unmarked(lines),
        calls: sections.map((section) => {
          const [called = "", ...quote] = section.split("\n");
          return { name: called.split(" ")[0], arguments: unmarked(quote) };
        }),
      };
    });

/** Parses the same from the reference's format. */
const readTheirs = (text: string) =>
  [...text.matchAll(/(?:^|\n\n)<(user|assistant|tool|system)>\n([\s\S]*?)\n<\/\1>(?=\n\n|$)/g)].map(
    ([, role, body = ""]) => {
      const [, id, result] =
        body.match(/^<tool_result>\n<id>(.*)<\/id>\n<content>([\s\S]*)<\/content>\n<\/tool_result>$/) ?? [];
      const calls = [
        ...body.matchAll(/<tool_call>\n<name>(.*)<\/name>\n<arguments>(.*)<\/arguments>\n<\/tool_call>/g),
      ].map(([, name, json]) => ({ name, arguments: json }));
      const content = result ?? body.replace(/\n?<tool_call>[\s\S]*$/, "");
      return { role, id, content, calls };
    },
  );

const prompt = "{outputs}\n=====\n{reference_outputs}";
const split = (content: unknown, read: (text: string) => unknown) =>
  String(content).split("\n=====\n").map(read);

test("judges of trajectories read the same as with the reference", async () => {
  await compare<Case>({
    name: "trajectory judge",
    cases,
    ours: async (input) => {
      let content: unknown;
      const judge = createTrajectoryLLMAsJudge({
        prompt,
        feedbackKey: input.feedbackKey,
        judge: ({ messages }) => {
          content = messages[0]?.content;
          return input.answer;
        },
      });
      const result = await judge({ outputs: written(input), referenceOutputs: written(input) });
      return seen(result, split(content, readOurs));
    },
    reference: async (input) => {
      let content: unknown;
      const create = async ({ messages }: any) => {
        content = messages[0].content;
        return {
          choices: [{ message: { role: "assistant" as const, content: JSON.stringify(input.answer) } }],
        };
      };
      const judge = openevals.createTrajectoryLLMAsJudge({
        prompt,
        ...(input.feedbackKey && { feedbackKey: input.feedbackKey }),
        judge: { chat: { completions: { create } } },
        model: "stub",
      });
      const result = await judge({ outputs: written(input), referenceOutputs: written(input) });
      return [seen(result, split(content, readTheirs))];
    },
    differences: [],
    outcome: (result) => String((result as { score: { score: unknown } }).score.score),
    often: ["true", "false"],
    runs: 1000,
  });
});

interface GraphCase {
  turns: { input: unknown; steps: string[]; result: Record<string, unknown> }[];
  wrapped: boolean;
  compared: boolean;
}
const value = fc.oneof(
  fc.dictionary(fc.constantFrom("q", "messages"), said, { maxKeys: 2 }),
  fc.constant("__resuming__"),
);
const graphCases: fc.Arbitrary<GraphCase> = fc.record({
  turns: fc.array(
    fc.record({
      input: value,
      steps: fc.array(fc.constantFrom("__start__", "agent", "sub:tools", "__interrupt__"), { maxLength: 4 }),
      result: fc.dictionary(fc.constantFrom("a", "b"), said, { maxKeys: 2 }),
    }),
    { maxLength: 3 },
  ),
  wrapped: fc.boolean(),
  compared: fc.boolean(),
});

test("judges of graphs read the same as with the reference", async () => {
  const paramsOf = ({ turns, wrapped, compared }: GraphCase): any => {
    const inputs = turns.map(({ input }) => input);
    const outputs = { results: turns.map(({ result }) => result), steps: turns.map(({ steps }) => steps) };
    return {
      inputs: wrapped ? { inputs } : inputs,
      outputs,
      ...(compared && { referenceOutputs: { ...outputs, inputs } }),
    };
  };
  const blocks = (content: unknown) =>
    String(content)
      .split("=====")
      .map((text) =>
        [...text.matchAll(/<(input|trajectory|result)>\n(.*)\n<\/\1>/g)].map(([, tag, json]) => [tag, json]),
      );
  const graphPrompt = "{thread}\n=====\n{reference_outputs}";
  await compare<GraphCase>({
    name: "graph judge",
    cases: graphCases,
    ours: async (input) => {
      let content: unknown;
      const judge = createGraphTrajectoryLLMAsJudge({
        prompt: graphPrompt,
        judge: ({ messages }) => {
          content = messages[0]?.content;
          return { score: true, reasoning: "" };
        },
      });
      return seen(await judge(paramsOf(input)), blocks(content));
    },
    reference: async (input) => {
      let content: unknown;
      const create = async ({ messages }: any) => {
        content = messages[0].content;
        return { choices: [{ message: { content: '{"score": true, "reasoning": ""}' } }] };
      };
      const judge = agentevals.createGraphTrajectoryLLMAsJudge({
        prompt: graphPrompt,
        judge: { chat: { completions: { create } } } as never,
        model: "stub",
      });
      return [seen((await judge(paramsOf(input))) as Made, blocks(content))];
    },
    differences: [],
    outcome: () => "judged",
    often: ["judged"],
    runs: 500,
  });
});
