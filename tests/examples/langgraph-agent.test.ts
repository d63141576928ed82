import { expect, it } from "vitest";
import type { Json, Step } from "../providers/servers/loopback.js";
import { completion, startOpenAI } from "../providers/servers/openai.js";
import { install, runScript } from "./harness.js";

const KEY = "sk-of-the-test";

let count = 0;

/** The model's answers to the agent: calls, or the end. */
function say(message: Json): Step {
  const step = completion("") as { body: string; headers: Record<string, string> };
  // LangGraph takes messages with the same id for one.
  const body = { ...JSON.parse(step.body), id: `chatcmpl-${count++}` };
  body.choices[0].message = { role: "assistant", content: null, refusal: null, ...message };
  if (message.tool_calls) body.choices[0].finish_reason = "tool_calls";
  return { ...step, body: JSON.stringify(body) };
}

const call = (name: string, order: number) => ({
  id: `call_${name}`,
  type: "function",
  function: { name, arguments: JSON.stringify({ order }) },
});

it("runs the agent, matches its calls, and judges it", async () => {
  const { folder } = await install("langgraph-agent");
  const openai = await startOpenAI(KEY);
  const judged: string[] = [];
  // Plays the agent's model, by the last message, and the judge. The model does not look up the order that it
  // cancels.
  const answer = ({ body }: Json): Step => {
    const last = body.messages.at(-1);
    if (body.response_format) {
      judged.push(last.content);
      const score = !last.content.includes("-> call of cancel_order");
      const reasoning = score ? "It looked." : "It cancelled an order that it had not looked up.";
      return completion(JSON.stringify({ reasoning, score }));
    }
    if (last.role === "tool")
      return say({ content: last.content.includes("shipped") ? "It is on its way." : "Done." });
    const tool = last.content.includes("cancel") ? call("cancel_order", 4712) : call("find_order", 4711);
    return say({ tool_calls: [tool] });
  };
  openai.script.push(...Array.from({ length: 6 }, () => answer));
  try {
    const said = await runScript(folder, ["start"], {
      OPENAI_API_KEY: KEY,
      OPENAI_BASE_URL: `${openai.url}/v1`,
    });
    expect(said).toMatch(/ 2 rows /);
    expect(said).toMatch(/^trajectory_superset_match +50\.0%/m);
    expect(said).toMatch(/^trajectory_accuracy +50\.0%/m);
    expect(said).toContain("It cancelled an order that it had not looked up.");
    expect(judged).toHaveLength(2);
  } finally {
    await openai.close();
  }
});
