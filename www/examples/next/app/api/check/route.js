import { exactMatch } from "openevals-wasm";
import { QUESTIONS } from "../../questions.js";

export const runtime = "edge";

/** Word for word, at the edge. */
export async function POST(request) {
  const { index, outputs } = await request.json();
  return Response.json(await exactMatch({ outputs, referenceOutputs: QUESTIONS[index].answer }));
}
