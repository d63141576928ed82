/**
 * Prints the verdicts of promptfoo as JSON. In an empty folder:
 *
 *     npm install promptfoo@0.121.20
 *     npx promptfoo eval -c <tests>/cli/imports/promptfoo/assertions.yaml -o out.json --no-cache
 *     node <tests>/cli/imports/promptfoo/verdicts.mjs out.json > <tests>/cli/imports/promptfoo/verdicts.json
 *
 * promptfoo has some 700 packages, so tests read its verdicts from the file.
 */
import { readFileSync } from "node:fs";

const { results, metadata } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const verdicts = results.results.map(({ testCase, success, score, namedScores }) => ({
  description: testCase.description,
  pass: success,
  score: Math.round(score * 1e4) / 1e4,
  metrics: namedScores,
}));
console.log(JSON.stringify({ promptfoo: metadata.promptfooVersion, verdicts }, null, 2));
