import {
  createLLMSimulatedUser,
  type LLMSimulatedUserOptions,
  type MultiturnSimulationParams,
  runMultiturnSimulation,
} from "../../../api.js";
import { invalidConfig, type OpenEvalsError, reworded, typedReading } from "../../../core/errors.js";
import {
  aFunction,
  check,
  checkValue,
  noSuchOption,
  objectOfOptions,
  required,
  show,
  wholeFrom,
} from "../../../core/input/checks.js";
import { fnv1a } from "../../../core/input/hash.js";
import { mixed } from "../../../core/input/mixed.js";
import { nearest } from "../../../core/input/near.js";
import type { FlexibleChatCompletionMessage } from "../../../core/types.js";
import {
  type EvaluateOptions,
  type EvaluatorCallParams,
  evaluate,
  type RowEvaluator,
  type RunningExperiment,
} from "../../../evaluation.js";
import { observeRun } from "../tools/observed-run.js";

/** A user, played by a model. */
export interface SimulatedPersona {
  /** A short name, for the ids of rows. */
  name: string;
  /** The personality of the user, and how they talk. */
  persona: string;
}

/** A task of users. */
export interface SimulatedTask {
  /** A short name, for the ids of rows. */
  name: string;
  /** The goal of the user, for the model that plays them. */
  goal: string;
  /** The user's messages in the first turns, one for each. */
  fixedResponses?: LLMSimulatedUserOptions["fixedResponses"];
  /** The reference for evaluators, such as the final state. */
  referenceOutputs?: unknown;
}

/** A conversation of one user about one task. */
export interface SimulatedConversation<State> {
  user: SimulatedPersona;
  task: SimulatedTask;
  /** Differs between conversations, and stays the same between runs with the same `seed`: for {@link withFaults} and similar. */
  seed: number;
  /** The result of `state` for this conversation. */
  state: State;
}

/** The options of {@link runSimulations}: its own, and those of `evaluate()`. */
export interface RunSimulationsOptions<State = unknown>
  extends Omit<EvaluateOptions, "data" | "evaluators" | "numRepetitions" | "mapInputs" | "seed"> {
  /** The application, as for `runMultiturnSimulation`. It also gets the conversation that it is in. */
  app(
    params: Parameters<MultiturnSimulationParams["app"]>[0] & SimulatedConversation<State>,
  ): ReturnType<MultiturnSimulationParams["app"]>;
  /** The users. Each has a conversation about each task. */
  users: readonly SimulatedPersona[];
  tasks: readonly SimulatedTask[];
  /** The evaluators of each conversation, as for `evaluate()`. */
  evaluators?: readonly RowEvaluator<SimulationEvaluatorParams<NotInferred<State>>>[] | undefined;
  /** The number of conversations of each user about each task; 1 by default. `passHatK` needs several. */
  n?: number;
  /** A whole number from which the seeds of the conversations are derived; 0 by default. */
  seed?: number;
  /** The model that plays the users, as for `createLLMSimulatedUser`: its name, or a client or function. */
  model?: LLMSimulatedUserOptions["model"];
  client?: LLMSimulatedUserOptions["client"];
  /**
   * Makes the state that the tools of a conversation read and change, such as a database. Its final value is in the
   * outputs.
   */
  state?(conversation: Omit<SimulatedConversation<State>, "state">): State | Promise<State>;
  /** The largest number of turns; 10 by default. */
  maxTurns?: number;
  /** Ends a conversation after a turn, as for `runMultiturnSimulation`. */
  stoppingCondition?: MultiturnSimulationParams["stoppingCondition"];
}

/** The outputs of a conversation. A type alias, so that it is also a `Record`. */
export type SimulationOutputs<State = unknown> = {
  messages: FlexibleChatCompletionMessage[];
  /** The result of `state`, after the conversation. */
  state?: State;
};

/** `State`, which evaluators must not determine. The compiler infers nothing from a type that it cannot resolve yet. */
type NotInferred<State> = [State][State extends unknown ? 0 : never];

/** The parameters of an evaluator of conversations. */
export interface SimulationEvaluatorParams<State = unknown> extends EvaluatorCallParams {
  /** The conversation, and the state after it if there is one. */
  outputs: Required<SimulationOutputs<State>>;
  run: any;
  example: any;
}

/**
 * Runs conversations of many users about many tasks, several times each, and scores them as an experiment.
 *
 * The row of a user and a task has the id `"<user>/<task>"`, the two as `inputs` and their names as `metadata`, for
 * `sliceExperiment`. Its outputs are {@link SimulationOutputs}, so evaluators of trajectories read them. The `n` conversations
 * are repetitions: intervals, `passAtK` and `passHatK` treat them as such. The report has a table of users and tasks, whose
 * names are recorded as `metadata.simulations`.
 *
 * @returns A running experiment, as `evaluate()` does.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work, and the errors of `evaluate()`. A conversation
 * that fails is the error of its run: see `runMultiturnSimulation`. A call of {@link mockTools} or {@link recordTools} without an
 * answer fails its conversation.
 *
 * @example
 * ```ts
 * import { passHatK } from "openevals-wasm/evaluation";
 * import { runSimulations } from "openevals-wasm/harness";
 *
 * const experiment = await runSimulations({
 *   app: ({ inputs, state }) => {
 *     if (/refund/.test(inputs.content)) state.refunded = true;
 *     return { role: "assistant", content: "Done." };
 *   },
 *   state: () => ({ refunded: false }),
 *   users: [{ name: "curt", persona: "You write short messages." }],
 *   tasks: [{ name: "refund", goal: "You want a refund of order 7.", referenceOutputs: { refunded: true } }],
 *   client: async () => "I want a refund.",
 *   n: 3,
 *   maxTurns: 1,
 *   evaluators: [
 *     ({ outputs, referenceOutputs }) => ({
 *       key: "state",
 *       score: outputs.state.refunded === referenceOutputs.refunded,
 *     }),
 *   ],
 *   summaryEvaluators: [passHatK({ key: "state", k: 3 })],
 * });
 * console.log(experiment.summaryResults[0]?.score); // 1
 * ```
 */
export const runSimulations = <State = any>(options: RunSimulationsOptions<State>): RunningExperiment =>
  typedReading("runSimulations", () => startSimulations(options));

function startSimulations<State>(options: RunSimulationsOptions<State>): RunningExperiment {
  objectOfOptions("runSimulations", options);
  const {
    app,
    users,
    tasks,
    n = 1,
    seed = 0,
    model,
    client,
    state,
    maxTurns = 10,
    stoppingCondition,
    ...others
  } = options;
  checkValue("app", app, required(aFunction));
  checkValue("users", users, required(listWith("persona")));
  checkValue("tasks", tasks, required(listWith("goal")));
  checkNames("users", users, ["name", "persona"]);
  checkNames("tasks", tasks, ["name", "goal", "fixedResponses", "referenceOutputs"]);
  checkValue("n", n, wholeFrom(1));
  checkValue("seed", seed, wholeFrom(0));
  checkValue("maxTurns", maxTurns, wholeFrom(1));
  checkValue("state", state, aFunction);
  if (model === undefined && client === undefined) {
    const wrong = Object.keys(others).find((name) => name === "judge" || nearest(name, PLAYERS));
    const hint = wrong === undefined ? "" : `; it has no option ${show(wrong)}`;
    throw invalidConfig(`runSimulations needs a model or a client that plays the users${hint}`);
  }
  const simulatedUserFor = ({ persona }: SimulatedPersona, { goal, fixedResponses }: SimulatedTask) =>
    createLLMSimulatedUser({ system: `${persona}\n\n${goal}`, model, client, fixedResponses });

  const pairs = new Map(
    users.flatMap((user) => tasks.map((task) => [`${user.name}/${task.name}`, { user, task }])),
  );
  if (pairs.size < users.length * tasks.length) {
    throw invalidConfig("Several users or tasks of runSimulations have the same name; give each its own");
  }
  // Checks the model and the responses before the first conversation.
  for (const { user, task } of pairs.values()) simulatedUserFor(user, task);
  const conversationCounts = new Map<string, number>();

  const converse = async (
    { user: { name: userName }, task: { name: taskName } }: SimulationInputs,
    { signal }: Pick<MultiturnSimulationParams, "signal"> = {},
  ): Promise<SimulationOutputs<State>> => {
    const id = `${userName}/${taskName}`;
    const { user, task } = pairs.get(id) as Pick<SimulatedConversation<State>, "user" | "task">;
    const repetition = conversationCounts.get(id) ?? 0;
    conversationCounts.set(id, repetition + 1);
    const stateless = { user, task, seed: mixed(fnv1a(`${seed} ${repetition} ${id}`)) };
    const problems: OpenEvalsError[] = [];
    return observeRun({ problems }, async () => {
      const conversation = { ...stateless, state: (await state?.(stateless)) as State };
      const { trajectory } = await runMultiturnSimulation({
        app: (params) => app({ ...params, ...conversation }),
        user: simulatedUserFor(user, task),
        maxTurns,
        stoppingCondition,
        signal,
      });
      if (problems[0]) throw reworded(problems[0], problems[0].message, { trajectory });
      return { messages: trajectory, ...(state && { state: conversation.state }) };
    });
  };
  return evaluate(converse, {
    ...others,
    numRepetitions: n,
    // The report makes its table of users and tasks from this.
    metadata: {
      ...others.metadata,
      simulations: { users: users.map(({ name }) => name), tasks: tasks.map(({ name }) => name) },
    },
    data: Array.from(pairs, ([id, { user, task }]) => ({
      id,
      inputs: { user, task: { name: task.name, goal: task.goal } } satisfies SimulationInputs,
      referenceOutputs: task.referenceOutputs,
      metadata: { user: user.name, task: task.name },
    })),
  });
}

/** The options for the model that plays the users. */
const PLAYERS = ["model", "client"];

/** The inputs of a row. */
interface SimulationInputs {
  user: SimulatedPersona;
  task: Pick<SimulatedTask, "name" | "goal">;
}

/** Checks for a list of objects with a name and a text field. */
const listWith = (text: string) =>
  check(`a list of { name, ${text} }, with at least one`, (list) => {
    const isItem = (item: any) => typeof item?.name === "string" && typeof item[text] === "string";
    return Array.isArray(list) && list.length > 0 && list.every(isItem);
  });

/** Rejects misspelt names. Others may be data of the application, which gets the user and the task. */
function checkNames(option: string, items: readonly object[], names: readonly string[]): void {
  for (const [index, item] of items.entries()) {
    const wrong = Object.keys(item).find((name) => !names.includes(name) && nearest(name, names));
    if (wrong !== undefined) throw noSuchOption(`${option}[${index}]`, wrong, names);
  }
}
