import { jsonOf, parsed } from "../../core/engine/crossing.js";
import { invalidInput } from "../../core/errors.js";
import { anObject, check, checkOptions, isListOf, type OptionChecks, show } from "../../core/input/checks.js";
import { toJson } from "../../core/input/json/json.js";
import { didYouMean, nearest } from "../../core/input/near.js";
import { type ComparedValues, readArguments } from "../../core/input/params.js";
import { readRows } from "../../core/input/rows.js";
import { PASS_OPTIONS, type PassOptions, withPassMark } from "../../core/passing.js";
import { SHARE } from "../../core/scales.js";
import { tracedEvaluator } from "../../core/tracing/hook.js";
import type { CalledWith, ScoreScale, Trajectory } from "../../core/types.js";
import type { AnyMessage } from "../../models/conversation/forms.js";
import { listIn } from "../../models/conversation/list.js";
import { roleOf } from "../../models/conversation/roles.js";
import { textOfMessage } from "../../models/conversation/text.js";
import * as bindings from "../../openevals-agents.js";
import type { TauChecks, TauCriteria } from "../../openevals-agents.types.js";
import { writeRows } from "./crossing.js";
import { askEngine } from "./evaluator.js";
import { createStateMatch } from "./state-match.js";
import { readAgentTrajectory } from "./trajectory.js";

/** A part of the reward of {@link createTauReward}. */
export type TauBasis = "db" | "communicate" | "action";

/** The options of {@link createTauReward}. */
export interface TauRewardOptions extends PassOptions {
  /** The parts of the reward. By default those in the `reward_basis` of the task, or without one `["db", "communicate"]`. */
  basis?: readonly TauBasis[];
}

/** An action that the agent should take. An action of a task of tau2-bench is one. */
export interface TauExpectedAction {
  /** The tool. */
  name: string;
  /** The arguments. */
  arguments: Readonly<Record<string, unknown>>;
  /**
   * The names of the arguments that are compared; with `[]`, none are. By default, those that the call has are compared, so a
   * call may lack some.
   */
  compareArgs?: readonly string[] | null;
  /** `compareArgs` as in tau2-bench. A name that `arguments` lacks is an argument that the call must not have. */
  compare_args?: readonly string[] | null;
  /** Not read. */
  action_id?: unknown;
  /** Not read. */
  requestor?: unknown;
  /** Not read. */
  info?: unknown;
}

/** The parameters of {@link createTauReward}. */
export interface TauParams {
  /** A recorded run. */
  outputs: {
    /** The messages, with tool calls of the agent and the user. */
    messages: Trajectory;
    /** The state after the run. {@link replay} computes it. A run that ended early needs none. */
    state?: unknown;
    /** Why the run ended. Any reason but `agent_stop` and `user_stop` makes the reward 0. */
    terminationReason?: string | null;
    /** `terminationReason` as in tau2-bench. Other fields of its runs are not read. */
    termination_reason?: string | null;
  };
  /**
   * The criteria of the task: the `evaluation_criteria` of a task of tau2-bench, and a `state`. A part of the basis that is missing
   * here counts as met.
   */
  referenceOutputs: {
    /** The state after the expected actions. */
    state?: unknown;
    /** Actions, each of which some call has to take. */
    actions?: readonly TauExpectedAction[] | null;
    /** Texts that the agent has to say. Case does not count, and commas in its messages are ignored. */
    communicate?: readonly string[] | null;
    /** `communicate` as in tau2-bench. */
    communicate_info?: readonly string[] | null;
    /** The parts of the reward in this row, if `basis` is not set: `["DB", "COMMUNICATE"]`. */
    reward_basis?: readonly string[] | null;
    /** Assertions on the environment. They are not checked, so they need `basis` or `reward_basis`. */
    env_assertions?: readonly unknown[] | null;
    /** Assertions that a model judges. They are not checked, so they need `basis` or `reward_basis`. */
    nl_assertions?: readonly unknown[] | null;
  };
  [extra: string]: unknown;
}

/** The result of {@link createTauReward}. */
export type TauResult = {
  key: string;
  /** 1 if all parts are met, else 0; `null` if the task demands nothing of the basis. */
  score: 0 | 1 | null;
  /** `false` if the task demands nothing of the basis. */
  applicable?: false;
  comment?: string;
  /** Whether each part is met; missing for parts without a demand. */
  metadata?: { [Part in TauBasis]?: boolean };
};

/** An evaluator of recorded runs. */
export interface TauReward {
  <Given extends { outputs: unknown } = TauParams>(params: CalledWith<Given, TauParams>): Promise<TauResult>;
  /** Scores many rows. */
  batch(rows: readonly TauParams[]): Promise<TauResult[]>;
  /** Its scores are 0 and 1. */
  readonly scale: ScoreScale;
}

const NAME = "The tau reward";
const KEY = "tau_reward";
const BASES: readonly string[] = ["db", "communicate", "action"] satisfies TauBasis[];

/**
 * Makes an evaluator that computes the reward of tau2-bench for recorded runs: 1 if all parts of the basis are met, otherwise
 * 0. `db`: the states are equal; `action`: each expected action is taken; `communicate`: each text is said. Parts that a model
 * judges are not available. `passHatK()` of `openevals-wasm/evaluation` computes pass^k over several runs of each task.
 *
 * @returns An evaluator whose result is `{ key: "tau_reward", score }`, with a `comment` on what is not met. A run that ended
 * early has the score 0. Otherwise, if the task demands nothing of the basis, the row is not applicable; tau2-bench counts it
 * as 1.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The evaluator throws `invalid_input` for rows
 * of another form, and if the task has a state and the run has none.
 *
 * @example
 * ```ts
 * import { createTauReward } from "openevals-wasm/agents";
 *
 * const { score, comment } = await createTauReward()({
 *   outputs: { messages: [{ role: "assistant", content: "I refunded $1,200." }], state: { refunds: [7] } },
 *   referenceOutputs: { state: { refunds: [] }, communicate: ["1200"] },
 * });
 * console.log(score, comment); // 0 db: refunds[0] is 7, and should not be there.
 * ```
 */
export function createTauReward(options: TauRewardOptions = {}): TauReward {
  const { basis, ...marks } = checkOptions("createTauReward", options, OPTIONS);
  const stateMatch = createStateMatch();
  const score = async (rows: readonly ComparedValues[], pathOf: (row: number) => string) => {
    const runs = rows.map((row, index) => readRun(row, pathOf(index), basis));
    const read = runs.map(({ messages }, row) =>
      // Its actions may be the user's.
      readAgentTrajectory(messages, `${pathOf(row)}outputs.messages`, undefined, true),
    );
    const json = writeRows(
      read,
      (row) => `${pathOf(row)}outputs.messages`,
      (json, row) => json.verbatim(jsonOf((runs[row] as TauRun).criteria), "criteria"),
    );
    const checks = parsed(await askEngine(NAME, json, (rows) => bindings.tauChecks(rows)));
    return Promise.all(runs.map((run, row) => rewardOf(run, checks[row] as TauChecks, stateMatch)));
  };
  const evaluator = tracedEvaluator(
    KEY,
    async (...args: unknown[]) => (await score([readArguments(NAME, args)], () => ""))[0],
    async (rows: readonly unknown[]) => score(readRows(NAME, rows), (row) => `rows[${row}].`),
  );
  return Object.assign(evaluator, { scale: withPassMark(SHARE, marks) }) as TauReward;
}

const OPTIONS: OptionChecks<TauRewardOptions> = {
  basis: check('a list of "db", "communicate" and "action"', (basis) => {
    return isListOf(basis, (part) => BASES.includes(part as string)) && (basis as unknown[]).length > 0;
  }),
  ...PASS_OPTIONS,
};

/** The termination reasons of runs that did not end early. */
const COMPLETE: readonly unknown[] = ["agent_stop", "user_stop", undefined, null];

/** A row after it is read. */
interface TauRun {
  basis: readonly string[];
  messages: unknown;
  /** Why the run ended early, if it did. */
  cutBy: string | null | undefined;
  states: { outputs: unknown; referenceOutputs: unknown } | undefined;
  criteria: TauCriteria;
}

function readRun(
  { outputs, referenceOutputs }: ComparedValues,
  path: string,
  basis: readonly string[] | undefined,
): TauRun {
  const run = outputs as TauParams["outputs"];
  const task = referenceOutputs as TauParams["referenceOutputs"];
  // Runs may have fields for other evaluators. Tasks may not: a demand that is not read would count as met.
  checkFields(run, `${path}outputs`, RUN_FIELDS, "misspelt");
  checkFields(task, `${path}referenceOutputs`, TASK_FIELDS, "unknown");
  const { messages, state } = run;
  const { state: expected } = task;
  const reason = either(run, ["terminationReason", "termination_reason"], `${path}outputs`);
  if (reason != null && typeof reason !== "string")
    throw invalidInput(
      `${path}outputs.terminationReason is ${show(reason)}; it has to be a text such as "user_stop"`,
    );
  const cutBy = COMPLETE.includes(reason) ? undefined : reason;
  if (expected !== undefined && state === undefined && cutBy === undefined)
    throw invalidInput(
      `${path}referenceOutputs has a state, and ${path}outputs has none; compute it with replay()`,
    );
  return {
    basis: basis ?? basisOf(task, `${path}referenceOutputs`),
    messages,
    cutBy,
    states:
      expected === undefined || state === undefined
        ? undefined
        : { outputs: state, referenceOutputs: expected },
    criteria: readCriteria(task, messages, `${path}referenceOutputs`),
  };
}

/** What the engine compares with the run. */
function readCriteria(task: TauParams["referenceOutputs"], messages: unknown, place: string): TauCriteria {
  // Tasks of tau2-bench have null for what they do not demand.
  const actions = task.actions ?? [];
  const communicate = either(task, ["communicate", "communicate_info"], place) ?? [];
  if (!isListOf(communicate, (text) => typeof text === "string" && text !== ""))
    throw invalidInput(`${place}.communicate is ${show(communicate)}; it has to be a list of texts`);
  if (!isListOf(actions, isAction))
    throw invalidInput(`${place}.actions has to be a list of actions { name, arguments }`);
  return {
    actions: actions.map((action, index) => readAction(action, `${place}.actions[${index}]`)),
    communicate: communicate.map((text) => text.toLowerCase()),
    said: saidIn(messages),
  };
}

const RUN_FIELDS = ["messages", "state", "terminationReason", "termination_reason"];
const ASSERTIONS = ["env_assertions", "nl_assertions"] as const;
const TASK_FIELDS = ["state", "actions", "communicate", "communicate_info", "reward_basis", ...ASSERTIONS];
const ACTION_FIELDS = ["name", "arguments", "compareArgs", "compare_args", "action_id", "requestor", "info"];

/** Rejects fields that are not read: all, or only those whose names are misspelt. */
function checkFields(
  value: object,
  place: string,
  names: readonly string[],
  refused: "unknown" | "misspelt",
): void {
  if (!anObject.test(value)) throw invalidInput(`${place} is ${show(value)}; it has to be an object`);
  for (const field of Object.keys(value)) {
    if (names.includes(field)) continue;
    const meant = nearest(field, names);
    if (refused === "misspelt" && (!meant || meant in value)) continue;
    const hint = meant ? `did you mean ${meant}?` : `it may have ${names.join(", ")}.`;
    const problem = `${place} has the field ${show(field)}, which is not read; ${hint}`;
    throw invalidInput(problem);
  }
}

/** The value of a field that has two names. */
function either<Of extends object, Name extends keyof Of & string>(
  of: Of,
  [name, other]: readonly [Name, Name],
  place: string,
): Of[Name] {
  if (of[name] != null && of[other] != null)
    throw invalidInput(`${place} has both ${name} and ${other}; pass one`);
  return of[name] ?? of[other];
}

/** The parts of the reward of a task. */
function basisOf(task: TauParams["referenceOutputs"], place: string): readonly string[] {
  const listed = task.reward_basis;
  if (listed != null) {
    const parts = Array.isArray(listed) ? listed.map((part) => String(part).toLowerCase()) : [];
    if (parts.length && parts.every((part) => BASES.includes(part))) return parts;
    throw invalidInput(
      `${place}.reward_basis is ${show(listed)}; it has to be a list of DB, COMMUNICATE and ACTION. ` +
        "To compute only such a part of the reward, set basis",
    );
  }
  const ignored = ASSERTIONS.find((name) => task[name]?.length);
  if (!ignored) return ["db", "communicate"];
  throw invalidInput(`${place} has ${ignored}, which are not checked; to compute the other parts, set basis`);
}

function readAction(action: TauExpectedAction, place: string): TauCriteria["actions"][number] {
  checkFields(action, place, ACTION_FIELDS, "unknown");
  const compareArgs = comparedIn(action)?.slice();
  const names = Object.keys(action.arguments);
  const unknown = compareArgs?.find(
    (name) => !names.includes(name) && (action.compareArgs || nearest(name, names)),
  );
  if (unknown !== undefined) {
    const hint = didYouMean(unknown, names, `they are ${names.join(", ") || "empty"}.`, show);
    const problem = `${place} compares ${show(unknown)}, which is not in its arguments; ${hint}`;
    throw invalidInput(problem);
  }
  return { name: action.name, arguments: toJson(action.arguments, `${place}.arguments`), compareArgs };
}

/** The texts of the agent, normalised as in tau2-bench: in lower case, without commas. */
function saidIn(messages: unknown): string[] {
  const list = (listIn(messages) ?? []) as readonly AnyMessage[];
  return list
    .filter((message) => roleOf(Object(message)) === "assistant")
    .map(textOfMessage)
    .filter((text) => text.trim())
    .map((text) => text.toLowerCase().replaceAll(",", ""));
}

const comparedIn = ({ compareArgs, compare_args }: Partial<TauExpectedAction>) =>
  compareArgs ?? compare_args ?? undefined;

function isAction(action: unknown): boolean {
  const { name, arguments: args } = Object(action) as Partial<TauExpectedAction>;
  const areNames = isListOf(comparedIn(Object(action)) ?? [], (name) => typeof name === "string");
  return typeof name === "string" && typeof args === "object" && args !== null && areNames;
}

async function rewardOf(
  { basis, cutBy, states, criteria }: TauRun,
  checks: TauChecks,
  stateMatch: ReturnType<typeof createStateMatch>,
): Promise<TauResult> {
  const met: { [Part in TauBasis]?: boolean } = {};
  const problems: string[] = [];
  if (basis.includes("db") && states) {
    const { score, comment } = await stateMatch(states);
    met.db = score === true;
    if (comment) problems.push(`db: ${comment}`);
  }
  if (basis.includes("action") && criteria.actions.length) {
    met.action = checks.actions.every(Boolean);
    const missing = criteria.actions.filter((_, index) => !checks.actions[index]).map(({ name }) => name);
    if (missing.length) problems.push(`action: no call takes ${missing.join(", ")}.`);
  }
  if (basis.includes("communicate") && criteria.communicate.length) {
    met.communicate = checks.communicate.every(Boolean);
    const missing = criteria.communicate.filter((_, index) => !checks.communicate[index]).map(show);
    if (missing.length) problems.push(`communicate: the agent does not say ${missing.join(", ")}.`);
  }
  if (cutBy !== undefined) {
    return { key: KEY, score: 0, comment: `The run ended with ${cutBy}.`, metadata: met };
  }
  if (!Object.keys(met).length) {
    const comment = `Not applicable: the task demands nothing of ${basis.join(", ")}.`;
    return { key: KEY, score: null, applicable: false, comment };
  }
  const comment = problems.join(" ");
  const score = Object.values(met).every(Boolean) ? 1 : 0;
  return { key: KEY, score, ...(comment && { comment }), metadata: met };
}
