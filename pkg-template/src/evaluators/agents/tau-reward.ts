import { jsonOf, parsed } from "../../core/engine/crossing.js";
import { invalidInput } from "../../core/errors.js";
import { type Checks, check, checkOptions, isListOf, show } from "../../core/input/checks.js";
import { toJson } from "../../core/input/json.js";
import { type ComparedValues, readArguments } from "../../core/input/params.js";
import { readRows } from "../../core/input/rows.js";
import { PASS_OPTIONS, type PassOptions, withPassMark } from "../../core/scale.js";
import { SHARE } from "../../core/scales.js";
import { tracedEvaluator } from "../../core/tracing/hook.js";
import type { CalledWith, ScoreScale, Trajectory } from "../../core/types.js";
import { roleOf } from "../../models/conversation/roles.js";
import { textOf } from "../../models/conversation/text.js";
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
  /** The parts of the reward; `["db", "communicate"]` by default. */
  basis?: readonly TauBasis[];
}

/** An action that the agent should take. An action of a task of tau2-bench is one. */
export interface TauExpectedAction {
  /** The tool. */
  name: string;
  /** The arguments. */
  arguments: Readonly<Record<string, unknown>>;
  /** The arguments that are compared. Without them, those that the call has, so a call may lack some. */
  compareArgs?: readonly string[] | null;
  /** The same, as tau2-bench calls it. */
  compare_args?: readonly string[] | null;
}

/** The parameters of {@link createTauReward}. */
export interface TauParams {
  /** A recorded run. */
  outputs: {
    /** The messages, with tool calls of the agent and the user. */
    messages: Trajectory;
    /** The state after the run. {@link replay} computes it. A run that ended early needs none. */
    state?: unknown;
    /** Why the run ended. Any other than `agent_stop` and `user_stop` makes the reward 0. */
    terminationReason?: string | null;
  };
  /** What the task demands. A part of the basis that is missing here counts as met. */
  referenceOutputs: {
    /** The state after the expected actions. */
    state?: unknown;
    /** Actions, each of which some call has to take. */
    actions?: readonly TauExpectedAction[] | null;
    /** Texts that the agent has to say, in any case; commas in its messages are left out. */
    communicate?: readonly string[] | null;
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
 * judges are left out. `passHatK()` of `openevals-wasm/evaluation` computes pass^k over several runs of each task.
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
  const { basis = ["db", "communicate"], ...marks } = checkOptions("createTauReward", options, OPTIONS);
  const stateMatch = createStateMatch();
  const score = async (rows: readonly ComparedValues[], pathOf: (row: number) => string) => {
    const runs = rows.map((row, index) => readRun(row, pathOf(index)));
    const read = runs.map(({ messages }, row) =>
      readAgentTrajectory(messages, `${pathOf(row)}outputs.messages`),
    );
    const json = writeRows(
      read,
      (row) => `${pathOf(row)}outputs.messages`,
      (json, row) => json.verbatim(jsonOf((runs[row] as Run).criteria), "criteria"),
    );
    const checks = parsed(await askEngine(NAME, json, (rows) => bindings.tauChecks(rows)));
    return Promise.all(runs.map((run, row) => rewardOf(run, checks[row] as TauChecks, basis, stateMatch)));
  };
  const evaluator = tracedEvaluator(
    KEY,
    async (...args: unknown[]) => (await score([readArguments(NAME, args)], () => ""))[0],
    async (rows: readonly unknown[]) => score(readRows(NAME, rows), (row) => `rows[${row}].`),
  );
  return Object.assign(evaluator, { scale: withPassMark(SHARE, marks) }) as TauReward;
}

const OPTIONS: Checks<TauRewardOptions> = {
  basis: check('a list of "db", "communicate" and "action"', (basis) => {
    return isListOf(basis, (part) => BASES.includes(part as string)) && (basis as unknown[]).length > 0;
  }),
  ...PASS_OPTIONS,
};

/** The reasons of runs that did not end early. */
const COMPLETE: readonly unknown[] = ["agent_stop", "user_stop", undefined, null];

/** A row as it is scored. */
interface Run {
  messages: unknown;
  /** Why the run ended early, if it did. */
  cutBy: string | null | undefined;
  states: { outputs: unknown; referenceOutputs: unknown } | undefined;
  criteria: TauCriteria;
}

function readRun({ outputs, referenceOutputs }: ComparedValues, path: string): Run {
  const { messages, state, terminationReason } = outputs as TauParams["outputs"];
  const { state: expected, ...demands } = referenceOutputs as TauParams["referenceOutputs"];
  // Tasks of tau2-bench have null for what they do not demand.
  const actions = demands.actions ?? [];
  const communicate = demands.communicate ?? [];
  const cutBy = COMPLETE.includes(terminationReason) ? undefined : terminationReason;
  if (expected !== undefined && state === undefined && cutBy === undefined)
    throw invalidInput(
      `${path}referenceOutputs has a state, and ${path}outputs has none; replay() computes it`,
    );
  if (!isListOf(communicate, (text) => typeof text === "string" && text !== ""))
    throw invalidInput(
      `${path}referenceOutputs.communicate is ${show(communicate)}; it has to be a list of texts`,
    );
  if (!isListOf(actions, isAction))
    throw invalidInput(`${path}referenceOutputs.actions has to be a list of actions { name, arguments }`);
  return {
    messages,
    cutBy,
    states:
      expected === undefined || state === undefined
        ? undefined
        : { outputs: state, referenceOutputs: expected },
    criteria: {
      actions: actions.map((action, index) => ({
        name: action.name,
        arguments: toJson(action.arguments, `${path}referenceOutputs.actions[${index}].arguments`),
        compareArgs: comparedIn(action)?.slice(),
      })),
      communicate: communicate.map((text) => text.toLowerCase()),
      said: saidIn(messages),
    },
  };
}

/** What the agent says, as tau2-bench looks for texts in it. */
function saidIn(messages: unknown): string[] {
  const list = Array.isArray(messages) ? messages : [];
  return list
    .filter((message) => roleOf(Object(message)) === "assistant")
    .map(({ content }) => textOf(content))
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
  { cutBy, states, criteria }: Run,
  checks: TauChecks,
  basis: readonly TauBasis[],
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
  return { key: KEY, score: comment ? 0 : 1, ...(comment && { comment }), metadata: met };
}
