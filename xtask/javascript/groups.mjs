/**
 * Sources that are published as one module. Where esbuild splits a bundle, it makes a chunk for each set of modules that
 * dynamic imports could share, whether the bundle has these or not. Published on their own, these sources ended up in up to
 * ten chunks each. A group with a dynamic import brings its target into every bundle that has a member of the group.
 */
export const GROUPS = {
  foundation: [
    "core/errors",
    "core/full-stop",
    "core/engine/crossing",
    "core/engine/engine",
    "core/engine/loader",
    "core/engine/sources",
    "core/input/counts",
    "core/input/json/flaw",
    "core/input/params",
    "core/input/rows",
    "core/input/json/verbatim",
    "core/platform/elapsed",
    "core/platform/on-use",
    "core/platform/packages",
    "core/platform/text-coding",
    "core/tracing/hook",
  ],
  "core/input/options": ["core/input/checks", "core/input/near", "core/input/secrets/secret-names"],
  "models/conversation/messages": [
    "models/conversation/calls",
    "models/conversation/list",
    "models/conversation/roles",
  ],
  "models/chat/opening": ["models/chat/providers/check-access", "models/chat/opener"],
  "models/chat/naming": [
    "core/engine/judges",
    "core/platform/body",
    "models/chat/embed",
    "models/chat/model-middleware",
    "models/chat/model-name",
    "models/chat/providers/provider-names",
    "models/chat/signals/experiment-signal",
    "openevals-judges",
  ],
  "experiments/evaluate/running": [
    "experiments/evaluate/budget/options",
    "experiments/evaluate/data/fields",
    "experiments/evaluate/data/iterated",
    "experiments/evaluate/data/open-data",
    "experiments/evaluate/data/row-reader",
    "experiments/evaluate/event-loop",
    "experiments/evaluate/fingerprint",
    "experiments/evaluate/options/pass-marks",
    "experiments/evaluate/options/settings",
    "experiments/evaluate/progress",
    "experiments/evaluate/recorded-failure",
    "experiments/evaluate/rows/outcomes",
    "experiments/evaluate/rows/pool",
    "experiments/evaluate/rows/results",
    "experiments/evaluate/rows/row-calls",
    "experiments/evaluate/rows/row-runner",
    "experiments/evaluate/rows/row-stream",
    "experiments/evaluate/rows/source",
    "experiments/evaluate/run",
    "experiments/evaluate/shard",
    "experiments/evaluate/sink/open-sink",
    "experiments/evaluate/summary-evaluators",
    "experiments/evaluate/target",
    "experiments/evaluate/with-finished",
    "experiments/statistics/aggregate",
    "experiments/statistics/arrays",
    "experiments/statistics/columns",
    "experiments/stored/account",
    "experiments/stored/ledger",
  ],
};

/** The group of each source that is in one. */
export const groupOf = new Map(
  Object.entries(GROUPS).flatMap(([group, names]) => names.map((name) => [name, group])),
);
