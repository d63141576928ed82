/** The cases: their input, and the speed that we aim for. */

import { experimentsOfAnySize } from "./any-size.mjs";
import { batch, besideAutoevals, besideLangSmith, fastestDistance, pair } from "./builders.mjs";
import { experiments } from "./experiments.mjs";
import { hugeLists, startupBesideAutoevals, startups } from "./fresh.mjs";
import {
  jsonList,
  jsonRecord,
  largeObject,
  nearlyEqualTexts,
  reversed,
  shuffled,
  trajectory,
} from "./inputs.mjs";
import { judgeCalls } from "./judge-calls.mjs";
import { judgeCallback, judgeClient, judgeFetch, judgeUsualClient, judgeUsualFetch } from "./judges.mjs";
import { rankings } from "./rankings.mjs";
import { starts } from "./start.mjs";
import { texts as textMetrics } from "./texts.mjs";

const exactMatch = (library) => library.exactMatch;
const levenshtein = (library) => library.levenshteinDistance;
const jsonMatch = (library) => library.createJsonMatchEvaluator({ aggregator: "average" });
const jsonListMatch = (library) =>
  library.createJsonMatchEvaluator({ aggregator: "average", listAggregator: "average" });
const trajectoryMatch = (trajectoryMatchMode) => (library) =>
  library.createTrajectoryMatchEvaluator({ trajectoryMatchMode });

const small = () => ({
  outputs: { a: 1, b: "two", c: [3] },
  referenceOutputs: { c: [3], b: "two", a: 1 },
});
const oneDiffers = () => ({
  outputs: { a: 1, b: "two", c: [3] },
  referenceOutputs: { c: [4], b: "two", a: 1 },
});
const record = () => ({ outputs: jsonRecord(0), referenceOutputs: { ...jsonRecord(0), status: "changed" } });
const list = () => ({
  outputs: jsonList(500),
  referenceOutputs: shuffled(jsonList(500)).map((row, i) =>
    i % 100 === 0 ? { ...row, status: "changed" } : row,
  ),
});
const sameCalls = (count) => () => ({ outputs: trajectory(count), referenceOutputs: trajectory(count) });
const equalCalls = (count) => () => ({
  outputs: trajectory(count),
  referenceOutputs: trajectory(count, { respelled: true }),
});
const shuffledCalls = (count) => () => ({
  outputs: trajectory(count),
  referenceOutputs: shuffled(trajectory(count, { respelled: true })),
});
const texts = (length) => () => nearlyEqualTexts(length);

const fewKeys = pair("exactMatch, 3 keys in another order", { ratio: 20 }, exactMatch, small);
const shortTexts = pair("Levenshtein, 10 characters", { ratio: 40 }, levenshtein, texts(10), fastestDistance);

export const cases = [
  ...startups,
  ...starts,
  fewKeys,
  pair("exactMatch, 3 keys, one differs", { ratio: 20 }, exactMatch, oneDiffers),
  pair("exactMatch, 1,000 keys reordered", { ratio: 4 }, exactMatch, () => ({
    outputs: largeObject(1_000),
    referenceOutputs: reversed(largeObject(1_000)),
  })),
  batch("exactMatch.batch, 1,000 rows", exactMatch, small),
  hugeLists,

  shortTexts,
  pair("Levenshtein, 100 characters", { ratio: 60 }, levenshtein, texts(100), fastestDistance),
  pair("Levenshtein, 1,000 characters", { ratio: 300 }, levenshtein, texts(1_000), fastestDistance),
  pair("Levenshtein, 5,000 characters", { ratio: 600 }, levenshtein, texts(5_000), fastestDistance),
  batch("levenshteinDistance.batch, 1,000 rows of 100", levenshtein, texts(100), fastestDistance),

  pair("JSON match, 10 keys", { ratio: 5, floors: 2 }, jsonMatch, record),
  pair("JSON match, list of 500", { ratio: 40, floors: 3.5 }, jsonListMatch, list),
  batch("JSON match batch, 1,000 rows of 10 keys", jsonMatch, record),

  ...[5, 500].flatMap((count) => [
    pair(
      `trajectory, strict, ${count} calls`,
      { ratio: count === 5 ? 16 : 6 },
      trajectoryMatch("strict"),
      sameCalls(count),
    ),
    pair(
      `trajectory, strict, ${count} calls, arguments in another order`,
      { ratio: count === 5 ? 6 : 4 },
      trajectoryMatch("strict"),
      equalCalls(count),
    ),
    pair(
      `trajectory, unordered, ${count} calls`,
      { ratio: count === 5 ? 8 : 50 },
      trajectoryMatch("unordered"),
      shuffledCalls(count),
    ),
  ]),
  batch("trajectory batch, 1,000 rows of 5 calls, strict", trajectoryMatch("strict"), equalCalls(5)),

  judgeClient,
  judgeCallback,
  judgeFetch,
  judgeUsualClient,
  judgeUsualFetch,
  judgeCalls,

  ...experiments,
  ...experimentsOfAnySize,

  ...textMetrics,
  ...rankings,

  startupBesideAutoevals,
  besideAutoevals(
    "exactMatch, 10 nested keys",
    { ratio: 2 },
    exactMatch,
    ({ ExactMatch }) => ExactMatch,
    () => ({ outputs: largeObject(10), referenceOutputs: largeObject(10) }),
  ),
  besideAutoevals(
    "JSON match, 10 nested keys",
    { ratio: 15 },
    jsonMatch,
    ({ JSONDiff }) => JSONDiff,
    () => ({ outputs: largeObject(10), referenceOutputs: { ...largeObject(10), "key 3": null } }),
  ),
  ...[60, 1_000].map((length) =>
    besideAutoevals(
      `Levenshtein, ${length.toLocaleString("en-US")} characters`,
      { ratio: length === 60 ? 3 : 25 },
      levenshtein,
      ({ Levenshtein }) => Levenshtein,
      texts(length),
      fastestDistance,
    ),
  ),

  ...[fewKeys, shortTexts, judgeClient].map(besideLangSmith),
];
