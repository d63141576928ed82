/** The code that scores these trajectories in an application. */

import type { ToolArgsMatchMode, ToolArgsMatchOverrides, TrajectoryMatchMode } from "openevals-wasm";
import { literal } from "../../../shared/code.js";
import { shown } from "../../../shared/scores.js";
import type { Rules, Verdict } from "./matching.js";
import type { Judged } from "./policy.js";

/** A match of messages. */
export function codeOf(
  { outputs, referenceOutputs }: { outputs: readonly object[]; referenceOutputs: readonly object[] },
  { mode, score, f1 }: Verdict,
  { toolArgsMatchMode, toolArgsMatchOverrides }: Rules,
): string {
  const options: {
    trajectoryMatchMode: TrajectoryMatchMode;
    toolArgsMatchMode?: ToolArgsMatchMode;
    toolArgsMatchOverrides?: ToolArgsMatchOverrides;
  } = { trajectoryMatchMode: mode };
  if (toolArgsMatchMode !== "exact") options.toolArgsMatchMode = toolArgsMatchMode;
  if (Object.keys(toolArgsMatchOverrides).length) options.toolArgsMatchOverrides = toolArgsMatchOverrides;
  return `import { createTrajectoryMatchEvaluator } from "openevals-wasm";

const trajectory = createTrajectoryMatchEvaluator(${literal(options)});

const result = await trajectory({
  outputs: ${literal(outputs, 2)},
  referenceOutputs: ${literal(referenceOutputs, 2)},
});
console.log(result);
// score: ${score}; with scoring: "f1" it is ${shown(f1)}
`;
}

/** A policy beside it. */
export const policyCodeOf = (outputs: readonly object[], { options, score }: Judged): string =>
  `
import { createToolPolicy } from "openevals-wasm/agents";

const policy = createToolPolicy(${literal(options)});
console.log(await policy({ outputs: ${literal(outputs)} }));
// score: ${score}
`;

/** A match of the steps of a graph. */
export const graphCodeOf = (outputs: object, referenceOutputs: object, score: boolean): string =>
  `import { graphTrajectoryStrictMatch } from "openevals-wasm";

const result = await graphTrajectoryStrictMatch({
  outputs: ${literal(outputs, 2)},
  referenceOutputs: ${literal(referenceOutputs, 2)},
});
console.log(result);
// score: ${score}
`;
