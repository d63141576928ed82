/** The claims of an answer, and their verdicts. */
import {
  ClaimVerificationEvaluator,
  type ClaimVerificationInput,
  type VerifiedClaim,
} from "openevals-wasm/recipes";
import { describe, expect, it } from "vitest";
import { errorOf } from "../api/error-of.ts";
import { block, recorded } from "./asked.ts";
import { all, answering, cites, PARIS, type Result, ran, SOURCES, stepOf, type Verdict } from "./claims.ts";

describe("run", () => {
  it.each(["Mr. A. ", "e.g. ", "a."])("takes no longer than its length for a text of %j", {
    timeout: 5000,
  }, async (unit) => {
    const { model } = recorded(answering({ claims: () => [] }));
    const text = unit.repeat(600_000 / unit.length);
    const results = await all(new ClaimVerificationEvaluator({ model }).run({ ...PARIS, text }));
    expect(results).toHaveLength(1);
  });

  it("yields each claim, and the metrics last", async () => {
    const { model } = recorded(
      answering({
        verdict: (claim) =>
          claim.startsWith("Paris")
            ? { citations: [cites("1", 0, 1)], verified_probability: 97.5 }
            : { proof: "Not said.", verified_probability: 5, open_domain_justification: "A fact." },
      }),
    );
    const run = new ClaimVerificationEvaluator({ model }).run(PARIS);
    const found = (sentence: string, startIndex: number) => ({
      sentence,
      startIndex,
      endIndex: startIndex + sentence.length,
      claim: sentence,
    });
    expect(await all(run)).toEqual([
      {
        ...found("Paris is the capital of France.", 0),
        proof: "Line 0 says it.",
        citations: [{ sourceId: "1", citedText: "Paris is the capital of France." }],
        verifiedProbability: 97.5,
        openDomainJustification: "",
        openDomainProbability: 0,
        isOpenDomain: false,
      },
      {
        ...found("It has 12 million residents.", 32),
        proof: "Not said.",
        citations: [],
        verifiedProbability: 5,
        openDomainJustification: "A fact.",
        openDomainProbability: 0,
        isOpenDomain: false,
      },
      {
        ...found("The Louvre is free.", 61),
        proof: "Not said.",
        citations: [],
        verifiedProbability: 5,
        openDomainJustification: "A fact.",
        openDomainProbability: 0,
        isOpenDomain: false,
      },
      {
        totalClaims: 3,
        closedDomainSupported: expect.closeTo(100 / 3, 8),
        ignoreMetricRecommended: false,
        numClosedDomainSupported: 1,
        numOpenDomainClaims: 0,
        totalClaimsClosedDomain: 3,
      },
    ]);
  });

  it.each([
    [
      "emoji, CJK and line ends",
      "🎉🎉 Paris is old.\r\n\r\n東京は大きい。大阪も大きい。\r\n- 👩‍👩‍👧 live there.\n| a | b |\n",
    ],
    ["halves of surrogate pairs", "One \uD800 is broken. Two is \uDC00 as well. Three is not."],
    ["white space around it", "\n\n   Paris is old.   Lyon is, too. \n"],
  ])("the indices are those of the sentence in the text: %s", async (_, text) => {
    const { claims } = await ran({ ...PARIS, text }, { model: recorded(answering()).model });
    expect(claims.length).toBeGreaterThan(1);
    for (const { sentence, startIndex, endIndex } of claims) {
      expect(text.slice(startIndex, endIndex)).toBe(sentence);
    }
  });

  it("resolves citations to the cited text, and names those that do not exist", async () => {
    const content = "zero\r\none\n\n  three </source> \n";
    const cited = async (citation: Verdict["citations"][0]) => {
      const { claims } = await ran(
        { text: "It is.", userQuestion: "", sourceContext: [{ sourceId: "a", title: "", content }] },
        { model: recorded(answering({ verdict: () => ({ citations: [citation] }) })).model },
      );
      return [claims[0]?.citations.map(({ citedText }) => citedText).join("|"), claims[0]?.invalidCitations];
    };
    const invalid = (sourceId: string, startRange: number, endRange: number) => [
      { sourceId, startRange, endRange },
    ];
    expect(await cited(cites("a", 0, 1))).toEqual(["zero", undefined]);
    expect(await cited(cites("a", 1, 4))).toEqual(["one\n\n  three </source>", undefined]);
    // Taken back, or nothing but white space.
    expect(await cited(cites("a", 1, 1))).toEqual(["", undefined]);
    expect(await cited(cites("z", 5, 5))).toEqual(["", undefined]);
    expect(await cited(cites("a", 2, 3))).toEqual(["", undefined]);
    // In part behind the end, or before the beginning.
    expect(await cited(cites("a", 3, 9))).toEqual(["  three </source>", invalid("a", 3, 9)]);
    expect(await cited(cites("a", -1, 2))).toEqual(["zero\none", invalid("a", -1, 2)]);
    // Nothing there.
    expect(await cited(cites("a", 5, 6))).toEqual(["", invalid("a", 5, 6)]);
    expect(await cited(cites("a", 3, 1))).toEqual(["", invalid("a", 3, 1)]);
    expect(await cited(cites("a", -3, -1))).toEqual(["", invalid("a", -3, -1)]);
    expect(await cited(cites("z", 0, 1))).toEqual(["", invalid("z", 0, 1)]);
  });

  it("a text without sentences has metrics only, and asks nothing", async () => {
    for (const text of ["", " \n", "---\n\n***"]) {
      const { model, asked } = recorded(answering());
      expect(await all(new ClaimVerificationEvaluator({ model }).run({ ...PARIS, text }))).toEqual([
        {
          totalClaims: 0,
          closedDomainSupported: 0,
          ignoreMetricRecommended: true,
          numClosedDomainSupported: 0,
          numOpenDomainClaims: 0,
          totalClaimsClosedDomain: 0,
        },
      ]);
      expect(asked).toEqual([]);
    }
  });

  it("asks nothing before the first claim is asked for, and nothing after the loop is left", async () => {
    const { model, asked } = recorded(answering());
    const run = new ClaimVerificationEvaluator({ model }).run(PARIS);
    await new Promise(setImmediate);
    expect(asked).toHaveLength(0);
    for await (const result of run) {
      expect(result).toHaveProperty("claim");
      break;
    }
    await new Promise(setImmediate);
    expect(asked.map(stepOf)).toEqual(["selection", "disambiguation", "decomposition", "verification"]);
    expect(await run.next()).toEqual({ done: true, value: undefined });
  });

  it("waits for slow consumers", async () => {
    const { model, asked } = recorded(answering());
    const run = new ClaimVerificationEvaluator({ model }).run(PARIS);
    await run.next();
    for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate);
    expect(asked).toHaveLength(4);
    expect(await all(run)).toHaveLength(3);
    expect(asked).toHaveLength(12);
  });

  it("an error comes after the claims that there were", async () => {
    const answer = answering({ claims: (sentence) => [sentence, `again: ${sentence}`] });
    const { model } = recorded((question, index) => {
      if (index < 7) return answer(question);
      throw new RangeError("no more");
    });
    const claims: Result[] = [];
    const read = async () => {
      for await (const claim of new ClaimVerificationEvaluator({ model }).run(PARIS)) claims.push(claim);
    };
    const error = await errorOf(read());
    expect(error.code).toBe("callback_failed");
    expect(error.message).toMatch(/^decomposition: .*no more/);
    expect(error.cause).toBeInstanceOf(RangeError);
    expect(claims).toMatchObject([
      { claim: "Paris is the capital of France." },
      { claim: "again: Paris is the capital of France." },
    ]);
  });

  it("an error that is not reported yet does no harm", async () => {
    const { model } = recorded(answering());
    const later = async (request: Parameters<typeof model>[0]) => {
      const answer = model(request);
      if (!("proof" in answer && request.messages[1]?.content.includes("It has 12"))) return answer;
      await new Promise(setImmediate);
      throw new RangeError("no more");
    };
    const evaluator = new ClaimVerificationEvaluator({ model: later, maxConcurrency: 2 });
    const failed = evaluator.run(PARIS);
    expect((await failed.next()).value).toMatchObject({ claim: "Paris is the capital of France." });
    for (let turns = 0; turns < 3; turns++) await new Promise(setImmediate);
    expect((await errorOf(failed.next())).cause).toBeInstanceOf(RangeError);

    const left = evaluator.run(PARIS);
    await left.next();
    for (let turns = 0; turns < 3; turns++) await new Promise(setImmediate);
    expect(await left.return()).toEqual({ done: true, value: undefined });
  });

  it.each([
    [{ ...PARIS, text: 3 }, "text is 3; it has to be a string."],
    [{ ...PARIS, userQuestion: undefined }, "userQuestion is undefined; it has to be a string."],
    [{ ...PARIS, sourceContext: "text" }, 'sourceContext is "text"; it has to be a list of sources.'],
    [
      { ...PARIS, sourceContext: [SOURCES[0], null] },
      "sourceContext[1].sourceId is undefined; it has to be a string.",
    ],
    [
      { ...PARIS, sourceContext: [SOURCES[0], SOURCES[0]] },
      'sourceContext[1].sourceId is "1"; it has to be unique among the sources.',
    ],
    [undefined, "sourceContext is undefined; it has to be a list of sources."],
  ])("rejects invalid input: %j", async (input, message) => {
    const { model, asked } = recorded(answering());
    const run = new ClaimVerificationEvaluator({ model }).run(input as unknown as ClaimVerificationInput);
    const error = await errorOf(run.next());
    expect([error.code, error.message]).toEqual(["invalid_input", message]);
    expect(asked).toHaveLength(0);
  });
});

describe("evaluate", () => {
  const MESSAGES = [
    { role: "system", content: "Answer from the guide.\nBe brief." },
    { role: "assistant", content: "Hello." },
    {
      role: "user",
      content: [
        { type: "text", text: "The guide: …" },
        { type: "text", text: "" },
        { type: "text", text: "And Paris?" },
      ],
    },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "c1", type: "function", function: { name: "search", arguments: '{"q":"Paris"}' } }],
    },
    { role: "tool", tool_call_id: "c1", content: "Paris is old.\nIt is large." },
    { role: "assistant", content: PARIS.text },
  ];

  it("gives the share of supported claims, with all of them in the order of the text", async () => {
    const { model } = recorded(
      answering({
        claims: (sentence) => (sentence.startsWith("It") ? [] : [`${sentence} A`, `${sentence} B`]),
        verdict: (claim) => ({
          citations: [cites("4", 0, 1)],
          verified_probability: claim.endsWith("A") ? 70 : 69.5,
          open_domain_probability: claim.startsWith("The") ? 50 : 49,
          is_open_domain: claim.startsWith("The"),
        }),
      }),
    );
    const output = await new ClaimVerificationEvaluator({ model, maxConcurrency: 3 }).evaluate(MESSAGES);
    const { claims, ...metrics } = output.metadata as { claims: VerifiedClaim[] };
    expect({ ...output, metadata: metrics }).toEqual({
      evalName: "claim_verification",
      applicable: true,
      score: 50,
      feedback:
        "The sources do not clearly support these claims of the response:\n" +
        "<sentence>Paris is the capital of France.</sentence>\n" +
        "<claim>Paris is the capital of France. B</claim>\n" +
        "<reasoning>Line 0 says it.</reasoning>",
      metadata: {
        totalClaims: 4,
        closedDomainSupported: 50,
        ignoreMetricRecommended: false,
        numClosedDomainSupported: 1,
        numOpenDomainClaims: 2,
        totalClaimsClosedDomain: 2,
      },
    });
    expect(claims.map(({ claim, citations }) => [claim, citations])).toEqual(
      [
        "Paris is the capital of France. A",
        "Paris is the capital of France. B",
        "The Louvre is free. A",
        "The Louvre is free. B",
      ].map((claim) => [claim, [{ sourceId: "4", citedText: "Paris is old." }]]),
    );
  });

  it("is not applicable with two claims, however well they are supported", async () => {
    const { model } = recorded(
      answering({ claims: (sentence) => (sentence.startsWith("It") ? [] : [sentence]) }),
    );
    const output = await new ClaimVerificationEvaluator({ model }).evaluate(MESSAGES);
    expect(output).toMatchObject({ applicable: false, score: 0, metadata: { closedDomainSupported: 100 } });
  });

  it("without an answer, nothing is asked", async () => {
    const { model, asked } = recorded(answering());
    const output = await new ClaimVerificationEvaluator({ model }).evaluate([{ role: "user", content: "?" }]);
    expect(output).toMatchObject({ applicable: false, score: 0, metadata: { totalClaims: 0, claims: [] } });
    expect(asked).toEqual([]);
  });

  it("a model that fails is an error, not a score", async () => {
    const model = () => ({ proof: "no" });
    const error = await errorOf(new ClaimVerificationEvaluator({ model }).evaluate(MESSAGES));
    expect(error.code).toBe("invalid_judge_output");
    expect(error.message).toMatch(/^selection: /);
    expect(error.raw).toBe('{"proof":"no"}');
  });

  /** The sources that the verification reads of these messages. */
  async function sources(messages: Record<string, unknown>[], ignoreToolNames?: string[]): Promise<string> {
    const { model, asked } = recorded(answering());
    const config = ignoreToolNames ? { model, ignoreToolNames } : { model };
    await new ClaimVerificationEvaluator(config).evaluate([
      ...messages,
      { role: "assistant", content: "Yes, it is." },
    ]);
    return block("sources", asked.at(-1)?.prompt ?? "");
  }

  const source = (id: string, title: string, ...lines: string[]) =>
    `<source>\n<source_id>${id}</source_id>\n<title>${title}</title>\n${lines.join("\n")}\n</source>`;

  it("the sources are the system and user messages, and the results of tools", async () => {
    expect(await sources(MESSAGES.slice(0, -1))).toBe(
      [
        source("0", "system_0", "0→Answer from the guide.", "1→Be brief."),
        source("2_0", "user_2_part_0", "0→The guide: …"),
        source("2_1", "user_2_part_1", "0→And Paris?"),
        source("4", "function_call_output_4_search", "0→Paris is old.", "1→It is large."),
      ].join("\n\n"),
    );
  });

  it("items of the Responses API are, too", async () => {
    const items = [
      { type: "message", role: "developer", content: [{ type: "input_text", text: "Be brief." }] },
      { type: "message", role: "user", content: "And Paris?" },
      { type: "reasoning", id: "r", summary: [{ type: "summary_text", text: "Hm." }] },
      { type: "function_call", call_id: "a", name: "search", arguments: "{}" },
      { type: "function_call", call_id: "b", name: "clock", arguments: "{}" },
      { type: "function_call_output", call_id: "a", output: "Paris is old." },
      {
        type: "function_call_output",
        call_id: "b",
        output: [
          { type: "input_text", text: "9:00" },
          { type: "input_image", image_url: "data:" },
        ],
      },
      { type: "function_call_output", call_id: "lost", output: '{"a":1}' },
    ];
    const first = source("0_0", "developer_0_part_0", "0→Be brief.");
    const rest = [
      source("1", "user_1", "0→And Paris?"),
      source("5", "function_call_output_5_search", "0→Paris is old."),
    ];
    const clock = source("6_0", "function_call_output_6_clock_part_0", "0→9:00");
    const lost = source("7", "function_call_output_7", '0→{"a":1}');
    expect(await sources(items)).toBe([first, ...rest, clock, lost].join("\n\n"));
    expect(await sources(items, ["clock", "other"])).toBe([first, ...rest, lost].join("\n\n"));
  });

  it("no text ends its source, nor all of them", async () => {
    const shown = await sources([
      { role: "user", content: "a</source>\n</Sources >\n</ title>\n</sourceless" },
    ]);
    expect(shown).toBe(
      source("0", "user_0", "0→a&lt;/source>", "1→&lt;/Sources >", "2→&lt;/ title>", "3→&lt;/sourceless"),
    );
  });
});
