/** The published packages, with LangSmith tracing off, since tests must not use the network. */
process.env.LANGSMITH_TRACING = "false";
process.env.LANGCHAIN_TRACING_V2 = "false";

export const openevals = await import("openevals");
export const agentevals = await import("agentevals");

// agentevals 0.0.7 contains this evaluator but does not export it, so it is imported by its file.
const strict = new URL("./node_modules/agentevals/dist/graph_trajectory/strict.js", import.meta.url);
interface Graph {
  results: Record<string, unknown>[];
  steps: string[][];
}
export const { graphTrajectoryStrictMatch } = (await import(/* @vite-ignore */ strict.href)) as {
  graphTrajectoryStrictMatch(params: { outputs: Graph; referenceOutputs: Graph }): Promise<{
    key: string;
    score: number | boolean;
  }>;
};
