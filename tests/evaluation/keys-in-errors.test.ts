/** Keys in what functions of the user throw: experiments and their reports are shared. */
import { inspect } from "node:util";
import { createLLMAsJudge } from "openevals-wasm";
import { guard } from "openevals-wasm/checks";
import { evaluate, evaluateComparative, renderReport } from "openevals-wasm/evaluation";
import { createJury } from "openevals-wasm/judges";
import { afterEach, describe, expect, it, vi } from "vitest";

const KEY = "9f8e7d6c5b4a39281706f5e4d3c2b1a0";
const GOOGLE = "AIzaSyA1234567890abcdefghijk";

const fail = async (): Promise<never> => {
  const cause = new Error(`no answer from https://example.com/v1?key=${GOOGLE}`);
  throw new RangeError(`401 for ${KEY}, in row 1`, { cause });
};

afterEach(() => vi.unstubAllEnvs());

it.each<[string, () => Promise<unknown>]>([
  ["targets", () => evaluate(fail, { data: [{ inputs: 1 }] })],
  ["evaluators", () => evaluate(undefined, { data: [{ inputs: 1, outputs: 1 }], evaluators: [fail] })],
  [
    "summary evaluators",
    () => evaluate(undefined, { data: [{ inputs: 1, outputs: 1 }], summaryEvaluators: [fail] }),
  ],
  [
    "comparative evaluators",
    async () => {
      const recorded = () => evaluate(undefined, { data: [{ id: "a", inputs: 1, outputs: 1 }] });
      return evaluateComparative([await recorded(), await recorded()], { evaluators: [fail] });
    },
  ],
])("are not in the errors of %s", async (_, run) => {
  vi.stubEnv("MY_MODEL_API_KEY", KEY);
  const text = JSON.stringify(await run());
  expect(text).toContain("401 for [redacted], in row 1");
  expect(text).toContain("no answer from https://example.com/v1?key=[redacted]");
});

it.each<[string, object]>([
  [
    "data",
    {
      // biome-ignore lint/correctness/useYield: it fails before its first row
      data: (async function* () {
        await fail();
      })(),
    },
  ],
  ["onProgress", { data: [{ inputs: 1, outputs: 1 }], onProgress: fail }],
])("are not in the experiment that failed by %s", async (_, options) => {
  vi.stubEnv("MY_MODEL_API_KEY", KEY);
  const evaluators = [() => ({ key: "k", score: 1 })];
  const thrown = await evaluate(undefined, { evaluators, ...options } as never).then(
    () => undefined,
    (error) => error,
  );
  expect(JSON.stringify(thrown.experiment.stopped)).toContain("401 for [redacted]");
  expect(JSON.stringify(thrown.experiment)).not.toContain(KEY);
});

it.each([
  GOOGLE,
  "AQ.Ab1234567890abcdefghijk",
  "ya29.a1234567890abcdefghijk",
  "sk-ant-oat01-1234567890",
])("are known by their format: %s", async (key) => {
  const target = () => {
    throw new Error(`not accepted: ${key}`);
  };
  const { rows } = await evaluate(target, { data: [{ inputs: 1 }] });
  expect(rows[0]?.run.error?.message).toBe("not accepted: [redacted]");
});

it("are not in the experiment that a signal stopped", async () => {
  vi.stubEnv("MY_MODEL_API_KEY", KEY);
  const signal = AbortSignal.abort(new Error(`401 for ${KEY}`));
  const { stopped } = await evaluate(undefined, { data: [{ inputs: 1, outputs: 1 }], signal });
  expect(JSON.stringify(stopped)).toContain("401 for [redacted]");
  expect(JSON.stringify(stopped)).not.toContain(KEY);
});

it("are values of the environment whose names end as those of keys", async () => {
  const path = "/home/ada/adc-1.json";
  const socket = "/tmp/ssh-agent-9f8e";
  vi.stubEnv("MY_CREDENTIALS", KEY);
  vi.stubEnv("GOOGLE_APPLICATION_CREDENTIALS", path);
  vi.stubEnv("SSH_AUTH_SOCK", socket);
  const target = () => {
    throw new Error(`${KEY} from ${path} by ${socket}`);
  };
  const { rows } = await evaluate(target, { data: [{ inputs: 1 }] });
  expect(rows[0]?.run.error?.message).toContain(`[redacted] from ${path} by ${socket}`);
});

it("are passwords in addresses", async () => {
  vi.stubEnv("DATABASE_URL", "postgres://postgres:correcthorse@localhost/app");
  vi.stubEnv("CACHE_URL", "redis://redisuser:redisuser@localhost");
  const target = () => {
    throw new Error("correcthorse of postgres, redisuser; mongodb+srv://ada:p4%40ssword@db and p4@ssword");
  };
  const { rows } = await evaluate(target, { data: [{ inputs: 1 }] });
  expect(rows[0]?.run.error?.message).toBe(
    "[redacted] of postgres, redisuser; mongodb+srv://ada:[redacted]@db and [redacted]",
  );
});

it("are private keys in PEM, also escaped or cut off", async () => {
  const lines = ["MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", "nQmBhxYtKkPzWvLrJdNsGcEfUaOiTbMq", "aBcD+eFg/hIj="];
  const block = ["-----BEGIN PRIVATE KEY-----", ...lines, "-----END PRIVATE KEY-----"].join("\n");
  const target = (text: string) => {
    throw new Error(text, { cause: new Error("Not a key.") });
  };
  const texts = [block, JSON.stringify({ private_key: block, id: 1 }), block.slice(0, -50)];
  const data = texts.map((text) => ({ inputs: `Invalid: ${text}` }));
  const { rows } = await evaluate(target, { data });
  const messages = rows.map(({ run }) => run.error?.message ?? "");
  for (const message of messages) for (const line of lines) expect(message).not.toContain(line.slice(0, 10));
  expect(messages.slice(0, 2)).toEqual([
    "Invalid: [redacted]",
    'Invalid: {"private_key":"[redacted]","id":1}',
  ]);
  expect(messages[2]).toContain("[redacted]");
  expect(rows[2]?.run.error?.cause?.message).toBe("Not a key.");
});

it("are not in names and codes of errors", async () => {
  vi.stubEnv("MY_MODEL_API_KEY", KEY);
  const target = () => {
    throw Object.assign(new Error("no"), { name: `Error of ${KEY}`, code: `E_${KEY}` });
  };
  const { rows } = await evaluate(target, { data: [{ inputs: 1 }] });
  expect(rows[0]?.run.error).toEqual({ name: "Error of [redacted]", code: "E_[redacted]", message: "no" });
});

it("are not in the votes of juries and samples", async () => {
  vi.stubEnv("MY_MODEL_API_KEY", KEY);
  let calls = 0;
  const judge = async () => (calls++ ? { score: true } : fail());
  const evaluators = [
    createJury({ judges: [() => true, () => true, fail] }),
    createLLMAsJudge({ prompt: "{outputs}", samples: 3, judge }),
  ];
  const { rows } = await evaluate(undefined, { data: [{ outputs: 1 }], evaluators });
  const [ofJury, ofSamples] = rows[0]!.evaluationResults.map(({ metadata }) =>
    JSON.stringify(metadata?.votes),
  );
  for (const votes of [ofJury, ofSamples]) expect(votes).toContain("401 for [redacted], in row 1");
});

it("may change between errors", async () => {
  const messages: unknown[] = [];
  for (const key of ["first-key-1", "other-key-2"]) {
    vi.stubEnv("MY_MODEL_API_KEY", key);
    const target = () => {
      throw new Error("first-key-1, other-key-2");
    };
    const { rows } = await evaluate(target, { data: [{ inputs: 1 }] });
    messages.push(rows[0]?.run.error?.message);
  }
  expect(messages).toEqual(["[redacted], other-key-2", "first-key-1, [redacted]"]);
});

it("are not in the warning of a cache", async () => {
  vi.stubEnv("MY_MODEL_API_KEY", KEY);
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const judge = createLLMAsJudge({
    prompt: "{outputs}",
    judge: () => ({ score: true, reasoning: "a" }),
    cacheKey: "j",
  });
  const cache = { get: () => undefined, set: fail };
  await evaluate(undefined, { data: [{ inputs: 1, outputs: 1 }], evaluators: [judge], judges: { cache } });
  expect(warn.mock.calls.flat().join()).toMatch(/cache\.set failed: 401 for \[redacted\]/);
  warn.mockRestore();
});

it("are not in the report", async () => {
  vi.stubEnv("MY_MODEL_API_KEY", KEY);
  const html = await renderReport(await evaluate(fail, { data: [{ inputs: 1 }] }));
  expect(html).toContain("401 for [redacted]");
  expect(html).not.toContain(KEY);
});

describe("anywhere in an error", () => {
  const headers = { authorization: `Bearer ${GOOGLE}` };
  const address = `https://example.com/v1?key=${GOOGLE}`;
  const form = () => {
    const form = new FormData();
    form.set("key", GOOGLE);
    return form;
  };
  const nested = (causes: number) => {
    let error = new Error(GOOGLE);
    for (let index = 0; index < causes; index++) error = new Error(`no ${index}`, { cause: error });
    return error;
  };
  const withMember = (member: object): Error => Object.assign(new Error("no"), member);

  it.each<[string, () => Error]>([
    ["a request", () => withMember({ request: new Request("https://example.com", { headers }) })],
    ["a response", () => withMember({ response: new Response("no", { headers }) })],
    ["an address", () => withMember({ address: new URL(address) })],
    ["parameters", () => withMember({ params: new URLSearchParams({ key: GOOGLE }) })],
    ["a form", () => withMember({ form: form() })],
    ["a member of a function", () => withMember({ send: Object.assign(() => 1, { headers }) })],
    ["the name of a member", () => withMember({ [GOOGLE]: 1 })],
    ["a member with a symbol", () => withMember({ [Symbol("key")]: GOOGLE })],
    [
      "a member that is not enumerable",
      () => Object.defineProperty(new Error("no"), "key", { value: GOOGLE }),
    ],
    ["bytes", () => withMember({ body: new TextEncoder().encode(GOOGLE) })],
    ["a map in a list", () => withMember({ list: [new Map([[{ key: GOOGLE }, 1]])] })],
    ["the tenth cause", () => nested(10)],
    ["a distant cause", () => nested(3_000)],
    ["one member of very many", () => withMember({ list: [...Array(20_000).keys(), GOOGLE] })],
  ])("as %s", async (_, make) => {
    const fail = () => {
      throw make();
    };
    const judged = await createLLMAsJudge({ prompt: "{outputs}", judge: fail })({ outputs: "a" }).catch(
      (error) => error,
    );
    expect(judged.code).toBe("callback_failed");
    expect(judged.cause).toBeInstanceOf(Error);
    const { failures } = await guard("a", [fail]);
    expect(failures).toHaveLength(1);
    for (const thrown of [judged, failures])
      expect(inspect(thrown, { depth: Infinity, maxArrayLength: null, showHidden: true })).not.toContain(
        GOOGLE,
      );
  });

  it("an error without a key stays the same", async () => {
    const thrown = withMember({ response: new Response("no"), list: [{ a: 1 }], cause: new Error("so") });
    const fail = () => {
      throw thrown;
    };
    const judged = await createLLMAsJudge({ prompt: "{outputs}", judge: fail })({ outputs: "a" }).catch(
      (error) => error,
    );
    expect(judged.cause).toBe(thrown);
    const { failures } = await guard("a", [fail]);
    expect(failures[0]?.error?.cause).toBe(thrown);
  });
});
