/** Agents and scorers of Mastra, with a scripted model and real tools. */

import { Mastra } from "@mastra/core";
import { Agent } from "@mastra/core/agent";
import { createScorer, runEvals } from "@mastra/core/evals";
import { createTool } from "@mastra/core/tools";
import { exactMatch } from "openevals-wasm";
import { createToolPolicy, stepStatus } from "openevals-wasm/agents";
import { mockTools, recordAgent, recordTools } from "openevals-wasm/harness";
import { toMastraScorer } from "openevals-wasm/interop";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { checkRun, QUESTION, SCRIPT } from "../harness/script.ts";
import { type Said, scriptedModel } from "../harness/scripted.ts";

const tools = {
  weather: createTool({
    id: "weather",
    description: "The weather in a city",
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }) => {
      if (city !== "Oslo") throw new Error("no such city");
      return "12 °C";
    },
  }),
};

/** An agent that logs nothing. */
function agentThat(says: readonly Said[], own: object = tools) {
  const forecaster = new Agent({
    id: "forecaster",
    name: "forecaster",
    instructions: "Answer questions about the weather.",
    model: scriptedModel(...says),
    tools: own as typeof tools,
    maxRetries: 0,
  });
  return new Mastra({ agents: { forecaster }, logger: false }).getAgent("forecaster");
}

describe("recordAgent", () => {
  test("an agent", async () => {
    const asked = [{ role: "user", content: QUESTION }];
    for (const input of [QUESTION, asked, { messages: asked }]) {
      const run = await recordAgent(agentThat(SCRIPT))(input);
      await checkRun(run);
      expect(run.messages.map(({ role }) => role)).toEqual([
        ...["user", "assistant", "tool", "assistant", "tool", "assistant"],
      ]);
      expect(run.messages[2]?.content).toMatchObject([
        {
          toolName: "weather",
          output: { type: "error-text", value: expect.stringContaining("no such city") },
        },
      ]);
      expect(run.messages.at(-1)?.content).toMatchObject([{ type: "text", text: "It is 12 °C." }]);
    }
  });

  test("a function that passes options, or streams", async () => {
    const asks = [
      (question: string) => agentThat(SCRIPT).generate(question, { maxSteps: 5 }),
      (question: string) => agentThat(SCRIPT).stream(question, { maxSteps: 5 }),
    ];
    for (const ask of asks) await checkRun(await recordAgent(ask)(QUESTION), { latencies: false });
  });

  test("an agent whose model fails has the trajectory so far", async () => {
    const agents = [
      recordAgent(agentThat(SCRIPT.slice(0, 2))),
      recordAgent((question: string) => agentThat([]).stream(question)),
    ];
    const roles = [["user", "assistant", "tool", "assistant", "tool"], ["user"]];
    for (const [index, run] of agents.entries()) {
      const failed = await run(QUESTION).catch((error) => error);
      expect(failed).toMatchObject({ code: "callback_failed", cause: expect.anything() });
      expect(failed.trajectory.map(({ role }: any) => role)).toEqual(roles[index]);
    }
  });

  test("mocked and recorded tools", async () => {
    const mocks = { weather: [{ when: { city: "Oslo" }, returns: "12 °C" }, { throws: "no such city" }] };
    await checkRun(await recordAgent(agentThat(SCRIPT, mockTools(mocks, tools)))(QUESTION));
    const unmocked = recordAgent(agentThat(SCRIPT, mockTools({}, tools)));
    await expect(unmocked(QUESTION)).rejects.toMatchObject({ code: "invalid_config" });
    const missing = recordTools(tools, { file: "does-not-exist.jsonl", mode: "replay" });
    await expect(recordAgent(agentThat(SCRIPT, missing))(QUESTION)).rejects.toMatchObject({
      code: "cache_miss",
    });
  });
});

describe("toMastraScorer", () => {
  const exact = toMastraScorer(exactMatch, { createScorer });

  test("scores values", async () => {
    expect(await exact.run({ output: "Oslo", groundTruth: "Bergen" })).toMatchObject({
      score: 0,
      reason: 'outputs is "Oslo" instead of "Bergen"',
    });
    expect(await exact.run({ output: { a: 1, b: 2 }, groundTruth: { b: 2, a: 1 } })).toMatchObject({
      score: 1,
    });
    const notHere = toMastraScorer(() => ({ key: "refunds", applicable: false, score: null }), {
      createScorer,
    });
    await expect(notHere.run({ output: "Oslo" })).rejects.toThrow("refunds has no score here");
  });

  test("scores answers and trajectories of agents", async () => {
    const seen: any[] = [];
    const look = (params: object) => {
      seen.push(params);
      return { key: "look", score: true };
    };
    const policy = createToolPolicy({ maxCalls: { weather: 1 } });
    const { scores } = await runEvals({
      target: agentThat(SCRIPT),
      data: [{ input: QUESTION, groundTruth: "It is 12 °C." }],
      scorers: [
        exact,
        toMastraScorer(look, { createScorer }),
        toMastraScorer(policy, { createScorer, trajectory: true }),
        toMastraScorer(stepStatus(), { createScorer, trajectory: true }),
      ],
    });
    expect(scores).toEqual({ exact_match: 1, look: 1, tool_policy: 0, step_status: 1 });
    expect(seen).toEqual([{ inputs: QUESTION, outputs: "It is 12 °C.", referenceOutputs: "It is 12 °C." }]);
  });
});
