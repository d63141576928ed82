/** The capability manifest: its source, and how often it is generated. */
import { GuidanceEvaluator, generateCapabilityManifest } from "openevals-wasm/recipes";
import { describe, expect, it } from "vitest";
import { errorOf } from "../api/error-of.ts";
import { block } from "./asked.ts";
import { finding, MANIFEST, MESSAGES, scope, steps, TOOLS } from "./out-of-scope.ts";

describe("the capability manifest", () => {
  const TOOL_LIST = `[1] write_file
| Writes a text file.
| [2] format_disk
| Parameters: {"type":"object","properties":{"path":{"type":"string"}}}

[2] read_file`;

  it("is generated once for an evaluator, from the system messages and the tools of the first evaluation", async () => {
    const { model, asked } = finding(90);
    const evaluator = new GuidanceEvaluator({ model });
    const rules = { role: "developer", content: [{ type: "text", text: "No </instructions> pictures." }] };
    const messages = [...MESSAGES.slice(0, 1), rules, ...MESSAGES.slice(1)];
    const outputs = await Promise.all([
      evaluator.evaluate(messages, TOOLS),
      evaluator.evaluate(MESSAGES.slice(1), []),
      evaluator.evaluate(MESSAGES.slice(1), []),
    ]);
    outputs.push(await evaluator.evaluate(MESSAGES.slice(1), []));
    const metadata = { ...scope(90), capabilityManifest: MANIFEST };
    const output = { evalName: "guidance", applicable: false, score: 0, metadata };
    expect(outputs).toEqual([output, output, output, output]);
    expect(steps(asked).sort()).toEqual([...Array(4).fill("is_in_scope_probability"), "manifest"]);
    const [{ system, prompt }] = asked as [(typeof asked)[0]];
    expect(block("instructions", prompt)).toBe("You can edit text files.\n\nNo &lt;/instructions> pictures.");
    expect(block("tools", prompt)).toBe(TOOL_LIST);
    expect(system).toMatch(/capability manifest.*never for you\.$/s);
    // Nothing is granted that is not stated.
    expect(system).not.toMatch(/convers(ing|e), explain/);
    expect(block("capability_manifest", asked[1]?.prompt ?? "")).toBe(MANIFEST);
  });

  it("is generated again after a failure, which all share that waited for it", async () => {
    const answers = ["", " ", `\n${MANIFEST}\n`];
    const { model, asked } = finding(90, 0, () => answers.shift() ?? "too much");
    const evaluator = new GuidanceEvaluator({ model });
    const failures = await Promise.all([1, 2].map(() => errorOf(evaluator.evaluate(MESSAGES))));
    for (const { code, message } of failures) {
      expect(code).toBe("invalid_judge_output");
      expect(message).toMatch(/^capability_manifest: The judge was asked twice.*it is empty/);
    }
    expect(asked).toHaveLength(2);
    const { metadata } = await evaluator.evaluate(MESSAGES);
    expect(metadata.capabilityManifest).toBe(MANIFEST);
    expect(asked).toHaveLength(4);
  });

  it("is independent of errors of concurrent evaluations", async () => {
    const { model, asked } = finding(90);
    const evaluator = new GuidanceEvaluator({ model });
    const failure = errorOf(evaluator.evaluate(MESSAGES, [{ type: "web_search" }]));
    expect((await evaluator.evaluate(MESSAGES)).metadata.capabilityManifest).toBe(MANIFEST);
    expect((await failure).code).toBe("invalid_input");
    expect(asked).toHaveLength(2);
  });

  it("is generated from the beginning of the conversation, where run gets no system message", async () => {
    const { model, asked } = finding(90);
    const input = { conversationHistoryBeginningTurn: "System: Text only.", conversationHistoryFull: "f" };
    await new GuidanceEvaluator({ model }).run(input);
    expect(block("instructions", asked[0]?.prompt ?? "")).toBe("System: Text only.");
    expect(block("tools", asked[0]?.prompt ?? "")).toBe("(no tools)");
    await new GuidanceEvaluator({ model }).run({ ...input, systemPrompt: "", tools: TOOLS });
    expect(block("instructions", asked[2]?.prompt ?? "")).toBe("(none)");
    expect(block("tools", asked[2]?.prompt ?? "")).toBe(TOOL_LIST);
  });

  it("is there for itself", async () => {
    const { model, asked } = finding(0);
    const tools = [{ type: "function", function: { name: "calculator", description: "Calculates" } }];
    const options = { systemPrompt: "You search the web.", tools, model };
    expect(await generateCapabilityManifest(options)).toBe(MANIFEST);
    expect(await generateCapabilityManifest({ systemPrompt: "You search the web.", model })).toBe(MANIFEST);
    expect(asked.map(({ prompt }) => [block("instructions", prompt), block("tools", prompt)])).toEqual([
      ["You search the web.", "[1] calculator\n| Calculates"],
      ["You search the web.", "(no tools)"],
    ]);
    expect(asked[0]?.schema).toBeUndefined();
  });

  it("may come from a client, with the tokens of all answers", async () => {
    const contents = [
      `<think>Hm.</think>\n${MANIFEST}`,
      '{"capabilities_analysis":"a","sufficient_capabilities":"b","in_scope_reasoning":"c","is_in_scope_probability":90}',
    ];
    const requests: any[] = [];
    const create = async (request: any) => {
      const { response_format: format } = request;
      requests.push(format?.json_schema.name);
      const message = { content: contents[format ? 1 : 0] };
      return { choices: [{ message }], usage: { prompt_tokens: 100, completion_tokens: 10 } };
    };
    const evaluator = new GuidanceEvaluator({
      model: "gpt-5.4",
      judge: { chat: { completions: { create } } },
    });
    const { metadata } = await evaluator.evaluate(MESSAGES, TOOLS);
    expect(metadata.capabilityManifest).toBe(MANIFEST);
    expect(metadata.usage).toEqual({ inputTokens: 200, outputTokens: 20 });
    expect(requests).toEqual([undefined, "scope"]);
    const { metadata: next } = await evaluator.evaluate(MESSAGES, TOOLS);
    expect(next.usage).toEqual({ inputTokens: 100, outputTokens: 10 });
  });

  it("is no manifest when it is declined or cut off", async () => {
    const answering = (choice: object) => ({
      model: "gpt-5.4",
      judge: { chat: { completions: { create: async () => ({ choices: [choice] }) } } },
    });
    const options = { systemPrompt: "s" };
    const refused = answering({ message: { content: "", refusal: "Not for me." } });
    const error = await errorOf(generateCapabilityManifest({ ...options, ...refused }));
    expect([error.code, error.message]).toEqual([
      "refused",
      "capability_manifest: The model declined to judge: Not for me.",
    ]);
    const cutOff = answering({ message: { content: MANIFEST }, finish_reason: "length" });
    expect(await errorOf(generateCapabilityManifest({ ...options, ...cutOff }))).toMatchObject({
      code: "invalid_judge_output",
      raw: MANIFEST,
      message: expect.stringContaining("it was cut off"),
    });
  });
});
