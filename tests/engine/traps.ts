/** A trap in any function of the engine fails the calls in it, and nothing else. */

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { jsonSchema } from "openevals-wasm/checks";
import { evaluate } from "openevals-wasm/evaluation";
import { answerRelevancy, contextPrecision, factualCorrectness, noiseSensitivity } from "openevals-wasm/rag";
import {
  CheckCriteriaEvaluator,
  ClaimVerificationEvaluator,
  GuidanceEvaluator,
  generateCapabilityManifest,
  PreferenceAdherenceEvaluator,
  ToolUsageEvaluator,
} from "openevals-wasm/recipes";
import {
  createCodeLLMAsJudge,
  createEmbeddingSimilarityEvaluator,
  createGraphTrajectoryLLMAsJudge,
  createJsonMatchEvaluator,
  createLLMAsJudge,
  createLLMSimulatedUser,
  createTrajectoryLLMAsJudge,
  createTrajectoryMatchEvaluator,
  exactMatch,
  graphTrajectoryStrictMatch,
  init,
  initChatModel,
  initEmbeddings,
  levenshteinDistance,
} from "openevals-wasm/slim";
import { beforeAll, expect, it } from "vitest";
import { scripted } from "../rag/judge.js";
import { settled, trapIn, trappingInstances, trappingModule } from "./trapping-module.js";

/** The answers that the waiting calls wait for. */
let answers: (() => void)[] = [];
const later = <T>(value: T): Promise<T> =>
  new Promise((resolve) => {
    answers.push(() => resolve(value));
  });

const verdict = { score: true, reasoning: "Yes." };
const completion = {
  model: "stub",
  choices: [{ finish_reason: "stop", message: { role: "assistant", content: JSON.stringify(verdict) } }],
};
const calling = (city: string) => [
  { role: "assistant", content: "", tool_calls: [{ name: "get_weather", args: { city } }] },
];
const graphs = {
  outputs: { results: [], steps: [["a"]] },
  referenceOutputs: { results: [], steps: [["b"]] },
};
const prompt = "Is {outputs} right?";
const names = { outputs: { name: "Ada", born: 1815 }, referenceOutputs: { born: 1816, name: "Ada" } };
const rubric = { criteria: "The same year?", outputs: { born: 1815 }, referenceOutputs: { born: 1816 } };

// Made once: they have to keep working after traps.
const everyKey = createJsonMatchEvaluator();
const average = createJsonMatchEvaluator({ aggregator: "average" });
const leaves = createJsonMatchEvaluator({ aggregator: "average", evaluators: { born: () => true } });
const trajectory = createTrajectoryMatchEvaluator();
const overlap = createTrajectoryMatchEvaluator({ trajectoryMatchMode: "unordered", scoring: "f1" });
const matcher = createTrajectoryMatchEvaluator({
  toolArgsMatchOverrides: {
    get_weather: ({ city }) => {
      if (city === "Bern") throw new Error("unknown");
      return true;
    },
  },
});
const matcherThatWaits = createTrajectoryMatchEvaluator({
  toolArgsMatchOverrides: { get_weather: () => later(true) },
});
const embeddings = createEmbeddingSimilarityEvaluator({ embeddings: () => [1, 0] });
const judge = createLLMAsJudge({ prompt, judge: () => verdict });
const judgeThatWaits = createLLMAsJudge({ prompt, judge: () => later(verdict) });
const sampledJudge = createLLMAsJudge({ prompt, judge: () => verdict, samples: 2 });
const model = (fetch: () => Promise<Response>) =>
  initChatModel("openai:stub", { apiKey: "no-key-at-all", fetch, maxConcurrency: 1 });
const modelJudge = createLLMAsJudge({ prompt, judge: model(async () => Response.json(completion)) });
const modelThatWaits = createLLMAsJudge({ prompt, judge: model(() => later(Response.json(completion))) });
const client = { apiKey: "no-key-at-all", chat: { completions: { create: async () => completion } } };
const clientJudge = createLLMAsJudge({ prompt, judge: client, model: "stub" });
let attempts = 0;
/** A judge with text rules, which JavaScript checks; each is requested once. */
const patternJudge = () =>
  createLLMAsJudge({
    prompt,
    judge: () => ({ city: "Paris" }),
    outputSchema: { type: "object", properties: { city: { type: "string", pattern: "^P" } } },
  });
/** A model of the AI SDK that is busy every other time. */
const busyJudge = createLLMAsJudge({
  prompt,
  judge: {
    specificationVersion: "v2",
    modelId: "stub",
    async doGenerate() {
      if (attempts++ % 2 === 0)
        throw Object.assign(new Error("busy"), {
          isRetryable: true,
          responseHeaders: { "retry-after-ms": "0" },
        });
      return { content: [{ type: "text", text: JSON.stringify(verdict) }], finishReason: "stop" };
    },
  },
});
const experiment = () =>
  evaluate(undefined, { data: [{ outputs: "Paris" }], evaluators: [judge], judges: { cache: new Map() } });
const code = createCodeLLMAsJudge({
  prompt,
  judge: () => verdict,
  codeExtractionStrategy: "markdown_code_blocks",
});
// A prompt without a block for the reference, which the engine adds.
const steps = createGraphTrajectoryLLMAsJudge({
  prompt: "{thread}{reference_outputs}",
  judge: () => verdict,
});
const messages = createTrajectoryLLMAsJudge({ judge: () => verdict });
const rubricJudge = createJsonMatchEvaluator({
  rubric: { born: rubric.criteria },
  judge: () => ({ born: { score: true, reasoning: "Yes." } }),
  aggregator: "average",
});
const rubricThatWaits = createJsonMatchEvaluator({
  rubric: { born: rubric.criteria },
  judge: () => later({ born: { score: true, reasoning: "Yes." } }),
  aggregator: "average",
});
const criteria = (answer: () => unknown) =>
  new CheckCriteriaEvaluator({
    criteria: ["It is short"],
    model: async () => (await answer()) as object,
  });
const probability = { reasoning: "Two words.", probability: 1 };
const response = { conversationHistory: "", finalResponse: "Hello there." };
const recipe = criteria(() => probability);
const recipeThatWaits = criteria(() => later(probability));
/** One run of each of the other recipes. */
async function otherRecipes({ number = 0, name = "search" } = {}): Promise<unknown[]> {
  const texts = { conversationHistoryBeginningTurn: "Hi", conversationHistoryFull: "Hi. Hello." };
  const claims = new ClaimVerificationEvaluator({
    verificationThreshold: number / 1e6,
    model: () => ({ final_submission: "Does NOT", sentence_with_verifiable_info: "None" }),
  }).run({ text: "", userQuestion: "", sourceContext: [] });
  const guidance = new GuidanceEvaluator({
    capabilityManifest: "All.",
    inScopeProbabilityThreshold: number / 1e6,
    model: () => ({
      capabilities_analysis: "",
      sufficient_capabilities: "",
      in_scope_reasoning: "",
      is_in_scope_probability: 99,
    }),
  });
  const preferences = new PreferenceAdherenceEvaluator({
    maxConcurrency: number + 1,
    model: () => ({ preferences: [] }),
  });
  const tools = new ToolUsageEvaluator({
    toolThresholds: { [name]: 1 },
    model: () => ({ tool_evaluations: [{ tool_name: name, reasoning: "", probability: 1 }] }),
  });
  return [
    (await claims.next()).value,
    await guidance.run(texts),
    await preferences.run(texts),
    await tools.run({ tools: [{ toolName: name, toolText: "", wasCalled: true }], ...texts }),
    await generateCapabilityManifest({ systemPrompt: "Hi", model: () => "CAN greet" }),
  ];
}

const user = createLLMSimulatedUser({ system: "You are a customer.", client: () => "Hello?" });
const userThatWaits = createLLMSimulatedUser({
  system: "You are a customer.",
  client: () => later("Hello?"),
});
const vectors = (fetch: () => Promise<Response>) =>
  initEmbeddings("openai:stub", { apiKey: "no-key-at-all", fetch });
const vector = { data: [{ index: 0, embedding: [1, 2] }] };
const embedder = vectors(async () => Response.json(vector));
const embedderThatWaits = vectors(() => later(Response.json(vector)));

const { judge: ragJudge } = scripted({
  claims: { "Paris.": ["It is Paris."] },
  support: { "It is Paris.": ["Paris."] },
  useful: ["Paris."],
  questions: [["Where?", 0]],
});
const ragRow = { inputs: "Where?", outputs: "Paris.", referenceOutputs: "Paris.", context: ["Paris."] };
const noise = noiseSensitivity({ judge: ragJudge });
const correctness = factualCorrectness({ judge: ragJudge });
const precision = contextPrecision({ judge: ragJudge });
const relevancy = answerRelevancy({ judge: ragJudge, embeddings: () => [1, 0], questions: 1 });

let made = 0;
/** Makes and uses more of a kind than the engine keeps (256), each with a new configuration. */
const many = (use: (name: string, number: number) => Promise<unknown>) => async () => {
  for (let index = 0; index < 260; index++) await use(`tool ${made++}`, made);
  return {};
};
const manyOfEachKind = [
  (name: string) => createJsonMatchEvaluator({ excludeKeys: [name] })(names),
  (name: string) => {
    const [outputs, toolArgsMatchOverrides] = [calling("Rome"), { [name]: "ignore" as const }];
    return createTrajectoryMatchEvaluator({ toolArgsMatchOverrides })({ outputs, referenceOutputs: outputs });
  },
  (name: string) =>
    createLLMAsJudge({ prompt: `${prompt} ${name}`, judge: () => verdict })({ outputs: "Paris" }),
  (name: string) => new CheckCriteriaEvaluator({ criteria: [name], model: () => probability }).run(response),
  (name: string, number: number) => otherRecipes({ number, name }),
  (name: string) => jsonSchema({ title: name })("1"),
].map(many);

/** Calls of everything that the engine does, with the expected results. */
const calls: [call: () => Promise<unknown>, result: unknown][] = [
  [() => exactMatch(names), { score: false }],
  [() => exactMatch.batch([names]), [{ score: false }]],
  [() => levenshteinDistance("kitten", "sitting"), { score: 1 - 3 / 7 }],
  [() => levenshteinDistance("a\ud800", "ab"), { score: 0.5 }],
  [() => everyKey(names), [{ score: 0 }, { score: 1 }]],
  [() => average(names), [{ score: 0.5 }]],
  [() => leaves(names), [{ score: 1 }]],
  [() => everyKey.batch([names]), [[{ score: 0 }, { score: 1 }]]],
  [() => average.batch([names]), [[{ score: 0.5 }]]],
  [
    () => trajectory({ outputs: calling("Rome"), referenceOutputs: calling("Oslo") }),
    { score: false, comment: expect.stringContaining("Rome") },
  ],
  [
    () => trajectory.batch([{ outputs: calling("Rome"), referenceOutputs: calling("Oslo") }]),
    [{ score: false }],
  ],
  [() => overlap({ outputs: calling("Rome"), referenceOutputs: calling("Oslo") }), { score: 0 }],
  [() => overlap.batch([{ outputs: calling("Rome"), referenceOutputs: calling("Rome") }]), [{ score: 1 }]],
  [() => graphTrajectoryStrictMatch(graphs), { score: false }],
  [() => graphTrajectoryStrictMatch.batch([graphs]), [{ score: false }]],
  [() => matcher({ outputs: calling("Rome"), referenceOutputs: calling("Oslo") }), { score: true }],
  // The engine catches exceptions of a matcher.
  [
    async () => {
      const thrown = matcher({ outputs: calling("Bern"), referenceOutputs: calling("Oslo") });
      const code = await settled(thrown);
      return code === "engine_failed" ? thrown : code;
    },
    "callback_failed",
  ],
  [() => embeddings("a", "b"), { score: 1 }],
  [() => judge({ outputs: "Paris" }), { score: true, comment: "Yes." }],
  [() => sampledJudge({ outputs: "Paris" }), { score: true, metadata: { confidence: 1 } }],
  [() => modelJudge({ outputs: "Paris" }), { score: true, comment: "Yes." }],
  [() => clientJudge({ outputs: "Paris" }), { score: true, metadata: { model: "stub" } }],
  [() => patternJudge()({ outputs: "Paris" }), { city: "Paris" }],
  [() => busyJudge({ outputs: "Paris" }), { score: true }],
  [() => jsonSchema({ pattern: "^P" })('"Paris"'), { score: true }],
  [experiment, { rows: [{ evaluationResults: [{ score: true }] }] }],
  [() => code({ outputs: "```ts\nlet a;\n```" }), { score: true }],
  [
    () =>
      steps({
        inputs: ["Hi"],
        outputs: { results: ["Hello"], steps: [["agent"]] },
        referenceOutputs: { results: ["Hello"], steps: [["agent"]] },
      }),
    { score: true },
  ],
  [() => messages({ outputs: calling("Rome"), referenceOutputs: calling("Rome") }), { score: true }],
  [() => rubricJudge(rubric), [{ score: 1 }]],
  [() => recipe.run(response), { score: 100 }],
  [
    () => otherRecipes(),
    [{ totalClaims: 0 }, { applicable: false }, { applicable: false }, { score: 100 }, "CAN greet"],
  ],
  [() => user({ trajectory: [], turnCounter: 0 }), { content: "Hello?" }],
  [() => embedder.embedQuery("a"), [1, 2]],
  [() => noise(ragRow), { score: 0 }],
  [() => correctness(ragRow), { score: 1 }],
  [() => precision(ragRow), { score: 1 }],
  [() => relevancy(ragRow), { score: 1 }],
  ...manyOfEachKind.map((use): [typeof use, object] => [use, {}]),
  // Both engines: what works again after a trap that comes with an answer.
  [
    () => Promise.all([levenshteinDistance("a", "b"), judge({ outputs: "Paris" })]),
    [{ score: 0 }, { score: true }],
  ],
];

/** Calls that wait for an answer, in each of the engines. */
const startWaiting = (binary: Binary): Promise<unknown>[] =>
  binary === "scores"
    ? [matcherThatWaits({ outputs: calling("Rome"), referenceOutputs: calling("Oslo") })]
    : startJudges();

const startJudges = (): Promise<unknown>[] => [
  judgeThatWaits({ outputs: "Paris" }),
  modelThatWaits({ outputs: "Paris" }),
  // It waits for the previous call.
  modelThatWaits({ outputs: "Rome" }),
  rubricThatWaits(rubric),
  recipeThatWaits.run(response),
  userThatWaits({ trajectory: [], turnCounter: 0 }),
  embedderThatWaits.embedQuery("a"),
];

const instances = trappingInstances();

/** The names of the binaries in `init()`. */
export type Binary = "scores" | "judges";

async function expectResult(call: () => Promise<unknown>, result: unknown) {
  const actual = await call();
  if (typeof result === "string") expect(actual).toBe(result);
  else expect(actual).toMatchObject(result as object);
}

/**
 * @param never The number of functions that no call reaches: those of an instance's start, and those that run
 * once.
 */
export function testTraps(binary: Binary, never: number): void {
  let functions = 0;
  beforeAll(async () => {
    const module = await trappingModule(binary === "scores" ? "openevals" : "openevals-judges");
    functions = module.functions;
    init({ [binary]: module.bytes });
  });

  it("a trap in any function fails the calls in the engine, and later calls get a new instance", async () => {
    for (const [call, result] of calls) await expectResult(call, result);
    const neverCalled: number[] = [];
    for (let number = 0; number < functions; number++) {
      answers = [];
      const waiting = startWaiting(binary).map(settled);
      // Until all of them wait.
      await exactMatch(names);
      await judge({ outputs: "Paris" });
      await new Promise(setImmediate);
      const [instance] = instances;
      trapIn(instance, number);

      const gone = Promise.race(waiting).then(() => true);
      const isGone = () => Promise.race([gone, new Promise((resolve) => setImmediate(resolve, false))]);
      let last = calls[0];
      for (last of calls) {
        expect(["resolved", "engine_failed"]).toContain(await settled(last[0]()));
        if (await isGone()) break;
      }
      if (!(await isGone())) {
        // Some functions only run when an answer arrives.
        for (const answer of answers) answer();
        await new Promise(setImmediate);
      }
      trapIn(instance, -1);
      for (let left = answers.length; left; left = answers.length) {
        for (const answer of answers.splice(0)) answer();
        await new Promise(setImmediate);
      }
      const outcomes = await Promise.all(waiting);
      if (outcomes.includes("engine_failed")) {
        expect(outcomes.filter((outcome) => outcome !== "engine_failed")).toEqual([]);
        if (last) await expectResult(...last);
      } else neverCalled.push(number);
    }
    for (const [call, result] of calls) await expectResult(call, result);
    expect(neverCalled).toHaveLength(never);
  });

  it.runIf(binary === "judges")("a trap cancels the pending requests of the engine", async () => {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const silent = initChatModel("openai:stub", { apiKey: "no-key-at-all", baseURL });
    const waiting = settled(createLLMAsJudge({ prompt, judge: silent })({ outputs: "Paris" }));
    const [request] = await once(server, "request");
    const closed = once(request.socket, "close");

    const [instance] = instances;
    for (let number = 0; number < functions; number++) {
      trapIn(instance, number);
      await settled(judge({ outputs: "Paris" }));
    }
    expect(await waiting).toBe("engine_failed");
    await closed;
    server.close();
  });
}
