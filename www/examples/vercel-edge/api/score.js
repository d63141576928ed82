import { createJsonMatchEvaluator, OpenEvalsError } from "openevals-wasm";

export const config = { runtime: "edge" };

const match = createJsonMatchEvaluator();

/** Compares what was extracted from a document with what stands in it, key by key. */
export default async function handler(request) {
  const { outputs, referenceOutputs } = await request.json();
  try {
    const scores = await match({ outputs, referenceOutputs });
    return Response.json({ scores, complete: scores.every(({ score }) => score === 1) });
  } catch (error) {
    if (!OpenEvalsError.isInstance(error)) throw error;
    return Response.json({ code: error.code, error: error.message }, { status: 400 });
  }
}
