/**
 * The TypeScript examples on trajectories in the READMEs of OpenEvals and AgentEvals, changed only in the
 * import, and where they talk to a model: judges to a server on loopback, agents to a scripted model.
 */
import { Command } from "@langchain/langgraph";
import {
  createGraphTrajectoryLLMAsJudge,
  createTrajectoryLLMAsJudge,
  createTrajectoryMatchEvaluator,
  extractLangGraphTrajectoryFromThread,
  type FlexibleChatCompletionMessage,
  graphTrajectoryStrictMatch,
  TRAJECTORY_ACCURACY_PROMPT,
  TRAJECTORY_ACCURACY_PROMPT_WITH_REFERENCE,
} from "openevals-wasm";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { agent } from "../langgraph/graphs.ts";
import { openevals } from "../parity/reference.ts";
import type { Loopback } from "../providers/servers/loopback.js";
import { completion, startOpenAI } from "../providers/servers/openai.js";

describe("matches", () => {
  /** The result, whose score is the reference's. */
  async function scored(
    options: Parameters<typeof createTrajectoryMatchEvaluator>[0],
    outputs: FlexibleChatCompletionMessage[],
    referenceOutputs: FlexibleChatCompletionMessage[],
  ) {
    const result = await createTrajectoryMatchEvaluator(options)({ outputs, referenceOutputs });
    const { score } = await openevals.createTrajectoryMatchEvaluator(options)({ outputs, referenceOutputs });
    expect(result.score).toBe(score);
    return result;
  }

  test("strict", async () => {
    const outputs = [
      { role: "user", content: "What is the weather in SF?" },
      {
        role: "assistant",
        content: "",
        tool_calls: [
          { function: { name: "get_weather", arguments: JSON.stringify({ city: "San Francisco" }) } },
          {
            function: { name: "accuweather_forecast", arguments: JSON.stringify({ city: "San Francisco" }) },
          },
        ],
      },
      { role: "tool", content: "It's 80 degrees and sunny in SF." },
      { role: "assistant", content: "The weather in SF is 80 degrees and sunny." },
    ] satisfies FlexibleChatCompletionMessage[];
    const referenceOutputs = [
      { role: "user", content: "What is the weather in San Francisco?" },
      {
        role: "assistant",
        content: "",
        tool_calls: [
          { function: { name: "get_weather", arguments: JSON.stringify({ city: "San Francisco" }) } },
        ],
      },
      { role: "tool", content: "It's 80 degrees and sunny in San Francisco." },
    ] satisfies FlexibleChatCompletionMessage[];
    const result = await scored({ trajectoryMatchMode: "strict" }, outputs, referenceOutputs);
    expect(result).toEqual({ key: "trajectory_strict_match", score: false, comment: expect.any(String) });
  });

  // In AgentEvals' README the cities differ, and the result is said to be true; the package says false.
  test.each([
    ["San Francisco", true],
    ["SF", false],
  ])("unordered, with %s", async (city, score) => {
    const outputs = [
      { role: "user", content: "What is the weather in SF and is there anything fun happening?" },
      {
        role: "assistant",
        content: "",
        tool_calls: [{ function: { name: "get_weather", arguments: JSON.stringify({ city }) } }],
      },
      { role: "tool", content: "It's 80 degrees and sunny in SF." },
      {
        role: "assistant",
        content: "",
        tool_calls: [{ function: { name: "get_fun_activities", arguments: JSON.stringify({ city }) } }],
      },
      { role: "tool", content: "Nothing fun is happening, you should stay indoors and read!" },
      {
        role: "assistant",
        content: "The weather in SF is 80 degrees and sunny, but there is nothing fun happening.",
      },
    ] satisfies FlexibleChatCompletionMessage[];
    const referenceOutputs = [
      { role: "user", content: "What is the weather in SF and is there anything fun happening?" },
      {
        role: "assistant",
        content: "",
        tool_calls: [
          { function: { name: "get_fun_activities", arguments: JSON.stringify({ city: "San Francisco" }) } },
          { function: { name: "get_weather", arguments: JSON.stringify({ city: "San Francisco" }) } },
        ],
      },
      { role: "tool", content: "Nothing fun is happening, you should stay indoors and read!" },
      { role: "tool", content: "It's 80 degrees and sunny in SF." },
      { role: "assistant", content: "In SF, it's 80˚ and sunny, but there is nothing fun happening." },
    ] satisfies FlexibleChatCompletionMessage[];
    const result = await scored({ trajectoryMatchMode: "unordered" }, outputs, referenceOutputs);
    expect(result).toMatchObject({ key: "trajectory_unordered_match", score });
  });

  test("superset", async () => {
    const outputs = [
      { role: "user", content: "What is the weather in SF and London?" },
      {
        role: "assistant",
        content: "",
        tool_calls: [
          { function: { name: "get_weather", arguments: JSON.stringify({ city: "SF and London" }) } },
          {
            function: { name: "accuweather_forecast", arguments: JSON.stringify({ city: "SF and London" }) },
          },
        ],
      },
      { role: "tool", content: "It's 80 degrees and sunny in SF, and 90 degrees and rainy in London." },
      { role: "tool", content: "Unknown." },
      {
        role: "assistant",
        content: "The weather in SF is 80 degrees and sunny. In London, it's 90 degrees and rainy.",
      },
    ] satisfies FlexibleChatCompletionMessage[];
    const referenceOutputs = [
      { role: "user", content: "What is the weather in SF and London?" },
      {
        role: "assistant",
        content: "",
        tool_calls: [
          { function: { name: "get_weather", arguments: JSON.stringify({ city: "SF and London" }) } },
        ],
      },
      {
        role: "tool",
        content: "It's 80 degrees and sunny in San Francisco, and 90 degrees and rainy in London.",
      },
      { role: "assistant", content: "The weather in SF is 80˚ and sunny. In London, it's 90˚ and rainy." },
    ] satisfies FlexibleChatCompletionMessage[];
    const result = await scored({ trajectoryMatchMode: "superset" }, outputs, referenceOutputs);
    expect(result).toEqual({ key: "trajectory_superset_match", score: true });
  });

  test("a function for the arguments of one tool", async () => {
    const outputs = [
      { role: "user", content: "What is the weather in SF?" },
      {
        role: "assistant",
        content: "",
        tool_calls: [
          { function: { name: "get_weather", arguments: JSON.stringify({ city: "san francisco" }) } },
        ],
      },
      { role: "tool", content: "It's 80 degrees and sunny in SF." },
      { role: "assistant", content: "The weather in SF is 80 degrees and sunny." },
    ] satisfies FlexibleChatCompletionMessage[];
    const referenceOutputs = [
      { role: "user", content: "What is the weather in San Francisco?" },
      {
        role: "assistant",
        content: "",
        tool_calls: [
          { function: { name: "get_weather", arguments: JSON.stringify({ city: "San Francisco" }) } },
        ],
      },
      { role: "tool", content: "It's 80 degrees and sunny in San Francisco." },
      { role: "assistant", content: "The weather in SF is 80˚ and sunny." },
    ] satisfies FlexibleChatCompletionMessage[];
    const options = {
      trajectoryMatchMode: "strict",
      toolArgsMatchMode: "exact",
      toolArgsMatchOverrides: {
        get_weather: (x: Record<string, unknown>, y: Record<string, unknown>) =>
          typeof x.city === "string" &&
          typeof y.city === "string" &&
          x.city.toLowerCase() === y.city.toLowerCase(),
      },
    } as const;
    const result = await scored(options, outputs, referenceOutputs);
    expect(result).toEqual({ key: "trajectory_strict_match", score: true });
    // The reference of AgentEvals' README lacks the last message; that package does not say true either.
    expect((await scored(options, outputs, referenceOutputs.slice(0, 3))).score).toBe(false);
  });
});

describe("judges", () => {
  const KEY = "sk-test-examples-4f1c0ffee";
  let openai: Loopback;
  beforeAll(async () => {
    openai = await startOpenAI(KEY);
    vi.stubEnv("OPENAI_API_KEY", KEY);
    vi.stubEnv("OPENAI_BASE_URL", `${openai.url}/v1`);
  });
  beforeEach(() => {
    openai.requests.length = 0;
    openai.script.push(completion(JSON.stringify({ reasoning: "So it is.", score: true })));
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await openai.close();
  });
  const asked = (): string => openai.requests.at(-1)?.body.messages.at(-1).content;
  const agreed = (key: string) => expect.objectContaining({ key, score: true, comment: "So it is." });

  const weatherIn = (city: string, report: string, answer: string) =>
    [
      { role: "user", content: "What is the weather in SF?" },
      {
        role: "assistant",
        content: "",
        tool_calls: [{ function: { name: "get_weather", arguments: JSON.stringify({ city }) } }],
      },
      { role: "tool", content: report },
      { role: "assistant", content: answer },
    ] satisfies FlexibleChatCompletionMessage[];
  const outputs = weatherIn(
    "SF",
    "It's 80 degrees and sunny in SF.",
    "The weather in SF is 80 degrees and sunny.",
  );

  test("of a trajectory", async () => {
    const evaluator = createTrajectoryLLMAsJudge({
      prompt: TRAJECTORY_ACCURACY_PROMPT,
      model: "openai:o3-mini",
    });
    expect(await evaluator({ outputs })).toEqual(agreed("trajectory_accuracy"));
    expect(asked()).toContain('-> call of get_weather\n| {"city":"SF"}\n\n[3] tool\n| It\'s 80 degrees');
  });

  test("of a trajectory, with a reference", async () => {
    const evaluator = createTrajectoryLLMAsJudge({
      prompt: TRAJECTORY_ACCURACY_PROMPT_WITH_REFERENCE,
      model: "openai:gpt-5.4",
    });
    const referenceOutputs = weatherIn(
      "San Francisco",
      "It's 80 degrees and sunny in San Francisco.",
      "The weather in SF is 80˚ and sunny.",
    );
    expect(await evaluator({ outputs, referenceOutputs })).toEqual(agreed("trajectory_accuracy"));
    expect(asked()).toContain('{"city":"San Francisco"}');
  });

  test("of a graph", async () => {
    const graph = agent();
    await graph.invoke(
      { messages: [{ role: "user", content: "what's the weather in sf?" }] },
      { configurable: { thread_id: "1" } },
    );
    await graph.invoke(new Command({ resume: "It is rainy and 70 degrees!" }), {
      configurable: { thread_id: "1" },
    });
    const extractedTrajectory = await extractLangGraphTrajectoryFromThread(graph, {
      configurable: { thread_id: "1" },
    });

    const graphTrajectoryEvaluator = createGraphTrajectoryLLMAsJudge({ model: "openai:o3-mini" });
    const res = await graphTrajectoryEvaluator({
      inputs: extractedTrajectory.inputs,
      outputs: extractedTrajectory.outputs,
    });
    expect(res).toEqual(agreed("graph_trajectory_accuracy"));
    expect(asked()).toContain('["__start__","agent","tools","__interrupt__"]');

    const referenceTrajectory = {
      results: [],
      steps: [["__start__", "agent", "tools", "__interrupt__"], ["agent"]],
    };
    const result = await graphTrajectoryStrictMatch({
      outputs: extractedTrajectory.outputs,
      referenceOutputs: referenceTrajectory,
    });
    expect(result).toEqual({ key: "graph_trajectory_strict_match", score: true });

    const CUSTOM_PROMPT = `Grade the following thread:

<thread>
{thread}
</thread>

{reference_outputs}
`;
    openai.script.push(completion(JSON.stringify({ reasoning: "So it is.", score: true })));
    const custom = createGraphTrajectoryLLMAsJudge({ prompt: CUSTOM_PROMPT, model: "openai:o3-mini" });
    expect(await custom(extractedTrajectory)).toEqual(agreed("graph_trajectory_accuracy"));
    expect(asked()).toMatch(
      /^Grade the following thread:\n\n<thread>\n<input>[\s\S]*<\/result>\n<\/thread>\n\n\n$/,
    );
  });
});
