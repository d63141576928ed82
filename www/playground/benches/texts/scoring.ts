/** Every evaluator that needs no model, and how an application calls them. */

import {
  createJsonMatchEvaluator,
  exactMatch,
  type JsonMatchEvaluatorOptions,
  levenshteinDistance,
} from "openevals-wasm";
import { literal } from "../../../shared/code.js";
import type { ShownScore } from "../../../shared/scores.js";

export interface Pair {
  outputs: unknown;
  referenceOutputs: unknown;
}

/** How JSON is compared. */
export type JsonOptions = Pick<JsonMatchEvaluatorOptions, "listMatchMode" | "excludeKeys">;

const EXACT = "Exact match";
const LEVENSHTEIN = "Levenshtein similarity";

export async function scoreTexts(pair: { outputs: string; referenceOutputs: string }): Promise<ShownScore[]> {
  const [exact, similarity] = await Promise.all([exactMatch(pair), levenshteinDistance(pair)]);
  const longest = Math.max(pair.outputs.length, pair.referenceOutputs.length);
  const edits = Math.round((1 - (similarity.score as number)) * longest);
  return [
    { ...(exact as ShownScore), name: EXACT },
    {
      ...(similarity as ShownScore),
      name: LEVENSHTEIN,
      comment: `${edits.toLocaleString("en")} ${edits === 1 ? "edit" : "edits"} apart`,
    },
  ];
}

/** Some may not be defined for what others score: each failure stands beside the scores. */
export async function scoreJson(
  pair: Pair,
  options: JsonOptions,
): Promise<{ scores: ShownScore[]; problem?: string }> {
  const named = async (name: string | undefined, scored: Promise<unknown>): Promise<ShownScore[]> =>
    [await scored].flat().map((result) => ({ ...(result as ShownScore), ...(name ? { name } : undefined) }));
  const match = (aggregator?: "average" | "all") =>
    createJsonMatchEvaluator({
      ...options,
      ...(aggregator ? { aggregator, listAggregator: aggregator } : undefined),
    })(pair);
  const settled = await Promise.allSettled([
    named(EXACT, exactMatch(pair)),
    named("All keys equal", match("all")),
    named("Average over the keys", match("average")),
    named(undefined, match()),
    named(LEVENSHTEIN, levenshteinDistance(pair)),
  ]);
  const failure = settled.find(({ status }) => status === "rejected") as PromiseRejectedResult | undefined;
  return {
    scores: settled.flatMap((result) => (result.status === "fulfilled" ? result.value : [])),
    ...(failure && { problem: (failure.reason as Error).message }),
  };
}

/** The same in an application. */
export function codeOf(pair: Pair, scores: readonly ShownScore[], options?: JsonOptions): string {
  const names = ["exactMatch", "levenshteinDistance"];
  if (options) names.unshift("createJsonMatchEvaluator");
  const result = (key: string) => scores.find((score) => score.key === key);
  const lines = [
    `import { ${names.join(", ")} } from "openevals-wasm";`,
    "",
    `const outputs = ${literal(pair.outputs)};`,
    `const referenceOutputs = ${literal(pair.referenceOutputs)};`,
    "",
    ...call("exactMatch", result("exact_match")),
    ...call("levenshteinDistance", result("levenshtein_distance")),
  ];
  if (options) {
    const { excludeKeys, listMatchMode } = options;
    const given = literal({
      aggregator: "average",
      ...(Array.isArray(pair.outputs) && { listAggregator: "average" }),
      ...(excludeKeys?.length ? { excludeKeys } : undefined),
      ...(listMatchMode !== "same_elements" ? { listMatchMode } : undefined),
    });
    lines.push(`const jsonMatch = createJsonMatchEvaluator(${given});`);
    lines.push(...call("jsonMatch", result("json_match:average")));
  }
  return `${lines.join("\n").trimEnd()}\n`;
}

function call(name: string, scored: ShownScore | undefined): string[] {
  const line = `console.log(await ${name}({ outputs, referenceOutputs }));`;
  return scored ? [line, `// score: ${scored.score}`] : [line];
}
