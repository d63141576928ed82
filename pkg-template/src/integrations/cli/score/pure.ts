/** Evaluators that need no model, by key, in groups that are loaded on first use. */

import "file:./index.js";
import {
  createJsonMatchEvaluator,
  createTrajectoryMatchEvaluator,
  exactMatch,
  levenshteinDistance,
} from "../../../api.js";
import type { RowEvaluator } from "../../../evaluation.js";

/** Makes an evaluator. */
export type Make = () => RowEvaluator;

/** Makers of evaluators by key. */
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

/** The groups; the most used, which load fastest, come first. */
export const GROUPS: readonly (() => Promise<Group>)[] = [
  async () => BASIC,
  async () => (await import("./text-metrics.js")).TEXT_METRICS,
  async () => (await import("./ranking-metrics.js")).RANKING_METRICS,
  async () => (await import("./checks.js")).CHECKS,
  async () => (await import("./agents.js")).AGENTS,
];
