/** JSON match with a rubric, with models over HTTP. */
import { createJsonMatchEvaluator, initChatModel, type JsonMatchEvaluatorOptions } from "openevals-wasm";
import { describe, expect, it } from "vitest";
import { AT_ONCE, DISTINCT, errorOf, tokensOf } from "./judges.js";
import { sharedServer } from "./shared-server.js";

const outputs = [
  { fruits: "Mango, bananas", "how many": 2, sort: "tropical" },
  { fruits: "Apples", "how many": 1, sort: "pome" },
];
const referenceOutputs = [
  { fruits: "Bananas, mango", "how many": 2, sort: "tropical" },
  { fruits: "Apples, pears", "how many": 1, sort: "pome" },
];
const rubric = { fruits: "Are all fruits mentioned?" };

describe.each(DISTINCT)("JSON match with a judge at $name", (provider) => {
  const server = sharedServer(() => provider.start());

  const evaluate = (options: JsonMatchEvaluatorOptions) => {
    const judge = initChatModel(provider.model, provider.options(server));
    return createJsonMatchEvaluator({ judge, ...options })({ outputs, referenceOutputs });
  };
  const answer = (...scores: boolean[]) => {
    const verdicts = scores.map((score, index) => [
      `fruits_${index}`,
      { reasoning: `Fruit ${index}.`, score },
    ]);
    return provider.says(JSON.stringify(Object.fromEntries(verdicts)));
  };

  it("asks for a verdict on each element, in a form that the provider accepts", async () => {
    server.script.push(answer(true, false));
    expect(await evaluate({ rubric, listAggregator: "average" })).toEqual([
      {
        key: "json_match:fruits",
        score: 0.5,
        comment: "outputs[0].fruits: Fruit 0.\noutputs[1].fruits: Fruit 1.",
        metadata: {
          model: expect.stringContaining(provider.model.split(":")[1]),
          usage: tokensOf(provider),
          latencyMs: expect.any(Number),
          attempts: 1,
        },
      },
      { key: "json_match:how many", score: 1 },
      { key: "json_match:sort", score: 1 },
    ]);
    expect(server.requests).toHaveLength(1);
    const asked = JSON.stringify(server.requests[0].body);
    // Inside the JSON of a message, which may also have the schema.
    const quoted = (json: string) => JSON.stringify(json).slice(1, -1);
    expect(asked).toContain(quoted('{"fruits_0":"Mango, bananas","fruits_1":"Apples"}'));
    expect(asked).toMatch(/\\?"required\\?":\[\\?"fruits_0\\?",\\?"fruits_1\\?"\]/);
  });

  it("accepts any key, and sends one request with an aggregator", async () => {
    const verdict = { reasoning: "Fine.", score: true };
    const names = ["value_0", "value_1", "value_2", "value_3"];
    server.script.push(
      provider.says(JSON.stringify(Object.fromEntries(names.map((name) => [name, verdict])))),
    );
    const [result] = await evaluate({
      rubric: { ...rubric, "how many": "About as many?" },
      aggregator: "all",
    });
    expect(result).toMatchObject({ key: "json_match:all", score: 1 });
    expect(result.comment).toContain('\noutputs[1]["how many"]: Fine.');
    expect(server.requests).toHaveLength(1);
  });

  it("names the key when the provider fails", async () => {
    for (let i = 0; i < 3; i++) server.script.push({ ...provider.failure(503, "busy"), headers: AT_ONCE });
    const error = await errorOf(evaluate({ rubric }));
    expect(error).toMatchObject({ code: "provider_error", status: 503, attempts: 3 });
    expect(error.message).toMatch(/^rubric "fruits": .*busy/);
  });
});
