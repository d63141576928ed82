import { createJsonMatchEvaluator } from "openevals-wasm";

/** What a queue of SQS hands over. */
interface Event {
  Records: { messageId: string; body: string }[];
}

const match = createJsonMatchEvaluator({ aggregator: "average" });

/** Scores answers as they come through a queue. What cannot be scored goes back into it, and that alone. */
export async function handler({ Records }: Event) {
  const failed = await Promise.all(Records.map(score));
  return { batchItemFailures: failed.flatMap((itemIdentifier) => itemIdentifier ?? []) };
}

async function score({ messageId, body }: Event["Records"][number]) {
  try {
    const { model, outputs, referenceOutputs } = JSON.parse(body);
    const [result] = await match({ outputs, referenceOutputs });
    report(model, Number(result?.score));
    return undefined;
  } catch (error) {
    console.error(`${messageId}: ${error}`);
    return { itemIdentifier: messageId };
  }
}

/** CloudWatch makes a metric of a line in this form, so no client is needed. */
function report(model: string, accuracy: number): void {
  const metrics = [{ Namespace: "Extraction", Dimensions: [["model"]], Metrics: [{ Name: "accuracy" }] }];
  console.log(
    JSON.stringify({ _aws: { Timestamp: Date.now(), CloudWatchMetrics: metrics }, model, accuracy }),
  );
}
