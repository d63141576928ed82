/** The evaluators that need no model, by their keys, in groups that are loaded when one of theirs is asked for. */

import { exactMatch } from "../../../evaluators/exact.js";
import { createJsonMatchEvaluator } from "../../../evaluators/json-match/json-match.js";
import { levenshteinDistance } from "../../../evaluators/string/levenshtein.js";
import { createTrajectoryMatchEvaluator } from "../../../evaluators/trajectory/match.js";
import type { RowEvaluator } from "../../../experiments/evaluate/evaluators/evaluators.js";

/** Makes an evaluator. */
export type Make = () => RowEvaluator;

/** Evaluators by their keys. */
type Group = Readonly<Record<string, Make>>;

const trajectory = (trajectoryMatchMode: "strict" | "unordered" | "subset" | "superset") =>
  createTrajectoryMatchEvaluator({ trajectoryMatchMode });

const BASIC: Group = {
  exact_match: () => exactMatch,
  levenshtein_distance: () => levenshteinDistance,
  json_match: () => createJsonMatchEvaluator(),
  "json_match:average": () => createJsonMatchEvaluator({ aggregator: "average", listAggregator: "average" }),
  "json_match:all": () => createJsonMatchEvaluator({ aggregator: "all", listAggregator: "all" }),
  trajectory_strict_match: () => trajectory("strict"),
  trajectory_unordered_match: () => trajectory("unordered"),
  trajectory_subset_match: () => trajectory("subset"),
  trajectory_superset_match: () => trajectory("superset"),
};

/** The groups: those that are asked for most, and load fastest, come first. */
export const GROUPS: readonly (() => Promise<Group>)[] = [
  async () => BASIC,
  async () => (await import("./text-metrics.js")).TEXT_METRICS,
  async () => (await import("./ranking-metrics.js")).RANKING_METRICS,
  async () => (await import("./checks.js")).CHECKS,
];
