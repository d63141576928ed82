/** What the agents of all packages do in tests, and what their runs have to report. */
import { createToolPolicy, stepStatus } from "openevals-wasm/agents";
import type { AgentRun } from "openevals-wasm/harness";
import { expect } from "vitest";

export const QUESTION = "How warm is it in Oslo?";

/** Two calls, the first of which fails, and an answer. */
export const SCRIPT = [
  { weather: { city: "Osloo" } },
  { weather: { city: "Oslo" } },
  "It is 12 °C.",
] as const;

/** What all packages have to report about the script, in whichever form. */
export async function checkRun(
  run: AgentRun,
  { latencies = true, usage = { inputTokens: 30, outputTokens: 15 } } = {},
) {
  expect(run.steps).toHaveLength(3);
  expect(run.usage).toEqual(usage);
  expect(run.latencyMs).toBeGreaterThan(0);
  for (const { latencyMs } of run.steps)
    expect(latencyMs).toEqual(latencies ? expect.any(Number) : undefined);
  expect(run.messages[0]).toMatchObject({ role: "user", content: QUESTION });
  expect(run.messages.slice(1)).toEqual(run.steps.flatMap(({ messages }) => messages));
  // Plain data, as in files.
  expect(JSON.parse(JSON.stringify(run))).toEqual(run);
  const { metadata } = await stepStatus()({ outputs: run });
  const calls = metadata.steps.map(({ name, args, status }) => [
    name,
    typeof args === "string" ? JSON.parse(args) : args,
    status,
  ]);
  expect(calls).toEqual([
    ["weather", { city: "Osloo" }, "recovered"],
    ["weather", { city: "Oslo" }, "ok"],
  ]);
  const policy = createToolPolicy({ required: ["weather"], maxCalls: { weather: 1 } });
  expect((await policy({ outputs: run })).score).toBe(false);
}
