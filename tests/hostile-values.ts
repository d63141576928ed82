/**
 * Hostile values, and what holds for all that takes values of users: it fails with an `OpenEvalsError`, or has a result, and
 * the next call works. This module must not import the package: its users would then depend on all of it.
 */

import { isDeepStrictEqual, types } from "node:util";
import { expect, test } from "vitest";

// Vitest keeps 100 frames of each of many thousands of errors.
Error.stackTraceLimit = 10;

/** Makes a new value for each call. */
type Makers = Record<string, () => any>;

/** What unreadable values throw. */
const boom = new Error("boom");
const fail = () => {
  throw boom;
};
const refusing = (target: object) => new Proxy(target, new Proxy({}, { get: () => fail }));
const revoked = (target: object) => {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
};
const withGetters = (target: object, ...names: string[]) =>
  Object.defineProperties(
    target,
    Object.fromEntries(names.map((name) => [name, { enumerable: true, get: fail }])),
  );

const GETTERS = "id values outputs role content type function name search resourceSpans";
const THROWING_FIELDS = "an object whose fields throw";

/** Objects and functions that throw when they are read. */
export const UNREADABLE: Makers = {
  "an object that refuses everything": () => refusing({}),
  "a list that refuses everything": () => refusing([]),
  "a function that refuses everything": () => refusing(() => {}),
  [THROWING_FIELDS]: () => new Proxy({ a: 1 }, { get: fail, has: fail }),
  "a list that throws a number": () =>
    new Proxy([], {
      get() {
        throw 1;
      },
    }),
  "a revoked object": () => revoked({}),
  "a revoked list": () => revoked([]),
  "a revoked function": () => revoked(() => {}),
  "an object with getters": () => withGetters({}, ...GETTERS.split(" ")),
};

/** Without the functions, for arguments that may be a function of the user. */
export const UNREADABLE_OBJECTS: Makers = Object.fromEntries(
  Object.entries(UNREADABLE).filter(([kind]) => !kind.includes("function")),
);

let deep: unknown = 1;
for (let depth = 0; depth < 100_000; depth++) deep = [deep];

/** Values that JSON cannot represent. */
export const NOT_JSON: Makers = {
  "a cycle": () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = { cycle };
    return cycle;
  },
  // The only one that is not new, since making it takes longer than refusing it.
  "100,000 levels": () => deep,
  "a BigInt": () => 1n,
  "a BigInt in an object": () => ({ big: 1n }),
  "BigInts in bytes": () => BigInt64Array.of(1n),
  "a symbol": () => Symbol("x"),
  "a function": () => () => {},
  "a method": () => ({ f() {} }),
  "a map": () => new Map([["a", 1]]),
  "a set": () => new Set(["a"]),
  "a list with a getter": () => withGetters([1, 2], "0"),
  "an object that fails to write itself": () => ({ toJSON: fail }),
};

/** Values that are unusual, and may have a result. */
export const UNUSUAL: Makers = {
  "a lone surrogate": () => "\ud800",
  "a null character": () => "\0",
  "the name of the prototype": () => "__proto__",
  "a key that is the name of the prototype": () => JSON.parse('{"__proto__": {"a": 1}}'),
  "100,000 characters": () => "x".repeat(100_000),
  NaN: () => Number.NaN,
  "-0": () => -0,
  "1e308": () => 1e308,
  undefined: () => undefined,
  null: () => null,
  "a list of holes": () => new Array(2),
  "an object without a prototype": () => Object.create(null),
  "a boxed number": () => new Number(1),
  "typed numbers": () => new Float32Array(3),
  "an invalid date": () => new Date(Number.NaN),
  "a promise": () => Promise.resolve(1),
  "an object that only looks like a signal": () => Object.create(AbortSignal.prototype),
  "an object that is no text": () => ({ toString: fail, valueOf: fail }),
};

/** Values that are thrown, of which no message can be made. */
export const UNPRINTABLE: [what: string, value: unknown][] = [
  ["getters that throw", Object.assign(withGetters({}, "message"), { toString: fail })],
  ["an object that is no text", Object.create(null)],
  ["a proxy that is revoked", revoked({})],
  ["a symbol", Symbol("x")],
];

/** Calls with a hostile value, by name. */
export type HostileCalls = Record<string, (value: any) => unknown>;

/** How a call ends. Fails if it throws anything but an `OpenEvalsError`. */
async function endingOf(what: string, call: () => unknown): Promise<{ result?: any; error?: any }> {
  try {
    const result = call();
    // Returned input, such as a message, may not be readable as a promise.
    return { result: types.isPromise(result) ? await result : result };
  } catch (error) {
    if (types.isNativeError(error) && error.name === "OpenEvalsError") return { error };
    throw new Error(`${what} threw ${types.isNativeError(error) ? error.stack : "no error"}`);
  }
}

/** The cause of an error, or those of the votes of a jury. */
const causesOf = ({ cause }: any) => [cause, ...(cause?.errors ?? []).map((vote: any) => vote.cause)];

/** The code of the error, or the keys and scores of the result, without times. */
const scoresOf = ({ result, error }: { result?: any; error?: any }) =>
  error?.code ?? [result].flat(2).map((one) => (Object(one) === one ? [one.key, one.score] : one));

/**
 * Tests that all calls fail with all values, with one of the codes; `undefined` allows a result. After each call, `next` ends
 * as it did before.
 */
export function testRefusals(
  calls: HostileCalls,
  values: Makers,
  codes: (string | undefined)[],
  next: () => unknown,
  hasCause = false,
): void {
  test.each(Object.entries(calls))("%s", async (name, call) => {
    const before = scoresOf(await endingOf(name, next));
    for (const [kind, make] of Object.entries(values)) {
      const what = `${name}, given ${kind},`;
      const { error } = await endingOf(what, () => call(make()));
      expect(codes, what).toContain(error?.code);
      if (hasCause && kind === THROWING_FIELDS) expect(causesOf(error), what).toContain(boom);
      expect(scoresOf(await endingOf(what, next)), what).toEqual(before);
    }
  });
}

/**
 * Tests evaluators with hostile parameters, rows and fields. Values that no score can be made of are refused, and those in
 * fields that do not matter may not change the score. A batch scores as a call does.
 *
 * @param cases The evaluators with rows that they can score. `unread` has fields that have to exist, and do not matter.
 */
export function testEvaluators(
  cases: { name: string; evaluator: any; row: Record<string, unknown>; unread?: string[] }[],
): void {
  test.each(cases)("$name", async ({ name, evaluator, row, unread = [] }) => {
    const before = scoresOf({ result: await evaluator(row) });
    const batched = (what: string, rows: unknown) =>
      evaluator.batch && endingOf(what, () => evaluator.batch(rows));
    const scored = async (what: string, params: unknown) => {
      const one = await endingOf(what, () => evaluator(params));
      const batch = (await batched(what, [params])) ?? one;
      expect([scoresOf(batch), batch.error?.cause], what).toEqual([scoresOf(one), one.error?.cause]);
      return scoresOf(one);
    };
    const unused = [];
    for (const field of Object.keys(row)) {
      const { [field]: _, ...rest } = row;
      const scores = await scored(name, rest);
      if (unread.includes(field) || isDeepStrictEqual(scores, before)) unused.push(field);
    }
    for (const [kind, make] of Object.entries({ ...UNREADABLE, ...NOT_JSON, ...UNUSUAL })) {
      const what = `${name}, given ${kind},`;
      const isRefused = !(kind in UNUSUAL);
      const { error } = await endingOf(what, () => evaluator(make()));
      if (isRefused) expect(REFUSALS, what).toContain(error?.code);
      if (kind === THROWING_FIELDS) expect(causesOf(error), what).toContain(boom);
      for (const rows of evaluator.batch ? [make(), [make()]] : []) {
        const { error } = await batched(what, rows);
        expect(REFUSALS, `${what} as a batch`).toContain(error?.code);
        if (kind === THROWING_FIELDS && Array.isArray(rows)) expect(causesOf(error), what).toContain(boom);
      }
      for (const field of Object.keys(row)) {
        for (const value of [make(), [make()]]) {
          const place = `${what} in ${field}`;
          const scores = await scored(place, { ...row, [field]: value });
          if (unused.includes(field)) expect([before, "invalid_input"], place).toContainEqual(scores);
          else if (isRefused) expect(scores, place).toBe("invalid_input");
        }
      }
      expect(scoresOf({ result: await evaluator(row) }), what).toEqual(before);
    }
  });
}

const REFUSALS = ["invalid_input", "missing_variable"];

const OPTIONS =
  "prompt judge model client evaluators checks toolArgsMatchOverrides rubric judges outputSchema fewShotExamples embeddings " +
  "schema data app user trajectoryEvaluators referenceOutputs reference_outputs allow kinds excludeKeys headers signal " +
  "parser detect output choices fixedResponses stoppingCondition";
const fine = { prompt: "{outputs}", judge: () => true, app: () => "a", user: ["a"], maxTurns: 1 };

/** Tests that functions and classes of a module end with a result or our error, wherever a hostile value is. */
export function testExports(module: object, next: () => unknown): void {
  const isTested = ([name, value]: [string, unknown]) =>
    typeof value === "function" && name !== "OpenEvalsError";
  test.each(Object.entries(module).filter(isTested))("%s", async (name, value) => {
    const call = /^[A-Z]/.test(name) ? (...args: unknown[]) => Reflect.construct(value, args) : value;
    const before = scoresOf(await endingOf(name, next));
    for (const [kind, make] of Object.entries({ ...UNREADABLE, ...NOT_JSON, ...UNUSUAL })) {
      const tried = (where: string, ...args: unknown[]) =>
        endingOf(`${name}, given ${kind} as ${where},`, () => call(...args));
      const hostile = make();
      await tried("first argument", hostile);
      await tried("second argument", "a", hostile);
      await tried("second argument", {}, hostile);
      await tried("element", [hostile]);
      await tried("outputs", { outputs: hostile, referenceOutputs: hostile });
      for (const option of OPTIONS.split(" ")) {
        await tried(option, { [option]: hostile });
        await tried(`${option} among others`, { ...fine, [option]: hostile });
      }
      expect(scoresOf(await endingOf(name, next)), `after ${name}, given ${kind}`).toEqual(before);
    }
  });
}
