import { invalidInput, isOurs, OpenEvalsError, typed } from "../../../core/errors.js";
import { check, checkOptions, type OptionChecks, oneOf, required } from "../../../core/input/checks.js";
import { counted } from "../../../core/input/counted.js";
import { didYouMean } from "../../../core/input/near.js";
import { hideKeys } from "../../../core/input/secrets/keys.js";
import { canonicalArguments } from "../tools/arguments.js";
import { callCounter, reportProblem } from "../tools/observed-run.js";
import { type AnyTools, withFunctions } from "../tools/tools.js";
import { RecordingFile, type RecordingMode } from "./file.js";
import { rejectChanges } from "./format.js";

export type { RecordingMode } from "./file.js";

/** The options of {@link recordTools}. */
export interface RecordToolsOptions {
  /**
   * The path of the file: JSON Lines, one call in each line, to be read and committed. It contains the arguments and
   * results of calls, and the messages of errors. Nothing else is written: no context, header or environment variable.
   * Secrets in arguments or results are written.
   */
  file: string;
  /**
   * `record`: calls the tools, and replaces the file at the first call. `replay`: reads the file, and never calls a tool.
   * `auto` (the default): replays the calls that the file has at the first call, and records all others.
   */
  mode?: RecordingMode;
}

const OPTIONS: OptionChecks<RecordToolsOptions> = {
  file: required(check("the path of a file", (file) => typeof file === "string" && file !== "")),
  mode: oneOf(["record", "replay", "auto"]),
};

/**
 * Records the results of tools in a file and replays them, so that an agent can be tested in CI without the systems behind
 * its tools.
 *
 * A call is identified by its tool and its arguments as JSON; the order of keys does not matter. If a run of {@link recordAgent} or
 * a simulation repeats a call, its recordings are replayed in the order in which the calls begin, and the last one answers all
 * further calls. Each run counts its own calls, as for {@link mockTools}: if several runs make the same call, that of the first is
 * recorded, and replayed in all of them. Errors are recorded, too.
 *
 * @param tools Functions, or tools of the AI SDK or Mastra. Wrap functions before you pass them to another package:
 * `tool(recorded.search, { … })` of LangChain.
 * @returns The same tools with other functions.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. A tool throws `cache_miss` for a call
 * without a recording; `invalid_input` for arguments that JSON cannot represent (`NaN` would become `null`), for results that a
 * replay would change (a `Date` would become a string), and for a file with other content; and `tool_failed` if the file cannot
 * be read or written.
 * {@link recordAgent} reports these errors, even if the agent hides them.
 *
 * @example
 * ```ts
 * import { recordTools } from "openevals-wasm/harness";
 *
 * const { weather } = recordTools(
 *   { weather: async ({ city }: { city: string }) => ({ city, celsius: 12 }) },
 *   { file: "evals/recordings/weather.jsonl", mode: process.env.CI ? "replay" : "auto" },
 * );
 * ```
 */
export function recordTools<Tools extends AnyTools>(tools: Tools, options: RecordToolsOptions): Tools {
  const { file: path, mode = "auto" } = checkOptions("recordTools", options, OPTIONS);
  const file = new RecordingFile(path, mode);
  const countEarlier = callCounter();
  /** The largest number of equal calls in a run. */
  const most = new Map<string, number>();
  /** The recordings of equal calls that have begun. */
  const begun = new Map<string, Promise<unknown>>();

  return withFunctions("recordTools", tools, (tool, original) => async (...all) => {
    const { args, call, recording, isNew } = await withReports(tool, async () => {
      const args = onlyArgument(all, tool);
      const call = JSON.stringify([tool, args]);
      const earlier = countEarlier(call);
      const isNew = earlier === (most.get(call) ?? 0);
      if (isNew) most.set(call, earlier + 1);
      await file.open();
      const recording = file.find(tool, args, earlier);
      if (!recording && mode === "replay") throw missingRecording(file, tool, args);
      return { args, call, recording, isNew };
    });
    if (recording) {
      const { error, result } = recording;
      if (error) throw errorFrom(error);
      // Several calls may get the same recording, and may change it.
      return structuredClone(result);
    }
    // A replay would get the call of the first run for that of this one.
    if (!isNew) return original(...all);
    const earlier = begun.get(call);
    const record = async (): Promise<unknown> => {
      let result: unknown;
      try {
        result = await original(...all);
      } catch (thrown) {
        // Failures of mocks are not errors of the tool.
        if (isOurs(thrown)) throw thrown;
        await earlier;
        await withReports(tool, () => file.add({ tool, args, error: errorOf(thrown) }));
        throw thrown;
      }
      await earlier;
      await withReports(tool, () => file.add({ tool, args, result }));
      return result;
    };
    const recorded = record();
    // Equal calls are replayed in the order in which they begin, so they are recorded in this order.
    begun.set(call, Promise.allSettled([earlier, recorded]));
    return recorded;
  });
}

/** The arguments of a call, as a model wrote them. Packages pass objects after them, which are not part of the call. */
function onlyArgument([args, ...rest]: readonly unknown[], tool: string): string {
  if (rest.some((value) => value !== null && /^(string|number|boolean|bigint)$/.test(typeof value))) {
    throw invalidInput(
      `${tool} was called with ${rest.length + 1} arguments, but a recorded tool gets all of them as one object, as models ` +
        `write them: ${tool}({ … })`,
    );
  }
  const json = canonicalArguments(args, tool);
  // A recording with null would also answer this call. Other changes, as of a date to text, keep calls apart.
  rejectChanges(args ?? null, json, `the arguments of ${tool}`, (recorded) => recorded === null);
  return json;
}

/** Runs work of the recording. Its failures are reported, unlike errors of the tool. */
async function withReports<Result>(tool: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (thrown) {
    throw reportProblem(typed(tool, thrown));
  }
}

/** A recorded error, as an instance of its class if JavaScript has that class. */
function errorFrom({ name, message }: { name: string; message: string }): Error {
  const NativeError = NATIVE_ERRORS.find((candidate) => candidate.name === name);
  return NativeError ? new NativeError(message) : Object.assign(new Error(message), { name });
}

const NATIVE_ERRORS = [TypeError, RangeError, SyntaxError, ReferenceError, URIError, EvalError];

function errorOf(thrown: unknown): { name: string; message: string } {
  const { name, message } = Object(thrown);
  return {
    name: typeof name === "string" ? name : "Error",
    message: hideKeys(typeof message === "string" ? message : String(thrown)),
  };
}

/** The most recordings that an error lists, and the most characters of each. */
const [MAX_LISTED, MAX_SHOWN] = [3, 200];

function missingRecording(file: RecordingFile, tool: string, args: string): OpenEvalsError {
  const recorded = file.recorded(tool);
  const similar = recorded.args
    .sort((a, b) => similarity(b, args) - similarity(a, args))
    .slice(0, MAX_LISTED);
  const others = recorded.tools.length
    ? `there are recordings of ${recorded.tools.join(", ")}.`
    : "the file is empty.";
  const found = similar.length
    ? `The most similar of ${counted(recorded.args.length, "recorded call")}: ${similar.map((each) => callText(tool, each)).join(", ")}.`
    : `The tool has none; ${didYouMean(tool, recorded.tools, others)}`;
  return new OpenEvalsError(
    "cache_miss",
    `${file.path} has no recording of ${callText(tool, args)}. ${found} Record the call with the mode "auto".`,
  );
}

const callText = (tool: string, args: string): string =>
  `${tool}(${args.length > MAX_SHOWN ? `${args.slice(0, MAX_SHOWN)}…` : args})`;

/** The number of characters that two texts share at both ends, as a share of the longer one. */
function similarity(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let start = 0;
  while (start < most && one[start] === other[start]) start++;
  let end = 0;
  while (end < most - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  return (start + end) / Math.max(one.length, other.length);
}
