// Scores at least one evaluator of each family with the package it is given, in any runtime. The expected
// results are in expected.ts. Plain JavaScript, because most of these runtimes take no TypeScript.

const question = { role: "user", content: "Is it raining in Oslo?" };
const asks = (...calls) => ({
  role: "assistant",
  content: "",
  tool_calls: calls.map(([name, args]) => ({ function: { name, arguments: JSON.stringify(args) } })),
});
const vectors = { cat: [1, 0], kitten: [0.6, 0.8] };

export async function probe(openevals) {
  const {
    OpenEvalsError,
    createEmbeddingSimilarityEvaluator,
    createJsonMatchEvaluator,
    createLLMAsJudge,
    createTrajectoryMatchEvaluator,
    exactMatch,
    graphTrajectoryStrictMatch,
    levenshteinDistance,
    trajectorySuperset,
  } = openevals;

  const unordered = createTrajectoryMatchEvaluator({
    trajectoryMatchMode: "unordered",
    toolArgsMatchOverrides: {
      weather: async (made, wanted) => made.city.toLowerCase() === wanted.city.toLowerCase(),
    },
  });
  const mismatch = await trajectorySuperset({
    outputs: [question, asks(["weather", { city: "Oslo" }])],
    referenceOutputs: [question, asks(["weather", { city: "Oslo" }], ["clock", {}])],
  });
  const judge = createLLMAsJudge({
    prompt: "Does {outputs} answer {inputs}?",
    judge: async ({ messages }) => ({ score: true, reasoning: messages.at(-1).content }),
  });
  // The probes with models of other packages are in a separate file.
  const client = createLLMAsJudge({
    prompt: "Does {outputs} answer {inputs}?",
    model: "gpt-5.4",
    judge: {
      chat: {
        completions: {
          create: async ({ model, messages }) => ({
            model,
            choices: [
              { message: { content: JSON.stringify({ score: true, reasoning: messages[0].content }) } },
            ],
          }),
        },
      },
    },
  });
  const missing = await judge({ inputs: "2 + 2" }).catch((error) => error);

  return {
    exact: [
      await exactMatch({ outputs: { a: 1, b: [2, 3] }, referenceOutputs: { b: [2, 3], a: 1 } }),
      await exactMatch({ outputs: [2, 3], referenceOutputs: [3, 2] }),
    ],
    levenshtein: await levenshteinDistance({ outputs: "lawn", referenceOutputs: "flaw" }),
    jsonMatch: await createJsonMatchEvaluator({})({
      outputs: { name: "Ada", born: 1815 },
      referenceOutputs: { name: "Ada", born: 1816 },
    }),
    jsonMatchAverage: await createJsonMatchEvaluator({ aggregator: "average" })({
      outputs: { name: "Ada", born: 1815 },
      referenceOutputs: { name: "Ada", born: 1816 },
    }),
    customMatcher: await unordered({
      outputs: [question, asks(["weather", { city: "OSLO" }], ["clock", {}])],
      referenceOutputs: [question, asks(["clock", {}], ["weather", { city: "Oslo" }])],
    }),
    mismatch: {
      key: mismatch.key,
      score: mismatch.score,
      namesTheCall: String(mismatch.comment).includes("clock"),
    },
    graph: await graphTrajectoryStrictMatch({
      outputs: { results: [], steps: [["__start__", "agent", "tools"]] },
      referenceOutputs: { results: [], steps: [["__start__", "agent", "tools"]] },
    }),
    embedding: await createEmbeddingSimilarityEvaluator({ embeddings: async (text) => vectors[text] })({
      outputs: "cat",
      referenceOutputs: "kitten",
    }),
    judge: await judge({ inputs: "2 + 2", outputs: "4" }).then(({ key, score, comment }) => ({
      key,
      score,
      comment,
    })),
    client: await client({ inputs: "2 + 2", outputs: "4" }).then(({ score, comment, metadata }) => ({
      score,
      comment,
      model: metadata.model,
    })),
    error: {
      isOpenEvalsError: missing instanceof OpenEvalsError,
      code: missing.code,
      namesTheVariable: String(missing.message).includes("outputs"),
    },
    batch: await exactMatch.batch([
      { outputs: "a", referenceOutputs: "a" },
      { outputs: "a", referenceOutputs: "b" },
    ]),
  };
}

/** The same for subpaths. No code is run: that there is none is already found with the engine. */
export async function probeSubpaths(
  code,
  prompts,
  evaluation,
  recipes,
  text,
  retrieval,
  checks,
  judges,
  otel,
) {
  const { createE2BExecutionEvaluator } = code;
  const { evaluate } = evaluation;
  const { CheckCriteriaEvaluator } = recipes;
  const never = async () => {
    throw new Error("there is nothing to run");
  };
  const runs = createE2BExecutionEvaluator({
    sandbox: { files: { write: never }, commands: { run: never } },
    codeExtractionStrategy: "markdown_code_blocks",
  });
  const { key, score, metadata } = await runs({ outputs: "I would rather not." });
  const experiment = await evaluate(({ eighths }) => eighths / 8, {
    data: Array.from({ length: 12 }, (_, row) => ({ inputs: { eighths: (row * 5) % 9 } })),
    evaluators: [({ outputs }) => ({ key: "size", score: outputs })],
    maxConcurrency: 2,
  });
  const { mean, count, interval } = experiment.aggregates.size;
  const criteria = new CheckCriteriaEvaluator({
    criteria: ["The response is short"],
    model: ({ messages }) => ({ reasoning: "Two words.", probability: messages.length / 4 }),
  });
  return {
    code: { key, score, metadata },
    prompts: prompts.CONCISENESS_PROMPT.includes("{outputs}"),
    recipe: await criteria.run({ conversationHistory: "", finalResponse: "Hello there." }),
    experiment: { mean, count, interval },
    text: await text.rougeL("the cats sat", ["the cat sat down", "cats"]),
    retrieval: await retrieval.bpref(["a", "x", "n", "b"], { a: 1, b: 1, n: 0, m: 0 }),
    guard: await probeGuard(checks),
    judges: await probeJudges(judges),
    otel: await probeTraces(otel),
  };
}

/** A trace in, its score out, and an alarm on the way. */
async function probeTraces({ createResultExporter, online, trajectoriesFromOtlp }) {
  const [traceId, spanId] = ["5b8efff798038103d269b633813fc60c", "eee19b7ec3c1b173"];
  const said = [{ role: "user", parts: [{ type: "text", content: "Hi" }] }];
  const attributes = [{ key: "gen_ai.input.messages", value: { stringValue: JSON.stringify(said) } }];
  const spans = [
    { traceId: btoa(traceId.replace(/../g, (hex) => String.fromCharCode(`0x${hex}`))), spanId, attributes },
  ];
  const { trajectories } = trajectoriesFromOtlp(
    JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
  );
  let body = "";
  const exporter = createResultExporter({
    url: "http://localhost:4318/v1/logs",
    fetch: async (_, request) => {
      body = request.body;
      return new Response("{}");
    },
  });
  const drifts = [];
  const score = online([({ outputs }) => ({ key: "size", score: outputs.messages.length - 1 })], {
    baseline: { size: 0.9 },
    onResult: ({ row, results }) => exporter.add(results, row.span),
    onDrift: ({ direction, recent }) => drifts.push({ direction, count: recent.count }),
  });
  for (let row = 0; row < 10; row++) {
    for (const outputs of trajectories) score({ outputs, span: outputs.metadata });
    await score.idle();
  }
  const { sent } = await exporter.flush();
  const [record] = JSON.parse(body).resourceLogs[0].scopeLogs[0].logRecords;
  return { messages: trajectories[0].messages, sent, traceId: record.traceId, drifts };
}

/** A judge beside people, the true rate behind its verdicts, and a better prompt for it. */
async function probeJudges({ calibrate, correctRate, improve }) {
  const data = Array.from({ length: 40 }, (_, row) => ({ outputs: row, human: row % 2 === 0 }));
  const judge =
    (prompt) =>
    async ({ outputs }) => ({
      key: "even",
      score: prompt.includes("all") ? outputs % 2 === 0 : outputs % 4 === 0,
    });
  const report = await calibrate(judge("{outputs}"), { data, label: "human" });
  const { accuracy, sensitivity, kappa, alpha, spearman, verdicts } = report;
  const better = await improve(
    judge,
    { data, label: "human", seed: 5 },
    {
      prompt: "{outputs}",
      rounds: 1,
      heldOut: 0.75,
      model: async () => ({ reasoning: "Some even ones are missing.", prompt: "{outputs}: all even ones" }),
    },
  );
  return {
    report: { accuracy, sensitivity, kappa, alpha: alpha.ordinal, spearman, verdicts },
    rate: await correctRate({ positives: 30, count: 120, calibration: report }),
    better: {
      prompt: better.prompt,
      heldOut: better.heldOut.length,
      ids: better.heldOut.slice(0, 8),
      after: better.after.accuracy.value,
      pValue: better.difference.pValue,
    },
  };
}

/** A stream of single bytes through a guard into a response; and a text. */
async function probeGuard({ allOf, guard }) {
  const forbidden = "geh€im";
  const check = Object.assign(({ outputs }) => !outputs.includes(forbidden), {
    key: "open",
    watch() {
      let text = "";
      return (piece) => {
        text += piece;
        return text.includes(forbidden) ? "it is secret" : forbidden.length - 1;
      };
    },
  });
  const stream = (text) => {
    const bytes = new TextEncoder().encode(text);
    let at = 0;
    return new ReadableStream({
      pull(controller) {
        if (at === bytes.length) controller.close();
        else controller.enqueue(bytes.slice(at, ++at));
      },
    });
  };
  const open = guard(stream("Grüße 🦉"), [allOf([check])]);
  const secret = guard(stream("Grüße, geh€im!"), [check], { onFail: "[…]" });
  return {
    open: [await new Response(open.answer).text(), await open.ok],
    secret: [await new Response(secret.answer).text(), await secret.ok, await secret.failures],
    text: await guard("geh€im", [check], { timeoutMs: 1000 }),
  };
}
