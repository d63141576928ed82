/** User code, compiled as an ES module, as CommonJS and for a bundler, with the strictest settings. */
import {
  type ChatCompletionMessage,
  createEmbeddingSimilarityEvaluator,
  createJsonMatchEvaluator,
  createLLMAsJudge,
  createLLMSimulatedUser,
  createTrajectoryMatchEvaluator,
  type EvaluatorResult,
  exactMatch,
  graphTrajectoryStrictMatch,
  initChatModel,
  levenshteinDistance,
  OpenEvalsError,
  runMultiturnSimulation,
  trajectorySubset,
} from "openevals-wasm";
import {
  allOf,
  anyOf,
  type Check,
  firstFailing,
  type GuardedStream,
  guard,
  not,
  unless,
  weighted,
} from "openevals-wasm/checks";
import {
  type DataRow,
  directoryCache,
  type EvaluateOptions,
  type EvaluationResult,
  type Experiment,
  type ExperimentRow,
  evaluate,
  type MergeOptions,
  mergeExperiments,
  type RowEvaluator,
  readExperiment,
  type Shard,
  type SummaryEvaluatorParams,
} from "openevals-wasm/evaluation";
import { mockTools, runSimulations, type SimulationOutputs } from "openevals-wasm/harness";
import { init } from "openevals-wasm/slim";

/** The type of a judge, as tables of judges write it. */
type Judge = ReturnType<typeof createLLMAsJudge>;

export async function judgedBy(judges: Record<string, Judge>): Promise<EvaluatorResult["score"][]> {
  const results = await Promise.all(Object.values(judges).map((judge) => judge({ outputs: "a" })));
  return results.map(({ score }) => score);
}

export async function deterministic(): Promise<EvaluatorResult[]> {
  const exact = await exactMatch({ outputs: { a: 1 }, referenceOutputs: { a: 1 } });
  const positional = await exactMatch("a", "a");
  const snakeCase = await levenshteinDistance({ outputs: "a", reference_outputs: "b" });
  const rows = [{ outputs: 1, referenceOutputs: 1 }];
  const [first] = await exactMatch.batch(rows);
  const perKey: EvaluatorResult[] = await createJsonMatchEvaluator({
    listMatchMode: "ordered",
    excludeKeys: ["id"],
  })({
    outputs: [{ a: 1 }],
    referenceOutputs: [{ a: 1 }],
  });
  const graph = await graphTrajectoryStrictMatch({
    outputs: { results: [], steps: [["agent"]] },
    referenceOutputs: { results: [], steps: [["agent"]] },
  });
  return [exact, positional, snakeCase, graph, ...perKey, ...(first ? [first] : [])];
}

export async function trajectories(): Promise<boolean | number> {
  const call = { function: { name: "search", arguments: '{"q":"x"}' } };
  const messages = [
    { role: "user" as const, content: "Hello" },
    { role: "assistant" as const, content: "", tool_calls: [call] },
  ];
  const evaluate = createTrajectoryMatchEvaluator({
    trajectoryMatchMode: "unordered",
    toolArgsMatchMode: "subset",
    toolArgsMatchOverrides: {
      search: async (output, reference) => output.q === reference.q,
      book: ["flight.id"],
      cancel: "ignore",
    },
  });
  const { score, comment } = await evaluate({ outputs: messages, referenceOutputs: { messages } });
  const text: string | undefined = comment;
  await trajectorySubset({ outputs: messages, referenceOutputs: messages });
  return text === undefined && score;
}

export async function withModels(): Promise<void> {
  const similarity = createEmbeddingSimilarityEvaluator({ embeddings: async (text) => [text.length, 1] });
  await similarity({ outputs: "a", referenceOutputs: "b" });

  const judge = createLLMAsJudge({
    prompt: "Is {outputs} right?",
    judge: async ({ messages, schema }) => ({
      score: messages.length > 0 && schema !== undefined,
      reasoning: "",
    }),
  });
  const result = await judge({ inputs: "1 + 1", outputs: "2", referenceOutputs: "2", language: "en" });
  const comment: string | undefined = result.comment;

  const model = initChatModel("openai:gpt-5.4", { apiKey: comment, maxRetries: 0, timeoutMs: 1_000 });
  createLLMAsJudge({ prompt: "{outputs}", judge: model, continuous: true, feedbackKey: "quality" });
  createLLMAsJudge({
    prompt: "{outputs}",
    model: "ollama:llama3.3",
    choices: [0, 0.5, 1],
    useReasoning: false,
  });
}

export async function simulated(): Promise<number> {
  const answer = "Yes?";
  // As the documentation of the reference writes it: the role is any string here.
  const app = async ({ inputs, threadId }: { inputs: ChatCompletionMessage; threadId: string }) => {
    return { role: "assistant", content: inputs.content ?? answer, id: threadId };
  };
  const user = createLLMSimulatedUser({
    system: "You are angry.",
    model: "ollama:llama3.3",
    fixedResponses: ["Refund!", { role: "user", content: "Now!" }],
  });
  const judge = createLLMAsJudge({ prompt: "{outputs}", model: "ollama:llama3.3" });
  const { trajectory, evaluatorResults, evaluatorErrors } = await runMultiturnSimulation({
    app,
    user,
    maxTurns: 2,
    stoppingCondition: ({ trajectory, turnCounter }) => trajectory.length > turnCounter,
    trajectoryEvaluators: [judge, createTrajectoryMatchEvaluator(), exactMatch, createJsonMatchEvaluator()],
    referenceOutputs: [],
    signal: new AbortController().signal,
  });
  await runMultiturnSimulation({ app: async () => ({ messages: trajectory }), user: ["Hi"], maxTurns: 1 });
  const failed: number[] = evaluatorErrors.map(({ evaluator, error }) => evaluator + (error.attempts ?? 0));
  return evaluatorResults.length + failed.length;
}

export function explain(error: unknown): string {
  if (!(error instanceof OpenEvalsError)) return "not ours";
  const code: "rate_limited" | "timeout" | "other" =
    error.code === "rate_limited" || error.code === "timeout" ? error.code : "other";
  const status: number | undefined = error.status;
  return `${code} ${status ?? ""}`;
}

export async function ownBytes(bytes: Uint8Array): Promise<void> {
  await init(bytes);
}

export async function experiment(): Promise<Experiment> {
  const data: DataRow[] = [{ inputs: { question: "?" }, referenceOutputs: { answer: "!" }, id: "1" }];
  const judge = createLLMAsJudge({ prompt: "Is {outputs} in {context}?", judge: () => ({ score: true }) });
  const evaluators: RowEvaluator[] = [
    exactMatch,
    judge,
    createJsonMatchEvaluator(),
    trajectorySubset,
    graphTrajectoryStrictMatch,
    ({ outputs, referenceOutputs }) => outputs === referenceOutputs,
    (params: { outputs: { answer: string }; referenceOutputs?: { answer: string } }): EvaluationResult => ({
      key: "same",
      score: params.outputs.answer === params.referenceOutputs?.answer,
    }),
    { evaluator: judge, mapInputs: ({ outputs, run }) => ({ context: outputs.documents, id: run.id }) },
    { evaluate: async (messages: { role: string }[]) => ({ evalName: "count", score: messages.length }) },
  ];
  const options: EvaluateOptions = {
    data,
    evaluators,
    summaryEvaluators: [
      ({ runs, evaluationResults }: SummaryEvaluatorParams) => ({
        key: "scored",
        score: evaluationResults.flat().length / runs.length,
      }),
      function f1({ outputs, referenceOutputs }: { outputs: object[]; referenceOutputs: object[] }) {
        return { key: "f1", score: outputs.length === referenceOutputs.length };
      },
    ],
    mapInputs: async ({ outputs }) => ({ context: outputs.documents }),
    maxConcurrency: 8,
    judges: { cache: new Map<string, string>(), cacheMode: "auto" },
    signal: AbortSignal.timeout(60_000),
    onProgress: ({ done, total }) => console.log(done, total ?? "?"),
  };
  const running = evaluate(async ({ question }: { question: string }) => ({ answer: question }), options);
  for await (const { example, run, evaluationResults, errors } of running) {
    console.log(example.id, run.error?.message, evaluationResults[0]?.score, errors.length);
  }
  await evaluate({ invoke: async (inputs: { question: string }) => inputs.question }, { data: "data.jsonl" });
  const written = new WritableStream<ExperimentRow>();
  await evaluate(undefined, { data: "data.parquet", output: { sink: written, keepRows: true } });
  await evaluate(undefined, {
    data: new ReadableStream<DataRow>(),
    output: { sink: async ({ run }) => run.outputs },
  });
  const stream = new Response("").body as ReadableStream<Uint8Array>;
  await evaluate(undefined, {
    data: { stream, format: "jsonl" },
    output: { sink: "results.jsonl", resume: "failed" },
  });
  const { rowCount }: Experiment = await readExperiment("results.jsonl", { keepRows: false });
  const parts: (Experiment | string)[] = [
    await evaluate(undefined, { data, shard: { index: 1, count: 2 } }),
    "2.jsonl",
  ];
  const merging: MergeOptions = { partial: true, output: { keepRows: false }, clusterBy: ({ id }) => id };
  const missing: Shard[] | undefined = (await mergeExperiments(parts, merging)).missingShards;
  console.log(missing?.[0]?.index);
  const count: number | undefined = rowCount;
  console.log(count);
  await evaluate(undefined, { data, judges: { cache: directoryCache("cache") } });
  const { aggregates } = await running;
  const mean: number | null | undefined = aggregates.exact_match?.mean;
  console.log(mean);
  return running;
}

interface OwnMessage {
  role: "user" | "assistant" | "tool";
  content: string;
  tool_calls?: { id: string; type: "function"; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

export async function messagesOfOnesOwn(messages: OwnMessage[]) {
  await createTrajectoryMatchEvaluator()({ outputs: messages, referenceOutputs: { messages } });
  return trajectorySubset({ outputs: messages, referenceOutputs: messages });
}

export async function combined(): Promise<EvaluatorResult[]> {
  const judge = createLLMAsJudge({ prompt: "{outputs}", model: "openai:gpt-5.4" });
  const fields = createJsonMatchEvaluator({
    aggregator: "average",
    evaluators: {
      name: levenshteinDistance,
      price: ({ outputs }: { outputs: number }) => outputs > 0,
      note: judge,
    },
  });
  const own = async ({ outputs }: { outputs: string }) => ({ key: "own", score: outputs.length });
  const subset = createTrajectoryMatchEvaluator({ trajectoryMatchMode: "subset" });
  const check: Check = allOf([judge, fields, own, subset, exactMatch], {
    passAt: 0.5,
    feedbackKey: "all",
  });
  const pipeline = unless(anyOf([check, not(own)]), firstFailing([check, judge]), { askWhere: "passes" });
  const score = weighted([
    { evaluator: pipeline, weight: 2 },
    { evaluator: fields, weight: 1 },
  ]);
  await evaluate(async () => "x", { data: [], evaluators: [check, pipeline, score] });
  const isGood: boolean = (await check({ outputs: "x" })).score;
  console.log(isGood, check.key, await check("x", "y"));
  return score.batch([{ outputs: "x", referenceOutputs: "y" }]);
}

export async function guarded(
  texts: AsyncIterable<string>,
  strings: ReadableStream<string>,
  bytes: ReadableStream<Uint8Array>,
): Promise<Response> {
  const isShort = ({ outputs }: { outputs: string }) => outputs.length < 80;
  const { ok, answer, failures } = await guard("text", [isShort], { timeoutMs: 100, onFail: "No." });
  const isFine: boolean = ok;
  const text: string = answer;
  console.log(isFine, text, failures[0]?.comment, (await guard(Promise.resolve("text"), [isShort])).ok);
  const ofTexts = guard(texts, [isShort], {
    wholeText: "report",
    onFail: async (failures, sent) => `${failures.length} ${sent.length}`,
  });
  for await (const piece of ofTexts.answer) console.log(piece.toUpperCase());
  const streamed: ReadableStream<string> = guard(strings, [isShort]).answer;
  console.log(await streamed.getReader().read());
  const ofBytes: GuardedStream<ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>> = guard(bytes, [
    isShort,
  ]);
  ofBytes.failures.then((found) => found.map(({ key, error }) => `${key}: ${error?.code}`));
  return new Response(ofBytes.answer);
}

export async function mocked(): Promise<number> {
  const tools = mockTools({
    length: ({ item }: { item: string }) => item.length,
    later: async ({ q }: { q: string }, context?: { id: string }) => [q, context?.id ?? ""],
    // Without parameters, it answers any call.
    none: () => ({ found: [] as string[] }),
    search: [{ when: { q: /paris/i }, returns: ["Paris"] }],
  });
  const length: number = await tools.length({ item: "a" });
  const [first = ""]: string[] = await tools.later({ q: "a" }, { id: "1" });
  const { found } = await tools.none({ q: "b" });
  await tools.none();
  const results: string[] = await tools.search({ q: "Paris" });
  return length + first.length + found.length + results.length;
}

export async function simulations(): Promise<void> {
  const refunds = ({ outputs }: { outputs: { state: { refunded: number[] } } }) =>
    outputs.state.refunded.length;
  const turns = ({ outputs }: { outputs: SimulationOutputs }) => outputs.messages.length;
  const shared = {
    users: [{ name: "curt", persona: "You write short messages." }],
    tasks: [{ name: "refund", goal: "You want a refund.", referenceOutputs: { refunds: 1 } }],
    client: async () => "Refund!",
  };
  await runSimulations({
    ...shared,
    app: ({ state }) => {
      state.refunded.push(7);
      return { role: "assistant", content: "Done." };
    },
    state: () => ({ refunded: [] as number[] }),
    evaluators: [
      exactMatch,
      createTrajectoryMatchEvaluator(),
      refunds,
      turns,
      { evaluator: exactMatch, mapInputs: ({ outputs }) => ({ outputs: outputs.state }) },
      ({ outputs, referenceOutputs }) => {
        const first: number | undefined = outputs.state.refunded[0];
        return first !== undefined && outputs.state.refunded.length === referenceOutputs.refunds;
      },
    ],
  });
  // Without a state, it may be anything.
  await runSimulations({
    ...shared,
    app: ({ inputs }) => ({ role: "assistant", content: `You wrote ${inputs.content}` }),
    evaluators: [({ outputs }) => outputs.messages.length > 1, ({ outputs }) => outputs.state.any > 1],
  });
}
