// The labelled claims in tests/data/rag: 60 rows that we wrote and labelled.

import { readFileSync } from "node:fs";
import { path } from "../run.mjs";

/** The file, below tests/data. */
export const CLAIMS = "rag/claims";

/** The rows. */
export const rows = () =>
  readFileSync(path(`tests/data/${CLAIMS}.jsonl`), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

/** Passes the labelled claims and the contexts of a row to a metric. */
export const withClaims = ({ example: { metadata } }) => ({
  claims: metadata.claims.map(({ claim }) => claim),
  context: metadata.context,
});

/** Answers as the labels say, in place of a model. */
export function labelJudge() {
  const labels = new Map(
    rows().flatMap(({ metadata }) => metadata.claims.map(({ claim, supported }) => [claim, supported])),
  );
  return ({ messages }) => {
    const prompt = messages.at(-1).content;
    const blocks = (name) =>
      Array.from(prompt.matchAll(new RegExp(`<${name} index="(\\d+)">\\n(.*)\\n</${name}>`, "g")));
    const contexts = blocks("context").map(([, index]) => Number(index));
    return {
      answers: blocks("claim").map(([, index, claim]) => ({
        index: Number(index),
        reason: "As it is labelled.",
        contexts: labels.get(claim) ? contexts : [],
        verdict: Number(labels.get(claim)),
      })),
    };
  };
}
