import { context, trace } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { OpenEvalsError } from "openevals-wasm";
import { createResultExporter, recordResults } from "openevals-wasm/otel";
import { expect, test } from "vitest";
import { fieldsOf, resultsReceiver } from "./collector-of-results.ts";

const SPAN = {
  traceId: "5b8efff798038103d269b633813fc60c",
  spanId: "eee19b7ec3c1b173",
  responseId: "chatcmpl-1",
};
const RESULTS = [
  { key: "correct", score: true, comment: "It is." },
  { key: "similar", score: 1 },
  { key: "polite", error: new OpenEvalsError("rate_limited", "Bearer sk-secret") },
];
const EVENTS = [
  {
    "gen_ai.evaluation.name": "correct",
    "gen_ai.evaluation.score.value": 1,
    "gen_ai.evaluation.score.label": "pass",
    "gen_ai.evaluation.explanation": "It is.",
    "gen_ai.response.id": "chatcmpl-1",
  },
  {
    "gen_ai.evaluation.name": "similar",
    "gen_ai.evaluation.score.value": 1,
    "gen_ai.response.id": "chatcmpl-1",
  },
  { "gen_ai.evaluation.name": "polite", "error.type": "rate_limited", "gen_ai.response.id": "chatcmpl-1" },
];

test("results are events of a span that is open; one that has ended takes none", () => {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const span = provider.getTracer("app").startSpan("chat");
  expect(recordResults(RESULTS, { span, responseId: "chatcmpl-1" })).toBe(true);
  span.end();
  const [finished] = exporter.getFinishedSpans();
  expect(finished?.events.map(({ name, attributes }) => [name, attributes])).toEqual(
    EVENTS.map((event) => ["gen_ai.evaluation.result", event]),
  );
  const ended = trace.wrapSpanContext({ traceId: SPAN.traceId, spanId: SPAN.spanId, traceFlags: 1 });
  expect(recordResults(RESULTS, { span: ended })).toBe(false);
});

test("results are records of a logger, in the context of the span", () => {
  const records: object[] = [];
  const logger = { emit: (record: object) => void records.push(record) };
  const active = context.active();
  recordResults({ key: "correct", score: false }, { logger, context: active });
  const attributes = {
    "gen_ai.evaluation.name": "correct",
    "gen_ai.evaluation.score.value": 0,
    "gen_ai.evaluation.score.label": "fail",
  };
  expect(records).toEqual([
    { eventName: "gen_ai.evaluation.result", severityNumber: 9, attributes, context: active },
  ]);
});

test("a number is labelled by the scale of its evaluator, and a verdict by its direction", () => {
  const labels: unknown[] = [];
  const logger = {
    emit: ({ attributes }: any) => void labels.push(attributes["gen_ai.evaluation.score.label"]),
  };
  const rate = { direction: "lower", passAt: 0.2 } as const;
  recordResults({ key: "word_error_rate", score: 0.2, scale: rate }, { logger });
  recordResults({ key: "word_error_rate", score: 0.3, scale: rate }, { logger });
  recordResults({ key: "toxicity", score: true, scale: rate }, { logger });
  recordResults({ key: "word_count", score: 7, scale: { unit: "words" } }, { logger });
  expect(labels).toEqual(["pass", "fail", "fail", undefined]);
});

test("only what was measured has a score", () => {
  const events: unknown[] = [];
  const logger = { emit: ({ attributes }: any) => void events.push(attributes) };
  const results = [
    { key: "grounded", score: null, comment: "There are no contexts." },
    { key: "polite", score: 1, applicable: false },
    { key: "tone", value: "friendly" },
    { key: "failed", score: true, error: new TypeError("no") },
    { key: "passed", score: true, error: null },
  ];
  recordResults(results, { logger });
  expect(events).toEqual([
    { "gen_ai.evaluation.name": "grounded", "gen_ai.evaluation.explanation": "There are no contexts." },
    { "gen_ai.evaluation.name": "polite" },
    { "gen_ai.evaluation.name": "tone" },
    { "gen_ai.evaluation.name": "failed", "error.type": "TypeError" },
    {
      "gen_ai.evaluation.name": "passed",
      "gen_ai.evaluation.score.value": 1,
      "gen_ai.evaluation.score.label": "pass",
    },
  ]);
});

test.each([
  [{ key: "a", score: NaN }, "results[0].score is NaN; a score is true, false or a finite number."],
  [{ key: "a", score: "1" }, 'results[0].score is "1"; a score is true, false or a finite number.'],
  [{ key: "a", sore: 1 }, "results[0] has no score. Add one, or applicable: false if there is none."],
])("%j is not a result", (result, message) => {
  const exporter = createResultExporter({ url: "http://localhost/v1/logs" });
  expect(() => exporter.add(result as never)).toThrow(
    expect.objectContaining({ code: "invalid_input", message }),
  );
});

test("invalid results and targets are errors", () => {
  const code = (code: string) => expect.objectContaining({ code });
  expect(() => recordResults([{ score: 1 }] as never, { logger: { emit: () => {} } })).toThrow(
    code("invalid_input"),
  );
  expect(() => recordResults([], {} as never)).toThrow(code("invalid_config"));
});

test("results go out as OTLP, with the ids of the span, in batches", async () => {
  await using receiver = await resultsReceiver();
  const { url } = receiver;
  const exporter = createResultExporter({
    url,
    headers: { authorization: "Bearer sk-secret-1234567890" },
    resource: { "service.name": "bot" },
    maxBatchSize: 2,
  });
  exporter.add(RESULTS, SPAN);
  expect(await exporter.flush()).toEqual({ sent: 3, failed: 0, dropped: 0 });
  expect(receiver.requests).toHaveLength(2);
  expect(receiver.requests[0]?.headers.authorization).toBe("Bearer sk-secret-1234567890");
  expect(receiver.records.map(fieldsOf)).toEqual(EVENTS);
  const { traceId, spanId } = SPAN;
  expect(receiver.records[0]).toMatchObject({ eventName: "gen_ai.evaluation.result", traceId, spanId });
});

test("retries only retryable failures", async () => {
  const again = { headers: { "retry-after": "0" } };
  await using receiver = await resultsReceiver([
    { status: 503, ...again },
    { status: 429, ...again },
  ]);
  const exporter = createResultExporter({ url: receiver.url });
  exporter.add(RESULTS, SPAN);
  expect(await exporter.flush()).toEqual({ sent: 3, failed: 0, dropped: 0 });
  expect(receiver.requests).toHaveLength(3);

  // A date in the past says nothing, since the two clocks differ: the first pause is a quarter of a second or longer.
  const past = { headers: { "retry-after": "Thu, 01 Jan 2026 00:00:00 GMT" } };
  await using late = await resultsReceiver([{ status: 503, ...past }]);
  const patient = createResultExporter({ url: late.url });
  patient.add(RESULTS, SPAN);
  const started = performance.now();
  expect(await patient.flush()).toEqual({ sent: 3, failed: 0, dropped: 0 });
  expect(performance.now() - started).toBeGreaterThan(200);

  await using refusing = await resultsReceiver([
    { status: 401, text: "Bearer sk-secret-1234567890 is wrong" },
  ]);
  const errors: OpenEvalsError[] = [];
  const other = createResultExporter({
    url: refusing.url,
    headers: { authorization: "Bearer sk-secret-1234567890" },
    onError: (error) => void errors.push(error),
  });
  other.add(RESULTS, SPAN);
  const report = await other.flush();
  expect(report).toMatchObject({
    sent: 0,
    failed: 3,
    error: { code: "provider_error", status: 401, attempts: 1 },
  });
  expect(errors).toHaveLength(1);
  expect(JSON.stringify([errors, report]) + errors[0]?.stack).not.toContain("sk-secret");
});

test.each([
  ["nobody listens", "provider_error", async () => ({ url: "http://127.0.0.1:1/v1/logs" })],
  ["nobody answers", "timeout", () => resultsReceiver([{ hang: true }])],
  [
    "a redirect",
    "provider_error",
    () => resultsReceiver([{ status: 307, headers: { location: "http://127.0.0.1:1/" } }]),
  ],
])("%s is in the report", async (_, code, receive) => {
  const receiver = await receive();
  const exporter = createResultExporter({ url: receiver.url, maxRetries: 0, timeoutMs: 200 });
  exporter.add(RESULTS, SPAN);
  expect(await exporter.flush()).toMatchObject({ sent: 0, failed: 3, error: { code } });
  if ("requests" in receiver) await receiver[Symbol.asyncDispose]();
});

test("reports partially rejected requests, and counts results that do not fit into the queue", async () => {
  const partialSuccess = { rejectedLogRecords: "2", errorMessage: "too old" };
  await using receiver = await resultsReceiver([{ json: { partialSuccess } }]);
  const messages: string[] = [];
  const exporter = createResultExporter({
    url: receiver.url,
    maxQueueSize: 3,
    onError: ({ message }) => void messages.push(message),
  });
  exporter.add([...RESULTS, ...RESULTS], SPAN);
  expect(await exporter.flush()).toMatchObject({ sent: 1, failed: 2, dropped: 3 });
  exporter.add([...RESULTS, ...RESULTS], SPAN);
  expect(await exporter.flush()).toMatchObject({ sent: 4, failed: 2, dropped: 6 });
  const full =
    "Results are dropped, because 3 are waiting to be sent. Set a larger maxQueueSize, or add fewer results at a time.";
  expect(messages).toEqual([full, 'The endpoint rejected 2 of 3 results: "too old".', full]);
});

test("reports the words of the endpoint without keys, also of a warning", async () => {
  const partial = (rejectedLogRecords: string, errorMessage: string) => ({
    json: { partialSuccess: { rejectedLogRecords, errorMessage } },
  });
  await using receiver = await resultsReceiver([
    partial("2", "Bearer sk-secret-1234567890: too old"),
    partial("0", 'attributes of "bot" are deprecated'),
    { json: { partialSuccess: { rejectedLogRecords: null, errorMessage: null } } },
  ]);
  const errors: OpenEvalsError[] = [];
  const exporter = createResultExporter({
    url: receiver.url,
    headers: { authorization: "Bearer sk-secret-1234567890" },
    maxBatchSize: 3,
    onError: (error) => void errors.push(error),
  });
  exporter.add([...RESULTS, ...RESULTS, ...RESULTS], SPAN);
  const report = await exporter.flush();
  expect(errors.map(({ code, message }) => [code, message])).toEqual([
    ["provider_error", 'The endpoint rejected 2 of 3 results: "Bearer [redacted]: too old".'],
    [
      "provider_error",
      'The endpoint accepted all results, with a warning: "attributes of \\"bot\\" are deprecated".',
    ],
  ]);
  expect(report).toEqual({ sent: 7, failed: 2, dropped: 0, error: errors[0] });
});

test("short keys are hidden where they are words, not within others", async () => {
  const errorMessage = "key ab12 has no tab124; ab12-ab12";
  await using receiver = await resultsReceiver([
    { json: { partialSuccess: { rejectedLogRecords: 1, errorMessage } } },
  ]);
  const errors: OpenEvalsError[] = [];
  const exporter = createResultExporter({
    url: receiver.url,
    headers: { "x-api-key": "ab12" },
    onError: (error) => void errors.push(error),
  });
  exporter.add(RESULTS, SPAN);
  await exporter.flush();
  expect(errors[0]?.message).toContain("key [redacted] has no tab124; [redacted]-[redacted]");
});

test("of an answer of megabytes, only the beginning is read", async () => {
  let pieces = 0;
  let isCancelled = false;
  const body = new ReadableStream({
    pull: (controller) => {
      if (++pieces === 100) controller.close();
      else controller.enqueue(new Uint8Array(16_384).fill(32));
    },
    cancel: () => {
      isCancelled = true;
    },
  });
  const exporter = createResultExporter({
    url: "http://localhost/v1/logs",
    fetch: async () => new Response(body, { headers: { "content-type": "application/json" } }),
  });
  exporter.add(RESULTS, SPAN);
  expect(await exporter.flush()).toMatchObject({ sent: 0, failed: 3, error: { code: "provider_error" } });
  await expect.poll(() => isCancelled).toBe(true);
  // 64 KB, and what the stream has prepared.
  expect(pieces).toBeLessThanOrEqual(6);
});

test.each([
  ["nothing", { text: "" }],
  ["an empty message of protobuf", { text: "", headers: { "content-type": "application/x-protobuf" } }],
])("%s as the answer is a success", async (_, answer) => {
  await using receiver = await resultsReceiver([answer]);
  const exporter = createResultExporter({ url: receiver.url });
  exporter.add(RESULTS, SPAN);
  expect(await exporter.flush()).toEqual({ sent: 3, failed: 0, dropped: 0 });
});

test.each([
  [
    "a page",
    "text/html",
    { text: "<html>Log in</html>", headers: { "content-type": "text/html; charset=utf-8" } },
  ],
  ["a text", "application/json", { text: "ok" }],
  ["a list", "application/json", { json: [] }],
  ["a negative count", "application/json", { json: { partialSuccess: { rejectedLogRecords: "-1" } } }],
  ["an error", "application/json", { json: { error: "unauthorized" } }],
  ["a status of gRPC", "application/json", { json: { code: 16, message: "unauthenticated" } }],
  ["a text for a count", "application/json", { json: { partialSuccess: { rejectedLogRecords: "all" } } }],
])("%s as the answer is a failure, although its status is 200", async (_, type, answer) => {
  await using receiver = await resultsReceiver([answer]);
  const exporter = createResultExporter({ url: receiver.url });
  exporter.add(RESULTS, SPAN);
  expect(await exporter.flush()).toMatchObject({
    sent: 0,
    failed: 3,
    error: {
      code: "provider_error",
      message: `Results could not be sent: the endpoint answered 200 with ${type} instead of the JSON of OTLP; check the url and the headers.`,
      status: 200,
      attempts: 1,
    },
  });
  expect(receiver.requests).toHaveLength(1);
});

test("an onError that rejects leaves no unhandled rejection", async () => {
  await using receiver = await resultsReceiver([{ status: 400 }]);
  const onError = async () => {
    throw new Error("no logger");
  };
  const exporter = createResultExporter({ url: receiver.url, onError });
  exporter.add(RESULTS, SPAN);
  // Vitest fails a run with an unhandled rejection.
  expect(await exporter.flush()).toMatchObject({ sent: 0, failed: 3 });
});

test.each([null, "x", 5])("%j is not the span of a result", (about) => {
  const exporter = createResultExporter({ url: "http://localhost/v1/logs" });
  expect(() => exporter.add(RESULTS, about as never)).toThrow(
    "The second argument of exporter.add has to be an object, such as { traceId, spanId }.",
  );
});

test("results that wait are sent without being asked for", async () => {
  await using receiver = await resultsReceiver();
  const exporter = createResultExporter({ url: receiver.url, delayMs: 1 });
  exporter.add(RESULTS[0] as never);
  await expect.poll(() => receiver.records.length).toBe(1);
});

test("flush waits for the results before it, and later ones are sent without it", async () => {
  const answers: (() => void)[] = [];
  await using receiver = await resultsReceiver();
  const exporter = createResultExporter({
    url: receiver.url,
    delayMs: 1,
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      await new Promise<void>((answer) => answers.push(answer));
      return response;
    },
  });
  exporter.add({ key: "first", score: 1 });
  const flushed = exporter.flush();
  exporter.add({ key: "later", score: 1 });
  await expect.poll(() => answers.length).toBe(1);
  answers[0]?.();
  expect(await flushed).toEqual({ sent: 1, failed: 0, dropped: 0 });
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.();
  expect(await exporter.flush()).toEqual({ sent: 2, failed: 0, dropped: 0 });
});

test("options and ids that cannot work are refused without showing keys", () => {
  const secret = "sk-secret-1234567890";
  const making = (options: object) => () =>
    createResultExporter({ url: "http://localhost/v1/logs", ...options });
  for (const options of [
    { url: `https://me:${secret}@localhost` },
    { url: secret },
    { headers: secret },
    { headers: { authorization: `${secret}\n${secret}` } },
    { resource: { [secret]: 1 } },
  ]) {
    expect(making(options)).toThrow(expect.objectContaining({ code: "invalid_config" }));
    expect(making(options)).not.toThrow(secret);
  }
  expect(() => making({})().add([], { traceId: "1" })).toThrow(
    expect.objectContaining({ code: "invalid_input" }),
  );
});

test("a span needs its trace, but a result may be of a whole trace", async () => {
  await using receiver = await resultsReceiver();
  const exporter = createResultExporter({ url: receiver.url });
  const { traceId, spanId } = SPAN;
  expect(() => exporter.add(RESULTS, { spanId })).toThrow(
    expect.objectContaining({
      code: "invalid_input",
      message: "spanId needs the traceId of its trace; pass both.",
    }),
  );
  exporter.add({ key: "correct", score: true }, { traceId });
  expect(await exporter.flush()).toMatchObject({ sent: 1 });
  expect(receiver.records[0]).toMatchObject({ traceId });
  expect(receiver.records[0]).not.toHaveProperty("spanId");
});
