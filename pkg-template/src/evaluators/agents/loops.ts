import { jsonOf, parsed } from "../../core/engine/crossing.js";
import { checkOptions, type OptionChecks, wholeFrom } from "../../core/input/checks.js";
import { PASS_OPTIONS, type PassOptions, withPassMark } from "../../core/passing.js";
import { VERDICT } from "../../core/scales.js";
import * as bindings from "../../openevals-agents.js";
import type { LoopConfig, ToolLoop, ToolLoopKind } from "../../openevals-agents.types.js";
import { writeRows } from "./crossing.js";
import { agentEvaluator, askEngine } from "./evaluator.js";
import { aListOfPatterns } from "./patterns.js";
import type { AgentCall, AgentTrajectory } from "./trajectory.js";
import type { AgentEvaluator } from "./types.js";

/** The options of {@link loops}. */
export interface LoopsOptions extends Omit<PassOptions, "passAt"> {
  /** How many times a call or a cycle has to happen in a row to be a loop; from 2, by default 3. */
  minRepeats?: number;
  /** Tools whose calls are left out, such as one that waits. Patterns: `"poll_*"`. */
  ignore?: readonly string[];
  /**
   * Tools whose results have to change, whatever their arguments, such as a search. By default none, since tools that
   * write often return the same each time.
   */
  progress?: readonly string[];
}

/** A loop. A type alias, so that it is also a `Record`. */
export type AgentLoop = {
  /**
   * `call`: one call with the same arguments; `cycle`: several, in the same order; `noProgress`: results that do not
   * change.
   */
  kind: ToolLoopKind;
  /** The first call. */
  first: AgentCall;
  /** The last call. */
  last: AgentCall;
  /** The calls of one round. */
  period: number;
  /** The complete rounds. */
  repeats: number;
  /** Whether results differ between the rounds; missing if they are unknown. */
  resultsChange?: boolean | undefined;
};

/** The `metadata` of {@link loops}. */
export type LoopsMetadata = { loops: AgentLoop[] };

const NAME = "The evaluator of loops";

/**
 * Makes an evaluator that finds loops in the tool calls of an agent: the same call several times in a row, or a cycle of
 * calls of any length. Arguments are compared as JSON. It takes O(n log n) time for n calls.
 *
 * @returns An evaluator whose result is `{ key: "no_loops", score }`: `true` without loops, otherwise `false`, with a
 * `comment` that says where each loop is. `metadata` (a {@link LoopsMetadata}) has the loops.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The evaluator throws `invalid_input` for
 * a trajectory without messages.
 *
 * @example
 * ```ts
 * import { loops } from "openevals-wasm/agents";
 *
 * const search = { role: "assistant" as const, content: "", tool_calls: [{ name: "search", args: { q: "Oslo" } }] };
 * const { score, comment } = await loops()({ outputs: [search, search, search] });
 * console.log(score, comment);
 * // false outputs[0].tool_calls[0] to outputs[2].tool_calls[0]: search is called 3 times in a row with the same arguments.
 * ```
 */
export function loops(options: LoopsOptions = {}): AgentEvaluator {
  const { minRepeats = 3, ignore = [], progress = [], ...marks } = checkOptions("loops", options, OPTIONS);
  const config = jsonOf<LoopConfig>({ minRepeats, ignore: [...ignore], progress: [...progress] });
  const score = async (trajectories: readonly AgentTrajectory[], pathOf: (row: number) => string) => {
    const json = writeRows(trajectories, pathOf, (json, row) => {
      const { calls, outcomes } = trajectories[row] as AgentTrajectory;
      calls.forEach(({ result, message }, call) => {
        if (outcomes[call] !== "-") json.value(result, `the result of a call in ${pathOf(row)}[${message}]`);
        json.punctuation("\n");
      });
    });
    const found = await askEngine(NAME, json, (rows) => bindings.toolLoops(config, rows));
    return parsed(found).map((loops, row) => resultOf(loops, (trajectories[row] as AgentTrajectory).calls));
  };
  return agentEvaluator({ name: NAME, key: "no_loops", scale: withPassMark(VERDICT, marks), score });
}

const { passAt: _, ...MARKS } = PASS_OPTIONS;

const OPTIONS: OptionChecks<LoopsOptions> = {
  minRepeats: wholeFrom(2, 1_000_000),
  ignore: aListOfPatterns,
  progress: aListOfPatterns,
  ...MARKS,
};

/** How many loops a comment describes at most. */
const MAX_DESCRIBED = 5;

function resultOf(found: readonly ToolLoop[], calls: readonly AgentCall[]) {
  const loops = found.map(
    ({ comment: _, first, last, ...loop }): AgentLoop => ({
      ...loop,
      first: calls[first] as AgentCall,
      last: calls[last] as AgentCall,
    }),
  );
  const metadata: LoopsMetadata = { loops };
  const more = found.length > MAX_DESCRIBED ? [`There are ${found.length - MAX_DESCRIBED} more loops.`] : [];
  const comment = [...found.slice(0, MAX_DESCRIBED).map(({ comment }) => comment), ...more].join(" ");
  return { key: "no_loops", score: found.length === 0, ...(comment && { comment }), metadata };
}
