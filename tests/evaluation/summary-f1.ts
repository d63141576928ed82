// biome-ignore-all lint/complexity/useLiteralKeys: it stands here as it stands there.

/** The summary evaluator from LangSmith's documentation. */
export function f1ScoreSummaryEvaluator({
  outputs,
  referenceOutputs,
}: {
  outputs: Record<string, any>[];
  referenceOutputs: Record<string, any>[];
}) {
  let truePositives = 0;
  let falsePositives = 0;
  let falseNegatives = 0;
  for (let i = 0; i < outputs.length; i++) {
    const output = outputs[i]["class"];
    const referenceOutput = referenceOutputs[i]["class"];
    if (output === "Toxic" && referenceOutput === "Toxic") {
      truePositives += 1;
    } else if (output === "Toxic" && referenceOutput === "Not toxic") {
      falsePositives += 1;
    } else if (output === "Not toxic" && referenceOutput === "Toxic") {
      falseNegatives += 1;
    }
  }
  if (truePositives === 0) {
    return { key: "f1_score", score: 0.0 };
  }
  const precision = truePositives / (truePositives + falsePositives);
  const recall = truePositives / (truePositives + falseNegatives);
  const f1Score = (2 * (precision * recall)) / (precision + recall);
  return { key: "f1_score", score: f1Score };
}
