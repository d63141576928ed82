import { exactMatch } from "openevals-wasm";
import { evaluate } from "openevals-wasm/evaluation";
import { bpref } from "openevals-wasm/retrieval";
import { rougeL } from "openevals-wasm/text";

export default defineEventHandler(async () => {
  const { aggregates } = await evaluate(({ x }) => x, {
    data: [{ inputs: { x: 1 } }, { inputs: { x: 0 } }],
    evaluators: [({ outputs }) => ({ key: "x", score: outputs })],
  });
  return {
    exact: await exactMatch({ outputs: { a: 1 }, referenceOutputs: { a: 1 } }),
    text: (await rougeL("the cats sat", "the cats sat")).score,
    retrieval: (await bpref(["a", "n"], { a: 1, n: 0 })).score,
    evaluation: aggregates.x.mean,
  };
});
