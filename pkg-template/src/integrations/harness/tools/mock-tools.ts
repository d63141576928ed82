import { callbackFailed, invalidConfig, type OpenEvalsError } from "../../../core/errors.js";
import {
  anObject,
  anything,
  checkOptions,
  checkValue,
  type OptionChecks,
  readable,
  required,
  show,
  wholeFrom,
} from "../../../core/input/checks.js";
import { didYouMean } from "../../../core/input/near.js";
import { isRecord } from "../../../core/input/objects.js";
import { reportProblem, stateOfRun } from "./observed-run.js";
import { type AnyTools, observing, type ToolFunction, withFunctions } from "./tools.js";

/**
 * A pattern for arguments. An object needs at least these members, a list all its elements. A regular expression tests
 * texts, and a function decides about any value.
 */
export type ToolPattern =
  | RegExp
  | ((value: any) => boolean | undefined)
  | string
  | number
  | boolean
  | null
  | readonly ToolPattern[]
  | { readonly [name: string]: ToolPattern };

/** The answer of a tool to some calls: `returns` or `throws`. */
export interface ToolMock {
  /** The arguments of these calls; all calls by default. */
  when?: ToolPattern;
  /**
   * The number of calls that it answers; later calls go to the next mock that fits. No limit by default. Each run of
   * {@link recordAgent} and each simulation counts its own calls, with those of runs inside it. Calls outside of these are
   * counted together.
   */
  times?: number;
  /** The result. */
  returns?: unknown;
  /** The message of the error that the tool throws, or the error. */
  throws?: string | Error;
}

/**
 * The answers of tools by name: a mock, a list of mocks (the first that fits answers), or a function of the arguments.
 */
export type ToolMocks = Readonly<Record<string, ToolMock | readonly ToolMock[] | ToolFunction>>;

/** Tools that are functions. Those that are mocked by a function have its types. */
export type MockedTools<Mocks extends ToolMocks> = {
  [name in keyof Mocks]: Mocks[name] extends ToolFunction
    ? (...args: MockedArguments<Mocks[name]>) => Promise<Awaited<ReturnType<Mocks[name]>>>
    : (args?: any) => Promise<any>;
};

/** A function without parameters answers all calls, so it says nothing about the arguments. */
type MockedArguments<Mock extends ToolFunction> =
  Parameters<Mock> extends [] ? [args?: any] : Parameters<Mock>;

/**
 * Makes tools with scripted answers, so that an agent can be tested without the systems behind its tools.
 *
 * A call that no mock fits throws. {@link recordAgent} then rejects, even if the agent hides the error from you.
 *
 * @param mocks The answers by tool. Patterns may be partial: `{ q: /paris/i }` fits `{ q: "Paris", limit: 5 }`.
 * @param tools Tools of the AI SDK or Mastra, whose functions are replaced. They keep their descriptions and schemas. No
 * original function is called: tools without a mock throw. Without this argument, the mocks become functions.
 * @throws {@link OpenEvalsError} `invalid_config` for mocks that cannot work. A tool throws `invalid_config` for a call that no
 * mock fits, and `callback_failed` if a function in `when` throws, or returns something other than `true`, `false` or nothing.
 *
 * @example
 * ```ts
 * import { mockTools } from "openevals-wasm/harness";
 *
 * const { search } = mockTools({
 *   search: [
 *     { when: { q: /paris/i }, returns: ["Paris is the capital of France."] },
 *     { throws: "timeout", times: 1 },
 *     { returns: [] },
 *   ],
 * });
 * console.log(await search({ q: "Where is Paris?" })); // [ 'Paris is the capital of France.' ]
 * ```
 */
export function mockTools<Mocks extends ToolMocks>(mocks: Mocks): MockedTools<Mocks>;
export function mockTools<Tools extends AnyTools>(mocks: ToolMocks, tools: Tools): Tools;
export function mockTools(mocks: ToolMocks, tools?: AnyTools): AnyTools {
  return readable("mockTools", () => makeMocks(mocks, tools));
}

function makeMocks(mocks: ToolMocks, tools: AnyTools | undefined): AnyTools {
  checkValue("mocks", mocks, required(anObject));
  const answers = Object.fromEntries(
    Object.entries(mocks).map(([name, mock]) => [name, observing(name, mockFunction(name, mock))]),
  );
  if (!tools) return answers;
  checkValue("tools", tools, anObject);
  for (const name of Object.keys(mocks)) {
    if (Object.hasOwn(tools, name)) continue;
    const names = Object.keys(tools);
    const others = names.length ? `there are ${names.join(", ")}.` : "tools is empty.";
    const problem = `There is no tool "${name}" to mock; ${didYouMean(name, names, others)}`;
    throw invalidConfig(problem);
  }
  return withFunctions("mockTools", tools, (name) =>
    Object.hasOwn(answers, name) ? (answers[name] as ToolFunction) : unmocked(name),
  );
}

const OPTIONS: OptionChecks<ToolMock> = {
  when: anything,
  times: wholeFrom(1),
  returns: anything,
  throws: anything,
};

function mockFunction(name: string, mockOrMocks: ToolMocks[string]): ToolFunction {
  // Called directly, since it may have state; its errors are errors of the tool.
  if (typeof mockOrMocks === "function") return async (...args: [any, ...any[]]) => mockOrMocks(...args);
  const mocks = [mockOrMocks].flat().map((mock, index) => {
    const read = checkOptions(
      `mocks.${name}${Array.isArray(mockOrMocks) ? `[${index}]` : ""}`,
      mock as ToolMock,
      OPTIONS,
    );
    if ("returns" in mock === "throws" in mock)
      throw invalidConfig(`A mock of ${name} needs either returns or throws`);
    return { ...read, inRun: stateOfRun(() => ({ calls: 0 })) };
  });
  return async (args) => {
    const found = mocks.find(
      ({ when, times = Infinity, inRun }) =>
        inRun().calls < times && (when === undefined || matches(name, args, when)),
    );
    if (!found) throw reportProblem(noMatchingMock(name, args));
    found.inRun().calls++;
    const { throws } = found;
    // A copy, since an agent that changes an answer must not change it for later calls.
    if (throws === undefined) return copyOf(found.returns);
    throw typeof throws === "string" ? new Error(throws) : throws;
  };
}

/** A copy of an object or a list. Instances of classes, and values with functions, are returned unchanged. */
function copyOf(answer: unknown): unknown {
  const isData = Array.isArray(answer) || Object.getPrototypeOf(Object(answer)) === Object.prototype;
  try {
    return isData ? structuredClone(answer) : answer;
  } catch {
    return answer;
  }
}

/** Whether arguments fit a pattern. If a function in it throws, the mock is wrong; the tool has not failed. */
function matches(name: string, args: unknown, when: ToolPattern): boolean {
  try {
    return fits(args, when);
  } catch (thrown) {
    throw reportProblem(callbackFailed(`A function in \`when\` of a mock of ${name}`, thrown));
  }
}

function fits(value: unknown, pattern: ToolPattern): boolean {
  // Unlike `test`, `search` does not depend on where the last search ended.
  if (pattern instanceof RegExp) return typeof value === "string" && value.search(pattern) !== -1;
  if (typeof pattern === "function") {
    const answer: unknown = pattern(value);
    // An optional chain may return nothing: `(args) => args.city?.startsWith("O")`.
    if (typeof (answer ?? false) === "boolean") return answer === true;
    throw new Error(`it returned ${show(answer)}; it has to return true or false`);
  }
  if (Array.isArray(pattern)) {
    return (
      Array.isArray(value) &&
      value.length === pattern.length &&
      pattern.every((part, index) => fits(value[index], part))
    );
  }
  if (typeof pattern !== "object" || pattern === null) return value === pattern;
  if (!isRecord(value)) return false;
  return Object.entries(pattern).every(
    ([name, part]) => Object.hasOwn(value, name) && fits((value as Record<string, unknown>)[name], part),
  );
}

const unmocked =
  (name: string): ToolFunction =>
  async () => {
    throw reportProblem(
      invalidConfig(`The tool ${name} was called, but has no mock. Add one to mockTools()`),
    );
  };

function noMatchingMock(name: string, args: unknown): OpenEvalsError {
  return invalidConfig(
    `No mock of ${name} fits the call ${name}(${show(args)}), or the mocks that fit have reached their \`times\`. ` +
      "Add a mock for these arguments, or one without `when` at the end",
  );
}
